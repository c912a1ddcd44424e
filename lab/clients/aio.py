"""aiokafka: BOOTSTRAP TOPIC GROUP CLIENT_ID; blocks the event loop for the seconds in SLOW_FILE, once."""

import asyncio
import logging
import os
import signal
import sys
import time
from pathlib import Path

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
    slow = Path(os.environ.get("SLOW_FILE", "/nonexistent"))
    while not stop.is_set():
        await consumer.getmany(timeout_ms=500)
        if slow.exists():
            seconds = float(slow.read_text())
            slow.unlink()
            time.sleep(seconds)  # as code that forgets to await does: heartbeats stop, too
    await consumer.stop()


asyncio.run(main(*sys.argv[1:5]))
