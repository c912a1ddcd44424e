import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * What happens around the groups: BOOTSTRAP create TOPIC:PARTITIONS:REPLICAS… | produce TOPICS EVERY_MS |
 * commits GROUP TOPIC PARTITIONS ROUNDS (fills an offsets partition) | trim TOPIC PARTITIONS OFFSET (deletes records) |
 * widen TOPIC PARTITIONS | delete TOPIC | evict GROUP (removes all members of a group).
 */
public class Feeder {
  public static void main(String[] args) throws Exception {
    Properties settings = new Properties();
    settings.put("bootstrap.servers", args[0]);
    String[] rest = Arrays.copyOfRange(args, 2, args.length);
    if (args[1].equals("produce")) {
      produce(settings, rest[0].split(","), Long.parseLong(rest[1]));
      return;
    }
    try (Admin admin = Admin.create(settings)) {
      switch (args[1]) {
        case "create" -> create(admin, rest);
        case "commits" -> commits(admin, rest[0], rest[1], Integer.parseInt(rest[2]), Integer.parseInt(rest[3]));
        case "trim" -> trim(admin, rest[0], Integer.parseInt(rest[1]), Long.parseLong(rest[2]));
        case "widen" -> admin.createPartitions(Map.of(rest[0], NewPartitions.increaseTo(Integer.parseInt(rest[1])))).all().get();
        case "delete" -> admin.deleteTopics(Collections.singletonList(rest[0])).all().get();
        case "evict" -> admin.removeMembersFromConsumerGroup(rest[0], new RemoveMembersFromConsumerGroupOptions()).all().get();
        default -> throw new IllegalArgumentException(args[1]);
      }
    }
  }

  private static void create(Admin admin, String[] topics) throws Exception {
    for (String topic : topics) {
      String[] part = topic.split(":");
      NewTopic wanted = new NewTopic(part[0], Integer.parseInt(part[1]), Short.parseShort(part[2]));
      admin.createTopics(Collections.singletonList(wanted)).all().get();
    }
  }

  private static void produce(Properties settings, String[] topics, long everyMs) throws Exception {
    String serializer = "org.apache.kafka.common.serialization.StringSerializer";
    settings.put("key.serializer", serializer);
    settings.put("value.serializer", serializer);
    settings.put("request.timeout.ms", "5000");
    settings.put("delivery.timeout.ms", "8000");
    try (Producer<String, String> producer = new KafkaProducer<>(settings)) {
      for (long i = 0; ; i++) {
        for (String topic : topics) {
          producer.send(new ProducerRecord<>(topic, "k" + i, "v" + i));
        }
        Thread.sleep(everyMs);
      }
    }
  }

  private static void commits(Admin admin, String group, String topic, int partitions, int rounds) throws Exception {
    for (int round = 0; round < rounds; round++) {
      Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
      for (int partition = 0; partition < partitions; partition++) {
        offsets.put(new TopicPartition(topic, partition), new OffsetAndMetadata(round, "x".repeat(200)));
      }
      admin.alterConsumerGroupOffsets(group, offsets).all().get();
    }
  }

  private static void trim(Admin admin, String topic, int partitions, long offset) throws Exception {
    Map<TopicPartition, RecordsToDelete> before = new HashMap<>();
    for (int partition = 0; partition < partitions; partition++) {
      before.put(new TopicPartition(topic, partition), RecordsToDelete.beforeOffset(offset));
    }
    admin.deleteRecords(before).all().get();
  }
}
