"""What leaves the envelopes: one log record, with everything its wrapper and its header said."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True, frozen=True)
class Wrapper:
    """What the wrapper around a line knew. `ts` is epoch microseconds UTC by the wrapper's clock."""

    pod: str | None = None
    container: str | None = None
    namespace: str | None = None
    host: str | None = None
    ts: int | None = None


@dataclass(slots=True)
class Record:
    """One log record, unwrapped: header taken off, continuation lines joined with a newline.

    `ts` is epoch microseconds in UTC as the writer printed it, `None` where no date can be told.
    `line` is 1-based in the decompressed source; `lines` counts the physical lines of the record.
    `message` keeps trailing blanks (Kafka prints an empty list as nothing).
    `level` is upper case (`INFO`, `WARN`, `ERROR`, `DEBUG`, `TRACE`, `FATAL`); `logger` as printed,
    abbreviated or not; for librdkafka it is the facility (`MAXPOLL`) and `thread` the client name
    (`orders#consumer-1`). `keys` holds values that a JSON logger put beside its message.
    """

    line: int
    lines: int
    message: str
    ts: int | None = None
    level: str | None = None
    logger: str | None = None
    thread: str | None = None
    keys: dict[str, str] | None = None
    wrapper: Wrapper | None = None


@dataclass(slots=True)
class LineCounts:
    """The account of a source's lines. Always `lines == records + continuation + foreign + undated`.

    `records` begin a record that has a time, `undated` one without a known date; `continuation` lines belong
    to the record above them; `foreign` lines belong to no record (blank lines between, banners, kubectl's
    own words, binary).
    """

    lines: int = 0
    records: int = 0
    continuation: int = 0
    foreign: int = 0
    undated: int = 0
    extra: dict[str, int] = field(default_factory=dict)
