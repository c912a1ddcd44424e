"""The coarse literals are complete: what becomes an event contains one, whatever wrapped it."""

from __future__ import annotations

import json

import polars as pl

from loganalyst.catalogue import Catalogue
from loganalyst.catalogue.coarse import derive, required_pieces
from loganalyst.catalogue.statement import Statement


def test_every_kept_wording_contains_a_literal(catalogue: Catalogue) -> None:
    literals = catalogue.coarse.texts
    naked = [
        (statement.id, template)
        for statement in catalogue.statements
        for template, pieces in required_pieces(statement)
        if not any(literal in piece for literal in literals for piece in pieces)
    ]
    assert naked == []


def test_every_example_that_is_kept_contains_a_literal(catalogue: Catalogue) -> None:
    kept = 0
    for statement in catalogue.statements:
        assert statement.example is not None
        match = catalogue.match(statement.example, logger=(statement.loggers or (None,))[0])
        if match is not None and match.keep:
            kept += 1
            assert catalogue.coarse.hits(statement.example), statement.id
    assert kept > 800


def test_a_kept_match_always_contains_a_literal(catalogue: Catalogue) -> None:
    """Fast and slow reading give the same events:

    a message made findable by its prefix alone is not kept bare.
    """
    text = "Disconnecting from node 7 due to request timeout."
    bare = catalogue.match(text)
    assert bare is not None
    assert not bare.keep
    whole = catalogue.match(f"[Consumer clientId=a, groupId=b] {text}")
    assert whole is not None
    assert whole.keep


def test_no_literal_is_changed_by_a_json_writer(catalogue: Catalogue) -> None:
    for literal in catalogue.coarse.texts:
        assert json.dumps(literal) == f'"{literal}"'
        assert not set(literal) & set("\"'\\/<>&=")


def test_every_preferred_literal_earns_its_place(catalogue: Catalogue) -> None:
    pieces = [found for statement in catalogue.statements for _, found in required_pieces(statement)]
    literals = catalogue.coarse.texts
    needed = {
        alone[0]
        for found in pieces
        if len(alone := [literal for literal in literals if any(literal in piece for piece in found)]) == 1
    }
    assert set(literals) == needed


def test_the_literals_are_few_enough_for_a_vector_search(catalogue: Catalogue) -> None:
    assert len(catalogue.coarse.literals) <= 60


def test_the_pattern_finds_what_the_literals_find(catalogue: Catalogue) -> None:
    texts = [statement.example or "" for statement in catalogue.statements] + ["nothing here", "a (b) [c] *"]
    found = pl.Series(texts).str.contains(catalogue.coarse.pattern).to_list()
    assert found == [catalogue.coarse.hits(text) for text in texts]


def test_a_statement_without_a_literal_adds_its_longest_piece() -> None:
    mine = Statement(
        "mine.one", "join_started", "mine", "client", 'Worker "{who}" enters the arena of {group_id}'
    )
    assert derive([mine], ["roup"]).literals == (b"roup", b"enters the arena of")
    ignored = Statement("mine.two", "other", "mine", "client", "Worker {who} sleeps", keep=False)
    assert derive([ignored], ["roup"]).literals == (b"roup",)
