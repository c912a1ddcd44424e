"""A corpus folder made from a played scene: logs without local names, dumps, truth, answers."""

from __future__ import annotations

import gzip
import json
import re
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

from lab import answers, cache
from lab.scrub import Scrubber, require_clean
from lab.stage import Stage
from lab.truth import read_rows

GZIP_FROM_BYTES = 120_000
_DATED = re.compile(rb"^(\[?)(\d{4}-\d\d-\d\d)([ T])(\d\d:\d\d:\d\d)([.,])(\d{3})")


def finish(stage: Stage, description: str) -> Path:
    """Turn what a closed stage recorded into a corpus and return its folder. Raises LocalNamesError."""
    out = stage.out
    rows = answers.pod_rows(out)
    if rows:
        (out / "pods.truth.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    for path in out.glob("*.pod-truth.jsonl"):
        path.unlink()
    scrubber = Scrubber.of_this_machine(stage.run, out, cache.cache_folder())
    for path in _files(out):
        scrubber.file(path)
    truth = read_rows(out / "truth.jsonl")
    # Lost before the answers are worked out: nobody can be asked for what stood in a log that is gone.
    for row in truth:
        if row["what"] == "log_lost":
            lose(stage.logs / row["file"], row.get("before"))
    result = answers.derive(out.name, stage.logs, truth, rows)
    (out / "answers.json").write_text(json.dumps(result, indent=1) + "\n")
    for row in truth:
        if row["what"] == "clock_shift":
            shift_clock(stage.logs / f"{row['pod']}.log", row["ms"])
    (out / "README.md").write_text(f"{stage.scene} on Kafka {stage.version}\n\n{description}\n")
    require_clean(scrubber, _files(out))
    for path in stage.logs.iterdir():
        if path.stat().st_size == 0:
            path.unlink()
        elif path.stat().st_size > GZIP_FROM_BYTES:
            _compress(path)
    shutil.rmtree(stage.run, ignore_errors=True)
    return out


def shift_clock(path: Path, ms: int) -> None:
    """Rewrite the times of a log as a process with a clock `ms` ahead would have printed them."""

    def moved(found: re.Match[bytes]) -> bytes:
        printed = f"{found[2].decode()} {found[4].decode()}.{found[6].decode()}"
        time = datetime.strptime(printed, "%Y-%m-%d %H:%M:%S.%f") + timedelta(milliseconds=ms)
        text = time.strftime("%Y-%m-%d{}%H:%M:%S{}").format(found[3].decode(), found[5].decode())
        return found[1] + text.encode() + b"%03d" % (time.microsecond // 1000)

    path.write_bytes(
        b"".join(_DATED.sub(moved, line) for line in path.read_bytes().splitlines(keepends=True))
    )


def lose(path: Path, before: int | None) -> None:
    """Lose a broker's log: all of it, or (as rotation does) what it wrote `before` that time (epoch ms)."""
    if before is None:
        path.unlink()
        return
    at = datetime.fromtimestamp(before / 1000, UTC).strftime("[%Y-%m-%d %H:%M:%S,%f")[:-3].encode()
    lines = path.read_bytes().splitlines(keepends=True)
    # Lines of this layout are in the order of their times; those without a time belong to the one above.
    kept = next((i for i, line in enumerate(lines) if _DATED.match(line) and line >= at), len(lines))
    path.write_bytes(b"".join(lines[kept:]))


def _files(out: Path) -> list[Path]:
    return sorted(path for path in out.rglob("*") if path.is_file())


def _compress(path: Path) -> None:
    with path.open("rb") as source, gzip.GzipFile(path.with_name(path.name + ".gz"), "wb", mtime=0) as target:
        shutil.copyfileobj(source, target)
    path.unlink()
