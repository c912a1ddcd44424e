"""Tab offers what fits at the cursor."""

from __future__ import annotations

from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from loganalyst.dataset.views import load_queries
from loganalyst.shell.completion import ViewCompleter

COMPLETER = ViewCompleter(load_queries())


def offered(before: str, after: str = "") -> dict[str, str]:
    document = Document(before + after, len(before))
    found = COMPLETER.get_completions(document, CompleteEvent(completion_requested=True))
    return {completion.text: completion.display_meta_text for completion in found}


def test_views_after_from() -> None:
    assert "rebalances" in offered("SELECT * FROM reb")
    assert "count" not in offered("SELECT * FROM c")


def test_columns_of_the_views_that_are_named_with_their_meaning() -> None:
    names = offered("SELECT leader", " FROM rebalances")
    assert names.get("leader_pod")
    assert "silent_ms" not in offered("SELECT sil", " FROM rebalances")
    assert "silent_ms" in offered("SELECT sil", " FROM member_exits")


def test_dot_commands_and_their_views() -> None:
    assert set(offered(".t")) == {"timing"}
    assert "rebalances" in offered(".doc reb")


def test_words_of_sql_in_any_case() -> None:
    assert "SELECT" in offered("sel")
