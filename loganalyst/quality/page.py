"""The outcome of the quality gate as one HTML file: offline, without a script, everything in it escaped."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from html import escape

from loganalyst import __version__
from loganalyst.quality.outcome import Outcome, gate_passes
from loganalyst.report.visible import visible

__all__ = ["page"]

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_STYLE = """
:root { color-scheme: light dark; --fail: #b3261e; --warn: #8a5a00; --ok: #1b6e3c; --line: #8884; }
@media (prefers-color-scheme: dark) { :root { --fail: #ff8a80; --warn: #ffcc66; --ok: #7bd89b; } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin-bottom: .2rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; } caption { text-align: left; padding-bottom: .4rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem .35rem 0;
  border-bottom: 1px solid var(--line); }
td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.fail { color: var(--fail); font-weight: 600; }
.warn { color: var(--warn); font-weight: 600; } .ok { color: var(--ok); }
code { font: 13px/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
.examples { margin: .3rem 0 0 1rem; padding: 0; }
@media print { body { margin: 0; max-width: none; } }
"""


def page(dataset: str, outcomes: Sequence[Outcome], *, by: str, now: datetime | None = None) -> str:
    """Return the page. It loads nothing and runs nothing: a policy in it forbids both."""
    passes = gate_passes(outcomes)
    broken = [one for one in outcomes if not one.passed]
    moment = (now or datetime.now(UTC)).strftime("%Y-%m-%d %H:%M:%S UTC")
    verdict = '<span class="ok">passes</span>' if passes else '<span class="fail">fails</span>'
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>Data quality of {_shown(dataset)}</title><style>{_STYLE}</style></head><body><main>",
        f"<h1>Data quality: <code>{_shown(dataset)}</code> {verdict}</h1>",
        f"<p>{len(outcomes) - len(broken)} of {len(outcomes)} rules hold. Checked by {escape(by)},"
        f" {moment}, loganalyst {escape(__version__)}.</p>",
    ]
    if broken:
        parts.append("<h2>What is broken</h2>")
        parts.append(_table(sorted(broken, key=lambda one: not one.fails)))
    parts.append("<h2>What holds</h2>")
    parts.append(_table([one for one in outcomes if one.passed]))
    parts.append("</main></body></html>\n")
    return "\n".join(parts)


def _table(outcomes: Sequence[Outcome]) -> str:
    head = "<thead><tr><th>Rule<th>Result<th>Checked<th>Broken<th>Tolerated</tr></thead>"
    return f"<table>{head}<tbody>{''.join(_row(one) for one in outcomes)}</tbody></table>"


def _row(outcome: Outcome) -> str:
    word = "ok" if outcome.passed else outcome.severity
    examples = "".join(
        f"<li><code>{_shown(example.place)}</code> {_shown(example.subject)} {_shown(example.detail)}</li>"
        for example in outcome.examples
    )
    listed = f'<ul class="examples">{examples}</ul>' if examples else ""
    words = f"<p>{_shown(outcome.disagreement)}</p>" if outcome.disagreement else ""
    return (
        f"<tr><td>{escape(outcome.title)} <code>{escape(outcome.rule)}</code>{listed}{words}"
        f'<td class="{word}">{word}'
        f'<td class="number">{outcome.checked:,}<td class="number">{outcome.broken:,}'
        f'<td class="number">{outcome.max_percent:g} %</tr>'
    )


def _shown(text: str | None) -> str:
    return escape(visible(text or ""), quote=True)
