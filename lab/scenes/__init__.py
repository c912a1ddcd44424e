"""Scenes: short functions, one incident each, found by name.

A scene takes a `Stage` and, by keyword, its own options with their defaults (numbers or words, settable
from the command line). It starts brokers, plays, says what must be found (`stage.expect`) and ends; the
harness stops everything.
"""

from __future__ import annotations

import difflib
import importlib
import inspect
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from lab.cache import release
from lab.stage import Stage

Play = Callable[..., None]
_SCENES: dict[str, Scene] = {}


class UnknownSceneError(Exception):
    """A scene, or an option of a scene, that does not exist; the message lists those that do."""


@dataclass(frozen=True)
class Scene:
    """One registered scene."""

    name: str
    play: Play
    limit_s: int
    since: tuple[int, int]
    core: bool

    @property
    def description(self) -> str:
        """What happens, in the scene's own words."""
        return inspect.cleandoc(self.play.__doc__ or "")

    @property
    def options(self) -> dict[str, Any]:
        """The options with their defaults."""
        parameters = list(inspect.signature(self.play).parameters.values())[1:]
        return {parameter.name: parameter.default for parameter in parameters}

    def bind(self, given: Mapping[str, str]) -> dict[str, Any]:
        """Return options as the scene wants them, from words of the command line."""
        unknown = set(given) - set(self.options)
        if unknown:
            has = ", ".join(self.options) or "none"
            raise UnknownSceneError(f"{self.name} has no option {', '.join(sorted(unknown))}; it has: {has}")
        bound = {}
        for name, text in given.items():
            wanted = type(self.options[name])
            try:
                bound[name] = wanted(text)
            except ValueError as wrong:
                raise UnknownSceneError(
                    f"{self.name} takes {name} as {wanted.__name__}, not {text!r}"
                ) from wrong
        return bound

    def plays_on(self, version: str) -> bool:
        """Say whether the scene is possible on this Kafka version."""
        return release(version) >= self.since


def scene(
    name: str, *, limit_s: int = 240, since: tuple[int, int] = (2, 4), core: bool = False
) -> Callable[[Play], Play]:
    """Register a scene: ended after `limit_s` seconds, possible `since` a release, played for every release
    if `core`.
    """

    def register(play: Play) -> Play:
        if name in _SCENES:
            raise ValueError(f"two scenes are called {name}")
        _SCENES[name] = Scene(name, play, limit_s, since, core)
        return play

    return register


def scenes() -> dict[str, Scene]:
    """Return all scenes by name."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    return dict(sorted(_SCENES.items()))


def find(name: str) -> Scene:
    """Return a scene by name."""
    known = scenes()
    if name not in known:
        close = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
        meant = f"did you mean {' or '.join(close)}? " if close else ""
        raise UnknownSceneError(f"no scene {name!r}; {meant}there are: {', '.join(known)}")
    return known[name]


__all__ = ["Scene", "Stage", "UnknownSceneError", "find", "scene", "scenes"]
