"""librdkafka by confluent-kafka, one consumer a group, many in one process: BOOTSTRAP TOPIC GROUP…

Settings of librdkafka come as JSON in RDKAFKA (a value "$GROUP" becomes the group); SLOW_FILE holds seconds
to sleep once.
"""

import json
import os
import signal
import sys
import threading
import time
from pathlib import Path

from confluent_kafka import Consumer

stop = threading.Event()
signal.signal(signal.SIGTERM, lambda *_: stop.set())
slow = Path(os.environ.get("SLOW_FILE", "/nonexistent"))


def settings(bootstrap: str, group: str) -> dict[str, object]:
    """Return the settings of one consumer; None in RDKAFKA takes a default away."""
    given = {
        "bootstrap.servers": bootstrap,
        "group.id": group,
        "client.id": f"{group}-0",
        "session.timeout.ms": 10000,
        "heartbeat.interval.ms": 1000,
        "max.poll.interval.ms": 20000,
        "auto.offset.reset": "earliest",
        **json.loads(os.environ.get("RDKAFKA", "{}")),
    }
    if given.get("group.protocol") == "consumer":  # these are the broker's then (KIP-848)
        given["session.timeout.ms"] = given["heartbeat.interval.ms"] = None
    return {key: value for key, value in given.items() if value is not None}


def run(bootstrap: str, topic: str, group: str) -> None:
    """Consume until told to stop."""
    consumer = Consumer(settings(bootstrap, group))
    consumer.subscribe([topic])
    while not stop.is_set():
        message = consumer.poll(0.5)
        if message is not None and message.error():
            print("consumer error:", message.error(), flush=True)
        if slow.exists():
            seconds = float(slow.read_text())
            slow.unlink()
            time.sleep(seconds)
    consumer.close()


threads = [threading.Thread(target=run, args=(sys.argv[1], sys.argv[2], group)) for group in sys.argv[3:]]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
