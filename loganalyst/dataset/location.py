"""Where a dataset lies: a folder of this machine or a prefix of an object store."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow.fs as pafs

from loganalyst.errors import DatasetError

__all__ = ["Location"]


@dataclass(frozen=True)
class Location:
    """A place that holds files: `uri` is an absolute path or an object-store URL (`s3://bucket/prefix`).

    Picklable; workers on other machines open the same place from it.
    """

    uri: str
    storage_options: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, path: str | os.PathLike[str], storage_options: Mapping[str, str] | None = None) -> Location:
        """Make a location of what a user gave; relative paths and `file://` become absolute paths."""
        text = os.fspath(path)
        if text.startswith("file://"):
            text = text[len("file://") :]
        if "://" not in text:
            text = str(Path(text).expanduser().absolute())
        return cls(text.rstrip("/") or "/", dict(storage_options or {}))

    @property
    def folder(self) -> Path | None:
        """The folder on this machine, None for an object store."""
        return None if "://" in self.uri else Path(self.uri)

    def below(self, *parts: str) -> Location:
        """Return the location of a part of this one."""
        return Location("/".join((self.uri, *parts)), self.storage_options)

    def filesystem(self) -> tuple[pafs.FileSystem, str]:
        """Return the Arrow filesystem and the path in it; `DatasetError` for a scheme it cannot serve."""
        if self.folder is not None:
            return pafs.LocalFileSystem(), self.uri
        try:
            filesystem, path = pafs.FileSystem.from_uri(self.uri)
        except (OSError, ValueError) as error:
            raise DatasetError(f"{self.uri}: {error}") from error
        return filesystem, path
