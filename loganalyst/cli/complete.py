"""Shell completion of values: names of queries, and names of groups of the dataset on the line."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem


def query_names(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the name of a shipped query, from the names of the files."""
    from loganalyst.shipped import shipped

    names = {path.stem: path for path in shipped("queries").rglob("*.sql") if path.parent.name != "macros"}
    return [CompletionItem(name) for name in sorted(names) if name.startswith(incomplete)]


def group_names(ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the name of a group of the dataset on the command line; nothing if there is none."""
    dataset = ctx.params.get("dataset")
    if not dataset:
        return []
    try:
        import loganalyst

        rows = loganalyst.open(dataset).sql("SELECT DISTINCT group_id FROM events WHERE group_id IS NOT NULL")
        names = sorted(name for (name,) in rows.fetchall())
    except Exception:  # a completion that fails must not disturb the command line
        return []
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]
