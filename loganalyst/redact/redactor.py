"""Replaces what the rules name by keyed hashes, in texts and in tables of events.

A value becomes `<rule#hash>`, the hash being the first 12 hex digits of HMAC-SHA-256 over the value: whoever
has the key gets the same hash for the same value, so groups, members and hosts still join; nobody gets the
value back. All matching is done by Polars' regular expressions, which take time linear in the text.

The seam for ingest: give `Redactor.table` each table of events before it is written (`EVENTS` columns; others
pass through). A `Redactor` can be pickled.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa

from loganalyst.redact.rules import COLUMNS, RedactionRule

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Redactor"]

_TOKEN = re.compile(r"<[\w-]{1,40}#[0-9a-f]{12}>?")


@dataclass(frozen=True)
class Redactor:
    """Applies `rules`, in their order, with the secret `key`."""

    rules: tuple[RedactionRule, ...]
    key: bytes

    def token(self, rule: str, value: str) -> str:
        """Return what stands for `value`: the same for the same key and value."""
        digest = hmac.digest(self.key, value.encode("utf-8", "surrogatepass"), "sha256")
        return f"<{rule}#{digest.hex()[:12]}>"

    def texts(self, texts: Iterable[str | None]) -> list[str | None]:
        """Redact texts by the rules with a pattern."""
        import polars as pl  # a tenth of a second, for those who redact

        values = pl.Series(list(texts), dtype=pl.String)
        for rule in self.rules:
            if rule.pattern is not None:
                values = self._by_pattern(values, rule)
        return values.to_list()

    def text(self, text: str) -> str:
        """Redact one text by the rules with a pattern."""
        return str(self.texts([text])[0])

    def table(self, table: pa.Table) -> pa.Table:
        """Redact a table of events: the columns `COLUMNS`, `fields` and `topic_partitions`."""
        for rule in self.rules:
            if rule.column is not None:
                table = self._by_column(table, rule)
        for name in COLUMNS:
            if name in table.column_names:
                texts = pa.array(self.texts(table[name].to_pylist()), pa.string())
                table = _with_column(table, name, texts)
        for name in ("fields", "topic_partitions"):
            if name in table.column_names:
                table = self._nested(table, name)
        return table

    def _by_pattern(self, values: pl.Series, rule: RedactionRule) -> pl.Series:
        pattern = str(rule.pattern)
        hit = values.str.contains(pattern).fill_null(False)
        rows = hit.arg_true()
        if not len(rows):
            return values
        texts = values.gather(rows)
        matches = texts.str.extract_all(pattern)
        distinct = matches.explode().drop_nulls().unique()
        parts = distinct.str.extract(pattern, 1) if "(?P<value>" in pattern else distinct
        instead = {
            match: self._instead(match, value, rule)
            for match, value in zip(distinct.to_list(), parts.to_list(), strict=True)
        }
        changed = [
            _replaced(text, found, instead)
            for text, found in zip(texts.to_list(), matches.to_list(), strict=True)
        ]
        return values.scatter(rows, changed)

    def _instead(self, match: str, value: str | None, rule: RedactionRule) -> str:
        """Return the match with the value in it replaced; quotes around a value stay."""
        if not value:
            return match
        bare = value.removeprefix("\\").strip("\"'").removesuffix("\\") or value
        if bare in rule.keep or _TOKEN.fullmatch(bare):
            return match
        start = match.rfind(value)
        inside = value.find(bare)
        token = self.token(rule.name, bare)
        end = start + inside + len(bare)
        return match[: start + inside] + token + match[end:]

    def _by_column(self, table: pa.Table, rule: RedactionRule) -> pa.Table:
        """Replace the values of a column, and wherever they stand in the other texts of the same row."""
        secrets = table[rule.column].to_pylist()
        tokens = {
            value: self.token(rule.name, value)
            for value in set(secrets)
            if value is not None and value not in rule.keep
        }
        for name in COLUMNS:
            texts = [
                text.replace(secret, tokens[secret]) if text is not None and secret in tokens else text
                for text, secret in zip(table[name].to_pylist(), secrets, strict=True)
            ]
            table = _with_column(table, name, pa.array(texts, pa.string()))
        for name in ("fields", "topic_partitions"):
            column = table[name].combine_chunks()
            owners = [
                secret
                for row, secret in zip(column, secrets, strict=True)
                for _ in range(len(row.as_py() or ()))
            ]
            inner = _leaves(column).to_pylist()
            texts = [
                text.replace(secret, tokens[secret]) if text is not None and secret in tokens else text
                for text, secret in zip(inner, owners, strict=True)
            ]
            table = _with_column(table, name, _with_leaves(column, texts))
        return table

    def _nested(self, table: pa.Table, name: str) -> pa.Table:
        column = table[name].combine_chunks()
        leaves = _leaves(column)
        texts: list[str | None] = leaves.to_pylist()
        if pa.types.is_map(column.type):
            # the value of a field `password` has no name in front of it: it is read as `password=value`
            keys = _keys(column).to_pylist()
            named = [None if text is None else f"{key}={text}" for key, text in zip(keys, texts, strict=True)]
            texts = [
                None if text is None else text.removeprefix(f"{key}=")
                for key, text in zip(keys, self.texts(named), strict=True)
            ]
        else:
            texts = self.texts(texts)
        return _with_column(table, name, _with_leaves(column, texts))


def _replaced(text: str, matches: Sequence[str], instead: dict[str, str]) -> str:
    """Put `instead[match]` in the place of each match; matches come in the order in which they stand."""
    parts, at = [], 0
    for match in matches:
        start = text.index(match, at)
        parts += [text[at:start], instead[match]]
        at = start + len(match)
    return "".join([*parts, text[at:]])


def _with_column(table: pa.Table, name: str, values: pa.Array) -> pa.Table:
    at = table.schema.get_field_index(name)
    return table.set_column(at, table.schema.field(at), values.cast(table.schema.field(at).type))


def _chunk(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def _leaves(column: pa.Array) -> pa.Array:
    """Return the texts inside a list or map column, nulls of the outer level left out, all rows in order."""
    one = _normal(column)
    return one.items if pa.types.is_map(one.type) else one.values


def _keys(column: pa.Array) -> pa.Array:
    return _normal(column).keys


def _with_leaves(column: pa.Array, leaves: Sequence[str | None]) -> pa.Array:
    one = _normal(column)
    texts = pa.array(leaves, pa.string())
    mask = one.is_null() if one.null_count else None
    if pa.types.is_map(one.type):
        made = pa.MapArray.from_arrays(one.offsets, one.keys, texts, type=one.type)
        if mask is None:
            return made
        rows = [
            None if null else list(row) for row, null in zip(made.to_pylist(), mask.to_pylist(), strict=True)
        ]
        return pa.array(rows, one.type)
    return pa.ListArray.from_arrays(one.offsets, texts, mask=mask)


def _normal(column: pa.Array) -> pa.Array:
    """Return the column as one array without offset, nothing hidden behind nulls."""
    one = _chunk(column)
    return pa.array(one.to_pylist(), one.type)
