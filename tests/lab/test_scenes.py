"""Scenes are found by name and take their options as words."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.__main__ import main
from lab.names import SERVICES, Names
from lab.scenes import UnknownSceneError, find, scene, scenes


def test_every_scene_says_what_happens_and_is_bounded() -> None:
    for name, found in scenes().items():
        assert found.name == name
        assert len(found.description) > 20, name
        assert 60 <= found.limit_s <= 600, name
        assert all(isinstance(value, int | float | str) for value in found.options.values()), name


def test_every_scene_stands_in_the_documentation() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "lab.md").read_text()
    assert [name for name in scenes() if f"`{name}`" not in page] == []


def test_there_are_core_scenes_for_every_release() -> None:
    for version in ("2.4.1", "3.9.2", "4.4.0"):
        assert sum(found.core and found.plays_on(version) for found in scenes().values()) >= 4


def test_the_consumer_protocol_needs_kafka_4() -> None:
    assert not find("kip848").plays_on("3.9.2")
    assert find("kip848").plays_on("4.0.0")


def test_options_become_what_the_scene_wants() -> None:
    assert find("one-step").bind({"pods": "3", "gap": "2.5", "layout": "iso"}) == {
        "pods": 3,
        "gap": 2.5,
        "layout": "iso",
    }


def test_an_unknown_option_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownSceneError, match="no option podz; it has: pods, layout"):
        find("one-step").bind({"podz": "3"})


def test_an_unknown_scene_is_refused_with_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "no-such-scene", "--kafka", "4.1.0"]) == 1
    assert "no scene 'no-such-scene'; there are: admin-removal" in capsys.readouterr().err


def test_a_mistyped_scene_is_met_with_the_closest_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "onestep", "--kafka", "4.1.0"]) == 1
    assert "no scene 'onestep'; did you mean one-step" in capsys.readouterr().err


@pytest.mark.parametrize("word", ["pods=many", "pods"])
def test_an_option_of_the_wrong_kind_is_refused(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "one-step", word, "--kafka", "4.1.0"]) == 1
    assert "one-step takes pods as int, not" in capsys.readouterr().err


def test_what_is_no_version_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "one-step", "--kafka", "latest"]) == 1
    assert "'latest' is no Kafka version: give one like 3.9.2" in capsys.readouterr().err


def test_a_scene_that_a_release_cannot_play_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "migration", "--kafka", "3.9.2"]) == 1
    assert "migration needs Kafka 4.0 or newer, not 3.9.2" in capsys.readouterr().err


def test_two_scenes_cannot_have_one_name() -> None:
    scenes()
    with pytest.raises(ValueError, match="two scenes are called quiet"):
        scene("quiet")(lambda stage: None)


def test_the_list_shows_scenes_with_their_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    assert "[pods=6 layout=boot" in next(
        line for line in capsys.readouterr().out.splitlines() if line.startswith("one-step")
    )


def test_names_are_the_same_for_a_seed_and_never_twice() -> None:
    one, other = Names(5), Names(5)
    services = [one.service() for _ in SERVICES]
    assert services == [other.service() for _ in SERVICES]
    assert len(set(services)) == len(SERVICES)
    pods = one.replica_set("checkout", 12)
    assert len(set(pods)) == 12
    assert {pod.rsplit("-", 2)[0] for pod in pods} == {"checkout"}
    assert len({pod.rsplit("-", 1)[0] for pod in pods}) == 1
