"""Sessions are found by what was asked, said, run and failed in them, whatever became of them."""

from __future__ import annotations

import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from helix_tui.errors import OutOfSpaceError
from helix_tui.events import SweepFinished
from helix_tui.schema import SearchHit, SessionFilter
from helix_tui.store.digests import search_index as index
from helix_tui.store.layout import StoreLayout
from tests.claude_log import ClaudeLog
from tests.conftest import Workbench
from tests.engine.retained import name_of, set_caps, write_log


def the_hit(bench: Workbench, query: str) -> SearchHit:
    (hit,) = bench.engine().search(query, SessionFilter(), 5).hits
    return hit


def pending(bench: Workbench) -> int:
    return bench.engine().search("anything", SessionFilter(), 1).pending


def is_sound(bench: Workbench) -> bool:
    return all(check.is_ok for check in bench.engine().doctor())


def change(bench: Workbench, statement: str) -> None:
    with closing(sqlite3.connect(bench.store / "store.db")) as database:
        database.execute(statement)
        database.commit()


def words_of_index(store: Path) -> list[str]:
    """Every word that the index has, dropped ones that still lie there too."""
    with closing(sqlite3.connect(store / "store.db")) as database:
        database.execute("CREATE VIRTUAL TABLE temp.words USING fts5vocab(main, search_index, row)")
        return [word for (word,) in database.execute("SELECT term FROM temp.words")]


@pytest.fixture
def talked(bench: Workbench) -> Workbench:
    """A session in which every kind of event holds a word of its own."""
    log = ClaudeLog(cwd="/work/web")
    log.prompt("apricot: please fix the build in src/app.py")
    log.assistant({"type": "thinking", "thinking": "banana", "signature": "x"})
    log.reply(f"cherry {'and so on ' * 100} damson")
    log.step("elderberry --no-verify", "fig")
    log.step("make", "Exit code 2\nGrapeError: no rule", is_error=True)
    call = log.call("Edit", given={"file_path": "/work/web/hazel.py", "old_string": "iris"})
    log.result(call["message"]["content"][0]["id"], "String not found: juniper", is_error=True)
    log.prompt(f"{'long ' * 700} kiwi {'long ' * 700} lemon")
    log.write(bench.home)
    bench.sweep()
    return bench


class TestWhatIsFound:
    """Prompts, beginnings of replies, commands and errors; no thinking, no output, no input."""

    @pytest.mark.parametrize(
        ("word", "kind"),
        [
            ("apricot", "prompt"),
            ("src/app.py", "prompt"),
            ("kiwi", "prompt"),
            ("cherry", "reply"),
            ("elderberry", "command"),
            ("--no-verify", "command"),
            ("GrapeError", "error"),
            ("hazel.py", "error"),
            ("juniper", "error"),
        ],
    )
    def test_by_kind(self, talked: Workbench, word: str, kind: str) -> None:
        hit = the_hit(talked, word)
        assert (hit.snippets[0].kind, hit.matches) == (kind, 1)
        assert hit.snippets[0].ts is not None

    @pytest.mark.parametrize("word", ["banana", "damson", "fig", "iris", "lemon"])
    def test_not_by_what_is_beyond_the_bounds(self, talked: Workbench, word: str) -> None:
        assert talked.found(word) == []

    def test_a_dash_is_text_where_the_words_stand_in_a_row(self, bench: Workbench) -> None:
        log = ClaudeLog(session="one")
        log.prompt("see whether claude -p can search")
        log.write(bench.home)
        bench.sweep()
        assert bench.found("claude -p can search") == ["claude:one"]
        assert bench.found("claude -nothing") == ["claude:one"]
        assert bench.found("search -claude") == []

    def test_all_words_must_be_there_and_no_excluded_one(self, talked: Workbench) -> None:
        assert len(talked.found("apricot GrapeError")) == 1  # in different places
        assert talked.found("apricot nowhere") == []
        assert talked.found("apricot -GrapeError") == []
        assert len(talked.found("apricot -nowhere")) == 1
        assert len(talked.found('"fix the build"')) == 1
        assert talked.found('"build the fix"') == []
        assert len(talked.found("elder*")) == 1

    def test_long_command_is_found_by_its_end(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.prompt()
        log.step(f"run {'--flag ' * 40} --last-one", "ok")
        log.write(bench.home)
        bench.sweep()
        assert len(bench.found("--last-one")) == 1

    def test_filters(self, talked: Workbench) -> None:
        log = ClaudeLog(session="other", start=10_000_000)
        log.prompt("apricot again")
        log.write(talked.home)
        talked.sweep()
        assert len(talked.found("apricot")) == 2
        assert talked.found("apricot", repo="app") == ["claude:other"]
        assert talked.found("apricot", since_ts=1_775_000_000_000) == ["claude:other"]
        assert talked.found("apricot", flavor="codex") == []
        (outcome,) = {hit.outcome for hit in (the_hit(talked, "cherry"),)}
        assert len(talked.found("cherry", outcome=outcome)) == 1

    def test_prompts_weigh_more_than_replies(self, bench: Workbench) -> None:
        for name, asked, said in (("a", "walnut", "chestnut"), ("b", "chestnut", "walnut")):
            log = ClaudeLog(session=name)
            log.prompt(f"about the {asked}")
            log.reply(f"about the {said}")
            log.write(bench.home)
        bench.sweep()
        assert bench.found("walnut") == ["claude:a", "claude:b"]
        assert bench.found("chestnut") == ["claude:b", "claude:a"]

    def test_limit_shows_some_and_counts_all(self, bench: Workbench) -> None:
        for number in range(5):
            write_log(bench, number, steps=1)
        bench.sweep()
        result = bench.engine().search("task", SessionFilter(), 2)
        assert (len(result.hits), result.total) == (2, 5)

    def test_what_is_no_session_is_not_found(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.add("system", subtype="informational", content="apricot", level="info")
        log.write(bench.home)
        bench.sweep()
        assert bench.found("apricot") == []


class TestWhatBecomesOfSessions:
    """Texts follow the events that a session has: each once, whatever file it came from."""

    def test_growth_adds_and_keeps(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.prompt("apricot")
        log.write(bench.home)
        bench.sweep()
        for word in ("banana", "cherry"):
            log.prompt(word)
            log.write(bench.home)
            assert bench.sweep().search_pending == 1
        assert the_hit(bench, "apricot banana cherry").matches == 3
        assert is_sound(bench)

    def test_copy_and_resumed_file_count_once(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.prompt("apricot")
        log.write(bench.home)
        bench.sweep()
        log.prompt("banana")
        log.write(bench.home, project="-work-other", name="copy")
        bench.sweep()
        assert the_hit(bench, "apricot banana").matches == 2
        assert the_hit(bench, "apricot").matches == 1
        assert is_sound(bench)

    def test_rewritten_file_keeps_what_it_no_longer_has(self, bench: Workbench) -> None:
        log = ClaudeLog()
        log.prompt("apricot")
        log.write(bench.home)
        bench.sweep()
        log.records.clear()
        log.prompt("banana", uuid="new")
        log.write(bench.home)
        bench.sweep()
        assert the_hit(bench, "apricot banana").matches == 2
        assert is_sound(bench)

    def test_eviction_leaves_search_as_it_was(self, bench: Workbench) -> None:
        for number in range(3):
            write_log(bench, number)
        bench.sweep()
        before = bench.engine().search("task", SessionFilter(), 9)
        set_caps(bench, 0)
        bench.sweep()
        assert {session.raw for session in bench.sessions().values()} == {"evicted"}
        assert bench.engine().search("task", SessionFilter(), 9) == before
        assert is_sound(bench)

    def test_evicted_session_that_grows_is_found_by_both(self, bench: Workbench) -> None:
        log = write_log(bench, 1)
        bench.sweep()
        set_caps(bench, 0)
        bench.sweep()
        log.prompt("banana")
        log.write(bench.home)
        bench.sweep()
        assert the_hit(bench, '"task 1" banana').matches == 2

    def test_texts_of_evicted_events_stay_when_the_log_is_gone(self, bench: Workbench) -> None:
        log = write_log(bench, 1)
        path = log.write(bench.home)
        bench.sweep()
        set_caps(bench, 0)
        bench.sweep()
        log.records[0]["uuid"] = "rewritten"
        log.prompt("banana")
        path.write_bytes(b"".join(log.lines()[:1] + log.lines()[-1:]))
        bench.sweep()
        assert the_hit(bench, '"task 1" "run 1 5" banana').matches >= 3

    def test_forgetting_leaves_no_word(self, bench: Workbench) -> None:
        for number in range(3):
            write_log(bench, number)
        log = ClaudeLog()
        log.prompt("apricot")
        log.write(bench.home)
        bench.sweep()
        assert "apricot" in words_of_index(bench.store)
        bench.helix("forget", log.session)
        assert bench.found("apricot") == []
        assert "apricot" not in words_of_index(bench.store)
        assert b"apricot" not in (bench.store / "store.db").read_bytes()
        assert len(bench.found("task")) == 3
        assert is_sound(bench)

    def test_forgetting_what_is_not_indexed_yet(self, bench: Workbench) -> None:
        write_log(bench, 0)
        stop_at_report(bench)
        bench.engine().forget(name_of(0))
        assert pending(bench) == 0
        assert is_sound(bench)

    def test_forgetting_a_session_whose_texts_are_damaged(self, bench: Workbench) -> None:
        for number in range(3):
            write_log(bench, number)
        bench.sweep()
        change(bench, "UPDATE search_text SET data = x'00' WHERE key >> 20 = 1")
        with closing(sqlite3.connect(bench.store / "store.db")) as database:
            (first,) = database.execute("SELECT id FROM session WHERE key = 1").fetchone()
        bench.engine().forget(first)
        bench.sweep()
        assert len(bench.found("task")) == 2
        assert is_sound(bench)


def stop_at_report(bench: Workbench) -> None:
    """A sweep that is cut off between its report and the indexing."""
    events = bench.engine().sweep()
    for event in events:
        if isinstance(event, SweepFinished):
            events.close()  # type: ignore[attr-defined]
            return


KILLED_AT_REPORT = """
import os, signal, sys
from pathlib import Path
from helix_tui.config import load
from helix_tui.engine import Engine
from helix_tui.events import SweepFinished
home, store = sys.argv[1:]
for event in Engine(load(None, Path(store), {"HOME": home})).sweep():
    if isinstance(event, SweepFinished):
        os.kill(os.getpid(), signal.SIGKILL)
"""


class TestIndexing:
    """Texts are indexed behind the report; whatever is cut off goes on with the next sweep."""

    def test_report_says_how_many_wait(self, bench: Workbench) -> None:
        write_log(bench, 0)
        assert bench.sweep(is_dry_run=True).search_pending == 1
        assert not bench.store.exists()
        assert bench.sweep().search_pending == 1
        assert bench.sweep().search_pending == 0

    def test_killed_between_report_and_index(self, bench: Workbench) -> None:
        write_log(bench, 0)
        killed = subprocess.run(
            [sys.executable, "-c", KILLED_AT_REPORT, str(bench.home), str(bench.store)],
            check=False,
        )
        assert killed.returncode == -signal.SIGKILL
        assert (bench.found("task"), pending(bench)) == ([], 1)
        assert is_sound(bench)
        report = bench.sweep()
        assert (report.bytes_read, report.search_pending) == (0, 1)
        assert (len(bench.found("task")), pending(bench)) == (1, 0)

    def test_evicted_before_it_was_indexed(self, bench: Workbench) -> None:
        write_log(bench, 0)
        set_caps(bench, 0)
        stop_at_report(bench)
        shutil.rmtree(bench.home / ".claude" / "projects" / "-work-app")
        bench.sweep()
        assert len(bench.found("task")) == 1

    def test_stopped_in_between_keeps_what_is_done(self, bench: Workbench) -> None:
        for number in range(5):
            write_log(bench, number, steps=1)
        is_reported = False
        asked = count()

        def cancelled() -> bool:
            return is_reported and next(asked) > 2

        for event in bench.engine().sweep(cancelled=cancelled):
            is_reported = isinstance(event, SweepFinished)
        assert 0 < pending(bench) < 5
        assert len(bench.found("task")) == 5 - pending(bench)
        assert is_sound(bench)
        bench.sweep()
        assert len(bench.found("task")) == 5

    def test_full_disk_stops_indexing_and_loses_nothing(
        self, bench: Workbench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(layout: StoreLayout, size: int) -> None:
            raise OutOfSpaceError("full")

        write_log(bench, 0)
        with monkeypatch.context() as patched:
            patched.setattr(index, "require_room", refuse)
            with pytest.raises(OutOfSpaceError):
                bench.sweep()
        assert pending(bench) == 1
        bench.sweep()
        assert len(bench.found("task")) == 1

    def test_many_texts_take_several_transactions(
        self, bench: Workbench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(index, "_INDEXED_AT_ONCE", 100)
        monkeypatch.setattr(index, "_ROWS_AT_ONCE", 2)
        for number in range(7):
            write_log(bench, number, steps=2)
        bench.sweep()
        assert len(bench.found("task")) == 7
        assert is_sound(bench)


class TestRepair:
    """Doctor sees an index that is not what the texts are; repair makes it so again."""

    @pytest.mark.parametrize(
        "damage",
        [
            "DELETE FROM search_index_docsize WHERE id >> 20 = 1",
            "DELETE FROM search_text WHERE key >> 20 = 1",
            "INSERT INTO search_pending SELECT key FROM search_text WHERE key >> 20 = 1",
            "UPDATE search_index_data SET block = x'00' WHERE id > 10",
            "DELETE FROM search_index_data WHERE id > 10",
            "INSERT INTO search_pending VALUES (99 << 20)",
        ],
    )
    def test_index_alone_is_made_anew(self, bench: Workbench, damage: str) -> None:
        for number in range(9):
            write_log(bench, number)
        bench.sweep()
        packs = sorted(bench.store.rglob("*.pack"))
        change(bench, damage)
        wrong = [check.name for check in bench.engine().doctor() if not check.is_ok]
        assert wrong == ["search"]
        repaired = bench.helix("doctor", "--repair", "--json").json["repair"]
        assert (repaired["index_rebuilt"], repaired["damaged_files"]) == (True, None)
        assert sorted(bench.store.rglob("*.pack")) == packs
        assert len(bench.found("task")) == (
            8 if damage.startswith("DELETE FROM search_text") else 9
        )
        assert is_sound(bench)

    def test_damaged_texts_are_made_again_from_the_logs(self, bench: Workbench) -> None:
        for number in range(2):
            write_log(bench, number)
        bench.sweep()
        change(bench, "UPDATE search_text SET data = x'0011' WHERE key >> 20 = 1")
        wrong = [check.name for check in bench.engine().doctor() if not check.is_ok]
        assert wrong == ["texts"]
        bench.engine().repair()
        assert len(bench.found("task")) == 2
        assert is_sound(bench)

    def test_texts_of_evicted_sessions_outlive_a_repair(self, bench: Workbench) -> None:
        for number in range(4):
            write_log(bench, number)
        bench.sweep()
        set_caps(bench, 0)
        bench.sweep()
        shutil.rmtree(bench.home / ".claude" / "projects" / "-work-app")
        before = bench.engine().search("task", SessionFilter(), 9)
        change(bench, "UPDATE fold SET data = x'00' WHERE session = 1")
        bench.engine().repair()
        after = bench.engine().search("task", SessionFilter(), 9)
        assert {hit.session for hit in after.hits} == {hit.session for hit in before.hits}
        assert after.total == 4
        assert bench.found('"run 2 7"') == [f"claude:{name_of(2)}"]
