"""A session is found by its title, also by one that nobody typed."""

from __future__ import annotations

from tests.claude_log import ClaudeLog
from tests.conftest import Workbench


def test_own_title_is_found_and_told(bench: Workbench) -> None:
    log = ClaudeLog()
    log.prompt("rename the flag")
    log.bare(type="custom-title", customTitle="Zebra migration", sessionId=log.session)
    log.reply("Done.")
    log.write(bench.home)
    bench.sweep()
    assert bench.session().title == "Zebra migration"
    assert bench.found("zebra") == [f"claude:{log.session}"]
    ran = bench.helix("search", "zebra", "--json")
    assert ran.json["hits"][0]["title"] == "Zebra migration"
    assert "Zebra migration" in bench.helix("search", "zebra").out
    assert "Zebra migration" in bench.helix("sessions").out
    assert "Zebra migration" in bench.helix("show", log.session).out


def test_title_that_changed(bench: Workbench) -> None:
    log = ClaudeLog()
    log.prompt("rename the flag")
    log.bare(type="ai-title", aiTitle="Flag rename", sessionId=log.session)
    log.write(bench.home)
    bench.sweep()
    assert bench.session().title == "Flag rename"
    log.bare(type="custom-title", customTitle="Zebra migration", sessionId=log.session)
    log.write(bench.home)
    bench.sweep()
    assert bench.session().title == "Zebra migration"
    assert bench.found("zebra")
