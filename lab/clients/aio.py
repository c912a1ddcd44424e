"""aiokafka: BOOTSTRAP TOPIC GROUP CLIENT_ID."""

import asyncio
import logging
import signal
import sys

from aiokafka import AIOKafkaConsumer

logging.basicConfig(level=logging.INFO, format="%(asctime)s,%(name)s,%(levelname)s: %(message)s")


async def main(bootstrap: str, topic: str, group: str, client: str) -> None:
    """Consume until SIGTERM."""
    consumer = AIOKafkaConsumer(
        topic,
        bootstrap_servers=bootstrap,
        group_id=group,
        client_id=client,
        session_timeout_ms=10000,
        heartbeat_interval_ms=1000,
    )
    await consumer.start()
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    while not stop.is_set():
        await consumer.getmany(timeout_ms=500)
    await consumer.stop()


asyncio.run(main(*sys.argv[1:5]))
