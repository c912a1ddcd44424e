"""Lines that lack group, member or client get them from their neighbours, where it is certain."""

from __future__ import annotations

from typing import Any

from loganalyst.dataset.schema import EVENTS
from loganalyst.envelopes.record import Record
from loganalyst.ingest.carry import Carry


def line(carry: Carry, *, thread: str | None = None, **values: Any) -> dict[str, Any]:
    row: dict[str, Any] = dict.fromkeys(EVENTS.names)
    row.update({"role": "client", "event": "other", "fields": [], **values})
    carry.take(row, Record(line=1, lines=1, message="", thread=thread))
    return row


def test_librdkafka_lines_get_the_group_of_their_client() -> None:
    carry = Carry()
    line(carry, thread="orders-0#consumer-1", group_id="orders", member_id="orders-0-x")
    joined = line(carry, thread="orders-0#consumer-1", event="join_succeeded")
    assert (joined["group_id"], joined["member_id"], joined["client_id"]) == (
        "orders",
        "orders-0-x",
        "orders-0",
    )


def test_two_librdkafka_clients_of_a_process_keep_their_groups() -> None:
    carry = Carry()
    line(carry, thread="a#consumer-1", group_id="one")
    line(carry, thread="a#consumer-2", group_id="two")
    assert line(carry, thread="a#consumer-1")["group_id"] == "one"
    assert line(carry, thread="a#consumer-2")["group_id"] == "two"


def test_java_lines_without_prefix_get_the_client_of_their_thread() -> None:
    carry = Carry()
    line(carry, thread="C-1", client_id="orders-0", group_id="orders")
    line(carry, thread="C-2", client_id="orders-1", group_id="orders")
    assert line(carry, thread="C-2")["client_id"] == "orders-1"


def test_a_line_of_an_unknown_thread_beside_several_clients_stays_unknown() -> None:
    carry = Carry()
    line(carry, thread="C-1", client_id="orders-0", group_id="orders")
    line(carry, thread="C-2", client_id="billing-0", group_id="billing")
    lost = line(carry, thread="main")
    carry.settle()
    assert (lost["client_id"], lost["group_id"]) == (None, None)


def test_the_only_client_of_a_process_owns_all_its_lines_also_those_before() -> None:
    carry = Carry()
    first = line(carry, event="client_config")
    line(carry, client_id="kafka-python-1", group_id="orders")
    last = line(carry, event="leader_elected")
    carry.settle()
    for row in (first, last):
        assert (row["client_id"], row["group_id"]) == ("kafka-python-1", "orders")


def test_a_client_that_never_prints_an_id_is_known_by_its_group() -> None:
    carry = Carry()
    line(carry, group_id="catalog", member_id="reader@host (x)-1")
    leader = line(carry, event="leader_elected")
    assert (leader["group_id"], leader["member_id"]) == ("catalog", "reader@host (x)-1")


def test_a_client_that_gets_a_name_later_stays_the_same_client() -> None:
    carry = Carry()
    line(carry, group_id="web")
    named = line(carry, client_id="web-js")
    assert named["group_id"] == "web"
    assert line(carry)["client_id"] == "web-js"


def test_a_client_in_two_groups_gives_none_of_them() -> None:
    carry = Carry()
    line(carry, client_id="c", group_id="one")
    line(carry, client_id="c", group_id="two")
    assert line(carry, client_id="c")["group_id"] is None


def test_a_member_id_is_forgotten_when_the_client_throws_it_away() -> None:
    carry = Carry()
    line(carry, client_id="c", group_id="g", member_id="m1", event="join_succeeded")
    assert line(carry, client_id="c", event="generation_reset")["member_id"] == "m1"
    assert line(carry, client_id="c", event="join_started")["member_id"] is None
    line(carry, client_id="c", member_id="m2", event="member_id_assigned")
    assert line(carry, client_id="c", event="sync_succeeded")["member_id"] == "m2"


def test_a_member_id_never_flows_backwards() -> None:
    carry = Carry()
    first = line(carry, client_id="c", event="join_started")
    line(carry, client_id="c", group_id="g", member_id="m1", event="join_succeeded")
    carry.settle()
    assert (first["group_id"], first["member_id"]) == ("g", None)


def test_processes_of_one_source_are_kept_apart() -> None:
    carry = Carry()
    line(carry, pod="a", client_id="x", group_id="one")
    line(carry, pod="b", client_id="y", group_id="two")
    assert line(carry, pod="a")["group_id"] == "one"
    assert line(carry, pod="b")["client_id"] == "y"


def test_the_group_type_of_a_client_settles_generation_and_epoch() -> None:
    carry = Carry()
    line(carry, client_id="c", group_id="g", group_type="consumer")
    beat = line(carry, client_id="c", generation=5)
    assert (beat["group_type"], beat["epoch"], beat["generation"]) == ("consumer", 5, None)


def test_broker_lines_without_the_brokers_id_get_it() -> None:
    carry = Carry()
    line(carry, role="broker", broker_id=3, fields=[("broker_id", "3")])
    loaded = line(carry, role="broker", event="member_loaded")
    carry.settle()
    assert loaded["broker_id"] == 3


def test_beside_two_brokers_a_line_without_an_id_stays_without() -> None:
    carry = Carry()
    line(carry, role="broker", broker_id=3, fields=[("broker_id", "3")])
    loaded = line(carry, role="broker", event="member_loaded")
    line(carry, role="broker", broker_id=4, fields=[("broker_id", "4")])
    carry.settle()
    assert loaded["broker_id"] is None


def test_what_a_brokers_own_clients_print_is_the_brokers() -> None:
    carry = Carry()
    network = line(carry, client="java", event="client_closed")
    line(carry, role="broker", broker_id=3, fields=[("broker_id", "3")])
    carry.settle()
    assert (network["role"], network["client"], network["broker_id"]) == ("broker", None, 3)


def test_a_share_group_stays_one_in_the_lines_that_all_epoch_groups_share() -> None:
    carry = Carry()
    line(carry, role="broker", group_id="s", group_type="share", event="member_joined")
    bumped = line(carry, role="broker", group_id="s", group_type="consumer", event="group_epoch_bumped")
    assert bumped["group_type"] == "share"
