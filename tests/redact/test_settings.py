"""A dataset that was begun with --redact stays redacted, with the same key and the same rules."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from loganalyst.errors import DatasetError, UsageError
from loganalyst.redact.settings import FILE, KEY_VARIABLE, read_key, redactor_of, settle

KEY = b"0123456789abcdef0123456789abcdef"


def test_without_the_option_nothing_is_redacted(tmp_path: Path) -> None:
    assert settle(tmp_path, wanted=False) is None
    assert list(tmp_path.iterdir()) == []


def test_later_ingests_redact_alike_even_without_the_option(tmp_path: Path) -> None:
    first = settle(tmp_path, wanted=True)
    later = settle(tmp_path, wanted=False, has_rows=True)
    assert first and later and first.text("password=x1") == later.text("password=x1")
    assert redactor_of(tmp_path).text("password=x1") == first.text("password=x1")


def test_the_key_of_a_dataset_is_for_its_owner_alone(tmp_path: Path) -> None:
    settle(tmp_path, wanted=True)
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600


def test_a_users_key_is_not_stored(tmp_path: Path) -> None:
    settle(tmp_path, wanted=True, key=KEY)
    stored = (tmp_path / FILE).read_text()
    assert KEY.decode() not in stored and KEY.hex() not in stored
    assert json.loads(stored)["key"] is None


def test_two_datasets_without_a_users_key_do_not_share_hashes(tmp_path: Path) -> None:
    one, two = settle(tmp_path / "a", wanted=True), settle(tmp_path / "b", wanted=True)
    assert one and two and one.text("password=x1") != two.text("password=x1")


def test_rows_that_are_not_redacted_and_rows_that_are_do_not_mix(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not redacted"):
        settle(tmp_path, wanted=True, has_rows=True)


def test_another_key_or_other_rules_are_refused(tmp_path: Path) -> None:
    settle(tmp_path, wanted=True, key=KEY)
    with pytest.raises(UsageError, match="your key"):
        settle(tmp_path, wanted=False)
    with pytest.raises(UsageError, match="another key"):
        settle(tmp_path, wanted=True, key=KEY[::-1])
    with pytest.raises(UsageError, match="other redaction rules"):
        settle(tmp_path, wanted=True, key=KEY, rules="off = ['email']")


def test_an_object_store_needs_a_key() -> None:
    with pytest.raises(UsageError, match="needs a key"):
        settle(None, wanted=True)


def test_a_damaged_file_is_an_error_and_not_a_dataset_without_redaction(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("{}")
    with pytest.raises(DatasetError, match="cannot be read"):
        settle(tmp_path, wanted=False)


def test_keys_come_from_a_file_or_the_environment_and_are_long_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "key"
    file.write_bytes(KEY + b"\n")
    assert read_key(file) == KEY
    monkeypatch.setenv(KEY_VARIABLE, KEY.decode())
    assert read_key() == KEY
    monkeypatch.setenv(KEY_VARIABLE, "short")
    with pytest.raises(UsageError, match="at least 16 bytes"):
        read_key()
    with pytest.raises(UsageError, match="cannot be read"):
        read_key(tmp_path / "missing")
