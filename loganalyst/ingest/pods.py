"""Which process wrote a source: from the wrapper, the file's name, or the folder that tells."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

__all__ = ["is_telling", "pods_of", "stem"]

_PACKED = "gz|zst|zstd|bz2|xz|lz4|z|zip|tar|tgz|7z"
_SUFFIXES = re.compile(
    rf"\.(?:{_PACKED}|log|logs|out|err|txt|text|json|jsonl|ndjson|csv|stdout|stderr|console|previous|prev|old|bak)$"
    r"|(?<=\.log|\.out|\.txt|json)\.\d{1,5}$"  # rotation numbers: app.log.1
    r"|[._-](?:\d{4}-\d{2}-\d{2}|\d{8})(?:[T._-]\d{2}(?:[:._-]?\d{2}){0,2}(?:[.,]\d+)?Z?)?(?:[._-]\d{1,3})?$",
    re.IGNORECASE,
)
_GENERIC = frozenset(  # names of files and folders that any process could have
    {
        "all", "api", "app", "application", "archive", "archives", "backend", "backup", "backups",
        "catalina", "client", "combined", "console", "consumer", "consumers", "container", "containers",
        "controller", "current", "daemon", "data", "debug", "default", "docker", "downloads", "error",
        "errors", "file", "home", "incident", "incidents", "info", "input", "java", "json", "kafka",
        "kafka-server", "kafkaserver", "latest", "listener", "log", "logback", "logfile", "logs", "main",
        "merged", "message", "messages", "microservice", "node", "opt", "out", "output", "pod", "pods",
        "process", "prod", "producer", "production", "root", "run", "server", "service", "services",
        "site", "spring", "spring-boot", "springboot", "staging", "state-change", "stderr", "stdin",
        "stdout", "stream", "streams", "svc", "sys", "syslog", "system", "tail", "temp", "test", "tmp",
        "trace", "usr", "var", "warn", "web", "worker",
    }
)  # fmt: skip
_NUMBERED = re.compile(r"(.+)\.\d{1,5}")
_NUMBER_OR_DATE = re.compile(r"[\d._:TZ-]*")
_POD_FOLDER = re.compile(
    r"[a-z0-9.-]+_(?P<pod>[a-z0-9.-]+)_(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{32})"
)
_CONTAINER_FILE = re.compile(r"(?P<pod>[a-z0-9.-]+)_[a-z0-9.-]+_.+-[0-9a-f]{64}")
_DOCKER_FILE = re.compile(r"(?P<id>[0-9a-f]{12})[0-9a-f]{52}(?:-json)?")


def stem(name: str) -> str:
    """Return a file's name without folders, log suffixes, rotation and dates: `a/x-0.log.1.gz` → `x-0`."""
    text = name.rpartition("/")[2]
    while True:
        shorter = _SUFFIXES.sub("", text)
        if shorter == text or not shorter:
            return text
        text = shorter


def is_telling(name: str) -> bool:
    """Tell whether a file's or folder's name can be a process's: not `app`, `server`, `0` or a date."""
    if numbered := _NUMBERED.fullmatch(name):
        name = numbered[1]
    return name.lower() not in _GENERIC and not _NUMBER_OR_DATE.fullmatch(name)


def pods_of(names: Collection[str], also: Iterable[str] = ()) -> Mapping[str, tuple[str, bool]]:
    """Name the process of each source that no wrapper names: source → (pod, does it tell).

    The name of the file counts if it is telling and stands in one folder only, among `names` and the sources
    `also` that were read before; else the nearest telling folder, among those that tell such files apart; a
    folder with files of other processes is none.
    Kubernetes' own paths (`NS_POD_UID/CONTAINER/0.log`, `POD_NS_CONTAINER-ID.log`) name their pod. Where
    nothing tells, the file's name is all there is, and the second value is False.
    """
    parts = {name: _parts(name) for name in dict.fromkeys([*names, *also])}
    there = {tuple(path) for path in parts.values()}
    for path in parts.values():
        # A rotated `orders-0.1.log` is of the process of `orders-0.log`, if that lies beside it.
        if (numbered := _NUMBERED.fullmatch(path[-1])) and (*path[:-1], numbered[1]) in there:
            path[-1] = numbered[1]
    folders_of: dict[str, set[tuple[str, ...]]] = {}
    shared: set[tuple[str, ...]] = set()
    for *folders, file in parts.values():
        folders_of.setdefault(file, set()).add(tuple(folders))
        if is_telling(file):
            shared.add(tuple(folders))
    return {name: _pod(parts[name], folders_of, shared) for name in dict.fromkeys(names)}


def _pod(
    path: list[str], folders_of: Mapping[str, set[tuple[str, ...]]], shared: set[tuple[str, ...]]
) -> tuple[str, bool]:
    *folders, file = path
    if container := _CONTAINER_FILE.fullmatch(file):
        return container["pod"], True
    for folder in reversed(folders):
        if pod := _POD_FOLDER.fullmatch(folder):
            return pod["pod"], True
    if docker := _DOCKER_FILE.fullmatch(file):
        return docker["id"], True
    namesakes = folders_of[file]
    if is_telling(file) and len(namesakes) == 1:
        return file, True
    if not is_telling(file) and tuple(folders) in shared:
        folders = []  # beside the files of other processes the folder is nobody's
    telling = [folder for folder in reversed(folders) if is_telling(folder)]
    for folder in telling:
        if len(namesakes) == 1 or not all(folder in others for others in namesakes):
            return folder, True
    if is_telling(file):
        return file, True
    return (telling[0], True) if telling else (file, False)


def _parts(name: str) -> list[str]:
    """Return the folders of a source, archives among them, and the stem of its file."""
    parts: list[str] = []
    *archives, last = name.split("!")
    for archive in archives:
        *folders, file = [part for part in archive.split("/") if part not in ("", ".", "..")]
        parts += [*folders, stem(file)]
    *folders, file = [part for part in last.split("/") if part not in ("", ".", "..")] or [last]
    return [*parts, *folders, stem(file)]
