"""What loganalyst needs may be used with an Apache-2.0 program, and the bill of materials names all of it."""

from __future__ import annotations

import re
from importlib import metadata

from packaging.requirements import Requirement

from tests.supply.sbom import ROOT, bill, closure, licence, normalised

FREE = re.compile(
    r"(?i)apache|mit\b|bsd|isc\b|psf|python software foundation|mozilla public|mpl|zlib|unlicense|cc0|0bsd"
    r"|public domain|hpnd|historical permission"
)
REFUSED = re.compile(r"(?i)\b(?:agpl|gpl|affero|sspl|busl|commons clause|non-?commercial)\b|general public")


def test_every_licence_is_a_free_one_without_copyleft_on_the_whole() -> None:
    wrong = {}
    for name, distribution in closure().items():
        said = licence(distribution) or licence_file(distribution)
        lesser = re.search(r"(?i)\blgpl|lesser general", said)
        if not (FREE.search(said) or lesser) or (
            REFUSED.search(said) and not lesser and not FREE.search(said)
        ):
            wrong[name] = said
    assert wrong == {}


def licence_file(distribution: metadata.Distribution) -> str:
    """Return the beginning of the licence file that a distribution ships."""
    files = [path for path in distribution.files or () if "licen" in path.name.lower()]
    return " ".join(str(files[0].read_text())[:300].split()) if files else ""


def test_the_bill_of_materials_names_every_dependency_with_version_and_licence() -> None:
    needed = {
        normalised(requirement.name)
        for requirement in map(Requirement, metadata.requires(ROOT) or ())
        if requirement.marker is None
    }
    components = bill()["components"]
    assert isinstance(components, list)
    assert needed and needed <= {component["name"] for component in components}
    assert all(component["version"] and component["licenses"] for component in components)
    assert ROOT not in {component["name"] for component in components}
