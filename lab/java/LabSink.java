package com.example.warehouse;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.sink.SinkConnector;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTask;

/** A sink connector that writes nowhere. */
public class LabSink extends SinkConnector {
  private Map<String, String> settings;

  @Override
  public void start(Map<String, String> given) {
    settings = given;
  }

  @Override
  public Class<? extends Task> taskClass() {
    return Writer.class;
  }

  @Override
  public List<Map<String, String>> taskConfigs(int maxTasks) {
    List<Map<String, String>> all = new ArrayList<>();
    for (int i = 0; i < maxTasks; i++) {
      all.add(settings);
    }
    return all;
  }

  @Override
  public void stop() {}

  @Override
  public ConfigDef config() {
    return new ConfigDef();
  }

  @Override
  public String version() {
    return "1";
  }

  /** Takes records and forgets them. */
  public static class Writer extends SinkTask {
    @Override
    public void start(Map<String, String> given) {}

    @Override
    public void put(Collection<SinkRecord> records) {}

    @Override
    public void stop() {}

    @Override
    public String version() {
      return "1";
    }
  }
}
