"""Every shipped file is what the published schema says, and names it for the editor."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import jsonschema
import pytest

from loganalyst.shipped import shipped
from tests.recorded import CATALOGUE, require

FILES = sorted(shipped("parsers").glob("*.toml"))
SCHEMA = json.loads((shipped("parsers") / "parser.schema.json").read_text())


def kind_of(table: dict[str, object]) -> str:
    """Which kind of file it is, so that a complaint names the key and not four alternatives."""
    for key, kind in (("component", "component"), ("error", "errors_file"), ("literals", "coarse_file")):
        if key in table:
            return kind
    return "types_file"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_file_is_valid(file: Path) -> None:
    table = tomllib.loads(file.read_text())
    validator = jsonschema.Draft202012Validator({**SCHEMA, "oneOf": [{"$ref": f"#/$defs/{kind_of(table)}"}]})
    complaints = [
        f"{'/'.join(map(str, inner.path))}: {inner.message}"
        for error in validator.iter_errors(table)
        for inner in (error.context or [error])
    ]
    assert complaints == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_file_names_the_schema_in_its_first_line(file: Path) -> None:
    assert file.read_text().startswith("#:schema ./parser.schema.json\n")


def test_a_component_is_named_like_its_file() -> None:
    names = {file.stem: tomllib.loads(file.read_text()).get("component") for file in FILES}
    assert {stem for stem, name in names.items() if name is None} == {"types", "errors", "coarse"}
    assert all(name in (None, stem) for stem, name in names.items())


def test_the_events_are_the_closed_vocabulary() -> None:
    text = require(CATALOGUE / "events.md").read_text()
    vocabulary = {line.split("`")[1] for line in text.splitlines() if line.startswith("| `")}
    assert set(SCHEMA["$defs"]["event"]["enum"]) == vocabulary | {"other"}
