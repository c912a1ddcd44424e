import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.RangeAssignor;
import org.apache.kafka.common.Cluster;

/** Assignors of a company's own: known by their own names, eager, cooperative, and one that takes its time. */
public class Zone {
  /** Eager. */
  public static class Range extends RangeAssignor {
    @Override
    public String name() {
      return "zone-range";
    }
  }

  /** Cooperative. */
  public static class Cooperative extends CooperativeStickyAssignor {
    @Override
    public String name() {
      return "zone-cooperative";
    }
  }

  /** Eager, and its leader needs "lab.assign.ms" (a system property) to compute an assignment. */
  public static class Slow extends RangeAssignor {
    @Override
    public String name() {
      return "zone-slow";
    }

    @Override
    public GroupAssignment assign(Cluster metadata, GroupSubscription subscriptions) {
      try {
        Thread.sleep(Long.getLong("lab.assign.ms", 0));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return super.assign(metadata, subscriptions);
    }
  }
}
