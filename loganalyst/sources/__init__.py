"""Bytes from anywhere: finding, opening, decompressing and recognising what is to be read."""

from loganalyst.sources.discover import SourceOptions, discover
from loganalyst.sources.source import Source, Unreadable

__all__ = ["Source", "SourceOptions", "Unreadable", "discover"]
