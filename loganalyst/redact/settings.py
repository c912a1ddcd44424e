"""How a dataset is redacted, remembered beside it: a dataset that was begun with `--redact` stays redacted.

`redaction.json` in the dataset's folder holds the user's rules and, where the user gave no key, the random
key that was made for the dataset (file mode 0600). Whoever gets the dataset without it cannot test guesses
against its hashes. With the user's key only a check value is stored.
"""

from __future__ import annotations

import hmac
import json
import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from loganalyst.errors import DatasetError, UsageError
from loganalyst.redact.redactor import Redactor
from loganalyst.redact.rules import read_redactions, rule_text

__all__ = ["FILE", "KEY_VARIABLE", "Redaction", "read_key", "redactor_for", "redactor_of", "settle"]

FILE = "redaction.json"
KEY_VARIABLE = "LOGANALYST_REDACT_KEY"
"""Environment variable that may hold the key instead of a file."""

_SHORTEST = 16


def read_key(file: Path | None = None) -> bytes | None:
    """Return the user's key: the content of `file`, else of the environment variable, else None.

    Raises `UsageError` for a file that cannot be read and for a key of less than 16 bytes.
    """
    if file is not None:
        try:
            key = file.read_bytes().strip()
        except OSError as error:
            raise UsageError(f"{file}: cannot be read: {error.strerror}") from error
        where = str(file)
    elif value := os.environ.get(KEY_VARIABLE):
        key, where = value.encode("utf-8", "surrogateescape"), KEY_VARIABLE
    else:
        return None
    if len(key) < _SHORTEST:
        raise UsageError(
            f"{where}: a key has at least {_SHORTEST} bytes; make one with `openssl rand -hex 32`"
        )
    return key


@dataclass(frozen=True, slots=True)
class Redaction:
    """What `--redact` asks for: `rules` is the file of the user's rules, `key` the file of the user's key."""

    rules: Path | None = None
    key: Path | None = None


def redactor_for(folder: Path | None, redaction: Redaction | None, *, has_rows: bool) -> Redactor | None:
    """Return the redactor of an ingest into the dataset at `folder` (None: an object store), None for none.

    Raises `UsageError` for files that are not right and for what contradicts how the dataset was begun.
    """
    if redaction is None and (folder is None or not (folder / FILE).exists()):
        return None
    rules = None if redaction is None or redaction.rules is None else rule_text(redaction.rules)
    key = read_key(redaction.key if redaction else None)
    return settle(folder, wanted=redaction is not None, rules=rules, key=key, has_rows=has_rows)


def settle(
    folder: Path | None,
    *,
    wanted: bool,
    rules: str | None = None,
    key: bytes | None = None,
    has_rows: bool = False,
) -> Redactor | None:
    """Decide how an ingest into the dataset at `folder` redacts, and remember it; None: it does not.

    `wanted`: `--redact` was given; `rules`: text of the user's rule file; `has_rows`: the dataset holds rows
    already. Raises `UsageError` where that contradicts how the dataset was begun.
    """
    known = _load(folder)
    if known is None:
        if not wanted:
            return None
        if has_rows:
            raise UsageError(
                f"{folder}: holds rows that are not redacted; ingest with --redact into a new dataset"
            )
        if folder is None and key is None:
            raise UsageError(
                f"--redact into an object store needs a key: --redact-key FILE or {KEY_VARIABLE}"
            )
        redactions = read_redactions(rules)
        own = key or secrets.token_bytes(32)
        if folder is not None:
            _save(folder, rules, None if key else own, own)
        return Redactor(redactions, own)
    if rules is not None and rules != known["rules"]:
        raise UsageError(
            f"{folder}: was begun with other redaction rules; leave --redact-rules out, or use a new dataset"
        )
    stored = bytes.fromhex(known["key"]) if known["key"] else None
    used = key or stored
    if used is None:
        raise UsageError(
            f"{folder}: is redacted with your key: give it with --redact-key FILE or {KEY_VARIABLE}"
        )
    if not hmac.compare_digest(_check(used), str(known["check"])):
        raise UsageError(f"{folder}: is redacted with another key; hashes of two keys would not join")
    return Redactor(read_redactions(known["rules"]), used)


def redactor_of(folder: Path | None, key: bytes | None = None) -> Redactor:
    """Return a redactor for what leaves a dataset: by its own settings, else by the shipped rules.

    A dataset without settings, or whose key is not at hand, gets a key for this one time.
    """
    known = _load(folder)
    stored = bytes.fromhex(known["key"]) if known and known["key"] else None
    return Redactor(
        read_redactions(known["rules"] if known else None), key or stored or secrets.token_bytes(32)
    )


def _load(folder: Path | None) -> dict[str, str | None] | None:
    if folder is None:
        return None
    path = folder / FILE
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
        return {"rules": known["rules"], "key": known["key"], "check": known["check"]}
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DatasetError(
            f"{path}: cannot be read ({error}); without it the dataset cannot be added to"
        ) from error


def _save(folder: Path, rules: str | None, stored: bytes | None, used: bytes) -> None:
    text = json.dumps(
        {"rules": rules, "key": stored.hex() if stored else None, "check": _check(used)}, indent=1
    )
    draft = folder / f".{FILE}.{os.getpid()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            out.write(text + "\n")
            out.flush()
            os.fsync(out.fileno())
        draft.replace(folder / FILE)
    except OSError as error:
        raise DatasetError(f"{folder}: cannot be written: {error.strerror}") from error


def _check(key: bytes) -> str:
    return hmac.digest(key, b"loganalyst redaction", "sha256").hex()[:16]
