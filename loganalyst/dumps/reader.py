"""The lines of a dump, one after another, into rows of the events table."""

from __future__ import annotations

import re
from typing import Any

from loganalyst.dumps.layout import Table, layouts
from loganalyst.dumps.shapes import coordinator
from loganalyst.envelopes.record import LineCounts

_HEAD_LINES = 60
_GROUP_TYPES = frozenset({"classic", "consumer", "share", "streams"})
_TRACE = re.compile(r"\s+at |\s+\.\.\. \d+ more|Caused by: |[\w.$]+(?:Exception|Error)\b")


def recognise(head: bytes) -> str | None:
    """Return the name of the tool whose output `head` (the first KiBs of a source) is, None if it is no dump.

    It is a dump when at least half of its lines, from the first one that is known on, are headers, rows or
    sentences of the tools; a log that quotes a table is none.
    """
    lines = [line for line in head.decode("utf-8", "replace").splitlines() if line.strip()][:_HEAD_LINES]
    reader = DumpReader("")
    known = [reader.knows(line) for line in lines]
    if not any(known):
        return None
    first = known.index(True)
    rest = known[first:]
    return reader.tool if first < _HEAD_LINES // 2 and 2 * sum(rest) >= len(rest) else None


class DumpReader:
    """Reads one dump; `counts` accounts for its lines.

    A dump carries no time, so that `ts` of its events is NULL and its rows count as `undated`, like
    headers and sentences; a stack trace below a sentence is its continuation; what is left is foreign.
    """

    def __init__(self, source: str, cluster: str | None = None) -> None:
        """`source` is the name under which the rows lead back to the text."""
        self.counts = LineCounts()
        self.tool: str | None = None
        self._source = source
        self._cluster = cluster
        self._table: Table | None = None
        self._known = False
        self._traced = False

    def knows(self, line: str) -> bool:
        """Read a line for its account alone: is it the tool's?"""
        foreign = self.counts.foreign
        self.feed(line)
        return self.counts.foreign == foreign

    def feed(self, line: str) -> dict[str, Any] | None:
        """Take the next line (without its line end); return the event that it is, if it is one.

        The event has every column of `dataset.schema.EVENTS`. Its name is `other`, as no statement of a log
        says the same; `fields['detail_event']` names its kind: `dump_group_state`, `dump_group_member`,
        `dump_group_offset`, `dump_group`, `dump_partition`, `dump_topic` (both of the offsets topic only),
        and the tools' sentences. `fields` holds the row's values by title (`log_end_offset`,
        `coordinator`, ...).
        """
        line = line.rstrip("\r\n").lstrip("\ufeff")
        self.counts.lines += 1
        self._known = True
        try:
            return self._read(line)
        finally:
            if self._known:
                self.counts.undated += 1

    def _read(self, line: str) -> dict[str, Any] | None:
        known = layouts()
        if table := known.header(line):
            self._table, self.tool = table, table.tool
            return None
        if keyed := known.keyed(line):
            self.tool = known.keyed_tool
            return self._keyed(line, *keyed)
        if self._table and (values := self._table.cut(line)):
            return self._row(line, self._table, values)
        for sentence in known.sentences:
            if match := sentence.pattern.fullmatch(line.strip()):
                self.tool, self._traced = sentence.tool, True
                fields = {key: value for key, value in match.groupdict().items() if key != "rest"}
                group = fields.pop("group_id", None)
                return self._event(line, sentence.kind, fields, group_id=group, **sentence.meaning)
        self._known = False
        if not line.strip():
            self._table = None
        if self._traced and _TRACE.match(line):
            self.counts.continuation += 1
        else:
            self._traced = False
            self.counts.foreign += 1
        return None

    def _row(self, line: str, table: Table, values: dict[str, str]) -> dict[str, Any]:
        columns: dict[str, Any] = {"group_type": table.group_type}
        fields: dict[str, str] = {}
        for column in table.columns:
            value = values[column.title]
            name = column.title.replace(" (ID)", "").replace("#", "").replace("-", "_").lower()
            if column.kind == "coordinator":
                address, columns["broker_id"] = coordinator(value)
                value = address or ""
            read = column.shape.read(value)
            if read is not None:
                fields[name] = value
            if column.to:
                columns[column.to] = read
        if table.kind == "dump_group":
            kind = fields.get("type", "").lower()
            columns["group_type"] = kind if kind in _GROUP_TYPES else None
        if fields.get("topic") and fields.get("partition"):
            columns["topic_partitions"] = [f"{fields['topic']}-{fields['partition']}"]
        if columns.get("epoch") is not None and columns["group_type"] is None:
            columns["group_type"] = "consumer"
        return self._event(line, table.kind, fields, **columns)

    def _keyed(self, line: str, kind: str, values: dict[str, str]) -> dict[str, Any] | None:
        if values["Topic"] != layouts().only:
            return None
        fields = {_snake(key): value for key, value in values.items()}
        columns: dict[str, Any] = {}
        if kind == "dump_partition":
            partition, leader = values["Partition"], values["Leader"]
            columns["offsets_partition"] = int(partition) if partition.isdigit() else None
            columns["broker_id"] = int(leader) if leader.isdigit() else None
            columns["topic_partitions"] = [f"{values['Topic']}-{partition}"]
        return self._event(line, kind, fields, **columns)

    def _event(self, line: str, kind: str, fields: dict[str, str], **columns: Any) -> dict[str, Any]:
        from loganalyst.dataset.schema import EVENTS  # pyarrow is loaded only when there is a row

        event: dict[str, Any] = dict.fromkeys(EVENTS.names)
        event.update(columns)
        event.update(
            cluster=self._cluster,
            event="other",
            role="tool",
            fields={"detail_event": kind, "tool": self.tool or "", **fields},
            source=self._source,
            line=self.counts.lines,
            message=line.strip(),
        )
        return event


def _snake(title: str) -> str:
    """`Adding Replicas` → `adding_replicas`, `TopicId` → `topic_id`."""
    return re.sub(r"(?<=[a-z])\s*(?=[A-Z])", "_", title).lower()
