"""Writes the reference pages of `docs/` from what they describe, so that they cannot drift.

python docs/generate.py            write them
python docs/generate.py --check    exit with 1, naming the pages, if one is not what it would write
"""

from __future__ import annotations

import itertools
import re
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.resources import files
from io import StringIO
from pathlib import Path

import click
from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

import loganalyst
from loganalyst.catalogue import Statement, load
from loganalyst.cli import cli
from loganalyst.dataset.schema import EVENTS, SOURCES
from loganalyst.dataset.views import Query, load_queries
from loganalyst.dataset.wording import read_wording
from loganalyst.report.page import Page
from loganalyst.report.text import text_lines
from loganalyst.shipped import shipped

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
SVG = re.sub(r"@font-face \{\{.*?\}\}|<!--.*?-->", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
"""rich's picture without the fonts that it would load from the network."""
STATEMENT_WIDTH = 100
NOTE = "<!-- Written by docs/generate.py: change what it describes, then run `make docs`. -->"

VIEWS = """
rebalances group_states leaders shrinking_episodes refused_joins member_exits assignments
partition_moves coordinator_moves coordinator_loads coordinator_outages fenced_requests zombies
static_restarts group_epochs epoch_members reconciliations protocol_migrations streams_states streams_tasks
restorations offset_resets offset_expirations stuck_rebalances storms group_placement clock_offsets
log_gaps findings
"""
"""The views users script against; all other queries are parts that these are made of."""


def command_line() -> Iterator[str]:
    """Every command with its help."""
    yield from ("# The command line", "", NOTE, "")
    yield "stdout is data, stderr is talk. Exit codes: 0 fine, 1 findings at or above `--fail-on`,"
    yield "2 wrong options, SQL errors and refusals, 3 a source or dataset that could not be read,"
    yield "4 the quality gate failed, 130 interrupted."
    yield ""
    yield "Completion of commands, queries and groups, for the shell's start file:"
    yield ""
    yield from (
        "```sh",
        'eval "$(_LOGANALYST_COMPLETE=bash_source loganalyst)"    # bash; zsh_source, fish_source',
        "```",
    )
    with click.Context(cli, info_name="loganalyst") as root:
        yield from _help("loganalyst", cli, root, 2)
        for name in cli.list_commands(root):
            command = cli.get_command(root, name)
            assert command is not None, name
            yield from _command(name, command, root, 2)


def _command(name: str, command: click.Command, parent: click.Context, depth: int) -> Iterator[str]:
    with click.Context(command, info_name=name, parent=parent, help_option_names=["-h", "--help"]) as context:
        yield from _help(context.command_path, command, context, depth)
        if isinstance(command, click.Group):
            for child in command.list_commands(context):
                below = command.get_command(context, child)
                assert below is not None
                yield from _command(child, below, context, depth + 1)


def _help(title: str, command: click.Command, context: click.Context, depth: int) -> Iterator[str]:
    context.terminal_width = 100
    yield from ("", f"{'#' * depth} {title}", "", "```text", *command.get_help(context).splitlines(), "```")


def views() -> Iterator[str]:
    """Every view with its columns and units, and the two tables below them."""
    queries = load_queries()
    yield from ("# The views", "", NOTE, "")
    yield "Times are TIMESTAMPTZ in UTC, durations DOUBLE milliseconds, unknown is NULL. `evidence` leads"
    yield "back to the log lines. `loganalyst queries NAME` prints a view with its SQL."
    yield ""
    yield from _table(
        ("view", "one row is"), ((f"[{name}](#{name})", queries[name].row) for name in VIEWS.split())
    )
    for name in VIEWS.split():
        yield from _view(queries[name])
    yield from ("", "## events", "", "One row per log record that matters.", "")
    yield from _table(("column", "type"), ((field.name, str(field.type)) for field in EVENTS))
    yield from ("", "## sources", "", "One row per source that was read.", "")
    yield from _table(("column", "type"), ((field.name, str(field.type)) for field in SOURCES))
    yield from ("", "## Parts", "", "The views are made of these; they may change.", "")
    parts = [query for name, query in sorted(queries.items()) if name not in VIEWS.split()]
    yield from _table(("query", "one row is"), ((query.name, query.row) for query in parts))


def _view(query: Query) -> Iterator[str]:
    yield from ("", f"## {query.name}", "", f"One row is {query.row}; `{query.grain}` tells rows apart.")
    if query.doc:
        yield from ("", _text(query.doc))
    yield ""
    yield from _table(
        ("column", "type", "unit", "meaning"),
        ((c.name, c.type, c.unit or "", c.meaning) for c in query.columns),
    )
    if query.params:
        yield ""
        params = ((param.name, param.type, param.default or "", param.meaning) for param in query.params)
        yield from _table(("parameter", "type", "default", "meaning"), params)


def verdicts() -> Iterator[str]:
    """Every kind of finding: when it is raised, what it says, what it advises."""
    yield from ("# The verdicts", "", NOTE, "")
    yield "`act`: somebody must do something. `look`: worth a look. `normal`: it looks bad and is not."
    yield "`certain` verdicts rest on lines that say so, `likely` ones on what several lines imply,"
    yield "`possible` ones on a resemblance."
    words: dict[str, list[tuple[str, tuple[str, str, str]]]] = {}
    for kind, variant, texts in read_wording(shipped("queries") / "findings"):
        words.setdefault(kind, []).append((variant, texts))
    for name, query in sorted(load_queries().items()):
        if not name.startswith("finding_"):
            continue
        kind = name.removeprefix("finding_")
        yield from (
            "",
            f"## {kind}",
            "",
            f"{_text(query.row[:1].upper() + query.row[1:])}. {_text(query.doc)}".rstrip(),
        )
        for variant, (title, detail, fix) in words[kind]:
            yield from ("", f"*{variant}*: **{_text(title)}**", "", _text(detail), "", f"Do: {_text(fix)}")


def formats() -> Iterator[str]:
    """What is read: wrappers, header layouts, components and events of the catalogue."""
    envelopes = files("loganalyst.envelopes")
    wrappers = tomllib.loads((envelopes / "wrappers.toml").read_text(encoding="utf-8"))
    layouts = tomllib.loads((envelopes / "layouts.toml").read_text(encoding="utf-8"))
    yield from ("# What is read", "", NOTE, "")
    yield "Files, folders, archives and stdin; compression is known by content. Wrappers are taken off,"
    yield "layouts recognised from the lines; a line may be in several wrappers. What is not listed here is"
    yield "learnt from the source itself where it can be proved: prefixes before lines, objects and columns"
    yield "with other names, header layouts. `sources` says what each source was taken for."
    yield from ("", "## Wrappers around a line", "")
    yield from (f"- {name}" for name in dict.fromkeys(_text(wrapper["name"]) for wrapper in wrappers["line"]))
    yield from ("", "## Wrappers in JSON", "")
    yield from (f"- {name}" for name in dict.fromkeys(_text(wrapper["name"]) for wrapper in wrappers["json"]))
    yield from ("", "## Forms of some lines a record", "")
    yield from (f"- {_text(wrapper['name'])}: {_text(wrapper['seen'])}" for wrapper in wrappers["block"])
    yield from ("", "## Header layouts", "")
    rows = (
        (layout["name"], f"`{layout['pattern']}`".replace("\n", "` then `"), layout.get("seen", ""))
        for layout in layouts["layout"]
    )
    yield from _table(("layout", "pattern", "seen"), rows)
    statements = load().statements
    components = sorted({statement.component for statement in statements})
    yield from (
        "",
        "## Components",
        "",
        f"{len(statements):,} log statements of {len(components)} components.",
        "",
    )
    known = (_component(name, [s for s in statements if s.component == name]) for name in components)
    yield from _table(("component", "role", "client", "statements", "events"), known)
    yield from ("", "## Events", "")
    events = sorted({statement.event for statement in statements})
    printed = ((event, _listed({s.component for s in statements if s.event == event})) for event in events)
    yield from _table(("event", "printed by"), printed)
    yield from (
        "",
        "## Statements",
        "",
        "`loganalyst parsers NAME` prints them in full, `--coverage` counts them by release.",
    )
    for name in components:
        own = [statement for statement in statements if statement.component == name]
        yield from ("", f"### {name}", "")
        yield from _table(
            ("statement", "event", "level", "versions"),
            ((f"`{_cut(s.template)}`", s.event, s.level or "", s.versions or "") for s in own),
        )


def _cut(template: str) -> str:
    """Return the beginning of a template, in one line."""
    text = " ".join(template.split()).replace("`", "'")
    return text if len(text) <= STATEMENT_WIDTH else text[: STATEMENT_WIDTH - 1] + "…"


def _component(name: str, own: Sequence[Statement]) -> tuple[str, ...]:
    events = {statement.event for statement in own}
    return name, own[0].role, own[0].client or "", str(len(own)), str(len(events))


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))


def _text(text: str) -> str:
    """Return words of a header or template as Markdown."""
    return (
        " ".join(text.split()).replace("<", "&lt;").replace("*", "\\*").replace("{", "*{").replace("}", "}*")
    )


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{' --- |' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"


def demo(colours: bool = False) -> list[str]:
    """The report of the sample incident, as `make demo` prints it."""
    sample = ROOT / "sample_logs" / "one-step-4.1.0" / "logs"
    with tempfile.TemporaryDirectory() as folder:
        loganalyst.ingest(sample, into=Path(folder) / "demo", jobs=1)
        with loganalyst.open(Path(folder) / "demo") as opened:
            return list(text_lines(opened.report(), Page(80, colours=colours)))


def readme() -> Iterator[str]:
    """The README with the first finding of the demo."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    before, rest = text.split("<!-- demo -->\n")
    _, after = rest.split("<!-- /demo -->\n")
    yield from (
        *before.splitlines(),
        "<!-- demo -->",
        "```text",
        *itertools.takewhile(bool, demo()),
        "```",
        "<!-- /demo -->",
        *after.splitlines(),
    )


def picture() -> Iterator[str]:
    """The demo as a picture of a terminal."""
    console = Console(record=True, width=80, file=StringIO(), force_terminal=True, legacy_windows=False)
    for line in demo(colours=True):
        console.print(Text.from_ansi(line), soft_wrap=True)
    title = "loganalyst analyze sample_logs/one-step-4.1.0/logs"
    svg = console.export_svg(title=title, theme=MONOKAI, code_format=SVG, unique_id="demo")
    yield from svg.splitlines()


PAGES: dict[str, Callable[[], Iterator[str]]] = {
    "cli.md": command_line,
    "views.md": views,
    "findings.md": verdicts,
    "formats.md": formats,
    "demo.svg": picture,
    "../README.md": readme,
}


def main(arguments: Sequence[str]) -> int:
    """Write or check the pages; return the exit code."""
    stale = []
    for name, page in PAGES.items():
        text = "\n".join(line.rstrip() for line in page()) + "\n"
        path = (DOCS / name).resolve()
        if "--check" not in arguments:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(path.relative_to(ROOT).as_posix())
    if stale:
        sys.stderr.write(f"{', '.join(stale)}: not up to date; run `make docs`\n")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
