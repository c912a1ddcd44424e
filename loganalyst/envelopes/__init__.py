"""Wrappers and header layouts: from lines to records."""

from loganalyst.envelopes.detect import detect
from loganalyst.envelopes.reader import RecordReader
from loganalyst.envelopes.reading import Reading, TimeHints
from loganalyst.envelopes.record import LineCounts, Record, Wrapper

__all__ = ["LineCounts", "Reading", "Record", "RecordReader", "TimeHints", "Wrapper", "detect"]
