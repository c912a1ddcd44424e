"""Plays one scene from nothing to a corpus folder, and takes everything down whatever happens."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from lab import corpus
from lab.processes import Processes
from lab.scenes import UnknownSceneError, find
from lab.stage import Stage


def play(
    name: str,
    version: str,
    out: Path,
    options: Mapping[str, str],
    *,
    seed: int = 0,
    quiet: bool = False,
    layout: str = "",
    clients: str = "",
) -> Path:
    """Play `name` on Kafka `version` into `out` (replaced if it is a corpus or empty) and return the
    folder. With `layout` all Java pods log in this layout, whatever the scene says; `clients` is the version
    of Java clients, Streams and Connect, if it is another than the brokers'.

    Raises UnknownSceneError, ClusterError, FetchError, LocalNamesError, LabInterrupted.
    """
    scene = find(name)
    if not scene.plays_on(version):
        raise UnknownSceneError(
            f"{name} needs Kafka {'.'.join(map(str, scene.since))} or newer, not {version}"
        )
    if out.exists() and any(out.iterdir()) and not (out / "truth.jsonl").exists():
        raise UnknownSceneError(f"{out} exists and is no corpus: name another folder")
    bound = scene.bind(options)
    processes = Processes()
    stage = None
    try:
        stage = Stage(name, version, out, processes, seed=seed, quiet=quiet, layout=layout, clients=clients)
        # The first run on a machine fetches jars and clients meanwhile: ten minutes more for that.
        processes.catch_signals(scene.limit_s + 600)
        scene.play(stage, **bound)
        stage.close()
        return corpus.finish(stage, scene.description)
    finally:
        processes.close()
        if stage:
            shutil.rmtree(stage.run, ignore_errors=True)
