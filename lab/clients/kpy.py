"""kafka-python: BOOTSTRAP TOPIC GROUP CLIENT_ID; sleeps the seconds it finds in the file SLOW_FILE, once.

ASSIGNOR names the only assignor it offers.
"""

import logging
import os
import signal
import sys
import time
from pathlib import Path

from kafka import KafkaConsumer
from kafka.coordinator.assignors.range import RangePartitionAssignor
from kafka.coordinator.assignors.roundrobin import RoundRobinPartitionAssignor
from kafka.coordinator.assignors.sticky.sticky_assignor import StickyPartitionAssignor

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s [%(name)s] %(message)s")
bootstrap, topic, group, client = sys.argv[1:5]
assignors = {
    "range": [RangePartitionAssignor],
    "roundrobin": [RoundRobinPartitionAssignor],
    "sticky": [StickyPartitionAssignor],
}
chosen = assignors.get(os.environ.get("ASSIGNOR", ""))
running = True


def stop(*_: object) -> None:
    """End the loop at its next turn."""
    global running
    running = False


signal.signal(signal.SIGTERM, stop)
consumer = KafkaConsumer(
    topic,
    bootstrap_servers=bootstrap.split(","),
    group_id=group,
    client_id=client,
    session_timeout_ms=10000,
    heartbeat_interval_ms=1000,
    max_poll_interval_ms=int(os.environ.get("MAX_POLL_MS", "20000")),
    **({"partition_assignment_strategy": chosen} if chosen else {}),
)
slow = Path(os.environ.get("SLOW_FILE", "/nonexistent"))
while running:
    consumer.poll(500)
    if slow.exists():
        seconds = float(slow.read_text())
        slow.unlink()
        time.sleep(seconds)
consumer.close()
