import java.io.FileReader;
import java.io.Reader;
import java.time.Duration;
import java.util.Collections;
import java.util.Properties;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.common.errors.WakeupException;

/** A member of a share group (KIP-932). */
public class Share {
  public static void main(String[] args) throws Exception {
    Properties settings = new Properties();
    try (Reader file = new FileReader(args[0])) {
      settings.load(file);
    }
    String topic = (String) settings.remove("lab.topic");
    settings.keySet().removeIf(key -> key.toString().startsWith("lab."));
    settings.put("key.deserializer", "org.apache.kafka.common.serialization.StringDeserializer");
    settings.put("value.deserializer", "org.apache.kafka.common.serialization.StringDeserializer");
    KafkaShareConsumer<String, String> consumer = new KafkaShareConsumer<>(settings);
    Thread main = Thread.currentThread();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> {
      consumer.wakeup();
      try {
        main.join(20000);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }));
    consumer.subscribe(Collections.singletonList(topic));
    try {
      while (true) {
        consumer.poll(Duration.ofMillis(300));
      }
    } catch (WakeupException e) {
      consumer.close();
    }
  }
}
