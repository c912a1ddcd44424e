// kafkajs: BOOTSTRAP TOPIC GROUP CLIENT_ID
const { Kafka, logLevel } = require("kafkajs");

const [bootstrap, topic, groupId, clientId] = process.argv.slice(2);
const kafka = new Kafka({ clientId, brokers: bootstrap.split(","), logLevel: logLevel.INFO, retry: { retries: 8 } });
const consumer = kafka.consumer({ groupId, sessionTimeout: 10000, heartbeatInterval: 1000 });

process.on("SIGTERM", async () => {
  await consumer.disconnect();
  process.exit(0);
});

async function main() {
  await consumer.connect();
  await consumer.subscribe({ topic });
  await consumer.run({ eachMessage: async () => {} });
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
