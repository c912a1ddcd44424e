"""The picture of a group as a Vega-Lite specification: the same one becomes HTML, SVG and PNG.

`specification` names its data; `datasets` are the rows. The page gets the rows packed
(`loganalyst.report.packed`) and unpacks them itself; pictures get them as they are.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from loganalyst.report.lanes import Mark
from loganalyst.report.timeline import Timeline
from loganalyst.report.visible import visible
from loganalyst.report.words import plural

# The version that vl-convert carries and the page embeds.
VEGA_LITE = "6.4"
SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"

# Kinds in the order of the legend. Every colour stands out (3:1) from a white and from a dark page, and
# neighbours keep apart for the common forms of colour blindness.
COLOURS = {
    "Stable": "#3f8f63",
    "PreparingRebalance": "#b9770e",
    "CompletingRebalance": "#c2571a",
    "Empty": "#7c8691",
    "Dead": "#6b7580",
    "converging": "#b9770e",
    "owns": "#3f76b5",
    "owns nothing": "#7c8fa8",
    "reconciling": "#b9770e",
    "refused": "#d0404e",
    "thrown out": "#d0404e",
    "left": "#7c8691",
    "broker": "#7a6fb0",
    "no coordinator": "#d0404e",
    "loading": "#b0569c",
}
POINTS = ("refused", "thrown out", "left")
"""Kinds that are points; a refusal that lasts is a line with a point at its begin."""

OWNERS = ("#3f76b5", "#b9770e", "#3f8f63", "#b0569c", "#7a6fb0", "#c2571a", "#2f8f9d", "#8a7a2f")
"""Colours of the pods that own partitions; with more pods they come again, and the tooltip tells."""

SHORTEST = timedelta(milliseconds=1)
"""What a bar without length is drawn as."""

WIDTH = 760
LABELS = 176

_SHORT_LABEL = (
    "length(datum.label) > 26 ? slice(datum.label, 0, 8) + '…' + slice(datum.label, -17) : datum.label"
)
_TIMES = [
    {"field": "at", "type": "temporal", "format": "%H:%M:%S.%L", "title": "from (UTC)"},
    {"field": "until", "type": "temporal", "format": "%H:%M:%S.%L", "title": "to (UTC)"},
]


def specification(timeline: Timeline) -> dict[str, Any]:
    """Return the Vega-Lite specification of a timeline; `from` and `to` are the time shown, in epoch ms."""
    start, end = _ms(timeline.start), _ms(max(timeline.end, timeline.start + SHORTEST))
    parts = []
    if timeline.counts:
        parts.append(_members(timeline))
    if timeline.marks:
        parts.append(_lanes(timeline))
    if timeline.owners:
        parts.append(_owners(timeline))
    return {
        "$schema": SCHEMA,
        "description": f"Members and states of group {visible(timeline.group_id)} over time (UTC)",
        "params": [{"name": "from", "value": start}, {"name": "to", "value": end}],
        "vconcat": parts,
        "resolve": {"scale": {"color": "independent"}},
        "config": {
            "axis": {"grid": True, "labelLimit": LABELS},
            "axisY": {"labelExpr": _SHORT_LABEL, "minExtent": LABELS, "maxExtent": LABELS},
            "title": {"anchor": "start", "fontSize": 12},
        },
    }


def datasets(timeline: Timeline) -> dict[str, list[dict[str, Any]]]:
    """Return the rows that the specification names: `counts`, `marks`, `owners`; times in epoch ms."""
    return {
        "counts": [
            {"at": at, "until": until, "members": members, "text": plural(members, "member")}
            for at, until, members in steps(timeline)
        ],
        "marks": [_value(mark, timeline) for mark in timeline.marks],
        "owners": [_value(mark, timeline) for mark in timeline.owners],
    }


def steps(timeline: Timeline) -> list[tuple[int, int, int]]:
    """Return the member counts as (from, until, members), times in epoch ms."""
    starts = [_ms(count.at) for count in timeline.counts]
    ends = [*starts[1:], max(_ms(timeline.end), starts[-1] + 1)] if starts else []
    return [
        (at, until, count.members) for at, until, count in zip(starts, ends, timeline.counts, strict=True)
    ]


def save_pictures(timelines: list[Timeline], folder: Path, form: str) -> list[Path]:
    """Write one `svg` or `png` a group into `folder` (made if it is not there); returns the files."""
    import vl_convert

    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for number, timeline in enumerate(timelines, 1):
        path = folder / f"{number:02d}-{_file_name(timeline.group_id)}.{form}"
        spec = {**specification(timeline), "background": "white", "datasets": datasets(timeline)}
        if form == "svg":
            path.write_text(vl_convert.vegalite_to_svg(spec, vl_version=VEGA_LITE), encoding="utf-8")
        else:
            path.write_bytes(vl_convert.vegalite_to_png(spec, vl_version=VEGA_LITE, scale=2))
        written.append(path)
    return written


def _members(timeline: Timeline) -> dict[str, Any]:
    most = max(count.members for count in timeline.counts)
    return {
        "height": 110,
        "width": WIDTH,
        "title": "members",
        "data": {"name": "counts"},
        "mark": {"type": "rect", "clip": True, "fill": "#3f76b5", "fillOpacity": 0.35, "stroke": "#3f76b5"},
        "encoding": {
            "x": _time_axis(),
            "x2": {"field": "until"},
            "y": {
                "field": "members",
                "type": "quantitative",
                "scale": {"domain": [0, max(most, 1)]},
                "axis": {"tickMinStep": 1, "tickCount": min(most, 6), "title": None},
            },
            "y2": {"datum": 0},
            "tooltip": [{"field": "members", "type": "quantitative"}, *_TIMES],
        },
    }


def _lanes(timeline: Timeline) -> dict[str, Any]:
    present = {mark.kind for mark in timeline.marks}
    kinds = [kind for kind in COLOURS if kind in present] + sorted(present.difference(COLOURS))
    colour = {
        "field": "kind",
        "type": "nominal",
        "scale": {"domain": kinds, "range": [COLOURS.get(kind, "#7c8691") for kind in kinds]},
        "legend": {"title": None, "orient": "bottom", "columns": 5},
    }
    return {
        "height": {"step": 21},
        "width": WIDTH,
        "title": "state, pods, coordinator",
        "data": {"name": "marks"},
        "encoding": {
            "x": _time_axis(),
            "y": _lane([visible(name) for name in timeline.lanes]),
            "color": colour,
            "tooltip": [{"field": "lane", "title": "lane"}, {"field": "text", "title": "what"}, *_TIMES],
        },
        "layer": _layers(timeline),
    }


def _layers(timeline: Timeline) -> list[dict[str, Any]]:
    """Return a layer for each shape that occurs: to draw none of a shape makes Vega warn."""
    bar = {"type": "bar", "clip": True, "cursor": "pointer"}
    point = {"type": "point", "shape": "cross", "filled": True, "opacity": 1, "size": 80}
    label = {"type": "text", "align": "left", "dx": 4, "fontSize": 10, "clip": True}
    white = {"text": {"field": "text"}, "color": {"value": "#ffffff"}}
    until = {"x2": {"field": "until"}}
    brokers, points = "datum.kind === 'broker'", f"indexof({list(POINTS)}, datum.kind) >= 0"
    marks = timeline.marks
    shapes: list[tuple[bool, str, dict[str, Any], dict[str, Any]]] = [
        (any(m.kind == "broker" for m in marks), brokers, {**bar, "height": 14}, until),
        (any(m.kind == "broker" for m in marks), brokers, label, white),
        (
            any(m.kind != "broker" and m.kind not in POINTS for m in marks),
            f"!({brokers}) && !({points})",
            {**bar, "height": 14},
            until,
        ),
        (
            any(m.kind in POINTS and m.end is not None for m in marks),
            f"{points} && datum.until !== null",
            {**bar, "height": 4},
            until,
        ),
        (any(m.kind in POINTS for m in marks), points, {**point, "clip": True, "cursor": "pointer"}, {}),
    ]
    return [
        {"transform": [{"filter": condition}], "mark": mark, "encoding": encoding}
        for occurs, condition, mark, encoding in shapes
        if occurs
    ]


def _owners(timeline: Timeline) -> dict[str, Any]:
    pods = sorted({mark.kind for mark in timeline.owners})
    shown = len({mark.lane for mark in timeline.owners})
    of = (
        ""
        if shown == timeline.partitions
        else f" ({shown} of {timeline.partitions:,}: those that moved most)"
    )
    legend = {"title": None, "orient": "bottom", "columns": 4, "symbolLimit": 16, "labelLimit": 170}
    return {
        "height": {"step": 13},
        "width": WIDTH,
        "title": f"who owned which partition{of}",
        "data": {"name": "owners"},
        "mark": {"type": "bar", "clip": True, "height": 10},
        "encoding": {
            "x": _time_axis(),
            "x2": {"field": "until"},
            "y": _lane(list(dict.fromkeys(visible(mark.lane) for mark in timeline.owners))),
            "color": {
                "field": "kind",
                "type": "nominal",
                "scale": {
                    "domain": [visible(pod) for pod in pods],
                    "range": [OWNERS[at % len(OWNERS)] for at in range(len(pods))],
                },
                "legend": legend,
            },
            "tooltip": [
                {"field": "lane", "title": "partition"},
                {"field": "kind", "title": "owner"},
                *_TIMES,
            ],
        },
    }


def _lane(names: list[str]) -> dict[str, Any]:
    return {
        "field": "lane",
        "type": "nominal",
        "sort": None,
        "scale": {"domain": names},
        "axis": {"title": None},
    }


def _time_axis() -> dict[str, Any]:
    return {
        "field": "at",
        "type": "temporal",
        "scale": {
            "type": "utc",
            "domainMin": {"expr": "from"},
            "domainMax": {"expr": "to"},
            "nice": False,
        },
        "axis": {"title": None, "format": "%H:%M:%S", "labelOverlap": True, "tickCount": 8},
    }


def _value(mark: Mark, timeline: Timeline) -> dict[str, Any]:
    at, until = span(mark, timeline)
    return {
        "lane": visible(mark.lane),
        "kind": visible(mark.kind),
        "at": at,
        "until": until,
        "text": visible(mark.text),
    }


def span(mark: Mark, timeline: Timeline) -> tuple[int, int | None]:
    """Return begin and end of a mark in epoch ms: None for a point, the picture's end for no end seen."""
    end = mark.end if mark.end is not None or mark.kind in POINTS else timeline.end
    if end is not None and end <= mark.start:
        end = mark.start + SHORTEST
    return _ms(mark.start), None if end is None else _ms(end)


def _ms(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)


def _file_name(group_id: str) -> str:
    """Return a name that no group id can lead out of the folder with."""
    return "".join(c if c.isalnum() or c in "-_" else "_" for c in group_id)[:80] or "group"
