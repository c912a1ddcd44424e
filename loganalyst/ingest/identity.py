"""Sources are known by content: how it is recognised when it comes again, longer or renamed."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any, BinaryIO

from loganalyst.dataset.ledger import Known, Ledger
from loganalyst.sources.source import Source

__all__ = ["HEAD", "Found", "IdentityTracker", "begins_like", "hash_of", "recognise", "rungs", "stream_of"]

HEAD = 65_536
"""Decompressed bytes at the beginning that tell sources apart."""

_TAIL = 1_024


@dataclass(frozen=True, slots=True)
class Found:
    """A content that the dataset knows: all of it (`whole`), or its beginning up to `known.end`.

    `same` is False for a content that ends before the known one does.
    """

    known: Known
    whole: bool
    same: bool = True


def hash_of(data: bytes | memoryview) -> str:
    """Return a short hash of some bytes."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def rungs(head: bytes) -> dict[str, str]:
    """Return hashes of the first 1, 2, 4, … bytes, as far as `head` (at most `HEAD`) goes."""
    head = head[:HEAD]
    hasher = hashlib.blake2b(digest_size=8)
    steps: dict[str, str] = {}
    done, step = 0, 1
    while step <= len(head):
        hasher.update(head[done:step])
        steps[str(step)] = hasher.hexdigest()
        done, step = step, step * 2
    return steps


class IdentityTracker:
    """Gathers the identity of a content while its bytes pass by; `end` are its last bytes, up to `HEAD`."""

    def __init__(self, head: bytes = b"", offset: int = 0) -> None:
        """Start before the first byte, or at `offset` of a content that begins with `head`."""
        self.size = offset
        self.end = head[:offset] if offset <= len(head) else b""
        self._head = head[:offset]

    def take(self, block: bytes | memoryview) -> None:
        """See the next bytes."""
        if len(self._head) < HEAD:
            self._head += bytes(block[: HEAD - len(self._head)])
        if len(block) >= HEAD:
            self.end = bytes(block[-HEAD:])
        else:
            self.end = (self.end + bytes(block))[-HEAD:]
        self.size += len(block)

    def identity(self) -> dict[str, Any]:
        """Return what is stored with the account (JSON)."""
        return {
            "rungs": rungs(self._head),
            "head": [len(self._head), hash_of(self._head)],
            "tail": [len(self.end[-_TAIL:]), hash_of(self.end[-_TAIL:])],
        }


def begins_like(head: bytes, known: Known) -> bool:
    """Tell whether a content that begins with `head` begins like a known source."""
    length, expected = known.last.identity["head"]
    return len(head) >= length and hash_of(head[:length]) == str(expected)


def stream_of(head: bytes, ledger: Ledger) -> str:
    """Return the identity under which a content that is new gets known; it stays when the source grows."""
    name = hash_of(b"%d:" % len(head) + head)
    others = 0
    # Another content that begins with the same 64 KiB has the plain name already.
    while ledger.known(name if not others else f"{name}-{others}") is not None:
        others += 1
    return name if not others else f"{name}-{others}"


def recognise(source: Source, head: bytes, ledger: Ledger, *, grows: bool = True) -> Found | None:
    """Find the source of `ledger` that a content is, or is the longer version of.

    `head` are its first `HEAD` bytes (all, if it is shorter); more is read only where a candidate has to be
    proved, and of a plain file only the stretch before the known end. A content that ends before a known
    source does, and agrees with it as far as it can be told, is an older copy of it: nothing new. What does
    not grow (`grows` false: the output of a tool) is known only if it is the same to the end.
    """
    own = rungs(head)
    if not own:
        return None
    for known in sorted(ledger.candidates(own), key=lambda one: -one.end):
        if not begins_like(head, known):
            continue
        found = _goes_on(source, head, known)
        if found is not None and (grows or (found.whole and found.same)):
            return found
    if grows and len(head) < HEAD:
        top = max(own, key=int)
        for known in ledger.overlapping(own):
            if known.end > len(head) and known.last.identity.get("rungs", {}).get(top) == own[top]:
                return Found(known, whole=True, same=False)
    return None


def _goes_on(source: Source, head: bytes, known: Known) -> Found | None:
    """Compare a content that begins like `known` with the stretch before the known end."""
    length, expected = known.last.identity["tail"]
    if known.end < len(head):
        same = hash_of(head[known.end - length : known.end]) == expected
        return Found(known, whole=False) if same else None
    with source.open(known.end - length) as content:
        tail = _read(content, length)
        if len(tail) < length:
            return Found(known, whole=True, same=False)
        if hash_of(tail) != expected:
            return None
        return Found(known, whole=not _read(content, 1))


def _read(content: BinaryIO, count: int) -> bytes:
    parts = []
    while count > 0 and (block := content.read(count)):
        parts.append(block)
        count -= len(block)
    return b"".join(parts)
