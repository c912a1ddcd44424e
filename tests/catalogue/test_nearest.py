"""For an unknown text: which statement comes closest, and where the text departs from it."""

from __future__ import annotations

import pytest

from loganalyst.catalogue import Catalogue


@pytest.mark.parametrize(
    ("text", "event", "expected", "found"),
    [
        (
            "Stabilized group orders generation seven (x-1) with 3 members",
            "group_stabilized",
            "{generation:int}",
            "seven",
        ),
        ("Member a in group b has failed, so it goes", "member_expired", "removing", "so it goes"),
        ("Group orders with generation 4 is now full", "group_empty", "empty", "full"),
    ],
)
def test_the_departure_is_named(
    catalogue: Catalogue, text: str, event: str, expected: str, found: str
) -> None:
    assert catalogue.match(text) is None
    nearest = catalogue.nearest(text)
    assert nearest is not None
    assert nearest.statement.event == event
    assert nearest.expected.startswith(expected)
    assert text[nearest.position :].startswith(found)
    assert str(nearest).startswith(nearest.statement.id)


@pytest.mark.parametrize("text", ["", "hello world", "GET /index.html 200", "12345"])
def test_nothing_is_like_other_text(catalogue: Catalogue, text: str) -> None:
    assert catalogue.nearest(text) is None
