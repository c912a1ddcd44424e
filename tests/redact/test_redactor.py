"""Secrets go, everything else stays, and the same value always becomes the same token."""

from __future__ import annotations

import pickle

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loganalyst.dataset.schema import EVENTS
from loganalyst.redact.redactor import Redactor
from loganalyst.redact.rules import load_redactions, read_redactions

REDACTOR = Redactor(load_redactions(), b"a key of the tests, 32 bytes long")

SECRETS = {
    "jaas": (
        'PlainLoginModule required username="alice" password="al\'s se;cret";',
        ["alice", "al's se;cret"],
    ),
    "jaas in json": ('{"sasl.jaas.config":"... password=\\"hunter2\\";"}', ["hunter2"]),
    "properties": ("ssl.keystore.password = hunter2", ["hunter2"]),
    "yaml": ("sasl_plain_password: 'hunter 2', group: orders", ["hunter 2"]),
    "json": ('{"clientSecret":"s3cr3t","group":"orders"}', ["s3cr3t"]),
    "librdkafka": ("%7|CONF|rdkafka#consumer-1|   sasl.password = hunter2", ["hunter2"]),
    "ruby hash": ("{:password=>hunter2}", ["hunter2"]),
    "token": ("refresh_token=abcdefgh12345", ["abcdefgh12345"]),
    "bearer": ("Authorization: Bearer abc.def-ghi123", ["abc.def-ghi123"]),
    "basic": ("authorization: Basic YWxpY2U6c2VjcmV0", ["YWxpY2U6c2VjcmV0"]),
    "jwt": ("got eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc_def", ["eyJzdWIiOiIxMjM0In0"]),
    "principal": ("Principal = User:alice is Denied Operation = Read", ["alice"]),
    "scram": ("c=biws,r=fyko,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=", ["dHzbZapWIk4jUhN"]),
    "url": ("fetching https://bob:pw@registry:8081/subjects", ["bob:pw"]),
    "aws": ("using AKIAIOSFODNN7EXAMPLE", ["AKIAIOSFODNN7EXAMPLE"]),
    "mail": ("owner bob.smith@example.com", ["bob.smith"]),
    "pem": (
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nabc=\n-----END RSA PRIVATE KEY-----",
        ["MIIEow", "abc="],
    ),
}

HARMLESS = [
    "Stabilized group orders generation 7 (__consumer_offsets-17) with 6 members",
    "ssl.key.password = null",
    "sasl.jaas.config = [hidden]",
    "Client SASL mechanism OAUTHBEARER",
    "delegation.token.expiry.time.ms = 86400000",
    "Member nonode@nohost/<0.1083.0>-6dbdb9aa-ab43-47b2-a2d2-55b3a5ec1b7e left",
    "Discovered group coordinator host:9092 (id: 2147483646 rack: null)",
    "",
]


@pytest.mark.parametrize(("text", "secrets"), SECRETS.values(), ids=SECRETS.keys())
def test_a_secret_is_replaced(text: str, secrets: list[str]) -> None:
    redacted = REDACTOR.text(text)
    for secret in secrets:
        assert secret not in redacted
    assert "<" in redacted


@pytest.mark.parametrize("text", HARMLESS)
def test_what_is_no_secret_stays(text: str) -> None:
    assert REDACTOR.text(text) == text


def test_equal_values_get_equal_tokens_and_other_keys_others() -> None:
    one, two = REDACTOR.texts(["password=hunter2", "sasl.password: hunter2"])
    assert one and two and one.removeprefix("password=") == two.removeprefix("sasl.password: ")
    other = Redactor(REDACTOR.rules, b"another key of at least 16 bytes")
    assert other.text("password=hunter2") != one


def test_redacting_twice_changes_nothing_more() -> None:
    once = REDACTOR.texts([text for text, _ in SECRETS.values()])
    assert REDACTOR.texts(once) == once


def test_one_secret_that_begins_like_another_is_replaced_whole() -> None:
    redacted = REDACTOR.text("password=abc password=abcdef password=abc")
    first, second, third = (word.removeprefix("password=") for word in redacted.split())
    assert first == third == REDACTOR.token("password", "abc")
    assert second == REDACTOR.token("password", "abcdef")


def test_a_redactor_can_go_to_another_process() -> None:
    copy = pickle.loads(pickle.dumps(REDACTOR))
    assert copy.text("password=hunter2") == REDACTOR.text("password=hunter2")


def event(**values: object) -> dict[str, object]:
    return {**dict.fromkeys(EVENTS.names), **values}


def table(*rows: dict[str, object]) -> pa.Table:
    return pa.Table.from_pylist(list(rows), schema=EVENTS)


def test_every_column_of_an_event_is_redacted_and_its_place_is_not() -> None:
    row = event(
        message="join failed, password=hunter2",
        reason="bad password=hunter2",
        error="password=hunter2",
        fields=[
            ("sasl.password", "hunter2"),
            ("generation", "7"),
            ("detail", "password: hunter2"),
            ("empty", None),
        ],
        topic_partitions=["orders-0", "token=abcdefgh12345"],
        source="logs/password=x.log",
        line=7,
        template="a.b",
    )
    redacted = REDACTOR.table(table(row, event(fields=None, topic_partitions=None))).to_pylist()
    assert "hunter2" not in str(redacted) and "abcdefgh" not in str(redacted)
    assert dict(redacted[0]["fields"])["generation"] == "7"
    assert redacted[0]["topic_partitions"][0] == "orders-0"
    assert (redacted[0]["source"], redacted[0]["line"]) == ("logs/password=x.log", 7)
    assert redacted[1] == event()


def test_a_table_keeps_its_schema_and_further_columns() -> None:
    given_table = table(event(message="password=x")).append_column("stream", pa.array(["s"]))
    assert REDACTOR.table(given_table).schema == given_table.schema


def test_a_column_rule_hides_its_value_wherever_it_stands_in_the_row() -> None:
    rules = read_redactions('[[rule]]\nname = "client"\ncolumn = "client_id"\n')
    redactor = Redactor(rules, REDACTOR.key)
    row = event(
        client_id="billing-0",
        member_id="billing-0-6dbdb9aa-ab43-47b2-a2d2-55b3a5ec1b7e",
        message="member billing-0-6dbdb9aa joined",
        fields=[("client_id", "billing-0")],
        topic_partitions=["billing-0"],
    )
    redacted = redactor.table(table(row, event(client_id=None, message="billing-0"))).to_pylist()
    token = redactor.token("client", "billing-0")
    assert redacted[0]["client_id"] == token
    assert redacted[0]["member_id"] == f"{token}-6dbdb9aa-ab43-47b2-a2d2-55b3a5ec1b7e"
    assert redacted[0]["message"] == f"member {token}-6dbdb9aa joined"
    assert dict(redacted[0]["fields"]) == {"client_id": token}
    assert redacted[1]["message"] == "billing-0"


@settings(max_examples=150, deadline=None)
@given(
    secret=st.text(
        st.characters(
            codec="utf-8", exclude_characters=" \t\n\r\f\v,;)}]\"'\\", exclude_categories=["Z", "C"]
        ),
        min_size=6,
        max_size=40,
    ).filter(lambda text: text.strip("[({<")),
    before=st.text(max_size=30),
    after=st.text(max_size=30),
)
def test_no_password_survives_whatever_stands_around_it(secret: str, before: str, after: str) -> None:
    redacted = REDACTOR.text(f"{before} password={secret} {after}")
    assert f"password={secret}" not in redacted


@pytest.mark.parametrize(
    "unit",
    ["password=", "a", "x@", "eyJ", 'token:"', "a.b-c_", "-----BEGIN RSA PRIVATE KEY-----", "User:", "://a:"],
)
def test_time_is_linear_in_the_length_of_a_text(unit: str) -> None:
    import time

    def seconds(size: int) -> float:
        began = time.perf_counter()
        REDACTOR.text(unit * (size // len(unit)))
        return time.perf_counter() - began

    assert seconds(1_000_000) < 5
