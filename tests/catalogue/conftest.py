"""The shipped catalogue, loaded once, with a cache folder of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from loganalyst.catalogue import Catalogue, load


@pytest.fixture(scope="session", autouse=True)
def cache_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    before = os.environ.get("XDG_CACHE_HOME")
    os.environ["XDG_CACHE_HOME"] = str(tmp_path_factory.mktemp("cache"))
    yield
    if before is None:
        del os.environ["XDG_CACHE_HOME"]
    else:
        os.environ["XDG_CACHE_HOME"] = before


@pytest.fixture(scope="session")
def catalogue(cache_folder: None) -> Catalogue:
    return load()
