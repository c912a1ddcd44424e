"""The report for programs and tickets."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema

from loganalyst.report.collect import collect
from loganalyst.report.document import FINDING_COLUMNS, finding_rows, json_document
from loganalyst.report.markdown import markdown_lines
from loganalyst.report.model import Report
from tests.report.crowd import many_groups
from tests.report.scenes import Scene, shrinking

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "report.schema.json").read_text())


def report(scene: Scene) -> Report:
    return collect(scene.fetch, dataset="incident")


def test_the_document_follows_its_published_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    for scene in (shrinking(), Scene(), shrinking("a\x1b[2J\u202e")):
        document = json.loads("\n".join(json_document(report(scene))))
        jsonschema.validate(document, SCHEMA)


def test_the_document_names_its_version_and_verdict() -> None:
    document = json.loads("\n".join(json_document(report(shrinking()))))
    assert document["schema"] == "loganalyst.report/1" and document["verdict"] == "act"
    assert document["findings"][0]["started_at"] == "2026-12-01T00:23:20.000000Z"
    assert document["findings"][0]["duration_ms"] == 40000.0
    assert [count["members"] for count in document["stories"][0]["counts"]] == [4, 3, 2, 1, 0, 4]


def test_every_property_of_the_schema_is_described() -> None:
    def undescribed(node: object, path: str = "") -> list[str]:
        if not isinstance(node, dict):
            return []
        own = (
            [path]
            if "type" in node and path.split("/")[-2:-1] == ["properties"] and "description" not in node
            else []
        )
        return own + [name for key, child in node.items() for name in undescribed(child, f"{path}/{key}")]

    assert undescribed(SCHEMA) == []


def test_findings_come_out_as_rows() -> None:
    (row,) = finding_rows(report(shrinking()))
    assert tuple(row) == FINDING_COLUMNS
    assert row["kind"] == "one_step_assignor_change" and len(row["evidence"]) == 6


def test_markdown_escapes_what_stands_in_logs() -> None:
    text = "\n".join(markdown_lines(report(shrinking("<script>alert(1)</script>|[x](http://e)"))))
    assert "<script>" not in text and "[x](" not in text
    assert "## ACT: &lt;script&gt;" in text


def test_a_fence_in_evidence_does_not_end_the_block() -> None:
    scene = Scene().add(
        "findings",
        severity="act",
        kind="crash",
        title="t",
        confidence="certain",
        evidence=[{"source": "a", "line": 1, "ts": None, "message": "``` # x"}],
    )
    lines = list(markdown_lines(report(scene)))
    assert lines.count("````") == 2


def test_markdown_names_the_verdict_first_and_what_is_normal_in_one_line() -> None:
    scene = shrinking().add("findings", severity="normal", kind="scale_down", title="It was scaled down")
    lines = list(markdown_lines(report(scene)))
    assert lines[0] == "# Consumer groups: orders-service: 1 to act on, 0 to look at"
    assert "- It was scaled down" in lines
    assert lines.index("- It was scaled down") < lines.index("## orders-service")


def test_markdown_of_many_groups_fits_a_ticket() -> None:
    text = "\n".join(markdown_lines(report(many_groups(400, rebalances=60))))
    assert len(text) < 65_000
    assert "397 more of this kind" in text
    assert "395 other groups" in text and "left out" in text
