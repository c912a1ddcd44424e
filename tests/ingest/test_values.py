"""Values come out of the wrapping that languages put around them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loganalyst.ingest.values import broker_of_node, duration_ms, host_name, number, unwrap


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("orders", "orders"),
        ("Some(web-1)", "web-1"),
        ("Optional[web-1]", "web-1"),
        ("OptionalInt[5]", "5"),
        ("Some(Optional[x])", "x"),
        ("Some(group (old))", "group (old)"),
        ("None", None),
        ("null", None),
        ("<nil>", None),
        ("(null)", None),
        ("Optional.empty", None),
        ("OptionalInt.empty", None),
        ("", None),
    ],
)
def test_wrapping_is_taken_off(text: str, value: str | None) -> None:
    assert unwrap(text) == value


@given(st.text(min_size=1).filter(lambda text: text.strip() == text and unwrap(text) == text))
def test_a_wrapped_value_is_the_value(text: str) -> None:
    assert unwrap(f"Some({text})") == unwrap(f"Optional[{text}]") == text


@pytest.mark.parametrize(
    ("text", "value"),
    [("7", 7), ("Some(12)", 12), ("-1", None), ("-2", None), ("x", None), ("", None), ("9" * 30, None)],
)
def test_negative_numbers_are_unknown(text: str, value: int | None) -> None:
    assert number(text) == value


@pytest.mark.parametrize(
    ("text", "broker"),
    [
        ("2147483646", 1),
        ("2147483547", 100),
        ("2", 2),
        ("0", 0),
        ("-1", None),
        ("kafka-1.kafka:9092 (id: 2147483646 rack: null)", 1),
        ("Optional[kafka-2:9092 (id: 2147483645 rack: r1 isFenced: false)]", 2),
        ("127.0.0.1:28602/3", 3),
        ("127.0.0.1:23803/bootstrap", None),
        ("null", None),
    ],
)
def test_a_coordinator_node_is_its_broker(text: str, broker: int | None) -> None:
    assert broker_of_node(text) == broker


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("85", 85.0),
        ("85ms", 85.0),
        ("1.5s", 1500.0),
        ("1m2.5s", 62_500.0),
        ("250µs", 0.25),
        ("soon", None),
        ("3 apples", None),
    ],
)
def test_durations_are_milliseconds(text: str, value: float | None) -> None:
    assert duration_ms(text) == value


@pytest.mark.parametrize(
    ("text", "host"),
    [("/10.1.2.3", "10.1.2.3"), ("web/10.1.2.3", "10.1.2.3"), ("web-1", "web-1"), ("null", None)],
)
def test_hosts_lose_what_java_prints_before_them(text: str, host: str | None) -> None:
    assert host_name(text) == host
