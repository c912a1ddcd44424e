"""The catalogue: record → statement. `parsers/*.toml` say what is known; this room compiles and searches it."""

from loganalyst.catalogue.catalogue import Catalogue, load
from loganalyst.catalogue.statement import Match, Statement

__all__ = ["Catalogue", "Match", "Statement", "load"]
