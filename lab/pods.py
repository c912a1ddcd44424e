"""Pods: client processes that a Deployment restarts while they are wanted, with its back-off."""

from __future__ import annotations

import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lab.processes import LabInterrupted, Processes
from lab.truth import Truth

FIRST_BACKOFF_S = 2.0
LONGEST_BACKOFF_S = 10.0  # a kubelet waits up to five minutes; scenes are shorter than that


class Pod:
    """One client process with its log; started again when it ends by itself."""

    def __init__(
        self,
        name: str,
        argv: Sequence[str],
        *,
        processes: Processes,
        truth: Truth,
        log: Path,
        run: Path,
        env: Mapping[str, str] | None = None,
        first_backoff_s: float = FIRST_BACKOFF_S,
    ) -> None:
        """Describe the pod: it runs `argv` with `env`, and prints to `log`."""
        self.name = name
        self.argv = list(argv)
        self.env = dict(env or {})
        self.log = log
        self.restarts = 0
        self.wanted = False
        self._slow = run / f"slow-{name}"
        self._processes = processes
        self._truth = truth
        self._first_backoff_s = first_backoff_s
        self._process: subprocess.Popen[bytes] | None = None
        self._unwanted = threading.Event()
        self._watcher: threading.Thread | None = None

    @property
    def alive(self) -> bool:
        """Whether its process runs now."""
        return self._process is not None and not self._processes.ended(self._process)

    def start(self, **why: Any) -> None:
        """Start the process, and a watcher that restarts it."""
        self.wanted = True
        self._unwanted = threading.Event()
        self._truth("pod_start", pod=self.name, **why)
        self._process = self._spawn()
        self._watcher = threading.Thread(
            target=self._watch, args=(self._process, self._unwanted), daemon=True
        )
        self._watcher.start()

    def stop(self, *, kill: bool = False) -> None:
        """Take the pod away: SIGTERM with thirty seconds' grace as a Deployment does, or SIGKILL."""
        self._end(kill=kill)
        self._truth("pod_gone", pod=self.name)

    def crash(self, *, stay_down: bool = True) -> None:
        """Kill the process; with `stay_down=False` the restart policy brings it back after its back-off."""
        if stay_down:
            self.stop(kill=True)
        elif self._process:
            self._truth("pod_kill9", pod=self.name)
            self._processes.signal(self._process, signal.SIGKILL)

    def freeze(self) -> None:
        """Stop the process's clock (SIGSTOP): alive, and silent."""
        self._truth("pod_frozen", pod=self.name)
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let a frozen process go on."""
        self._truth("pod_thawed", pod=self.name)
        self._signal(signal.SIGCONT)

    def work_slowly(self, ms: int) -> None:
        """Let the next batch take `ms`."""
        self._truth("pod_slow", pod=self.name, ms=ms)
        self._slow.write_text(str(ms if self.argv[0] == "java" else ms / 1000))

    def fail(self) -> None:
        """Let the next batch fail: the application dies of it, leaving its group in order (Java only)."""
        self._truth("pod_poisoned", pod=self.name)
        self._slow.write_text("-1")

    def _signal(self, signum: int) -> None:
        if self._process:
            self._processes.signal(self._process, signum)

    def _end(self, *, kill: bool) -> None:
        self.wanted = False
        self._unwanted.set()
        if self._watcher:
            self._watcher.join(15)
        if self._process and self.alive:
            self._truth("pod_kill9" if kill else "pod_sigterm", pod=self.name)
        if self._process:
            self._processes.end(self._process, kill=kill, grace_s=30)

    def _spawn(self) -> subprocess.Popen[bytes]:
        return self._processes.spawn(self.argv, output=self.log, env=self.env)

    def _watch(self, process: subprocess.Popen[bytes], unwanted: threading.Event) -> None:
        backoff = self._first_backoff_s
        while not unwanted.wait(0.1):
            if not self._processes.ended(process):
                continue
            self.restarts += 1
            self._truth("pod_crashed", pod=self.name, rc=process.returncode, restart_in_s=backoff)
            if unwanted.wait(backoff):
                return
            backoff = min(backoff * 2, LONGEST_BACKOFF_S)
            try:
                process = self._process = self._spawn()
            except LabInterrupted:
                return
