"""Finds the records in JSON values: exports hold them in lists, below keys, beside facts that hold for all of
them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from loganalyst.envelopes.declared import inside_keys, record_keys, shapes
from loganalyst.envelopes.json_shapes import Json, JsonShape, as_text

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


def records_in(value: Any, above: Json | None = None, depth: int = 0) -> Iterator[tuple[Json, JsonShape]]:
    """Yield the objects in `value` that hold a log line, with their shape; what stands above them is laid
    under them."""
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        pairs = _field_pairs(value)
        for item in [pairs] if pairs else value:
            yield from records_in(item, above, depth + 1)
        return
    if not isinstance(value, Mapping):
        return
    item = {**above, **value} if above else value
    shape = shape_for(item)
    if shape is not None:
        yield item, shape
        return
    for key in inside_keys():
        if isinstance(value.get(key), Mapping) and value[key]:
            yield from records_in(value[key], above, depth + 1)
            return
    copied = _kibana_copy(value)
    if copied:
        yield from records_in(copied, above, depth + 1)
        return
    if isinstance(value.get("stream"), Mapping) and isinstance(value.get("values"), list):
        yield from _loki(value["stream"], value["values"])
        return
    context = {**(above or {}), **context_of(value)}
    for key in record_keys():
        inner = value.get(key)
        if isinstance(inner, list | Mapping):
            yield from records_in(inner, context, depth + 1)


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
