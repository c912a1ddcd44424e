"""`explain` answers for each line alone."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import run

MESSAGE = "Stabilized group orders generation 7 (__consumer_offsets-17) with 6 members"
LOGGER = "(kafka.coordinator.group.GroupCoordinator)"
BROKER = f"[2026-12-01 00:23:43,823] INFO [GroupCoordinator 1]: {MESSAGE} {LOGGER}"
WRAPPED = [
    MESSAGE,
    f"[GroupCoordinator 1]: {MESSAGE}",
    BROKER,
    f"[pod/kafka-0/kafka] {BROKER}",
    f"2026-12-01T00:23:44.000000001Z stdout F {BROKER}",
    json.dumps({"log": BROKER + "\n", "stream": "stdout", "time": "2026-12-01T00:23:44Z"}),
]


@pytest.mark.parametrize("line", WRAPPED)
def test_a_line_is_known_however_it_is_wrapped(line: str) -> None:
    (answer,) = [json.loads(text) for text in run("explain", line, "--format", "jsonl").out.splitlines()]
    assert list(answer) == ["line", "event", "statement", "fields", "nearest"]
    assert answer["line"] == line and answer["event"] == "group_stabilized" and answer["nearest"] is None
    assert answer["fields"]["group_id"] == "orders" and answer["fields"]["generation"] == "7"


def test_each_line_of_stdin_is_answered_in_order() -> None:
    lines = [
        *WRAPPED,
        "hello world",
        "",
        MESSAGE.replace("Stabilized", "Stabilised"),
        "   at a.b.C(D.java:1)",
        MESSAGE,
    ]
    done = run("explain", "--format", "jsonl", stdin="\n".join(lines) + "\n")
    answers = [json.loads(text) for text in done.out.splitlines()]
    assert done.code == 0
    assert [answer["line"] for answer in answers] == lines
    known = [answer["event"] == "group_stabilized" for answer in answers]
    assert known == [True] * len(WRAPPED) + [False, False, False, False, True]
    assert all(answer["event"] is None for answer, k in zip(answers, known, strict=True) if not k)


def test_an_unknown_line_is_told_the_nearest_statement() -> None:
    (answer,) = json.loads(run("explain", MESSAGE.replace("members", "pods"), "--format", "json").out)
    assert answer["event"] is None and answer["statement"] is None and answer["fields"] is None
    assert "group_stabilized" in answer["nearest"]


def test_text_is_one_answer_a_line() -> None:
    done = run("explain", stdin=f"{MESSAGE}\nhello\x1b[2J\n")
    assert [line.split()[0] for line in done.out.splitlines()] == ["group_stabilized", "no"]
    assert "\x1b" not in done.out
    assert "  generation = 7" in run("explain", MESSAGE).out.splitlines()


def test_bytes_that_are_no_text_are_answered_too() -> None:
    done = run("explain", "--format", "jsonl", stdin=b"\xff\xfe\x00x\n" + MESSAGE.encode() + b"\r\n")
    first, second = (json.loads(text) for text in done.out.splitlines())
    assert first["event"] is None and second["event"] == "group_stabilized"
