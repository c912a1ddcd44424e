"""Every example is recognised as its statement, with the values it expects; a near-miss is not."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from loganalyst.catalogue import Catalogue, Statement
from loganalyst.catalogue.ambiguity import conflicts
from loganalyst.shipped import shipped

COMPONENTS = [file for file in sorted(shipped("parsers").glob("*.toml")) if "near_misses" in file.read_text()]


def logger_of(statement: Statement) -> str | None:
    return statement.loggers[0] if statement.loggers else None


@pytest.mark.parametrize("file", COMPONENTS, ids=lambda file: file.stem)
def test_examples_give_their_statement_and_values(catalogue: Catalogue, file: Path) -> None:
    wrong = []
    for statement in catalogue.statements:
        if statement.component != file.stem:
            continue
        assert statement.example is not None
        match = catalogue.match(statement.example, logger=logger_of(statement))
        found = None if match is None else match.statement.id
        if match is None or found != statement.id:
            wrong.append((statement.id, found))
            continue
        values = {name: match.values.get(name) for name in statement.expect}
        if values != dict(statement.expect):
            wrong.append(
                (
                    statement.id,
                    {name: value for name, value in values.items() if value != statement.expect[name]},
                )
            )
    assert wrong == []


@pytest.mark.parametrize("file", COMPONENTS, ids=lambda file: file.stem)
def test_near_misses_match_nothing_in_their_file(catalogue: Catalogue, file: Path) -> None:
    for text in tomllib.loads(file.read_text())["near_misses"]:
        match = catalogue.match(text)
        assert match is None or match.statement.component != file.stem, text


def test_every_statement_that_has_holes_expects_values(catalogue: Catalogue) -> None:
    silent = [
        statement.id
        for statement in catalogue.statements
        if not statement.expect and "{" in statement.template and "\n" not in (statement.example or "")
    ]
    assert len(silent) < 20, silent


def test_no_text_is_decided_by_chance(catalogue: Catalogue) -> None:
    found = list(conflicts(catalogue.matcher, [statement.to_json() for statement in catalogue.statements]))
    assert found == []


def test_the_catalogue_is_as_large_as_what_it_was_built_from(catalogue: Catalogue) -> None:
    assert len(catalogue.statements) >= 2000
    assert {statement.role for statement in catalogue.statements} == {"broker", "controller", "client"}
    assert {
        "java",
        "streams",
        "connect",
        "librdkafka",
        "kafka-python",
        "aiokafka",
        "kafkajs",
        "sarama",
        "franz-go",
        "segmentio",
        "ruby-kafka",
        "brod",
    } <= {statement.client for statement in catalogue.statements}
