"""What Kafka's command-line tools print, read as events of role `tool`.

`recognise` says whether the head of a source is such output, `DumpReader` turns its lines into rows of the
events table and accounts for every line. Which tables there are, version by version, is data: `tables.toml`.
"""

from loganalyst.dumps.reader import DumpReader, recognise

__all__ = ["DumpReader", "recognise"]
