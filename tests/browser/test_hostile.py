"""What stands in a log runs nothing in a browser, wherever it ends up on the page."""

from __future__ import annotations

from pathlib import Path

from tests.browser.conftest import Open, ingest_page

PAYLOADS = [
    "<script>window.owned=1</script>",
    "</script><script>window.owned=1</script>",
    '"><img src=x onerror=window.owned=1>',
    "'><svg onload=window.owned=1>",
    "<iframe srcdoc='<script>parent.owned=1</script>'>",
    "javascript:window.owned=1",
    "<a href=javascript:window.owned=1>click</a>",
    "<style>*{display:none}</style>",
    "<meta http-equiv=refresh content=0;url=https://evil.example>",
    "<base href=https://evil.example>",
    "<form action=https://evil.example><button>go</button></form>",
    "<link rel=stylesheet href=https://evil.example/x.css>",
    "<!--",
    "--><script>window.owned=1</script>",
    "{{constructor.constructor('window.owned=1')()}}",
    "${window.owned=1}",
    "\\u003cscript\\u003ewindow.owned=1",
    "datum.constructor.constructor('window.owned=1')()",
    "&lt;img src=x onerror=window.owned=1&gt;",
    "__proto__",
    "<details open ontoggle=window.owned=1>",
    "]]><script>window.owned=1</script>",
]


def log(payload: str, group: str) -> str:
    """Return the life of a group whose member, client and reasons carry the payload."""
    member = f"{payload}-0d9bd0a8-8f3a-4d5e-9e4b-6b1f8a9b1c2d"
    says = "INFO [GroupCoordinator 1]: "
    of = " (kafka.coordinator.group.GroupCoordinator)"
    texts = [
        f"Dynamic member with unknown member id joins group {group} in Empty state. Created a new member id "
        f"{member} and request the member to rejoin with this id.",
        f"Preparing to rebalance group {group} in state PreparingRebalance with old generation 0 "
        f"(__consumer_offsets-3) (reason: Adding new member {member} with group instance id None; "
        f"client reason: {payload})",
        f"Stabilized group {group} generation 1 (__consumer_offsets-3) with 2 members",
        f"Assignment received from leader {member} for group {group} for generation 1. "
        "The group has 2 members, 0 of which are static.",
        f"Member {member} in group {group} has failed, removing it from the group",
        f"Preparing to rebalance group {group} in state PreparingRebalance with old generation 1 "
        f"(__consumer_offsets-3) (reason: removing member {member} on heartbeat expiration)",
        f"Stabilized group {group} generation 2 (__consumer_offsets-3) with 1 members",
        f"Assignment received from leader {member} for group {group} for generation 2. "
        "The group has 1 members, 0 of which are static.",
    ]
    return "".join(f"[2026-12-01 00:00:{at * 5:02d},000] {says}{text}{of}\n" for at, text in enumerate(texts))


def file_name(payload: str) -> str:
    return payload.replace("/", "_")[:80] + ".log"


def test_hostile_logs_are_shown_and_do_nothing(tmp_path: Path, open_page: Open) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    for payload in PAYLOADS:
        (logs / file_name(payload)).write_text(log(payload, payload), encoding="utf-8")
    opened = open_page(ingest_page(logs, tmp_path, name=" ".join(PAYLOADS)))
    page = opened.page
    opened.draw()
    assert page.locator(".chart").count() == len(PAYLOADS)
    for place in page.locator(".chart").all():
        mark = place.locator("path[aria-label*='kind: ']").last
        mark.hover(force=True)
        mark.click(force=True)
    page.evaluate("document.querySelectorAll('details').forEach((part) => (part.open = true))")
    page.locator("#rebalances th button").first.click()
    assert page.evaluate("window.owned") is None
    assert opened.complaints() == []
    assert page.url.startswith("file:")
    assert page.locator("script").count() == 2 + len(PAYLOADS)
    assert page.locator("img, iframe, object, embed, form:not(.vega-bindings), base, link").count() == 0
    handlers = "main [onload], main [onerror], main [ontoggle], main [onclick], main a[href^=javascript]"
    assert page.locator(handlers).count() == 0
    assert page.locator("h1").is_visible()
    told = page.locator("main").inner_text()
    assert [payload for payload in PAYLOADS if payload not in told] == []
