"""The HTML report is one inert file."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

import loganalyst
from loganalyst.cli.options import Filters
from loganalyst.cli.report import build
from loganalyst.report.html import html_lines
from loganalyst.report.lanes import Mark
from loganalyst.report.model import Count
from loganalyst.report.rows import dicts
from loganalyst.report.timeline import Timeline
from loganalyst.report.vega import COLOURS, OWNERS, datasets, save_pictures, specification

SAMPLE = Path(__file__).resolve().parents[2] / "sample_logs" / "one-step-4.1.0" / "logs"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    into = tmp_path_factory.mktemp("html") / "dataset"
    loganalyst.ingest([str(SAMPLE)], into=str(into))
    with loganalyst.open(str(into)) as dataset:
        report = build(dataset, "incident", Filters())
        return "\n".join(html_lines(report, lambda sql: dicts(dataset.sql(sql))))


def test_page_loads_nothing_and_runs_only_its_own_scripts(page: str) -> None:
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)
    assert policy and "default-src &#x27;none&#x27;" in policy[1]
    allowed = set(re.findall(r"sha256-([^&]+)&#x27;", policy[1]))
    scripts = re.findall(r"<script>(.*?)</script>", page, re.S)
    hashes = {base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts}
    assert hashes == allowed
    markup = re.sub(r"<script>.*?</script>", "", page, flags=re.S)
    assert not re.search(r"<(?:link|img|iframe|object|embed)\b|<script[^>]+src=", markup)


def test_page_stays_under_three_megabytes(page: str) -> None:
    assert len(page.encode()) < 3_000_000


def test_page_names_the_cause_and_the_refused_pods(page: str) -> None:
    text = re.sub(r"<[^>]+>", " ", page.split("<script", 1)[0])
    assert "shrank 6, 5, 4, 3, 2, 1 and came back" in text
    assert "orders-5f6b7-p2c4d" in text


def test_the_picture_holds_the_step_and_a_lane_for_each_pod(page: str) -> None:
    picture = json.loads(re.search(r'<script type="application/json">(.*?)</script>', page, re.S)[1])
    assert [members for _, _, members in picture["counts"]][:7] == [6, 5, 4, 3, 2, 1, 0]
    lanes = {picture["names"][mark[0]] for mark in picture["marks"]}
    assert {"group state", "orders-7c9d8-fh7vn", "orders-5f6b7-sv3kd", "coordinator"} <= lanes
    assert any("JoinGroup failed" in picture["lines"][at] for mark in picture["marks"] for at in mark[5])


def test_page_keeps_text_from_logs_inert(tmp_path: Path) -> None:
    payload = "</script><img src=x onerror=alert(1)>"
    log = tmp_path / "broker.log"
    log.write_text(
        "[2026-12-01 00:00:00,000] INFO [GroupCoordinator 1]: Preparing to rebalance group "
        f"{payload} in state PreparingRebalance with old generation 1 (__consumer_offsets-3) "
        f"(reason: Adding new member {payload}) (kafka.coordinator.group.GroupCoordinator)\n"
        f"[2026-12-01 00:00:03,000] INFO [GroupCoordinator 1]: Stabilized group {payload} generation 2 "
        "(__consumer_offsets-3) with 2 members (kafka.coordinator.group.GroupCoordinator)\n"
    )
    loganalyst.ingest([str(log)], into=str(tmp_path / "dataset"))
    with loganalyst.open(str(tmp_path / "dataset")) as dataset:
        report = build(dataset, payload, Filters())
        page = "\n".join(html_lines(report, lambda sql: dicts(dataset.sql(sql))))
    assert "onerror=alert" in page
    assert "<img" not in re.sub(r"<script>.*?</script>", "", page, flags=re.S)
    assert page.count("</script>") == page.count("<script")


def test_pictures_are_written_under_harmless_names(tmp_path: Path) -> None:
    written = save_pictures([timeline("../../etc/x")], tmp_path / "out", "svg")
    assert [path.parent for path in written] == [tmp_path / "out"]
    assert written[0].read_text().startswith("<svg")


def timeline(group: str) -> Timeline:
    at, later = datetime(2026, 12, 1, tzinfo=UTC), datetime(2026, 12, 1, 0, 1, tzinfo=UTC)
    mark = Mark("pod", "owns", at, later, "all")
    return Timeline(None, group, (Count(at, 3),), ("pod",), (mark,), (), 0, at, later)


def test_the_specification_is_valid_vega_lite() -> None:
    """Altair carries the schema of Vega-Lite."""
    import altair

    drawn = timeline("orders")
    altair.Chart.from_dict({**specification(drawn), "datasets": datasets(drawn)}, validate=True)


@pytest.mark.parametrize("background", ["#ffffff", "#14181c"])
def test_every_colour_stands_out_from_both_pages(background: str) -> None:
    """WCAG 1.4.11: 3 to 1 for what a picture is made of."""
    for colour in {*COLOURS.values(), *OWNERS}:
        bright, dark = sorted((luminance(colour), luminance(background)), reverse=True)
        assert (bright + 0.05) / (dark + 0.05) >= 3, colour


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
