"""The picture of a group as a Vega-Lite specification: the same one becomes HTML, SVG and PNG."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from loganalyst.report.model import Evidence
from loganalyst.report.timeline import Mark, Timeline
from loganalyst.report.visible import visible

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"

# Kinds in the order of the legend; the colours keep apart for the common forms of colour blindness.
COLOURS = {
    "Stable": "#4c9f70",
    "PreparingRebalance": "#e0a13c",
    "CompletingRebalance": "#c77b30",
    "Empty": "#9aa3ad",
    "Dead": "#5b6470",
    "owns": "#4878b0",
    "owns nothing": "#b9c9de",
    "refused": "#cc3d4b",
    "broker": "#7a6fb0",
    "loading": "#b0569c",
}
SHORTEST = timedelta(milliseconds=1)
"""What a bar without an end, or without length, is drawn as at least."""


def specification(timeline: Timeline) -> dict[str, Any]:
    """Return the Vega-Lite specification of a timeline; dragging over the upper chart zooms the lower one."""
    end = _end(timeline)
    kinds = [kind for kind in COLOURS if any(mark.kind == kind for mark in timeline.marks)]
    kinds += sorted({mark.kind for mark in timeline.marks} - set(kinds))
    return {
        "$schema": SCHEMA,
        "description": f"Members and states of group {visible(timeline.group_id)} over time (UTC)",
        "vconcat": [_members(timeline, end), _lanes(timeline, end, kinds)],
        "resolve": {"scale": {"color": "independent"}},
        "config": {"view": {"continuousWidth": 760}, "axis": {"grid": True, "labelLimit": 260}},
    }


def save_pictures(timelines: list[Timeline], folder: Path, form: str) -> list[Path]:
    """Write one `svg` or `png` a group into `folder` (made if it is not there); returns the files."""
    import vl_convert

    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for number, timeline in enumerate(timelines, 1):
        path = folder / f"{number:02d}-{_file_name(timeline.group_id)}.{form}"
        spec = specification(timeline)
        if form == "svg":
            path.write_text(vl_convert.vegalite_to_svg(spec), encoding="utf-8")
        else:
            path.write_bytes(vl_convert.vegalite_to_png(spec, scale=2))
        written.append(path)
    return written


def _members(timeline: Timeline, end: datetime | None) -> dict[str, Any]:
    values = [{"at": _ms(count.at), "members": count.members} for count in timeline.counts]
    if values and end is not None:
        values.append({"at": _ms(end), "members": values[-1]["members"]})
    return {
        "height": 130,
        "width": 760,
        "title": {"text": "members (drag to zoom the lanes below)", "anchor": "start", "fontSize": 12},
        "data": {"values": values},
        "params": [{"name": "zoom", "select": {"type": "interval", "encodings": ["x"]}}],
        "mark": {"type": "area", "interpolate": "step-after", "line": True, "opacity": 0.35},
        "encoding": {
            "x": {**_time_axis(), "scale": {"type": "utc", "domain": _span(timeline, end)}},
            "y": {"field": "members", "type": "quantitative", "axis": {"tickMinStep": 1, "title": None}},
            "tooltip": [
                {"field": "at", "type": "temporal", "format": "%H:%M:%S.%L", "title": "UTC"},
                {"field": "members", "type": "quantitative"},
            ],
        },
    }


def _lanes(timeline: Timeline, end: datetime | None, kinds: list[str]) -> dict[str, Any]:
    colour = {
        "field": "kind",
        "type": "nominal",
        "scale": {"domain": kinds, "range": [COLOURS.get(kind, "#888888") for kind in kinds]},
        "legend": {"title": None, "orient": "bottom", "columns": 5},
    }
    lane = {
        "field": "lane",
        "type": "nominal",
        "sort": [visible(name) for name in timeline.lanes],
        "axis": {"title": None},
    }
    tooltip = [
        {"field": "lane", "title": "lane"},
        {"field": "text", "title": "what"},
        {"field": "at", "type": "temporal", "format": "%H:%M:%S.%L", "title": "from (UTC)"},
        {"field": "until", "type": "temporal", "format": "%H:%M:%S.%L", "title": "to"},
    ]
    zoomed = {**_time_axis(), "scale": {"type": "utc", "domain": {"param": "zoom"}}}
    return {
        "height": {"step": 22},
        "width": 760,
        "data": {"values": [_value(mark, end) for mark in timeline.marks]},
        "encoding": {"x": zoomed, "y": lane, "color": colour, "tooltip": tooltip},
        "layer": [
            {
                "transform": [{"filter": "datum.until !== null && datum.kind !== 'refused'"}],
                "mark": {"type": "bar", "height": 14, "clip": True, "cursor": "pointer"},
                "encoding": {"x2": {"field": "until"}},
            },
            {
                "transform": [{"filter": "datum.kind === 'refused' && datum.until !== null"}],
                "mark": {"type": "rule", "strokeWidth": 3, "clip": True, "cursor": "pointer"},
                "encoding": {"x2": {"field": "until"}},
            },
            {
                "transform": [{"filter": "datum.kind === 'refused'"}],
                "mark": {"type": "point", "shape": "cross", "filled": True, "size": 70, "clip": True},
            },
        ],
    }


def _span(timeline: Timeline, end: datetime | None) -> list[int]:
    """Return the time that the lanes span, so that both charts begin and end at the same place."""
    starts = [mark.start for mark in timeline.marks] or [count.at for count in timeline.counts]
    return [_ms(min(starts)), _ms(end or max(starts))]


def _time_axis() -> dict[str, Any]:
    return {
        "field": "at",
        "type": "temporal",
        "scale": {"type": "utc"},
        "axis": {"title": None, "format": "%H:%M:%S", "labelOverlap": True, "tickCount": 8},
    }


def _value(mark: Mark, end: datetime | None) -> dict[str, Any]:
    until = mark.end or (None if mark.kind == "refused" else end)
    if until is not None and until <= mark.start:
        until = mark.start + SHORTEST
    return {
        "lane": visible(mark.lane),
        "kind": mark.kind,
        "at": _ms(mark.start),
        "until": None if until is None else _ms(until),
        "text": visible(mark.text),
        "evidence": [_line(evidence) for evidence in mark.evidence[:6]],
    }


def _line(evidence: Evidence) -> str:
    return visible(f"{evidence.source}:{evidence.line}  {evidence.message}")[:600]


def _end(timeline: Timeline) -> datetime | None:
    moments = [count.at for count in timeline.counts]
    moments += [moment for mark in timeline.marks for moment in (mark.start, mark.end) if moment]
    if timeline.last_at is not None:
        moments.append(timeline.last_at)
    return max(moments, default=None)


def _ms(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)


def _file_name(group_id: str) -> str:
    """Return a name that no group id can lead out of the folder with."""
    return "".join(c if c.isalnum() or c in "-_" else "_" for c in group_id)[:80] or "group"
