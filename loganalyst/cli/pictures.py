"""The options that write the report as a page or as pictures, beside what goes to stdout."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from loganalyst.cli import options
from loganalyst.cli.talk import say

if TYPE_CHECKING:
    from loganalyst.api import Dataset
    from loganalyst.report.model import Report


@dataclass(frozen=True)
class Pictures:
    """Where to write the page and the pictures; None: nowhere."""

    html: Path | None
    svg: Path | None
    png: Path | None


def pictures() -> options.Decorator:
    """Add `--html FILE`, `--svg DIR` and `--png DIR`; the command gets `pictures: Pictures`."""
    file = click.Path(dir_okay=False, path_type=Path)
    folder = click.Path(file_okay=False, path_type=Path)
    return options.gather(
        "pictures",
        Pictures,
        click.option(
            "--html",
            type=file,
            metavar="FILE",
            help="Also write the report as one HTML file, for any browser, offline.",
        ),
        click.option(
            "--svg", type=folder, metavar="DIR", help="Write an SVG picture of each group into DIR."
        ),
        click.option("--png", type=folder, metavar="DIR", help="Write a PNG picture of each group into DIR."),
    )


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
