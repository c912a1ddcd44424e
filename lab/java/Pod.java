import java.io.File;
import java.io.FileReader;
import java.io.FileWriter;
import java.io.PrintWriter;
import java.io.Reader;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Properties;
import java.util.Random;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One pod: a consumer that polls, works and commits, and writes what it saw to a truth file.
 *
 * <p>Its argument is a properties file: consumer settings, and settings of the lab with the prefix "lab.":
 * topic (a list; with "^" in front a pattern), truth (file), slow.file (its number is slept once, in ms; a
 * negative one fails the work instead), work.ms (slept for each batch),
 * slow.odds and slow.ms (how often a batch is slow, and how slow).
 */
public class Pod {
  private static final Logger LOG = LoggerFactory.getLogger("com.example.shop.EventListener");
  private static PrintWriter truth;

  private static synchronized void say(String what, String detail) {
    String text = detail.replace("\\", "/").replace("\"", "'").replace("\n", " ");
    truth.println("{\"t\":" + System.currentTimeMillis() + ",\"what\":\"" + what + "\",\"detail\":\"" + text + "\"}");
    truth.flush();
  }

  private static String take(Properties settings, String name, String otherwise) {
    Object given = settings.remove("lab." + name);
    return given == null ? otherwise : given.toString();
  }

  /** Generation and member id, by reflection: consumers before 2.5 cannot tell. */
  private static String membership(KafkaConsumer<?, ?> consumer) {
    try {
      Object group = consumer.getClass().getMethod("groupMetadata").invoke(consumer);
      Object generation = group.getClass().getMethod("generationId").invoke(group);
      Object member = group.getClass().getMethod("memberId").invoke(group);
      return " generation=" + generation + " member=" + member;
    } catch (ReflectiveOperationException | RuntimeException e) {
      return "";
    }
  }

  public static void main(String[] args) throws Exception {
    Properties settings = new Properties();
    try (Reader file = new FileReader(args[0])) {
      settings.load(file);
    }
    String topics = take(settings, "topic", null);
    truth = new PrintWriter(new FileWriter(take(settings, "truth", null), true));
    File slow = new File(take(settings, "slow.file", "/nonexistent"));
    long work = Long.parseLong(take(settings, "work.ms", "0"));
    double odds = Double.parseDouble(take(settings, "slow.odds", "0"));
    long slowMs = Long.parseLong(take(settings, "slow.ms", "0"));
    settings.put("key.deserializer", "org.apache.kafka.common.serialization.StringDeserializer");
    settings.put("value.deserializer", "org.apache.kafka.common.serialization.StringDeserializer");
    final KafkaConsumer<String, String> consumer = new KafkaConsumer<>(settings);
    final Thread main = Thread.currentThread();
    final boolean[] stop = {false};
    Runtime.getRuntime().addShutdownHook(new Thread(() -> {
      stop[0] = true;
      consumer.wakeup();
      try {
        main.join(20000);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }));
    say("start", "");
    Random random = new Random();
    int rc = 0;
    try {
      ConsumerRebalanceListener listener = new ConsumerRebalanceListener() {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
          say("assigned", partitions + membership(consumer));
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
          say("revoked", partitions + membership(consumer));
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
          say("lost", partitions + membership(consumer));
        }
      };
      if (topics.startsWith("^")) {
        consumer.subscribe(Pattern.compile(topics), listener);
      } else {
        consumer.subscribe(Arrays.asList(topics.split(",")), listener);
      }
      while (!stop[0]) {
        ConsumerRecords<String, String> records = consumer.poll(Duration.ofMillis(200));
        if (!records.isEmpty()) {
          Thread.sleep(work);
          if (random.nextDouble() < odds) {
            say("slow", slowMs + " ms");
            Thread.sleep(slowMs);
            say("slow_done", slowMs + " ms");
          }
        }
        if (slow.exists()) {
          long ms = Long.parseLong(new String(Files.readAllBytes(slow.toPath())).trim());
          slow.delete();
          if (ms < 0) {
            throw new IllegalStateException("cannot process record of partition events-0: malformed payload");
          }
          say("slow", ms + " ms");
          Thread.sleep(ms);
          say("slow_done", ms + " ms");
        }
        if (!records.isEmpty()) {
          try {
            consumer.commitSync();
          } catch (CommitFailedException | RebalanceInProgressException e) {
            say("commit_failed", e.getClass().getSimpleName());
            LOG.warn("Offset commit failed after processing {} records", records.count(), e);
          }
        }
      }
    } catch (WakeupException e) {
      say("woken", "");
    } catch (Throwable e) {
      say("died", e.getClass().getSimpleName() + ": " + e.getMessage());
      LOG.error("Consumer stopped", e);
      rc = 1;
    } finally {
      say("closing", "rc=" + rc);
      try {
        consumer.close();
      } catch (RuntimeException e) {
        say("close_failed", e.getClass().getSimpleName());
      }
      say("closed", "");
    }
    Runtime.getRuntime().halt(rc);
  }
}
