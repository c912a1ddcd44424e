"""A template is literal text with holes; a match is exact at both ends and gives every hole's raw text."""

from __future__ import annotations

import pytest

from loganalyst.catalogue.template import HoleType, adjacent_free_holes, compile_template, literals, parse

TYPES = {
    "": HoleType(),
    "int": HoleType(pattern="-?[0-9]{1,20}|None"),
    "member": HoleType(prefer=".*?-[0-9a-f]{4}"),
    "node": HoleType(prefer=r"(?P<host>[^\s()]{1,99}) \(id: (?P<id>[0-9]{1,9})\)"),
    "mark": HoleType(pattern=r"(?: \(me\))?"),
}


def values(template: str, text: str) -> dict[str, str] | None:
    hit = compile_template(template, TYPES, whole=True).match(text)
    return None if hit is None else hit[0]


def test_braces_that_are_no_holes_are_literal_text() -> None:
    assert literals("Generation{generationId={generation:int}} due to {}") == [
        "Generation{generationId=",
        "} due to {}",
    ]


def test_holes_keep_their_order_and_type() -> None:
    assert [
        piece if isinstance(piece, str) else (piece.name, piece.type) for piece in parse("a {b}{c:int}")
    ] == [
        "a ",
        ("b", ""),
        ("c", "int"),
    ]


@pytest.mark.parametrize(
    ("template", "text", "expected"),
    [
        ("group {g} generation {n:int}", "group a generation 7", {"g": "a", "n": "7"}),
        ("group {g} generation {n:int}", "group a: (b) c generation 7", {"g": "a: (b) c", "n": "7"}),
        (
            "group {g} generation {n:int}",
            "group a generation b generation 7",
            {"g": "a generation b", "n": "7"},
        ),
        ("(reason: {r})", "(reason: a (b): c))", {"r": "a (b): c)"}),
        ("epoch {n:int}", "epoch None", {"n": "None"}),
        ("{m:member} in group {g}", "x in group y-12ab in group z", {"m": "x in group y-12ab", "g": "z"}),
        ("{m:member} in group {g}", "plain in group z", {"m": "plain", "g": "z"}),
        ("at {n:node} dead", "at kafka:9092 (id: 3) dead", {"host": "kafka:9092", "id": "3"}),
        ("at {n:node} dead", "at null dead", {"n": "null"}),
        ("leader {l}{me:mark}, my {m}", "leader a (me), my b", {"l": "a", "me": " (me)", "m": "b"}),
        ("leader {l}{me:mark}, my {m}", "leader a, my b", {"l": "a", "me": "", "m": "b"}),
    ],
)
def test_a_value_ends_where_the_rest_of_the_template_fits(
    template: str, text: str, expected: dict[str, str]
) -> None:
    assert values(template, text) == expected


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("group {g} generation {n:int}", "group a generation seven"),
        ("group {g} generation {n:int}", "group a generation 7 and more"),
        ("group {g} generation {n:int}", "a group a generation 7"),
        ("Committing {kind} {task}", "Committing 0_3"),
        ("started", "restarted"),
    ],
)
def test_what_differs_does_not_match(template: str, text: str) -> None:
    assert values(template, text) is None


@pytest.mark.parametrize("text", ["Adding partitions: ", "Adding partitions:"])
def test_an_empty_list_at_the_end_may_be_printed_as_nothing(text: str) -> None:
    assert values("Adding partitions: {p}", text) == {"p": ""}


def test_holes_may_hold_newlines() -> None:
    assert values("values: \n{config}", "values: \n\ta = 1\n\tb = 2") == {"config": "\ta = 1\n\tb = 2"}


def test_touching_free_holes_are_noticed() -> None:
    assert adjacent_free_holes("{a}{b}", TYPES)
    assert not adjacent_free_holes("{a}{b:mark}", TYPES)
