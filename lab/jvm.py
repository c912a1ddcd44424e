"""How the lab starts a JVM: small, loopback only, UTC."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

_SMALL = ("-Xms48m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-Duser.timezone=UTC")
BROKER_HEAP_MB = 320
CLIENT_HEAP_MB = 96


def java(
    jars: Path, main: str, args: Sequence[str], *, heap_mb: int = CLIENT_HEAP_MB, options: Sequence[str] = ()
) -> list[str]:
    """Return the command line that runs `main` with the jars (and lab classes) of one cache folder."""
    return ["java", *_SMALL, f"-Xmx{heap_mb}m", *options, "-cp", f"{jars}/classes:{jars}/*", main, *args]
