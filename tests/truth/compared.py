"""How the views are held against the answers of a recorded incident, one function for each kind of answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import duckdb

from tests.truth.score import Score, compare

Answers = dict[str, Any]
Rows = list[tuple[Any, ...]]


def _rows(connection: duckdb.DuckDBPyConnection, sql: str) -> Rows:
    return connection.execute(sql).fetchall()


def rebalances(connection: duckdb.DuckDBPyConnection, answers: Answers, logs: str) -> Score:
    """Group, generation, outcome, members, start and end to the millisecond; without broker logs no times."""
    expected = answers["rebalances"]
    if logs == "clients":
        # a client cannot see its group go empty, nor a generation that none of the pods at hand was told of
        given = _rows(connection, "SELECT group_id, generation, outcome, members FROM rebalances")
        counts = {(row["group"], row["generation"]): row["members"] for row in expected}
        given = [
            (group, generation, outcome, members if members is not None else counts.get((group, generation)))
            for group, generation, outcome, members in given
        ]
        expected = [
            {
                **row,
                "members": _learnt((row["group"], row["generation"], row["outcome"], row["members"]), given)[
                    3
                ],
            }
            for row in expected
        ]
        told = {(group, generation) for group, generation, _, _ in given}
        return compare(
            [
                (row["group"], row["generation"], row["outcome"], row["members"])
                for row in expected
                if row["outcome"] != "emptied" and (row["group"], row["generation"]) in told
            ],
            given,
        )
    given = _rows(
        connection,
        "SELECT group_id, generation, outcome, members, epoch_ms(started_at), epoch_ms(completed_at)"
        " FROM rebalances",
    )
    if logs == "brokers" and _version(answers) < (2, 8):
        # these brokers print no member count
        counts = {(row["group"], row["generation"]): row["members"] for row in expected}
        given = [(*row[:3], row[3] if row[3] is not None else counts.get(row[:2]), *row[4:]) for row in given]
    return compare(
        [
            _learnt(
                (
                    row["group"],
                    row["generation"],
                    row["outcome"],
                    row["members"],
                    row["started"],
                    row.get("completed") if row["started"] else None,
                ),
                given,
            )
            for row in expected
        ],
        given,
    )


def _version(answers: Answers) -> tuple[int, ...]:
    """Kafka's version, with which the name of a recorded scene ends."""
    return tuple(int(number) for number in answers["scene"].rpartition("-")[2].split("."))


def _learnt(expected: tuple[Any, ...], given: Rows) -> tuple[Any, ...]:
    """Take from the answer given what the truth does not know (members of a client that tells nobody, times
    where no broker spoke), unless an outcome has none.
    """
    if expected[2] != "completed" or None not in expected:
        return expected
    for row in given:
        if all(known is None or known == value for known, value in zip(expected, row, strict=True)):
            return row
    return expected


def leaders(connection: duckdb.DuckDBPyConnection, answers: Answers, logs: str) -> Score:
    """The pod of each leader that wrote a log; its client id where only brokers speak."""
    known = answers["leaders"]
    if logs == "brokers":
        named = {
            f"{row['group']}@{row['generation']}": row.get("leader_member") for row in answers["rebalances"]
        }
        known = {key: named[key][:-37] for key in known if named.get(key)}
    given = [
        (f"{group}@{generation}", pod)
        for group, generation, pod in _rows(
            connection, "SELECT DISTINCT group_id, generation, pod FROM leaders"
        )
        if f"{group}@{generation}" in known
    ]
    return compare(list(known.items()), given)


def episodes(connection: duckdb.DuckDBPyConnection, answers: Answers, logs: str) -> Score:
    """Falls of the member count by one-step assignor changes: counts, generations, kind, refused pods.

    Brokers do not log refusals: from their logs alone no refused pod is expected.
    """
    given = _rows(
        connection,
        "SELECT group_id, members_from, members_floor, members_to, member_counts, generations, emptied, kind,"
        " list_sort(refused_pods) FROM shrinking_episodes WHERE kind = 'one_step_assignor_change'",
    )
    return compare(
        [
            str(
                (
                    row["group"],
                    row["members_from"],
                    row["members_floor"],
                    row["members_to"],
                    row["member_counts"],
                    row["generations"],
                    row["emptied"],
                    row["kind"],
                    [] if logs == "brokers" else sorted(row["refused_pods"]),
                )
            )
            for row in answers.get("shrinking_episodes", [])
        ],
        [str(row) for row in given],
    )


def refused(connection: duckdb.DuckDBPyConnection, answers: Answers, logs: str) -> Score:
    """The pods that were turned away; brokers do not log that."""
    if logs == "brokers":
        return compare([], _rows(connection, "SELECT DISTINCT pod FROM refused_joins"))
    expected = {pod for row in answers.get("shrinking_episodes", []) for pod in row["refused_pods"]}
    expected |= set(answers.get("refused", {}))
    expected |= {pod for kind, pod in answers.get("culprits", {}).items() if kind == "group_full"}
    given = {pod for (pod,) in _rows(connection, "SELECT DISTINCT pod FROM refused_joins")}
    return compare(sorted(expected), sorted(given, key=str))


def static_restarts(connection: duckdb.DuckDBPyConnection, answers: Answers, logs: str) -> Score:
    """Static members that came back, and how."""
    del logs
    given = _rows(connection, "SELECT instance_id, outcome FROM static_restarts")
    return compare(
        [(row["instance_id"], row["outcome"]) for row in answers.get("static_restarts", [])], given
    )


def culprits(connection: duckdb.DuckDBPyConnection, answers: Answers, logs: str) -> Score:
    """The pod that a verdict points at; other pods under the same verdict count only if nobody named them."""
    del logs
    expected = list(answers.get("culprits", {}).items())
    expected += [(kind, pod) for kind, pods in answers.get("culprits_more", {}).items() for pod in pods]
    kinds = {kind for kind, _ in expected}
    given = {row for row in _rows(connection, "SELECT DISTINCT kind, pod FROM findings") if row[0] in kinds}
    return compare(expected, [row for row in sorted(given, key=str) if row in expected])


def verdicts(connection: duckdb.DuckDBPyConnection, answers: Answers, logs: str) -> Score:
    """Verdicts that must be there; wrong are those that must not."""
    del logs
    given = {kind for (kind,) in _rows(connection, "SELECT DISTINCT kind FROM findings")}
    must, must_not = answers["findings_must"], set(answers["findings_must_not"])
    return compare(must, sorted(kind for kind in given if kind in must or kind in must_not))


COMPARED: dict[str, Callable[[duckdb.DuckDBPyConnection, Answers, str], Score]] = {
    "rebalances": rebalances,
    "leaders": leaders,
    "episodes": episodes,
    "refused": refused,
    "static_restarts": static_restarts,
    "culprits": culprits,
    "verdicts": verdicts,
}
"""The columns of the scoreboard."""
