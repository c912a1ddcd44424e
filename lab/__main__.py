"""`python -m lab`: play a scene, list the scenes, or list what a release says that the catalogue does not
know.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from lab import cache, drift
from lab.cluster import ClusterError
from lab.play import play
from lab.processes import LabInterrupted
from lab.scenes import UnknownSceneError, scenes
from lab.scrub import LocalNamesError


def main(argv: list[str] | None = None) -> int:
    """Run one command; return 0, or 1 with the reason on stderr (for `drift`: 1 if it found something)."""
    parser = argparse.ArgumentParser(prog="python -m lab", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="list the scenes")
    one = commands.add_parser("play", help="play one scene and write its corpus folder")
    one.add_argument("scene")
    one.add_argument("options", nargs="*", metavar="NAME=VALUE", help="options of the scene")
    one.add_argument("--out", type=Path, help="the corpus folder (default: corpora/SCENE-VERSION)")
    one.add_argument("--seed", type=int, default=0, help="draws other names")
    one.add_argument("--clients", default="", help="version of the Java clients (default: the brokers')")
    new = commands.add_parser(
        "drift", help="play the core scenes on a release and list statements the catalogue does not know"
    )
    new.add_argument("scenes", nargs="*", metavar="SCENE", help="these instead of the core scenes")
    for command in (one, new):
        command.add_argument("--kafka", default="newest", help="a version from 2.4 on, or 'newest' (default)")
        command.add_argument("--quiet", action="store_true", help="say nothing while it plays")
    given = parser.parse_args(argv)
    try:
        if given.command == "list":
            for scene in scenes().values():
                options = " ".join(f"{name}={value}" for name, value in scene.options.items())
                about = " ".join(scene.description.split())
                print(f"{scene.name:20} {about}{f'  [{options}]' if options else ''}")
            return 0
        version = cache.newest_kafka() if given.kafka == "newest" else given.kafka
        if given.command == "drift":
            return 0 if drift.report(version, given.scenes, quiet=given.quiet) == 0 else 1
        out = given.out or Path("corpora") / f"{given.scene}-{version}"
        words = dict(word.partition("=")[::2] for word in given.options)
        how = {"seed": given.seed, "quiet": given.quiet, "clients": given.clients}
        print(play(given.scene, version, out.resolve(), words, **how))
    except (UnknownSceneError, ClusterError, LocalNamesError, cache.FetchError, LabInterrupted) as failed:
        print(f"lab: {failed}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
