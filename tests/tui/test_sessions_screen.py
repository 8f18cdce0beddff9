"""The session list: filter, search, transcript, the command that resumes, pins."""

from __future__ import annotations

import pytest

from helix_tui.schema import SearchHit, SearchResult, Session, Snippet
from helix_tui.tui.sessions.resume import resume_command
from helix_tui.tui.sessions.rows import fit_session_columns
from helix_tui.tui.sessions.session_filter import parse_session_filter
from tests.conftest import Workbench
from tests.tui.made import MadeSource, made_reviewed
from tests.tui.made_sessions import made_session
from tests.tui.real import STEERING, RealSource, edit_log, narrow, opened, transcript_of
from tests.tui.sitting import both_sizes


def source_of(*sessions: Session) -> MadeSource:
    source = MadeSource([made_reviewed(0)])
    source.made_sessions = list(sessions)
    return source


def many(count: int) -> MadeSource:
    return source_of(*(made_session(number) for number in range(count)))


@both_sizes
async def test_a_line_has_agent_repo_outcome_and_cost(size: tuple[int, int]) -> None:
    async with opened(many(30), "f3", size) as found:
        await found.until(lambda: "30 of 30" in found.text)
        lines = found.text.split("\n")
        assert all(len(line) == size[0] for line in lines)
        is_wide = size[0] >= 110
        assert ("outcome" in lines[2]) is is_wide
        first, second = lines[3], lines[4]
        assert ("claude" if is_wide else "cl") in first
        assert ("✓ success" if is_wide else "✓") in first
        assert "repo-0" in first
        assert "$0.00" in first
        assert ("✗ failed" if is_wide else "✗") in second
        assert lines[2].rstrip(" │").endswith("cost")
        assert lines[2].index("cost") + 4 == first.index("$0.00") + 5
        assert "y copies claude --resume 00000000-native" in found.text


@both_sizes
async def test_the_filter_narrows_as_it_is_typed_and_escape_clears_it(
    size: tuple[int, int],
) -> None:
    async with opened(many(30), "f3", size) as found:
        await found.until(lambda: "30 of 30" in found.text)
        await narrow(found, "flavor:codex")
        assert "10 of 30" in found.text
        await found.press("enter")
        assert "/flavor:codex" in found.text
        await narrow(found, " !repo:repo-1", "enter")
        assert "8 of 30" in found.text
        await found.press("escape")
        assert "30 of 30" in found.text
        await narrow(found, "zzz", "enter")
        assert "No session fits. / changes the filter" in found.text
        await found.press("escape", "escape")
        assert found.place == "review"


async def test_without_sessions_it_says_what_to_press() -> None:
    async with opened(many(0), "f3", (80, 24)) as found:
        await found.until(lambda: "No session yet. s takes in" in found.text)
        await found.press("enter", "y", "t", "o", "j", "G", "f3")
        assert found.place == "sessions"


@both_sizes
async def test_a_search_finds_what_was_said_and_enter_opens_it_there(
    bench: Workbench, size: tuple[int, int]
) -> None:
    edit_log().write(bench.home)
    other = edit_log()
    other.session = "22222222-2222-4222-8222-222222222222"
    for record in other.records:
        record["sessionId"] = other.session
        record["uuid"] = f"2{record['uuid'][1:]}"
    other.reply("The marmalade is ready.")
    other.write(bench.home)
    bench.sweep()

    async with opened(RealSource(bench.engine(), [], ""), "f3", size) as found:
        await found.until(lambda: "2 of 2" in found.text)
        await narrow(found, "?marmalade", "enter")
        await found.until(lambda: "1 of 2" in found.text)
        assert "The marmalade is ready." in found.text
        assert "best" in found.text
        await found.press("enter")
        await found.until(lambda: "◆" in found.text)
        assert found.place == "transcript"
        assert "marmalade" in next(line for line in found.text.split("\n") if "◆" in line)
        await found.press("p")
        assert "String to replace not found" in found.text.split(">")[1]
        await found.press("p")
        await found.until(lambda: "Nothing failed above" in found.text)
        await found.press("h")
        assert found.place == "sessions"
        assert "1 of 2" in found.text, "the search is still there"
        await found.press("escape")
        assert "2 of 2" in found.text


async def test_a_search_that_cannot_be_read_says_why(bench: Workbench) -> None:
    edit_log().write(bench.home)
    bench.sweep()

    async with opened(RealSource(bench.engine(), [], ""), "f3", (120, 40)) as found:
        await found.until(lambda: "1 of 1" in found.text)
        await narrow(found, "?-only", "enter")
        await found.until(lambda: "Only what to leave out" in found.text)
        assert "1 of 1" in found.text


async def test_a_transcript_opens_at_its_beginning_and_t_pins_in_both_places(
    bench: Workbench,
) -> None:
    edit_log().write(bench.home)
    bench.sweep()

    async with opened(RealSource(bench.engine(), [], ""), "f3", (120, 40)) as found:
        await found.until(lambda: "1 of 1" in found.text)
        await found.press("t")
        await found.until(lambda: "Pinned" in found.text)
        assert bench.session().is_pinned
        assert ">t" in found.text
        await found.press("l")
        await found.until(lambda: "rename the retry loop" in found.text)
        assert "event 1 of 8" in found.text
        assert transcript_of(found).events.marked is None
        await found.press("n")
        assert "event 5 of 8" in found.text
        await found.press("t")
        await found.until(lambda: not bench.session().is_pinned)


@pytest.mark.parametrize(
    ("changes", "command"),
    [
        ({"flavor": "claude", "native_id": "a-1"}, "claude --resume a-1"),
        ({"flavor": "codex", "native_id": "a-1"}, "codex resume a-1"),
        ({"flavor": "grok", "native_id": "a-1"}, "grok --resume a-1"),
        ({"flavor": "claude", "native_id": "a.x", "parent": "claude:a"}, "claude --resume a"),
        ({"flavor": "claude", "native_id": "a; rm -rf ~"}, ""),
        ({"flavor": "claude", "native_id": "--dangerous"}, ""),
        ({"flavor": "claude", "native_id": "a\nls"}, ""),
        ({"flavor": "another", "native_id": "a"}, ""),
    ],
)
def test_the_command_that_resumes_is_safe_in_a_shell(
    changes: dict[str, object], command: str
) -> None:
    found, reason = resume_command(made_session(0, **changes))
    assert found == command
    assert bool(reason) is not bool(command)


async def test_y_copies_the_command() -> None:
    async with opened(many(3), "f3", (80, 24)) as found:
        await found.until(lambda: "3 of 3" in found.text)
        await found.press("j", "y")
        assert found.app.clipboard == "codex resume 00000001-native"
        await found.until(lambda: "Copied: codex resume" in found.text)


async def test_o_sorts_and_the_cursor_stays_on_its_session() -> None:
    async with opened(many(30), "f3", (120, 40)) as found:
        await found.until(lambda: "latest ▼" in found.text)
        await found.press("j", "o")
        assert "cost ▼" in found.text
        line = next(line for line in found.text.split("\n") if line.startswith("│>"))
        assert "00000001" in line


@both_sizes
async def test_nothing_of_a_log_steers_the_screen(size: tuple[int, int]) -> None:
    text = "[/nope] \x1b[2J \u202e漢字 " + "x" * 10_000
    hostile = made_session(
        0, repo=text, cwd=text, branch=text, model=text, outcome_reason=text, id=f"claude:{text}"
    )
    snippet = Snippet("error", 1, f"{text[:40]} found {text[:40]}", ((41, 46),))
    hit = SearchHit(hostile.id, "claude", None, "unknown", 1, 2, 1.0, 3, (snippet,))

    source = source_of(hostile, made_session(1))
    source.made_result = SearchResult([hit], 1, 4)
    async with opened(source, "f3", size) as found:
        await found.until(lambda: "2 of 2" in found.text)
        assert not STEERING & set(found.text.replace("\n", ""))
        assert "[/nope]" in found.text
        await narrow(found, "?[b]x", "enter")
        await found.until(lambda: "4 not indexed yet" in found.text)
        assert not STEERING & set(found.text.replace("\n", ""))
        await found.press("y", "t", "enter")
        await found.until(lambda: "There is no session" in found.text)
        assert not STEERING & set(found.text.replace("\n", ""))


async def test_many_sessions_open_and_move_as_fast_as_few() -> None:
    async with opened(many(20_000), "f3", (120, 40)) as found:
        await found.until(lambda: "20,000 of 20,000" in found.text)
        await found.press("G")
        assert "00019999" in found.text
        await narrow(found, "00019998")
        await found.until(lambda: "1 of 20,000" in found.text)


def test_a_filter_is_read_word_by_word() -> None:
    wanted = parse_session_filter("Flavor:Codex !repo:api retry ?two words !kept")
    assert wanted.words == (("flavor", "codex", False), ("repo", "api", True), ("", "retry", False))
    assert (wanted.query, wanted.said) == ("two words !kept", "")
    assert parse_session_filter("what? now").query == ""


@pytest.mark.parametrize("width", range(60, 240, 7))
def test_columns_fit_every_width(width: int) -> None:
    columns = fit_session_columns(width)
    counts = 14 if columns.counts else 0
    fixed = (columns.repo, columns.agent, columns.when, columns.model, columns.outcome, 9)
    assert 2 + columns.title + counts + sum(fixed) == max(width, 40)
    assert columns.title >= 23


@both_sizes
async def test_what_a_session_was_asked_stands_below_the_list(
    bench: Workbench, size: tuple[int, int]
) -> None:
    edit_log().write(bench.home)
    bench.sweep()

    source = RealSource(bench.engine(), [], "")
    async with opened(source, "f3", size) as found:
        await found.until(lambda: "asked  rename the retry loop" in found.text)
        assert "Session claude:11111111 · rename the retry loop" in found.text
