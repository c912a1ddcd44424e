"""What a Kafka release says about groups that the catalogue does not know: the maintainer's list for a new release."""

from __future__ import annotations


def report(version: str, *, quiet: bool) -> int:
    """Placeholder."""
    raise NotImplementedError
