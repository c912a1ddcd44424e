"""Right answers are worked out from recorded lines alone, for every generation of coordinators."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from lab import answers
from tests.recorded import CORPORA, require

UUID = "9caf185b-4839-4d36-80b9-46aabd1944bf"


def _write(logs: Path, name: str, lines: list[str]) -> None:
    logs.mkdir(exist_ok=True)
    (logs / name).write_text("".join(line + "\n" for line in lines))


_PLACE = "(__consumer_offsets-9)"


def _old(second: int, text: str) -> str:
    """A line of a coordinator up to 3.9."""
    logger = "kafka.coordinator.group.GroupCoordinator"
    return f"[2026-12-01 00:00:{second:02d},500] INFO [GroupCoordinator 1]: {text} ({logger})"


def _new(second: int, text: str) -> str:
    """A line of a coordinator from 4.0 on."""
    where = "[GroupCoordinator id=2 topic=__consumer_offsets partition=9]"
    logger = "org.apache.kafka.coordinator.group.GroupMetadataManager"
    return f"[2026-12-01 00:00:{second:02d},500] INFO {where} {text} ({logger})"


def _preparing(generation: int, place: str = f"{_PLACE} ", reason: str = "Adding new member x") -> str:
    state = f"in state PreparingRebalance with old generation {generation}"
    return f"Preparing to rebalance group g {state} {place}(reason: {reason})"


def _received(generation: int, members: int, static: int = 0, leader: str = "pod-a") -> str:
    counts = f"The group has {members} members, {static} of which are static."
    return (
        f"Assignment received from leader {leader}-{UUID} for group g for generation {generation}. {counts}"
    )


def _pods(*names: str, group: str = "g") -> list[dict[str, Any]]:
    return [
        {"t": 0, "what": "pod", "pod": name, "group": group, "client": "java", "protocol": "classic"}
        for name in names
    ]


def test_a_rebalance_runs_from_preparing_to_the_assignment(tmp_path: Path) -> None:
    _write(
        tmp_path, "broker-1.log",
        [
            _old(1, _preparing(4)),
            _old(2, "Stabilized group g generation 5 (__consumer_offsets-9) with 3 members"),
            _old(3, _received(5, 3, static=1)),
        ],
    )  # fmt: skip
    derived = answers.derive("s", tmp_path, _pods("pod", "pod-a"))
    (row,) = derived["rebalances"]
    start = 1796083201500
    assert (row["started"], row["stabilized"], row["completed"]) == (start, start + 1000, start + 2000)
    assert (row["generation"], row["members"], row["static"], row["partition"], row["outcome"]) == (
        5,
        3,
        1,
        9,
        "completed",
    )
    assert row["reason"] == "Adding new member x"
    assert derived["leaders"] == {"g@5": "pod-a"}


def test_a_group_that_begins_anew_has_no_leader_by_generation(tmp_path: Path) -> None:
    life = [
        lambda at: _old(at, _preparing(0)),
        lambda at: _old(at + 1, "Stabilized group g generation 1 (__consumer_offsets-9) with 1 members"),
        lambda at: _old(at + 2, _received(1, 1)),
    ]
    _write(tmp_path, "broker-1.log", [line(at) for at in (1, 11) for line in life])
    derived = answers.derive("s", tmp_path, _pods("pod-a"))
    assert [row["generation"] for row in derived["rebalances"]] == [1, 1]
    assert derived["leaders"] == {}


def test_new_coordinators_say_the_same_in_other_words(tmp_path: Path) -> None:
    _write(
        tmp_path, "broker-2.log",
        [
            _new(1, _preparing(0, place="", reason="Adding new member x; client reason: (a) b") + "."),
            _new(2, "Stabilized group g generation 1 with 1 members."),
            _new(3, _preparing(1, place="", reason="y") + "."),
            _new(4, "Group g with generation 2 is now empty."),
        ],
    )  # fmt: skip
    first, second = answers.derive("s", tmp_path, _pods("pod"))["rebalances"]
    assert (first["generation"], first["outcome"], first["reason"]) == (
        1,
        "superseded",
        "Adding new member x; client reason: (a) b",
    )
    assert (second["generation"], second["outcome"], second["members"]) == (2, "emptied", 0)


def test_members_are_counted_at_the_pods_when_the_broker_does_not_print_them(tmp_path: Path) -> None:
    _write(
        tmp_path, "broker-1.log",
        [
            _old(1, _preparing(0)),
            _old(2, "Stabilized group g generation 1 (__consumer_offsets-9)"),
            _old(3, "Assignment received from leader for group g for generation 1"),
        ],
    )  # fmt: skip
    for name in ("pod-a", "pod-b"):
        prefix = f"[Consumer clientId={name}, groupId=g]"
        _write(tmp_path, f"{name}.log", [f"INFO {prefix} Successfully joined group with generation 1"])
    (row,) = answers.derive("s", tmp_path, _pods("pod-a", "pod-b"))["rebalances"]
    assert row["members"] == 2


def test_an_episode_is_counted_from_the_last_full_generation_to_the_recovery(tmp_path: Path) -> None:
    lines = []
    for generation, members in enumerate([1, 3, 2, 1, 0, 2, 3, 3], 1):
        at = generation * 3
        settled = f"Stabilized group g generation {generation} {_PLACE} with {members} members"
        empty = f"Group g with generation {generation} {_PLACE} is now empty"
        lines.append(_old(at, _preparing(generation - 1)))
        lines.append(_old(at + 1, settled if members else empty))
        if members:
            lines.append(_old(at + 2, _received(generation, members)))
    _write(tmp_path, "broker-1.log", lines)
    _write(tmp_path, "b.log", ["org.apache.kafka.common.errors.InconsistentGroupProtocolException: no"])
    shrinking = {"g": "one_step_assignor_change"}
    expected = {"t": 1, "what": "expect", "shrinking": shrinking, "findings_must": ["z", "a"]}
    deploy = {"t": 1796083200000 + 9000, "what": "deploy", "group": "g"}
    truth = [*_pods("a", "b"), deploy, expected]
    derived = answers.derive("s", tmp_path, truth)
    (episode,) = derived["shrinking_episodes"]
    assert episode["member_counts"] == [3, 2, 1, 2, 3]
    assert episode["generations"] == [2, 3, 4, 6, 7]
    assert (episode["members_from"], episode["members_floor"], episode["members_to"], episode["emptied"]) == (
        3,
        1,
        3,
        True,
    )
    assert episode["refused_pods"] == ["b"]
    assert derived["refused"] == {"b": "java"}
    assert derived["findings_must"] == ["a", "z"]


def test_expectations_of_a_scene_add_up(tmp_path: Path) -> None:
    truth = [
        {"t": 1, "what": "expect", "findings_must": ["crash"], "culprits": {"crash": "a"}},
        {"t": 2, "what": "expect", "findings_must": ["crash", "zombie"], "culprits": {"zombie": "b"}},
        {"t": 3, "what": "incident", "kind": "crash", "group": "g"},
    ]
    derived = answers.derive("s", tmp_path, truth)
    assert derived["findings_must"] == ["crash", "zombie"]
    assert derived["culprits"] == {"crash": "a", "zombie": "b"}
    assert derived["incidents"] == [truth[2]]


def test_what_a_deposed_coordinator_began_is_superseded(tmp_path: Path) -> None:
    unloading = _new(2, "[GroupId=g] Unloading group metadata for generation 1.")
    _write(tmp_path, "broker-2.log", [_new(1, _preparing(1, place="") + "."), unloading])
    (row,) = answers.derive("s", tmp_path, _pods("pod"))["rebalances"]
    assert (row["generation"], row["outcome"], row["members"]) == (2, "superseded", None)


def test_silent_brokers_leave_the_generations_that_pods_were_assigned_in(tmp_path: Path) -> None:
    seen = [
        {"t": 5, "pod": "a", "what": "assigned", "detail": "[x-0] generation=3 member=a-1"},
        {"t": 7, "pod": "b", "what": "assigned", "detail": "[x-1] generation=3 member=b-1"},
        {"t": 9, "pod": "b", "what": "revoked", "detail": "[x-1] generation=3 member=b-1"},
    ]
    (row,) = answers.derive("s", tmp_path, _pods("a", "b"), seen)["rebalances"]
    assert (row["group"], row["generation"], row["members"], row["completed"]) == ("g", 3, 2, 7)
    assert row["started"] is None


@pytest.mark.parametrize("corpus", ["one-step-4.1.0", "two-step-3.7.1", "static-3.7.1"])
def test_recorded_corpora_get_the_rebalances_they_were_published_with(corpus: str, tmp_path: Path) -> None:
    folder = require(CORPORA / corpus)
    for path in sorted((folder / "logs").glob("broker-*")):
        text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        (tmp_path / path.name.removesuffix(".gz")).write_bytes(text)
    wanted = json.loads((folder / "answers.json").read_text())["rebalances"]
    derived = answers.derive(corpus, tmp_path, [])["rebalances"]
    keys = ("group", "generation", "started", "completed", "members", "outcome", "broker")
    assert [{key: row.get(key) for key in keys} for row in derived] == [
        {key: row.get(key) for key in keys} for row in wanted
    ]
