"""Every process the lab starts, each in a process group of its own, ended whatever happens to the lab.

Three nets, from kind to harsh: `Processes.close()` (also at exit and on SIGTERM, SIGINT, SIGHUP, SIGALRM),
and a guardian that reads the process ids from a pipe and kills what is left when the lab itself was killed
and the pipe breaks.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import FrameType

_GUARDIAN = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_IGN)
alive = set()
for line in sys.stdin:
    word, pid = line.split()
    (alive.add if word == "+" else alive.discard)(int(pid))
for pid in alive:
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
"""


class LabInterrupted(BaseException):
    """The lab was told to stop or ran out of its time; everything is taken down on the way out."""


def _interrupt(signum: int, _frame: FrameType | None) -> None:
    signal.alarm(0)
    raise LabInterrupted(f"stopped by {signal.Signals(signum).name}")


class Processes:
    """Starts processes and remembers them until they are reaped."""

    def __init__(self) -> None:
        """Start the guardian."""
        self._lock = threading.Lock()
        self._reaping = threading.RLock()
        self._alive: dict[int, subprocess.Popen[bytes]] = {}
        self._closed = False
        self._guardian = subprocess.Popen(
            [sys.executable, "-c", _GUARDIAN], stdin=subprocess.PIPE, start_new_session=True
        )
        atexit.register(self.close)

    def catch_signals(self, limit_s: int) -> None:
        """Turn signals, and the end of `limit_s` seconds, into `LabInterrupted` (main thread only)."""
        for signum in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGALRM):
            signal.signal(signum, _interrupt)
        signal.alarm(limit_s)

    def spawn(
        self,
        argv: Sequence[str],
        *,
        output: Path | None,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
    ) -> subprocess.Popen[bytes]:
        """Start `argv` in its own process group; stdout and stderr are appended to `output` (None:
        dropped).
        """
        with self._lock:
            if self._closed:
                raise LabInterrupted("the lab is closing: nothing is started any more")
            with (output or Path(os.devnull)).open("ab") as sink:
                process = subprocess.Popen(
                    argv,
                    stdin=subprocess.DEVNULL,
                    stdout=sink,
                    stderr=subprocess.STDOUT,
                    env={**os.environ, **(env or {})},
                    cwd=cwd,
                    start_new_session=True,
                )
            self._alive[process.pid] = process
            self._tell(f"+ {process.pid}")
        return process

    def signal(self, process: subprocess.Popen[bytes], signum: int) -> None:
        """Send `signum` to the whole group of a process, unless the process was seen to end."""
        with self._reaping:
            # Once it is reaped, its number may be another process's: nothing is sent there any more.
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signum)

    def ended(self, process: subprocess.Popen[bytes]) -> bool:
        """Say whether a process has ended; what is left of its group ends then, too."""
        with self._reaping:
            if process.returncode is not None:
                return True
            # Looked at without being reaped: until then nobody else can get the number of its group.
            if os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
                return False
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        with self._lock:
            self._alive.pop(process.pid, None)
            self._tell(f"- {process.pid}")
        return True

    def wait(self, process: subprocess.Popen[bytes], within_s: float) -> bool:
        """Wait until a process has ended, at most `within_s`, and say whether it has."""
        end = time.monotonic() + within_s
        while not self.ended(process):
            if time.monotonic() > end:
                return False
            time.sleep(0.05)
        return True

    def end(self, process: subprocess.Popen[bytes], *, kill: bool = False, grace_s: float = 30) -> None:
        """Ask (or kill) the process, wait at most `grace_s`, then kill its group."""
        self.signal(process, signal.SIGKILL if kill else signal.SIGTERM)
        self.signal(process, signal.SIGCONT)
        if not self.wait(process, grace_s):
            self.signal(process, signal.SIGKILL)
            self.wait(process, grace_s)

    def close(self) -> None:
        """Kill what still runs, then let the guardian go."""
        signal.alarm(0)
        with self._lock:
            self._closed = True
            left = list(self._alive.values())
        for process in left:
            self.end(process, kill=True, grace_s=5)
        if self._guardian.stdin and not self._guardian.stdin.closed:
            with contextlib.suppress(BrokenPipeError):
                self._guardian.stdin.close()
            self._guardian.wait()

    def _tell(self, word: str) -> None:
        pipe = self._guardian.stdin
        if pipe and not pipe.closed:
            with contextlib.suppress(BrokenPipeError):
                pipe.write(word.encode() + b"\n")
                pipe.flush()
