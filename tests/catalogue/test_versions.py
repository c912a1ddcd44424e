"""Ranges of releases are read, and coverage is counted per component and minor release."""

from __future__ import annotations

import pytest

from loganalyst.catalogue import Catalogue
from loganalyst.catalogue.versions import coverage, minor, ranges


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2.8.0..2.8.2", [((2, 8, 0), (2, 8, 2))]),
        ("2.2.2,2.3.1..4.0.1", [((2, 2, 2), (2, 2, 2)), ((2, 3, 1), (4, 0, 1))]),
        ("3.6.0..3.6.2, 3.7.0..4.3.1", [((3, 6, 0), (3, 6, 2)), ((3, 7, 0), (4, 3, 1))]),
        ("<=1.4", []),
        ("seen in 3.0.12", []),
        (None, []),
    ],
)
def test_ranges_are_read(text: str | None, expected: list[object]) -> None:
    assert ranges(text) == expected


def test_0_10_had_three_minor_releases() -> None:
    assert [minor((0, 10, 2, 1)), minor((0, 11, 0, 2)), minor((2, 8, 1))] == [(0, 10, 2), (0, 11), (2, 8)]


def test_coverage_follows_the_coordinators_change(catalogue: Catalogue) -> None:
    rows = {(row["component"], row["version"]): row for row in coverage(catalogue.statements)}
    assert ("broker-new-coordinator", "3.5") not in rows
    assert int(str(rows["broker-new-coordinator", "4.1"]["statements"])) > 200
    assert int(str(rows["broker-classic-coordinator", "2.8"]["events"])) > 30
    assert ("broker-classic-coordinator", "4.1") not in rows
