"""What logs record of the instructions that their agents were given."""

from __future__ import annotations

from typing import Any

import pytest

from helix_tui.capture.instructions import codex_cut, codex_message
from helix_tui.schema.session import Instructions, SessionFilter
from helix_tui.store.database import open_for_writing
from helix_tui.store.ingest.instructions import instruction_texts
from helix_tui.store.layout import StoreLayout
from helix_tui.store.repair.rebuild import fact_batches
from helix_tui.store.repair.salvage import salvage_database
from tests.agents import story
from tests.claude_log import ClaudeLog
from tests.codex_log import CodexLog
from tests.conftest import Workbench
from tests.grok_log import GrokLog

TEXT = "# Rules\n\nRun `make test` before you say done."
WRAPPED = f"# AGENTS.md instructions for /work/app\n\n<INSTRUCTIONS>\n{TEXT}\n</INSTRUCTIONS>"


def _given(bench: Workbench) -> Instructions:
    bench.sweep()
    return bench.session().instructions


def _texts(bench: Workbench) -> list[str]:
    database = open_for_writing(StoreLayout(bench.store))
    try:
        rows = database.execute_sql("SELECT key FROM session").fetchall()
        return [text for (key,) in rows for text in instruction_texts(database.connection(), key)]
    finally:
        database.close()


@pytest.mark.parametrize("carrier", ["meta", "turn", "new", "old", "world"])
def test_codex_records_them_in_any_of_its_ways(bench: Workbench, carrier: str) -> None:
    log = CodexLog(instructions=TEXT) if carrier == "meta" else CodexLog()
    log.turn()
    if carrier == "turn":
        log.add("turn_context", {"cwd": "/work/app", "user_instructions": TEXT})
    elif carrier == "new":
        log.message("user", WRAPPED)
    elif carrier == "old":
        log.message("user", f"<user_instructions>\n\n{TEXT}\n\n</user_instructions>")
    elif carrier == "world":
        log.add("world_state", {"state": {"agents_md": {"text": TEXT}}})
    log.prompt()
    log.step()
    log.reply()
    log.write(bench.home)
    given = _given(bench)
    assert (given.state, given.bytes, given.texts) == ("recorded", len(TEXT.encode()), 1)
    assert _texts(bench) == [TEXT]


def test_the_same_text_in_two_records_is_one(bench: Workbench) -> None:
    log = CodexLog(instructions=TEXT)
    log.message("user", WRAPPED)
    log.prompt()
    log.write(bench.home)
    assert _given(bench).texts == 1


def test_null_says_that_there_were_none_and_silence_says_nothing(bench: Workbench) -> None:
    log = CodexLog(instructions=None)
    log.prompt()
    log.write(bench.home)
    assert _given(bench) == Instructions("none")
    told = story("claude")
    told.ask()
    told.save(bench.home)
    bench.sweep()
    states = {session.instructions.state for session in bench.engine().sessions(SessionFilter())}
    assert states == {"none", "unknown"}


def test_claude_attaches_files_and_nested_ones(bench: Workbench) -> None:
    log = ClaudeLog()
    files = [{"path": "/a/CLAUDE.md", "type": "Project", "content": TEXT}, {"path": "/b"}]
    attached: list[dict[str, Any]] = [
        {"type": "instructions", "files": files},
        {"type": "nested_memory", "content": {"path": "/a/b/CLAUDE.md", "content": "Be brief."}},
        {"type": "skill_listing", "content": "none of it"},
    ]
    for attachment in attached:
        log.add("attachment", attachment=attachment)
    log.prompt()
    log.reply()
    log.write(bench.home)
    given = _given(bench)
    assert (given.state, given.texts) == ("recorded", 2)
    assert sorted(_texts(bench)) == [TEXT, "Be brief."]


def test_grok_has_a_row_of_them(bench: Workbench) -> None:
    log = GrokLog()
    log.row(
        "user", content=f"## From: /a/AGENTS.md\n{TEXT}", synthetic_reason="project_instructions"
    )
    log.turn()
    log.write(bench.home)
    assert _given(bench).state == "recorded"


def test_they_are_redacted_and_go_with_the_session(bench: Workbench) -> None:
    secret = "ghp_" + "a1B2" * 9
    log = CodexLog(instructions=f"Use the token {secret} for all.")
    log.prompt()
    log.write(bench.home)
    bench.sweep()
    (text,) = _texts(bench)
    assert secret not in text
    assert "for all" in text
    bench.helix("forget", bench.session().id)
    assert _texts(bench) == []


def test_what_a_repair_reads_has_them(bench: Workbench) -> None:
    log = CodexLog(instructions=TEXT)
    log.prompt()
    log.write(bench.home)
    bench.sweep()
    with salvage_database(bench.store / "store.db") as salvaged:
        (patch,) = [patch for batch in fact_batches(salvaged) for patch in batch.patches]
        assert salvaged.is_whole
    (given,) = patch.instructions
    assert (given.source, given.size, given.cut) == ("session_meta", len(TEXT.encode()), None)
    assert given.text


@pytest.mark.parametrize("cut", range(1, 5))
def test_a_log_that_grows_gives_the_same(bench: Workbench, cut: int) -> None:
    log = CodexLog(instructions=None)
    log.turn()
    log.message("user", WRAPPED)
    log.add("turn_context", {"user_instructions": "Be brief."})
    log.prompt()
    path, text = log.write(bench.home), log.text()
    expected = _given(bench)
    assert (expected.state, expected.texts) == ("recorded", 2)
    other = str(bench.store.with_name("grown"))
    path.write_bytes(b"".join(text.splitlines(keepends=True)[:cut]))
    bench.helix("--sweep", "--store", other)
    path.write_bytes(text)
    bench.helix("--sweep", "--store", other)
    (grown,) = bench.helix("sessions", "--json", "--store", other).json["sessions"]
    assert (grown["instructions"]["hash"], grown["instructions"]["texts"]) == (expected.hash, 2)


@pytest.mark.parametrize("before", ["", "mine\n\n--- project-doc ---\n\n"])
def test_where_codex_cut_them(before: str) -> None:
    assert codex_cut(before + "x" * 32_768) == len(before) + 32_768
    assert codex_cut(before + "x" * 32_700) is None
    assert codex_cut("x" * 40_000) is None
    halved = ("é" * 20_000).encode()[:32_767].decode("utf-8", "replace")
    assert codex_cut(halved) is not None


@pytest.mark.parametrize("text", ["", "hello", "<user_instructions> never ends", "# AGENTS.md x"])
def test_other_messages_hold_none(text: str) -> None:
    assert codex_message(text) is None
