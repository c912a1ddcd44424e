"""Values hold separators, brackets and quotes:

the statement is still found and every value is still whole.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from loganalyst.catalogue import Catalogue, Statement
from loganalyst.catalogue.ambiguity import SAMPLES
from loganalyst.catalogue.template import Hole, parse

UUID = "0b1e6f70-2f0d-4b53-9d0a-8f3f4a5c6d7e"
FREE = st.text(alphabet=" ()[]:;,.@/'\"=<>-_{}|#xyzä", min_size=1, max_size=24).map(str.strip).filter(bool)
TYPED = {
    "int": st.integers(0, 10**9).map(str),
    "number": st.just("0.25"),
    "name": st.sampled_from(["PreparingRebalance", "__consumer_offsets", "a.b_c-d"]),
    "word": st.sampled_from(["a", "a/b:c"]),
    "bracketed": st.sampled_from(["words-StreamThread-1", "a b"]),
    "process": st.just("group.cc:12"),
}
MEMBERS = FREE.map(lambda client: f"{client}-{UUID}")


def fill(template: str, draw: st.DataObject) -> tuple[str, dict[str, str]]:
    """Fill the holes; refuse values in which what follows their hole already stands:

    those cannot be decided.
    """
    pieces = parse(template)
    text, values = "", {}
    for index, piece in enumerate(pieces):
        if isinstance(piece, str):
            text += piece
            continue
        value = draw.draw(_values(piece))
        following = next((later for later in pieces[index + 1 :] if isinstance(later, str)), "\n")
        assume(
            piece.type not in ("", "member") or following.strip(" ") not in value or not following.strip(" ")
        )
        assume(following.strip(" ") or " " not in value)
        text += value
        values.setdefault(piece.name, value)
    return text, values


def _values(hole: Hole) -> st.SearchStrategy[str]:
    if hole.type == "member":
        return MEMBERS
    if not hole.type:
        return FREE
    return TYPED[hole.type] if hole.type in TYPED else st.just(SAMPLES.get(hole.type, "Xx"))


def plain(statement: Statement) -> bool:
    """Statements whose holes all give a value of their own name, each once."""
    holes = [piece for piece in parse(statement.template) if isinstance(piece, Hole)]
    names = [hole.name for hole in holes]
    return (
        statement.keep
        and bool(names)
        and len(set(names)) == len(names)
        and all(hole.type in ("", "member", *TYPED) for hole in holes)
        and isinstance(parse(statement.template)[0], str)
    )


@pytest.fixture(scope="module")
def candidates(catalogue: Catalogue) -> list[Statement]:
    found = [statement for statement in catalogue.statements if plain(statement)]
    assert len(found) > 400
    return found


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(data=st.data())
def test_hostile_values_are_read_back(
    catalogue: Catalogue, candidates: list[Statement], data: st.DataObject
) -> None:
    statement = data.draw(st.sampled_from(candidates))
    prefix, outer = "", {}
    if statement.prefixes:
        chosen = data.draw(st.sampled_from(statement.prefixes))
        assume(all(piece.type in ("", *TYPED) for piece in parse(chosen.template) if isinstance(piece, Hole)))
        prefix, outer = fill(chosen.template, data)
    text, values = fill(statement.template, data)
    match = catalogue.match(prefix + text, logger=statement.loggers[0] if statement.loggers else None)
    assert match is not None
    if match.statement.id != statement.id:
        assert match.statement.event != "other" or statement.event == "other"
        return
    assert {name: match.values[name] for name in values} == values
    assert {name: match.values[name] for name in outer if name not in values} == {
        name: value for name, value in outer.items() if name not in values
    }


@pytest.mark.parametrize(
    ("message", "values"),
    [
        (
            "[GroupCoordinator 1]: Preparing to rebalance group my group: (a) in state PreparingRebalance "
            "with old generation 6 (__consumer_offsets-3) (reason: Adding new member prog@host "
            f"(github.com/segmentio/kafka-go)-{UUID} with group instance id None; "
            "client reason: need to (re-)join: 'x' (y))",
            {"group_id": "my group: (a)", "generation": "6", "offsets_partition": "3"},
        ),
        (
            f"[GroupCoordinator 1]: Member nonode@nohost/<0.1083.0>-{UUID} in group a in group b has failed, "
            "removing it from the group",
            {"member_id": f"nonode@nohost/<0.1083.0>-{UUID}", "group_id": "a in group b"},
        ),
        (
            "Joined group orders as member worker@host "
            f"(github.com/segmentio/kafka-go)-{UUID} in generation 3",
            {"member_id": f"worker@host (github.com/segmentio/kafka-go)-{UUID}", "generation": "3"},
        ),
        (
            "[Consumer clientId=a, groupId=x, y] Setting newly assigned partitions: ",
            {"client_id": "a", "group_id": "x, y", "topic_partitions": ""},
        ),
        (
            "[Consumer clientId=a, groupId=b] Group coordinator "
            "host:9092 (id: 2147483646 rack: null isFenced: false) is unavailable or invalid "
            "due to cause: error response NOT_COORDINATOR. isDisconnected: false. "
            "Rediscovery will be attempted.",
            {"coordinator": "host:9092", "coordinator_node_id": "2147483646", "is_fenced": "false"},
        ),
    ],
)
def test_the_traps_of_public_reports(catalogue: Catalogue, message: str, values: dict[str, str]) -> None:
    match = catalogue.match(message)
    assert match is not None
    assert {name: match.values[name] for name in values} == values
