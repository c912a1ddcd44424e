"""`make soak`: the reliability numbers in full, in bounded slices that can be interrupted and go on.

    python -m tests.soak [--minutes N] [--only NAME]

Each measure runs its slices one after the other until it has its number. What was done is kept in
`.soak/progress.json`, failures with the command that repeats them in `.soak/failures.json`; both survive, so
that a run goes on where the last one stopped.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
STATE = ROOT / ".soak"


@dataclass(frozen=True)
class Measure:
    """One number: `goal` units in slices of `step`; `variables` and `tests` are formed with the seed."""

    name: str
    what: str
    goal: int
    step: int
    variables: tuple[str, ...]
    tests: tuple[str, ...]

    def command(self, seed: int) -> tuple[list[str], dict[str, str]]:
        """Return the command and the environment of the slice that begins at `seed`."""
        names = {"seed": seed, "step": self.step, "end": seed + self.step}
        pairs = (variable.format(**names).partition("=") for variable in self.variables)
        environment = {name: value for name, _, value in pairs}
        tests = [test.format(**names) for test in self.tests]
        return [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests], environment


_KILL = "tests/ingest/test_kill.py::test_a_killed_ingest_leaves_nothing_half_and_a_rerun_completes_it[{seed}]"
_FULL = (
    "tests/soak/test_failed_writes.py::test_a_disk_that_is_full_fails_clearly_and_a_rerun_completes[{seed}]"
)

MEASURES = (
    Measure("kills", "ingests killed twice with kill -9", 100, 1, ("LOGANALYST_KILLS={end}",), (_KILL,)),
    Measure(
        "sequences",
        "random sequences of write, rotate, truncate, compress, delete, ingest",
        5_000,
        50,
        ("LOGANALYST_SEQUENCES={step}", "LOGANALYST_SEED={seed}"),
        ("tests/soak/test_sequences.py",),
    ),
    Measure(
        "mutations",
        "mutated lines",
        100_000,
        5_000,
        ("LOGANALYST_MUTATIONS={step}", "LOGANALYST_SEED={seed}"),
        ("tests/soak/test_mutations.py::test_damaged_lines_harm_nobody_but_themselves",),
    ),
    Measure(
        "cuts",
        "texts cut into random chunks",
        1_000,
        50,
        ("LOGANALYST_CUTS={step}", "LOGANALYST_SEED={seed}"),
        (
            "tests/soak/test_mutations.py::test_where_a_text_is_cut_into_chunks_changes_nothing",
            "tests/soak/test_mutations.py::test_every_event_holds_the_text_of_its_line",
        ),
    ),
    Measure("full disks", "file sizes at which writes fail", 60, 1, ("LOGANALYST_LIMITS={end}",), (_FULL,)),
)


def main() -> int:
    """Run the measures; returns 1 if one failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=600, help="stop after so long; the next run goes on")
    parser.add_argument("--only", choices=[measure.name for measure in MEASURES], help="run one measure")
    chosen = parser.parse_args()
    STATE.mkdir(exist_ok=True)
    deadline = time.monotonic() + chosen.minutes * 60
    done: dict[str, int] = _load("progress.json", {})
    failures: list[dict[str, object]] = _load("failures.json", [])
    for measure in MEASURES:
        if chosen.only in (None, measure.name):
            _run(measure, done, failures, deadline)
    for measure in MEASURES:
        count = done.get(measure.name, 0)
        failed = sum(failure["measure"] == measure.name for failure in failures)
        say(f"{measure.name:<12} {count:>7,} of {measure.goal:,} {measure.what}, {failed} slices failed")
    return 1 if failures else 0


def say(text: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _run(measure: Measure, done: dict[str, int], failures: list[dict[str, object]], deadline: float) -> None:
    while (seed := done.get(measure.name, 0)) < measure.goal and time.monotonic() < deadline:
        command, environment = measure.command(seed)
        ran = subprocess.run(
            command, cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True, check=False
        )
        if ran.returncode != 0:
            settings = " ".join(f"{name}={value}" for name, value in environment.items())
            failures.append(
                {
                    "measure": measure.name,
                    "seed": seed,
                    "repeat": f"{settings} {' '.join(command[1:])}",
                    "end": ran.stdout[-3_000:],
                }
            )
            _save("failures.json", failures)
            say(f"FAILED {measure.name}, seed {seed}: {settings} python {' '.join(command[1:])}")
        done[measure.name] = seed + measure.step
        _save("progress.json", done)
        say(f"{measure.name}: {done[measure.name]:,} of {measure.goal:,}")


def _load(name: str, otherwise: Any) -> Any:
    path = STATE / name
    return json.loads(path.read_text()) if path.exists() else otherwise


def _save(name: str, value: object) -> None:
    draft = STATE / f".{name}"
    draft.write_text(json.dumps(value, indent=1))
    draft.replace(STATE / name)


if __name__ == "__main__":
    sys.exit(main())
