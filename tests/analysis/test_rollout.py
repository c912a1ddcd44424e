"""A deploy that changes the assignor, played by the coordinator's own rules."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loganalyst.analysis.rollout import admits, deploys, parse_assignors, select, simulate
from loganalyst.errors import UsageError

ASSIGNORS = st.lists(
    st.sampled_from(["range", "roundrobin", "sticky", "cooperative-sticky"]), min_size=1, unique=True
)


@pytest.mark.parametrize("members", range(2, 13))
def test_one_step_shrinks_any_group_to_a_single_pod(members: int) -> None:
    steps = list(simulate(members, deploys(["range"], ["cooperative-sticky"])))
    assert [s.members for s in steps] == [*range(members, 0, -1), members]
    assert [s.refused for s in steps] == [*range(members), 0]
    assert [s.assignor for s in steps] == ["range"] * members + ["cooperative-sticky"]
    assert [s.rebalance_protocol for s in steps] == ["eager"] * members + ["cooperative"]
    assert [s.pods_rolled for s in steps] == list(range(members + 1))


@pytest.mark.parametrize("members", range(2, 13))
def test_two_steps_keep_everybody_and_flip_at_the_first_pod_of_the_second(members: int) -> None:
    steps = list(simulate(members, deploys(["range"], ["cooperative-sticky"], "two-step")))
    assert {s.members for s in steps} == {members}
    assert {s.refused for s in steps} == {0}
    assert [(s.deploy, s.step) for s in steps] == [(d, n) for d in (1, 2) for n in range(members + 1)]
    first, second = steps[: members + 1], steps[members + 1 :]
    assert {s.assignor for s in first} == {"range"}
    assert [s.assignor for s in second] == ["range"] + ["cooperative-sticky"] * members


@pytest.mark.parametrize("members", range(2, 13))
def test_a_custom_assignor_in_front_flips_the_group_at_the_last_pod(members: int) -> None:
    steps = list(simulate(members, deploys(["range"], ["team-sticky", "range"])))
    assert {s.members for s in steps} == {members}
    assert [s.assignor for s in steps] == ["range"] * members + ["team-sticky"]
    assert steps[-1].rebalance_protocol == "cooperative"


def test_the_rebalance_protocol_of_an_unknown_assignor_is_unknown_until_told() -> None:
    new = parse_assignors("mine:cooperative")
    assert [s.rebalance_protocol for s in simulate(1, deploys(["range"], ["mine"]))] == ["eager", None]
    told = simulate(1, deploys(["range"], new.names), new.protocols)
    assert [s.rebalance_protocol for s in told] == ["eager", "cooperative"]


def test_the_vote_needs_a_candidate_and_then_the_most_votes() -> None:
    assert select([["a", "b"], ["a", "b"], ["b", "a"]]) == "a"
    assert select([["a", "b"], ["b"]]) == "b"
    assert select([]) is None


def test_a_tie_is_broken_in_the_order_of_a_java_hash_map() -> None:
    # Java's String hashes: "a" 97 and "p" 112, so buckets 1 and 0 of 16.
    lists = [["a", "p"], ["p", "a"]]
    assert select(lists) == select(lists[::-1]) == "p"


@given(st.lists(ASSIGNORS, min_size=1, max_size=8), ASSIGNORS)
def test_whoever_is_admitted_leaves_an_assignor(members: list[list[str]], newcomer: list[str]) -> None:
    group: list[list[str]] = []
    for offered in members:
        if admits(group, offered):
            group.append(offered)
    assert select(group) is not None
    if admits(group, newcomer):
        chosen = select([*group, newcomer])
        assert all(chosen in offered for offered in [*group, newcomer])


@given(st.integers(1, 12), ASSIGNORS, ASSIGNORS)
def test_no_pod_is_ever_lost(members: int, old: list[str], new: list[str]) -> None:
    steps = list(simulate(members, deploys(old, new)))
    assert all(s.members + s.refused == members for s in steps)
    assert steps[-1].refused == 0
    assert steps[-1].assignor == new[0]
    if not set(old).isdisjoint(new):
        assert all(s.refused == 0 for s in steps)


@given(st.integers(1, 12), ASSIGNORS, ASSIGNORS)
def test_the_two_step_plan_never_turns_a_pod_away(members: int, old: list[str], new: list[str]) -> None:
    assert all(s.refused == 0 for s in simulate(members, deploys(old, new, "two-step")))


def test_class_names_are_assignors_too() -> None:
    text = "org.apache.kafka.clients.consumer.RangeAssignor, CooperativeStickyAssignor"
    assert parse_assignors(text).names == ("range", "cooperative-sticky")


@pytest.mark.parametrize("text", ["", "range,", "range,range", "mine:lazy"])
def test_a_list_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_assignors(text)


def test_an_unknown_plan_and_an_empty_group_are_refused() -> None:
    with pytest.raises(UsageError, match="one-step, two-step"):
        deploys(["a"], ["b"], "three-step")
    with pytest.raises(UsageError, match="at least one member"):
        list(simulate(0, [("a",), ("b",)]))
