"""`make sbom`: the bill of materials of an installation, CycloneDX 1.6, from its packages' metadata.

    python -m tests.supply.sbom > dist/sbom.cdx.json

Walks from loganalyst over all requirements that hold here (with the extras `all`), so that what is listed is
what runs. Nothing is looked up on the network.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from importlib import metadata

from packaging.requirements import Requirement

ROOT = "loganalyst"
EXTRAS = ("quality", "cluster")


def closure() -> dict[str, metadata.Distribution]:
    """Return loganalyst and every distribution it needs here, by normalised name."""
    found: dict[str, metadata.Distribution] = {}
    waiting: list[tuple[str, tuple[str, ...]]] = [(ROOT, EXTRAS)]
    seen: set[tuple[str, tuple[str, ...]]] = set()
    while waiting:
        name, extras = waiting.pop()
        if (name, extras) in seen:
            continue
        seen.add((name, extras))
        try:
            distribution = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue  # an extra that is not installed
        found[normalised(name)] = distribution
        for text in distribution.requires or ():
            requirement = Requirement(text)
            marker = requirement.marker
            if marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *extras)):
                waiting.append((normalised(requirement.name), tuple(sorted(requirement.extras))))
    return dict(sorted(found.items()))


def normalised(name: str) -> str:
    """Return a distribution's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def licence(distribution: metadata.Distribution) -> str:
    """Return what a distribution says of its licence: expression, classifiers or the old field."""
    facts = distribution.metadata
    classifiers = [text for text in facts.get_all("Classifier", []) if "License ::" in text]
    named = "; ".join(text.rpartition(" :: ")[2] for text in classifiers)
    said = facts.get("License-Expression") or named or facts.get("License") or ""
    return " ".join(said.split("\n", 1)[0].split())[:200]


def bill() -> dict[str, object]:
    """Return the bill of materials."""
    distributions = closure()
    components = [
        {
            "type": "library",
            "bom-ref": reference(name, one),
            "name": name,
            "version": one.version,
            "purl": reference(name, one),
            "licenses": [{"license": {"name": licence(one) or "unknown"}}],
        }
        for name, one in distributions.items()
        if name != ROOT
    ]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": reference(ROOT, distributions[ROOT]),
                "name": ROOT,
                "version": distributions[ROOT].version,
            }
        },
        "components": components,
        "dependencies": list(_edges(distributions)),
    }


def reference(name: str, distribution: metadata.Distribution) -> str:
    """Return the package URL of a distribution."""
    return f"pkg:pypi/{name}@{distribution.version}"


def _edges(distributions: dict[str, metadata.Distribution]) -> Iterator[dict[str, object]]:
    for name, one in distributions.items():
        needs = {normalised(Requirement(text).name) for text in one.requires or ()}
        used = [reference(need, distributions[need]) for need in sorted(needs & distributions.keys())]
        yield {"ref": reference(name, one), "dependsOn": used}


if __name__ == "__main__":
    json.dump(bill(), sys.stdout, indent=1)
    sys.stdout.write("\n")
