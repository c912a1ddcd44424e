"""The catalogue:

record → statement. `parsers/*.toml` say what is known; this room compiles and searches it.
"""

from loganalyst.catalogue.catalogue import Catalogue, load
from loganalyst.catalogue.coarse import Coarse
from loganalyst.catalogue.nearest import Nearest
from loganalyst.catalogue.statement import Match, Statement

__all__ = ["Catalogue", "Coarse", "Match", "Nearest", "Statement", "load"]
