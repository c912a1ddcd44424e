"""The options that write the report as a page or as pictures, beside what goes to stdout."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from loganalyst.cli.talk import say

if TYPE_CHECKING:
    from loganalyst.api import Dataset
    from loganalyst.report.model import Report

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True)
class Pictures:
    """Where to write the page and the pictures; None: nowhere."""

    html: Path | None
    svg: Path | None
    png: Path | None


def pictures() -> Callable[[Command], Command]:
    """Add `--html FILE`, `--svg DIR` and `--png DIR`, given to the command as `pictures: Pictures`."""

    def decorate(command: Command) -> Command:
        import functools

        @functools.wraps(command)
        def wrapper(
            *arguments: Any, html: Path | None, svg: Path | None, png: Path | None, **options: Any
        ) -> Any:
            return command(*arguments, pictures=Pictures(html, svg, png), **options)

        file = click.Path(dir_okay=False, path_type=Path)
        folder = click.Path(file_okay=False, path_type=Path)
        decorated: Any = wrapper
        for name, kind, metavar, help_text in (
            ("--png", folder, "DIR", "Write a PNG picture of each group into DIR."),
            ("--svg", folder, "DIR", "Write an SVG picture of each group into DIR."),
            ("--html", file, "FILE", "Also write the report as one HTML file, for any browser, offline."),
        ):
            decorated = click.option(name, type=kind, metavar=metavar, help=help_text)(decorated)
        return decorated  # type: ignore[no-any-return]

    return decorate


def draw(report: Report, opened: Dataset, pictures: Pictures) -> None:
    """Write the page and the pictures that were asked for, and say where they are."""
    from loganalyst.report.rows import dicts

    def fetch(sql: str) -> list[dict[str, Any]]:
        return dicts(opened.sql(sql))

    if pictures.html is not None:
        from loganalyst.report.formats import write_text
        from loganalyst.report.html import html_lines

        write_text(html_lines(report, fetch), pictures.html)
        say(f"wrote {pictures.html}")
    if pictures.svg is not None or pictures.png is not None:
        from loganalyst.report.timeline import timelines_of
        from loganalyst.report.vega import save_pictures

        timelines = timelines_of(report, fetch)
        for form, folder in (("svg", pictures.svg), ("png", pictures.png)):
            if folder is not None:
                count = len(save_pictures(timelines, folder, form))
                say(f"wrote {count} {form.upper()} {'file' if count == 1 else 'files'} into {folder}")
