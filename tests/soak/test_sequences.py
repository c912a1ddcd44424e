"""The model of changing log files, with a seed of one's own: other sequences than the suite's, repeatable.

`LOGANALYST_SEQUENCES` sets how many sequences are tried, `LOGANALYST_SEED` which.
"""

from __future__ import annotations

import os

import hypothesis
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.ingest.test_model import Logs

SEQUENCES = int(os.environ.get("LOGANALYST_SEQUENCES", "4"))
SEED = int(os.environ.get("LOGANALYST_SEED", "0"))


def test_every_line_counts_once_in_sequences_of_this_seed() -> None:
    class Seeded(Logs):
        """The model; hypothesis takes the seed from the class."""

    hypothesis.seed(SEED)(Seeded)
    run_state_machine_as_test(
        Seeded,
        settings=settings(
            max_examples=SEQUENCES,
            stateful_step_count=12,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
