"""Sources are known by their content: a hash of the decompressed beginning and how many bytes were hashed.

A copy under another name, gzipped, rotated or moved has the same fingerprint. A file that was shorter than
the
hashed stretch when it was first seen keeps its identity as it grows: hash it again over the length that was
hashed then (`same_beginning`), or over all lengths in question at once (`beginnings`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b

from loganalyst.sources.source import Source

HASHED = 64 * 1024


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """`hash` of the first `hashed_bytes` decompressed bytes; its text form is `<hashed_bytes>:<hash>`."""

    hash: str
    hashed_bytes: int

    def __str__(self) -> str:
        """Return the text form."""
        return f"{self.hashed_bytes}:{self.hash}"

    @classmethod
    def parse(cls, text: str) -> Fingerprint:
        """Read the text form."""
        length, _, digest = text.partition(":")
        return cls(digest, int(length))


def fingerprint_of(head: bytes) -> Fingerprint:
    """Return the fingerprint of content that begins with `head`, its first `HASHED` bytes or all of it."""
    stretch = head[:HASHED]
    return Fingerprint(_hash(stretch), len(stretch))


def identify(source: Source) -> Fingerprint:
    """Return what `source` is known by. Raises `SourceError` when nothing of it can be read."""
    return fingerprint_of(source.head(HASHED))


def same_beginning(source: Source, known: Fingerprint) -> bool:
    """Whether `source` begins with the content that `known` was taken of: it is that source, grown or not."""
    head = source.head(known.hashed_bytes)
    return len(head) == known.hashed_bytes and _hash(head) == known.hash


def beginnings(head: bytes, lengths: Iterable[int]) -> dict[int, Fingerprint]:
    """Return the fingerprints of content beginning with `head` at each of `lengths` that it reaches, in one
    pass."""
    found: dict[int, Fingerprint] = {}
    running, at = blake2b(digest_size=16), 0
    for length in sorted(set(lengths)):
        if length > len(head):
            break
        running.update(head[at:length])
        at = length
        found[length] = Fingerprint(running.copy().hexdigest(), length)
    return found


def _hash(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()
