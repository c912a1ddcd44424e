"""Takes this machine out of what was recorded: paths, host and user names. What cannot be explained is
refused.

Replacements look like what a cluster prints anyway (`/var/lib/kafka`, `/opt/kafka/libs`), so that logs stay
natural.
"""

from __future__ import annotations

import getpass
import platform
import re
import socket
from collections.abc import Iterable, Iterator
from pathlib import Path

_STARTED_BY = re.compile(rb"\((/[^ ]+ )?started by \S+ in [^)]+\)")


class LocalNamesError(Exception):
    """A recorded file still holds a path or name of this machine; the message says where."""


class Scrubber:
    """Replaces local paths and names, longest first."""

    def __init__(self, places: dict[str, str], names: Iterable[str] = ()) -> None:
        """`places` maps local paths to what is shown instead; `names` (host, user) must vanish as whole
        words.
        """
        ordered = sorted(
            ((k.encode(), v.encode()) for k, v in places.items() if len(k) > 1), key=lambda kv: -len(kv[0])
        )
        self._places = dict(ordered)
        self._paths = re.compile(b"|".join(re.escape(path) for path, _ in ordered)) if ordered else None
        words = [re.escape(name.encode()) for name in names if len(name) > 2 and name not in _HARMLESS]
        self._words = re.compile(rb"(?<![\w.-])(?:" + b"|".join(words) + rb")(?![\w-])") if words else None

    @classmethod
    def of_this_machine(cls, run: Path, out: Path, cache: Path) -> Scrubber:
        """Know the folders of a run, the checkout, the home and the names of host and user."""
        checkout = Path(__file__).resolve().parents[1]
        places = {
            str(run): "/var/lib/kafka",
            str(out): "/var/log/kafka",
            str(cache): "/opt/kafka",
            str(checkout): "/opt/app",
            str(checkout.parent): "/opt",
            str(Path.home()): "/home/app",
            # ZooKeeper prints the kernel it runs on.
            platform.release(): "5.15.0",
        }
        return cls(places, [socket.gethostname(), socket.getfqdn(), getpass.getuser()])

    def line(self, line: bytes) -> bytes:
        """Return one line without local paths and names."""
        if self._paths:
            line = self._paths.sub(lambda found: self._places[found.group()], line)
        line = _STARTED_BY.sub(b"(started by app in /app)", line)
        return self._words.sub(b"app-host", line) if self._words else line

    def file(self, path: Path) -> None:
        """Rewrite a file in place, line by line."""
        clean = path.with_name(path.name + ".clean")
        with path.open("rb") as source, clean.open("wb") as target:
            target.writelines(map(self.line, source))
        clean.replace(path)

    def leftovers(self, lines: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
        """Yield (line number, line) where something local still stands."""
        for number, line in enumerate(lines, 1):
            if (self._paths and self._paths.search(line)) or (self._words and self._words.search(line)):
                yield number, line


# Names that are words of their own in Kafka's logs, so that they tell nothing of this machine.
_HARMLESS = frozenset({"localhost", "root", "kafka", "app", "user"})


def require_clean(scrubber: Scrubber, paths: Iterable[Path]) -> None:
    """Raise LocalNamesError for the first file that still names this machine."""
    for path in paths:
        with path.open("rb") as source:
            for number, line in scrubber.leftovers(source):
                raise LocalNamesError(
                    f"{path.name} line {number} names this machine: {line[:200].decode(errors='replace')}"
                )
