"""The memory screen: what is remembered of all sessions and of one; retries, edits."""

from __future__ import annotations

import json
import shlex
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from helix_tui.memory.distill import distill
from helix_tui.schema.memory import Failure, MemoryOverview, NotesFile, SpoolLine
from helix_tui.tui.jobs import Connection
from helix_tui.tui.memory.rows import by_title, page_lines, rows_of
from helix_tui.tui.transcript.screen import TranscriptScreen
from tests.conftest import Workbench
from tests.memory.sessions import Flushing
from tests.tui.at_work import LendingApp
from tests.tui.real import STEERING
from tests.tui.sitting import Sitting, both_sizes

HOSTILE = "\x1b[31m[red]\u202eevil[/red]\x9b2J {app.quit}"


@pytest.fixture
def flushing(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> Flushing:
    """A session that could be flushed."""
    monkeypatch.setattr(distill, "FIRST_WAIT_SECONDS", 0.01)
    made = Flushing(bench)
    made.work("alpha")
    return made


@asynccontextmanager
async def opened(
    bench: Workbench, size: tuple[int, int] = (120, 40), *keys: str
) -> AsyncIterator[Sitting]:
    """The workstation on a real store, after some keys."""
    app = LendingApp(lambda: Connection(bench.engine(), ["true"]))
    async with app.run_test(size=size, notifications=True) as pilot:
        found = Sitting(app, None, pilot)
        await found.until(lambda: found.review.candidates.is_loaded)
        await found.press(*(keys or ("f6",)))
        yield found


def _unwrapped(screen: str) -> str:
    """What a screen says, wherever its lines are broken."""
    return " ".join(screen.replace("│", " ").split())


async def sees(found: Sitting, *texts: str) -> None:
    def is_seen() -> bool:
        screen = f"{found.text} {_unwrapped(found.text)}"
        return all(text in screen for text in texts)

    await found.until(is_seen)


def session_of(flushing: Flushing) -> str:
    (name,) = flushing.bench.sessions()
    return name


@both_sizes
async def test_days_and_articles_are_listed_over_their_pages(
    size: tuple[int, int], flushing: Flushing
) -> None:
    flushing.flush()
    flushing.memory.compile(is_now=True)

    async with opened(flushing.bench, size) as found:
        await sees(found, "Memory  2 of 2", "daily", "2026-02-02", "1 entry", "knowledge")
        await sees(found, "Page  daily · 2026-02-02", "the import of")
        assert "<!-- helix" not in found.text
        assert "02:40 · claude" in found.text
        await found.press("j")
        await sees(found, "Page  knowledge", "Seen in sessions", "[2026-02-02 02:40")
        assert "../daily" not in found.text
        await found.press("enter")
        await found.until(lambda: "Memory  2 of 2" not in found.text)
        await found.press("escape", "y")
        assert found.app.clipboard.endswith(".md")
        assert Path(found.app.clipboard).is_file()
        await found.press("slash", *"daily", "enter")
        await sees(found, "1 of 2", "/daily")
        await found.press("escape")
        await sees(found, "2 of 2")
        await found.press("o")
        await sees(found, "knowledge ▼")
        await found.press("escape")
        assert found.place == "review"
        assert found.app.jobs.failures == []


@both_sizes
async def test_without_anything_it_says_what_to_run(
    size: tuple[int, int], flushing: Flushing
) -> None:
    async with opened(flushing.bench, size) as found:
        await sees(found, "Nothing is remembered yet.", "helix hooks install claude")
        await sees(found, "To flush one now: f3, choose it, m, then r.")
        await found.press("enter", "y", "r", "o", "z", "ctrl+e", "j", "G", "tab", "c")
        await sees(found, "Nothing changed since the daily logs were last compiled.")
        assert found.place == "memory"
        assert found.app.jobs.failures == []


@both_sizes
async def test_a_failure_tells_why_and_when_and_is_tried_again_by_a_key(
    size: tuple[int, int], flushing: Flushing
) -> None:
    flushing.distiller("print('I cannot do that', file=sys.stderr); sys.exit(3)")
    flushing.flush()
    name = session_of(flushing)

    async with opened(flushing.bench, size) as found:
        await sees(found, "✗ 1 failed", "! failure", "1 try")
        await sees(found, "code 3: I cannot do that", "nothing is lost")
        await sees(found, "A sweep tries it again from", "r flushes it now")
        assert "r retry" in found.text
        await found.press("r")
        await sees(found, "2 tries")
        assert "I cannot do that" in found.app.jobs.failures[-1].reason
        await found.press("r")
        await sees(found, "3 tries", "✗ failure", "it waits for you")
        flushing.distiller("print(json.dumps(ANSWER))")
        await found.press("r")
        await sees(found, "daily", "1 entry")
        await found.until(lambda: "failure" not in found.text)
        assert "rg is not installed here" in flushing.daily()
        assert flushing.memory.of_session(name).failure is None


async def test_a_slow_program_holds_up_no_key_and_is_ended_with_the_workstation(
    flushing: Flushing,
) -> None:
    started, name = flushing.bench.home / "started", session_of(flushing)
    flushing.distiller(
        f"pathlib.Path({str(started)!r}).write_text(str(os.getpid()))\ntime.sleep(60)"
    )
    begun = time.monotonic()
    async with opened(flushing.bench, (80, 24), "f3") as found:
        await found.until(lambda: "1 of 1" in found.text)
        await found.press("m")
        await sees(found, "Nothing of this session was flushed yet")
        await found.press("r")
        await found.until(started.exists)
        await sees(found, "flushing…")
        await found.press("r")
        await sees(found, "It is being flushed already.")
        await found.press("f6")
        await sees(found, "Nothing is remembered yet.")
        await found.press("escape")
        assert found.place == "sessions"
    assert time.monotonic() - begun < 30
    _wait_until(lambda: not _is_running(int(started.read_text())))
    assert flushing.daily() == ""
    _wait_until(lambda: [one.session for one in flushing.memory.overview().waiting] == [name])


def _is_running(pid: int) -> bool:
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False


def _wait_until(is_so: Callable[[], bool]) -> None:
    """The job ends a moment after the screen is gone."""
    for _ in range(100):
        if is_so():
            return
        time.sleep(0.05)
    raise AssertionError("it never came to that")


@both_sizes
async def test_a_transcript_tells_what_is_remembered_and_a_key_shows_it(
    size: tuple[int, int], flushing: Flushing
) -> None:
    flushing.flush()
    flushing.log.second += 100_000  # another day has an entry of its own
    flushing.work("beta")
    flushing.clock.advance(hours=1)
    flushing.flush()
    name = session_of(flushing)
    list(flushing.bench.engine().notes().update([name], is_forced=True))

    async with opened(flushing.bench, size, "f3") as found:
        await found.until(lambda: "1 of 1" in found.text)
        await found.press("enter")
        await sees(found, "memory (m): flushed 2 times, last 2026-03-02", "notes of")
        await found.press("m")
        await sees(found, "Memory of “Make the import of alpha", "3 of 3", "notes", "flush")
        await sees(found, "Page  notes", "Current state")
        await found.press("j")
        await sees(found, "Page  flush · 2026-03-02", "What was done")
        await found.press("enter")
        await found.until(lambda: "Memory of" not in found.text)
        await sees(found, "import of beta")
        await found.press("z", "g", "enter")
        assert found.place == "transcript"
        await found.press("m")
        await sees(found, "Memory of")
        await found.press("f6")
        await sees(found, "Memory  3 of 3", "daily", "notes")
        await found.press("slash", *"notes", "enter", "enter")
        await found.until(lambda: isinstance(found.app.screen, TranscriptScreen))


@both_sizes
async def test_r_flushes_a_session_that_was_not_yet(
    size: tuple[int, int], flushing: Flushing
) -> None:
    async with opened(flushing.bench, size, "f3") as found:
        await found.until(lambda: "1 of 1" in found.text)
        await found.press("m")
        await sees(found, "`helix hooks install claude`", "r flushes what is in it now.")
        await found.press("r")
        await sees(found, "1 of 1", "by extracti", "the import of")
        assert flushing.entries() == 1
        await found.press("r")
        await sees(found, "Nothing new in")
        assert flushing.entries() == 1
        await found.press("f6", "c")
        await sees(found, "knowledge")


def _editor(bench: Workbench, monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    program = bench.home / "editor.py"
    program.write_text(f"import pathlib, sys\npage = pathlib.Path(sys.argv[1])\n{body}\n")
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", shlex.join([sys.executable, str(program)]))


async def test_a_daily_log_is_edited_and_what_came_meanwhile_stays(
    flushing: Flushing, monkeypatch: pytest.MonkeyPatch
) -> None:
    flushing.flush()
    log = flushing.bench.store / "memory/daily/2026-02-02.md"
    late = f"open({str(log)!r}, 'a').write('\\n## came later\\n')"
    mine = "page.write_text(page.read_text().replace('had no alpha', 'is MINE now'))"
    _editor(flushing.bench, monkeypatch, f"{mine}\n{late}")

    async with opened(flushing.bench) as found:
        await sees(found, "had no alpha")
        await found.press("ctrl+e")
        await sees(found, "Saved 2026-02-02.md.", "is MINE now")
        assert log.read_text().endswith("## came later\n")
        assert "is MINE now" in log.read_text()
        assert log.stat().st_mode & 0o777 == 0o600


async def test_an_edit_of_a_page_that_changed_otherwise_is_put_beside_it(
    flushing: Flushing, monkeypatch: pytest.MonkeyPatch
) -> None:
    flushing.flush()
    log = flushing.bench.store / "memory/daily/2026-02-02.md"
    other = f"pathlib.Path({str(log)!r}).write_text('another hand')"
    _editor(flushing.bench, monkeypatch, f"page.write_text('mine')\n{other}")

    async with opened(flushing.bench) as found:
        await sees(found, "had no alpha")
        await found.press("ctrl+e")
        await sees(found, "The page changed meanwhile", "another hand")
        (beside,) = log.parent.glob("*.yours-*")
        assert beside.read_text() == "mine"


async def test_what_cannot_be_saved_is_opened_again(
    flushing: Flushing, monkeypatch: pytest.MonkeyPatch
) -> None:
    flushing.flush()
    log = flushing.bench.store / "memory/daily/2026-02-02.md"
    away = log.parent.with_name("away")
    seen = flushing.bench.home / "seen"
    body = (
        f"pathlib.Path({str(seen)!r}).write_text(page.read_text())\n"
        "page.write_text('mine')\n"
        f"daily = pathlib.Path({str(log.parent)!r})\n"
        f"if not pathlib.Path({str(away)!r}).exists():\n"
        f"    daily.rename({str(away)!r}); daily.write_text('no folder')\n"
    )
    _editor(flushing.bench, monkeypatch, body)

    async with opened(flushing.bench) as found:
        await sees(found, "had no alpha")
        await found.press("ctrl+e")
        await found.until(lambda: found.app.jobs.failures)
        log.parent.unlink()
        away.rename(log.parent)
        away.mkdir()
        _editor(flushing.bench, monkeypatch, body.replace("'mine'", "page.read_text() + '!'"))
        await found.press("ctrl+e")
        await sees(found, "Saved 2026-02-02.md.")
        assert seen.read_text() == "mine"
        assert log.read_text() == "mine!"


@both_sizes
async def test_hostile_words_are_shown_as_signs(size: tuple[int, int], flushing: Flushing) -> None:
    session_of(flushing)
    flushing.flush()
    memory = flushing.bench.store / "memory"
    (memory / "daily/2026-03-03.md").write_text(f"# 2026-03-03\n\n{HOSTILE}\n" + "z" * 9_000)
    (memory / "knowledge").mkdir(exist_ok=True)
    (memory / "knowledge/bad.md").write_bytes(f"# {HOSTILE}\n".encode() + b"\xff\xfe\n")
    line = {
        "flavor": "claude",
        "session": HOSTILE,
        "path": HOSTILE,
        "event": HOSTILE,
        "at": 1 << 60,
    }
    (flushing.bench.store / "spool.jsonl").write_text(json.dumps(line) + "\n")
    flushing.work("beta")
    flushing.distiller(f"print({HOSTILE!r}, file=sys.stderr); sys.exit(1)", repeat_window_seconds=0)
    flushing.flush()

    async with opened(flushing.bench, size) as found:
        await sees(found, "5 of 5", "✗ 1 failed", "␛[31m[red]�evil[/red]")
        for _ in range(5):
            assert not STEERING - {"\n"} & set(found.text)
            await found.press("j")
            await found.pilot.pause(0.1)
        await sees(found, "Page  failure · ", "could not be flushed", "[red]�evil")
        await found.press("enter")
        await sees(found, "not flushed")
        assert not STEERING - {"\n"} & set(found.text)
        assert found.place == "transcript"
        assert found.app.jobs.failures == []


@both_sizes
async def test_what_cannot_be_read_hides_nothing_else(
    size: tuple[int, int], flushing: Flushing
) -> None:
    flushing.flush()
    flushing.memory.compile(is_now=True)
    memory = flushing.bench.store / "memory"
    (memory / "daily/2026-03-01.md").mkdir()
    (memory / "notes").write_text("no folder")
    (memory / "flushes/claude-x.jsonl").mkdir()

    async with opened(flushing.bench, size) as found:
        await sees(found, "Memory  5 of 5", "✗ 3 failed", "knowledge", "2026-02-02")
        await found.press("G")
        await sees(found, "Not all could be read")
        (memory / "daily/2026-02-02.md").unlink()
        await found.press("g", "j", "k")
        await sees(found, "✗", "cannot be read", "Page  daily")
        await found.press("ctrl+e")
        await sees(found, "Its page is not read.")


async def test_a_memory_that_is_no_folder_is_told(flushing: Flushing) -> None:
    (flushing.bench.store / "memory").write_text("no folder")

    async with opened(flushing.bench) as found:
        await sees(found, "✗ failure", "cannot be read")
        await found.press("enter", "escape", "escape")
        assert found.place == "review"


def test_rows_of_notes_without_a_session_and_of_what_is_capped() -> None:
    lost = NotesFile("", "/s/notes/\x1bx.md", "", None, 0, 3, [])
    kept = NotesFile("claude:a", "/s/notes/a.md", "A task", 1, 12_000, 3, ["Task"])
    capped = Failure("claude:b", "the day's cap of 10 tokens is reached", 0, 1, 2, False)
    line = SpoolLine("grok", "c", "/log", "Stop", 1)
    found = MemoryOverview([], [], [capped], [line], 0, 0, notes=[lost, kept])
    rows = rows_of(found)
    assert [row.group for row in rows] == ["notes", "notes", "spool", "failure"]
    assert "of no known session" in rows[0].figures
    assert "\x1b" not in rows[0].title
    assert "yours: Task" in rows[1].figures
    assert rows[3].figures.startswith("the day's cap of 10 tokens is reached · 0 tries")


def test_a_page_hides_what_is_for_helix_only() -> None:
    text = "## 12:00 · x <!-- helix 00aa -->\n- so ([2026-02-02 12:00 a](../daily/2026-02-02.md))\n"
    said = ["".join(part for part, _ in line).strip() for line in page_lines(text, 80)]
    assert said[:2] == ["12:00 · x", "- so ([2026-02-02 12:00 a])"]


def test_sessions_that_wait_or_failed_go_by_their_titles() -> None:
    failed = Failure("claude:b0123456-7890", "no answer", 0, 1, 2, False)
    rows = rows_of(MemoryOverview([], [], [failed], [], 0, 0))
    assert [row.title for row in rows] == ["claude:b0123456-7890"]
    (row,) = by_title(rows, {"claude:b0123456-7890": "Mend the retry loop"})
    assert row.title == "Mend the retry loop"
    assert row.figures.startswith("no answer · 0 tries")
    assert row.figures.endswith("· claude:b0123456")
    assert by_title(rows, {}) == rows
