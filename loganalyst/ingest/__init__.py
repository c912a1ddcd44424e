"""Events and their dataset: from a matched record to a committed row.

The package has the name of the function `loganalyst.ingest(...)`, and importing any of its modules puts it in
that function's place; so it can be called, and is then `loganalyst.api.ingest`.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from loganalyst.ingest.run import Summary


class _CallablePackage(ModuleType):
    def __call__(self, *arguments: Any, **options: Any) -> Summary:
        """Read logs into a dataset; see `loganalyst.api.ingest`."""
        from loganalyst.api import ingest

        return ingest(*arguments, **options)


sys.modules[__name__].__class__ = _CallablePackage
