package com.example.orders;

import java.util.Random;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.kafka.annotation.KafkaListener;

/** A plain Spring Boot listener; at the odds LAB_ODDS a record takes LAB_WORK ms. */
@SpringBootApplication
public class Orders {
  private static final long WORK = Long.parseLong(System.getenv().getOrDefault("LAB_WORK", "0"));
  private static final double ODDS = Double.parseDouble(System.getenv().getOrDefault("LAB_ODDS", "0"));
  private final Random random = new Random();

  public static void main(String[] args) {
    SpringApplication.run(Orders.class, args);
  }

  @KafkaListener(topics = "${lab.topic}")
  public void on(String value) throws InterruptedException {
    if (random.nextDouble() < ODDS) {
      Thread.sleep(WORK);
    }
  }
}
