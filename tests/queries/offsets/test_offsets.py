"""Positions: reset, expired, skipped; and what cannot be told."""

from __future__ import annotations

from tests.queries.session import Log

PLACE = {"topic_partitions": ["payments-0"]}
SETTINGS = (
    "ConsumerConfig values: \n\tauto.offset.reset = {reset}\n\tclient.id = orders-0\n"
    "\tenable.auto.commit = {commit}\n\tauto.commit.interval.ms = 5000\n\tgroup.id = orders\n"
)


def configured(log: Log, seconds: float, reset: str = "latest", commit: str = "true") -> None:
    log.client("orders-0", seconds, "client_config", message=SETTINGS.format(reset=reset, commit=commit))


def start(log: Log, seconds: float, generation: int, position: int) -> None:
    log.client("orders-0", seconds, "join_succeeded", generation=generation)
    log.client("orders-0", seconds + 0.1, "no_committed_offset", **PLACE)
    log.client("orders-0", seconds + 0.2, "offset_reset", fields={"offset": str(position)}, **PLACE)


def test_a_position_out_of_range_that_the_log_passed_was_skipped() -> None:
    log = Log()
    log.client("orders-0", 0, "offset_out_of_range", fields={"offset": "100"}, **PLACE)
    log.client("orders-0", 0.1, "offset_reset", fields={"offset": "150"}, **PLACE)
    (row,) = log.rows("offset_resets")
    assert (row["why"], row["skipped"], row["to_offset"]) == ("out_of_range", "yes", 150)
    assert "50 records" in row["reason"]
    (finding,) = log.rows("finding_offset_out_of_range")
    assert (finding["variant"], finding["severity"], finding["pod"]) == ("skipped", "act", "orders-0")


def test_a_position_beyond_the_end_is_read_again() -> None:
    log = Log()
    log.client("orders-0", 0, "offset_out_of_range", fields={"offset": "150"}, **PLACE)
    log.client("orders-0", 0.1, "offset_reset", fields={"offset": "100"}, **PLACE)
    (row,) = log.rows("offset_resets")
    assert row["skipped"] == "no"


def test_a_reset_said_in_words_alone_is_undecidable() -> None:
    log = Log()
    log.client(
        "orders-0",
        0,
        "offset_reset",
        group_id=None,
        client="librdkafka",
        error="OFFSET_OUT_OF_RANGE",
        fields={"topic": "payments", "partition": "21", "from_pos": "offset 516326517", "to_pos": "END"},
    )
    (row,) = log.rows("offset_resets")
    assert (row["topic"], row["partition"], row["strategy"]) == ("payments", 21, "latest")
    assert (row["why"], row["skipped"]) == ("out_of_range", "undecidable")
    assert row["reason"].startswith("missing: the offset that the position was set to")


def test_a_new_group_has_nothing_to_lose() -> None:
    log = Log()
    configured(log, 0)
    log.broker(1, 1, "group_preparing_rebalance", group_id="orders", generation=0)
    start(log, 2, 1, 40)
    (row,) = log.rows("offset_resets")
    assert (row["strategy"], row["skipped"]) == ("latest", "no")
    assert log.rows("finding_silent_skip") == []


def test_a_group_that_starts_in_the_middle_of_the_logs_may_have_had_positions() -> None:
    log = Log()
    configured(log, 0)
    start(log, 2, 7, 40)
    (row,) = log.rows("offset_resets")
    assert row["skipped"] == "undecidable"
    assert log.rows("finding_silent_skip") == []


def test_an_expired_group_that_comes_back_at_the_end_skips_silently() -> None:
    log = Log()
    configured(log, 0)
    where = {"group_id": "orders", "offsets_partition": 18}
    log.broker(1, 1, "group_stabilized", generation=1, members=1, **where)
    start(log, 2, 1, 40)
    log.broker(1, 20, "group_empty", generation=2, **where)
    log.broker(1, 90, "offsets_expired", offsets_partition=18, fields={"records": "2"})
    start(log, 120, 1, 300)
    (expiry,) = log.rows("offset_expirations")
    assert (expiry["group_id"], expiry["records"], expiry["certain"]) == ("orders", 2, True)
    assert expiry["empty_ms"] == 70_000
    (finding,) = log.rows("finding_silent_skip")
    assert (finding["severity"], finding["variant"], finding["confidence"]) == ("act", "expired", "likely")
    assert [row["severity"] for row in log.rows("finding_offsets_expired")] == ["look"]


def test_a_group_that_resumes_at_its_commits_skips_nothing() -> None:
    log = Log()
    configured(log, 0)
    start(log, 2, 1, 40)
    log.client("orders-0", 100, "join_succeeded", generation=3)
    log.client("orders-0", 100.1, "committed_offset_applied", fields={"offset": "90"}, **PLACE)
    assert log.rows("finding_silent_skip") == []


def test_commits_known_to_the_log_decide_how_much_was_skipped() -> None:
    log = Log()
    configured(log, 0)
    start(log, 2, 1, 40)
    log.client("orders-0", 10, "offsets_committed", fields={"offset": "60"}, **PLACE)
    start(log, 100, 1, 75)
    row = log.rows("offset_resets", "ts")[-1]
    assert (row["skipped"], row["reason"]) == ("yes", "15 records after the last commit 60 were not read")


def test_an_offsets_topic_registered_twice_was_made_anew() -> None:
    log = Log()
    for seconds, topic_id in ((0, "a"), (500, "b")):
        log.controller(seconds, "topic_created", fields={"topic": "__consumer_offsets", "topic_id": topic_id})
    (finding,) = log.rows("finding_offsets_topic_recreated")
    assert (finding["severity"], finding["confidence"]) == ("act", "certain")


def test_groups_that_begin_again_together_hint_at_it_and_one_alone_does_not() -> None:
    log = Log()
    for group in ("a", "b", "c"):
        for seconds, generation in ((0, 4), (500, 1)):
            log.broker(1, seconds, "group_stabilized", group_id=group, generation=generation, members=1)
    (finding,) = log.rows("finding_offsets_topic_recreated")
    assert (finding["variant"], finding["confidence"]) == ("restarted", "likely")
    alone = Log()
    for seconds, generation in ((0, 4), (500, 1)):
        alone.broker(1, seconds, "group_stabilized", group_id="a", generation=generation, members=1)
    assert alone.rows("finding_offsets_topic_recreated") == []


def test_a_rejected_commit_is_one_row_however_many_lines_it_printed() -> None:
    log = Log()
    log.client("orders-0", 0, "join_succeeded", generation=3, member_id="m")
    for number in range(3):
        log.client(
            "orders-0",
            10 + number * 0.01,
            "offset_commit_failed",
            error="ILLEGAL_GENERATION",
            topic_partitions=[f"t-{number}"],
        )
    log.client(
        "orders-0",
        10.05,
        "generation_reset",
        error="ILLEGAL_GENERATION",
        message="encountered ILLEGAL_GENERATION from OFFSET_COMMIT response",
    )
    (row,) = log.rows("fenced_requests")
    assert (row["operation"], row["error"], row["generation"]) == ("commit", "ILLEGAL_GENERATION", 3)
    (finding,) = log.rows("finding_fenced_commit")
    assert (finding["pod"], finding["severity"]) == ("orders-0", "look")


def test_a_stale_epoch_is_sent_again_and_no_finding() -> None:
    log = Log()
    log.client("orders-0", 10, "offset_commit_failed", error="STALE_MEMBER_EPOCH")
    assert len(log.rows("fenced_requests")) == 1
    assert log.rows("finding_fenced_commit") == []
