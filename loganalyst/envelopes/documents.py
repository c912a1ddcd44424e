"""Finds the records in JSON values: exports hold them in lists, below keys, beside facts that hold for all of
them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from loganalyst.envelopes.declared import inside_keys, record_keys, shapes
from loganalyst.envelopes.json_shapes import Json, JsonShape, as_text
from loganalyst.envelopes.json_tables import rows_of

_DEEPEST = 12
_REMEMBERED: dict[tuple[str, ...], JsonShape] = {}
_MOST_REMEMBERED = 1024


def shape_for(item: Json) -> JsonShape | None:
    """The first declared shape that fits; objects with the same keys have it most likely in common."""
    keys = tuple(item)
    known = _REMEMBERED.get(keys)
    if known is not None and known.fits(item) and known.name != "json":
        return known
    shape = next((each for each in shapes() if each.fits(item)), None)
    if shape is not None and len(_REMEMBERED) < _MOST_REMEMBERED:
        _REMEMBERED[keys] = shape
    return shape


def records_in(
    value: Any, above: Json | None = None, depth: int = 0, learnt: JsonShape | None = None
) -> Iterator[tuple[Json, JsonShape]]:
    """Yield the objects in `value` that hold a log line, with their shape; what stands above them is laid
    under them.

    `learnt` is the shape of the source's objects where no declared one fits.
    """
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        yield from _listed(value, above, depth, learnt)
        return
    if not isinstance(value, Mapping):
        return
    item = {**above, **value} if above else value
    shape = shape_for(item)
    if shape is None and learnt is not None and learnt.fits(item):
        shape = learnt
    if shape is not None:
        yield item, shape
        return
    for key in inside_keys():
        if isinstance(value.get(key), Mapping) and value[key]:
            yield from records_in(value[key], above, depth + 1, learnt)
            return
    copied = _kibana_copy(value)
    if copied:
        yield from records_in(copied, above, depth + 1, learnt)
        return
    if isinstance(value.get("stream"), Mapping) and isinstance(value.get("values"), list):
        yield from _loki(value["stream"], value["values"])
        return
    table = False
    for row in rows_of(value):
        table = True
        yield from records_in(row, None, depth + 1, learnt)
    if table:
        return
    context = {**(above or {}), **context_of(value)}
    for key in record_keys():
        inner = value.get(key)
        if isinstance(inner, list | Mapping):
            found = False
            for record in records_in(inner, context, depth + 1, learnt):
                found = True
                yield record
            if not found and isinstance(inner, Mapping):
                # Answers to several questions, each under its own name.
                for each in inner.values():
                    yield from records_in(each, context, depth + 1, learnt)


def _listed(
    value: list[Any], above: Json | None, depth: int, learnt: JsonShape | None, within: bool = False
) -> Iterator[tuple[Json, JsonShape]]:
    """The records in a list. A list of texts is one of lines, unless it stands `within` another as a row."""
    pairs = _field_pairs(value)
    if pairs:
        value = [pairs]
    elif is_texts(value):
        value = [] if within else [{"line": each} for each in value]
    for item in value:
        if isinstance(item, list):
            yield from _listed(item, above, depth + 1, learnt, within=True)
        else:
            yield from records_in(item, above, depth + 1, learnt)


def strange_in(value: Any, depth: int = 0) -> Iterator[Json]:
    """Yield the objects in `value` that may be records of an unknown shape: rows, and what lists hold."""
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        for each in value:
            yield from strange_in(each, depth + 1)
    elif isinstance(value, Mapping):
        inner: list[Json] = list(rows_of(value))
        for key in record_keys() if not inner else ():
            if isinstance(value.get(key), list | Mapping):
                inner += strange_in(value[key], depth + 1)
        yield from inner or [value]


def is_texts(value: Any) -> bool:
    """Whether a value is a list of nothing but texts."""
    return isinstance(value, list) and bool(value) and all(type(each) is str for each in value)


def _field_pairs(value: list[Any]) -> dict[str, Any] | None:
    """`[{"field": "@message", "value": "…"}, …]`, as CloudWatch Insights gives a row."""
    if not value or not all(
        isinstance(each, Mapping) and "field" in each and "value" in each for each in value
    ):
        return None
    return {str(each["field"]): each["value"] for each in value}


def _kibana_copy(value: Json) -> dict[str, Any] | None:
    """`{"fields": {"message": ["…"]}}`: Kibana's copied documents give every value in a list."""
    fields = value.get("fields")
    if not isinstance(fields, Mapping) or not all(isinstance(each, list) for each in fields.values()):
        return None
    return {key: each[0] if len(each) == 1 else each for key, each in fields.items()}


def _loki(labels: Json, values: list[Any]) -> Iterator[tuple[Json, JsonShape]]:
    """Loki's API: labels once, then pairs of nanoseconds and line."""
    for pair in values:
        if isinstance(pair, list) and len(pair) >= 2:
            item = {**labels, "loki time": as_text(pair[0]), "loki line": as_text(pair[1])}
            shape = shape_for(item)
            if shape is not None:
                yield item, shape


def context_of(value: Json) -> dict[str, Any]:
    """What an object says about all records below it: its plain values, and OTLP's attributes of the
    resource."""
    plain = {key: each for key, each in value.items() if isinstance(each, str | int | float)}
    return {**plain, **_otlp_attributes(value)}


def _otlp_attributes(value: Json) -> dict[str, Any]:
    """The attributes of OTLP's resource: a list of keys and typed values."""
    resource = value.get("resource")
    attributes = resource.get("attributes") if isinstance(resource, Mapping) else None
    found: dict[str, Any] = {}
    for each in attributes if isinstance(attributes, list) else ():
        if isinstance(each, Mapping) and isinstance(each.get("value"), Mapping):
            found[str(each.get("key"))] = next(iter(each["value"].values()), None)
    return found
