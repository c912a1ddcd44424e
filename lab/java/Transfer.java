import java.io.FileReader;
import java.io.Reader;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads, works and writes in transactions, with a well-known mistake: it asks for its group's metadata once and
 * commits with this generation for ever, so that the broker fences its commits after the next rebalance.
 */
public class Transfer {
  private static final Logger LOG = LoggerFactory.getLogger("com.example.ledger.Transfer");

  public static void main(String[] args) throws Exception {
    Properties settings = new Properties();
    try (Reader file = new FileReader(args[0])) {
      settings.load(file);
    }
    String topic = (String) settings.remove("lab.topic");
    settings.keySet().removeIf(key -> key.toString().startsWith("lab."));
    settings.put("key.deserializer", "org.apache.kafka.common.serialization.StringDeserializer");
    settings.put("value.deserializer", "org.apache.kafka.common.serialization.StringDeserializer");
    Properties writer = new Properties();
    writer.put("bootstrap.servers", settings.get("bootstrap.servers"));
    writer.put("client.id", settings.get("client.id") + "-writer");
    writer.put("transactional.id", settings.get("client.id"));
    writer.put("key.serializer", "org.apache.kafka.common.serialization.StringSerializer");
    writer.put("value.serializer", "org.apache.kafka.common.serialization.StringSerializer");
    KafkaConsumer<String, String> consumer = new KafkaConsumer<>(settings);
    KafkaProducer<String, String> producer = new KafkaProducer<>(writer);
    producer.initTransactions();
    consumer.subscribe(Collections.singletonList(topic));
    ConsumerGroupMetadata group = null;
    while (true) {
      ConsumerRecords<String, String> records = consumer.poll(Duration.ofMillis(300));
      if (records.isEmpty()) {
        continue;
      }
      if (group == null) {
        group = consumer.groupMetadata();
      }
      Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
      producer.beginTransaction();
      try {
        for (ConsumerRecord<String, String> record : records) {
          producer.send(new ProducerRecord<>(topic + "-booked", record.key(), record.value()));
          offsets.put(new TopicPartition(record.topic(), record.partition()), new OffsetAndMetadata(record.offset() + 1));
        }
        producer.sendOffsetsToTransaction(offsets, group);
        producer.commitTransaction();
      } catch (KafkaException e) {
        LOG.warn("Transaction aborted, {} records will be read again", records.count(), e);
        producer.abortTransaction();
        Thread.sleep(500);
      }
    }
  }
}
