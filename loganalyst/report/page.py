"""The page that the text report is written on: widths, colours, indents, lines of evidence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rich.cells import cell_len, set_cell_size

from loganalyst.report.model import Evidence
from loganalyst.report.table import wrap
from loganalyst.report.visible import visible
from loganalyst.report.words import plural

MARGIN = 6
NARROWEST = 64
SHOWN_EVIDENCE = 3

_CONTEXT = re.compile(r"^(?:\[[^\]]{0,200}\]:? )+")  # what a logger puts before every message
_STYLES = {"act": "1;31", "look": "1;33", "normal": "32", "dim": "2", "bold": "1"}


class Page:
    """Where the report is written: its width, whether it takes colours, whether all details are wanted."""

    def __init__(self, width: int = 80, *, colours: bool = False, detail: bool = False) -> None:
        """`width` in terminal cells."""
        self.width, self.colours, self.detail = max(width, NARROWEST), colours, detail

    def style(self, text: str, style: str) -> str:
        """Colour `text`, which must be safe already."""
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self.colours and text else text

    def hang(self, text: str, indent: int = MARGIN, first: str = "") -> Iterator[str]:
        """Wrap log text behind an indent; `first` stands in the indent of the first line."""
        for number, line in enumerate(wrap(visible(text), self.width - indent)):
            yield f"{first if number == 0 else '':<{indent}}{line}".rstrip()


def evidence_lines(lines: Sequence[Evidence], page: Page, most: int = SHOWN_EVIDENCE) -> Iterator[str]:
    """Show all lines on request, else a few from different sources, shortened to two lines each."""
    shown = lines if page.detail else _spread(lines, most)
    for line in shown:
        source = line.source if page.detail else re.split(r"[/!]", line.source)[-1]
        place = source if line.line is None else f"{source}:{line.line}"
        message = line.message.split("\n", 1)[0]
        if page.detail:
            yield from page.hang(f"{place}  {message}", MARGIN + 2)
        else:
            text = f"{place}  {_CONTEXT.sub('', message)}"
            for number, part in enumerate(_two_lines(visible(text), page.width - MARGIN - 2)):
                yield page.style(f"{'':<{MARGIN + 2 * number}}{part}", "dim")
    if len(lines) > len(shown):
        more = plural(len(lines) - len(shown), "more line")
        yield page.style(f"{'':<{MARGIN}}and {more} of evidence: --detail", "dim")


def _spread(lines: Sequence[Evidence], most: int) -> list[Evidence]:
    """Choose a few lines: the first of each source, then the next ones, in their order."""
    first = {line.source: at for at, line in reversed(list(enumerate(lines)))}.values()
    ranked = sorted(range(len(lines)), key=lambda at: (at not in first, at))
    return [lines[at] for at in sorted(ranked[:most])]


def _two_lines(text: str, width: int) -> list[str]:
    first, *rest = wrap(text, width)
    return [first, cut(" ".join(rest), width)] if rest else [first]


def cut(text: str, width: int) -> str:
    """Return `text` in at most `width` cells, with an ellipsis where something was left out."""
    return text if cell_len(text) <= width else set_cell_size(text, width - 1).rstrip() + "…"
