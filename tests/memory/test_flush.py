"""Each piece of a session is in the daily log once, whatever happens between two flushes."""

from __future__ import annotations

import shutil
import stat
import threading
from datetime import datetime
from pathlib import Path

import pytest

from helix_tui.memory.flush.daily import add_entry
from helix_tui.memory.flush.flush_log import Done, FlushLog, flush_log
from helix_tui.memory.places import MemoryPlaces
from tests.claude_log import START
from tests.conftest import Workbench
from tests.memory.sessions import Flushing


@pytest.fixture
def flushing(bench: Workbench) -> Flushing:
    return Flushing(bench)


class TestWatermark:
    """Only what is new since the last flush is distilled."""

    def test_the_second_flush_has_only_what_came_since(self, flushing: Flushing) -> None:
        flushing.work("alpha")
        first = flushing.flush()
        assert first.action == "written"
        assert first.daily == str(flushing.bench.store / "memory/daily/2026-02-02.md")
        flushing.clock.advance(minutes=5)
        flushing.work("beta")
        assert flushing.flush().action == "written"
        # The entry of the day was written anew, with both.
        assert flushing.entries() == 1
        assert flushing.daily().count("fix: the import of alpha") == 1
        assert flushing.daily().count("fix: the import of beta") == 1

    def test_a_program_is_asked_only_for_what_came_since(self, flushing: Flushing) -> None:
        body = "print(json.dumps({**ANSWER, 'lessons': [str(text.count('alpha'))]}))"
        flushing.distiller(body)
        flushing.work("alpha")
        flushing.flush()
        flushing.clock.advance(minutes=5)
        flushing.work("beta")
        flushing.flush()
        _, before, after = flushing.daily().split("\n## ")
        assert "- `0`" not in before
        assert "- `0`" in after

    def test_nothing_new_writes_nothing(self, flushing: Flushing) -> None:
        flushing.work("alpha")
        flushing.flush()
        written = flushing.daily()
        flushing.clock.advance(minutes=5)
        assert flushing.flush().action == "nothing_new"
        assert flushing.daily() == written

    def test_a_store_that_was_built_again_flushes_nothing_twice(self, flushing: Flushing) -> None:
        flushing.work("alpha", "beta")
        flushing.flush()
        (flushing.bench.store / "store.db").unlink()
        shutil.rmtree(flushing.bench.store / "packs")
        flushing.bench.sweep()
        flushing.clock.advance(minutes=5)
        assert flushing.flush().action == "nothing_new"

    def test_a_clock_that_jumps_back_loses_and_repeats_nothing(self, flushing: Flushing) -> None:
        flushing.work("alpha")
        flushing.flush()
        flushing.clock.advance(days=-3)
        flushing.log.second -= 100_000
        flushing.work("beta")
        assert flushing.flush().action == "written"
        flushing.clock.advance(days=9)
        assert flushing.flush().action == "nothing_new"
        assert flushing.entries() == 2
        assert flushing.daily().count("fix: the import of alpha") == 1
        assert flushing.daily().count("fix: the import of beta") == 1

    def test_what_was_evicted_and_is_gone_is_not_waited_for(self, flushing: Flushing) -> None:
        flushing.work("alpha")
        bench = flushing.bench
        bench.config = bench.home / "config.toml"
        bench.config.write_text("[retention]\nraw_hard_cap_bytes = 0\nraw_soft_cap_bytes = 0\n")
        bench.engine().retain(is_dry_run=False)
        for log in (bench.home / ".claude").rglob("*.jsonl"):
            log.unlink()
        assert bench.session().raw == "evicted"
        assert flushing.flush().action in ("written", "noop")
        flushing.clock.advance(minutes=5)
        assert flushing.flush().action == "nothing_new"


class TestOneEntryADay:
    """A session has one entry on a day; what came later is told with what came before."""

    def _twice(self, flushing: Flushing) -> None:
        flushing.work("alpha")
        flushing.flush()
        flushing.clock.advance(minutes=5)
        flushing.work("beta")

    def test_another_day_has_an_entry_of_its_own(self, flushing: Flushing) -> None:
        flushing.work("alpha")
        flushing.flush()
        flushing.clock.advance(days=2)
        flushing.log.second += 100_000
        flushing.work("beta")
        flushing.flush()
        _, before, after = flushing.daily().split("\n## ")
        assert "beta" not in before
        assert "alpha" not in after

    def test_what_a_person_changed_stays_beside_the_new_one(self, flushing: Flushing) -> None:
        self._twice(flushing)
        path = flushing.bench.store / "memory/daily/2026-02-02.md"
        path.write_text(
            path.read_text().replace("- How it stands", "Look at this again.\n\n- How it stands")
        )
        flushing.flush()
        _, before, after = flushing.daily().split("\n## ")
        assert "Look at this again." in before
        assert "alpha" not in after

    def test_cut_off_between_log_and_ledger_it_is_there_once(
        self, flushing: Flushing, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self._twice(flushing)
        with monkeypatch.context() as patched:
            patched.setattr("helix_tui.memory.flush.flush.add_entry", _killed)
            with pytest.raises(KeyboardInterrupt):
                flushing.flush()
        assert "beta" not in flushing.daily()
        flushing.clock.advance(minutes=5)
        assert flushing.flush().action == "nothing_new"
        assert flushing.entries() == 1
        assert "alpha" in flushing.daily()
        assert "beta" in flushing.daily()

    def test_its_lines_are_cited_once_and_forgotten_with_it(self, flushing: Flushing) -> None:
        self._twice(flushing)
        flushing.memory.compile(is_now=True)
        flushing.flush()
        flushing.memory.compile(is_now=True)
        (article,) = (
            path
            for path in (flushing.bench.store / "memory/knowledge").glob("*.md")
            if path.name != "index.md"
        )
        seen = [row for row in article.read_text().splitlines() if "rg: command" in row]
        assert [row.count("../daily/") for row in seen if not row.startswith("- In ")] == [1]
        flushing.memory.forget([flushing.bench.session().id])
        assert flushing.entries() == 0
        assert "rg: command" not in article.read_text()

    def test_what_a_person_took_out_of_an_article_stays_out(self, flushing: Flushing) -> None:
        self._twice(flushing)
        flushing.memory.compile(is_now=True)
        (article,) = (
            path
            for path in (flushing.bench.store / "memory/knowledge").glob("*.md")
            if path.name != "index.md"
        )
        rows = article.read_text().splitlines(keepends=True)
        article.write_text("".join(row for row in rows if "rg: command" not in row))
        flushing.flush()
        flushing.memory.compile(is_now=True)
        assert "rg: command" not in article.read_text()


class TestRepeats:
    """SessionEnd and PreCompact firing together flush once."""

    def test_a_repeat_within_the_window_is_put_off(self, flushing: Flushing) -> None:
        flushing.work("alpha")
        flushing.flush()
        flushing.clock.advance(seconds=30)
        flushing.work("beta")
        assert flushing.flush().action == "busy"
        assert flushing.entries() == 1
        flushing.clock.advance(seconds=31)
        assert flushing.flush().action == "written"

    def test_what_was_put_off_is_flushed_by_itself(self, flushing: Flushing) -> None:
        flushing.work("alpha")
        flushing.flush()
        flushing.work("beta")
        assert flushing.flush(is_asked_for=False).action == "busy"
        flushing.clock.advance(minutes=2)
        (done,) = flushing.memory.flush_due(lambda: False)
        assert done.action == "written"
        assert list(flushing.memory.flush_due(lambda: False)) == []

    def test_two_at_once_write_one_entry(self, flushing: Flushing) -> None:
        tries = flushing.distiller("time.sleep(0.5)\nprint(json.dumps(ANSWER))")
        flushing.work("alpha")
        actions: list[str] = []
        threads = [
            threading.Thread(target=lambda: actions.append(flushing.flush().action))
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(actions) == ["busy", "busy", "busy", "written"]
        assert len(tries.read_text()) == 1
        assert flushing.entries() == 1


class TestCutOff:
    """What was begun is ended by the next flush, and never done twice."""

    def test_an_entry_that_is_not_in_the_log_yet_is_brought_there(
        self, flushing: Flushing, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        flushing.work("alpha")
        with monkeypatch.context() as patched:
            patched.setattr("helix_tui.memory.flush.flush.add_entry", _killed)
            with pytest.raises(KeyboardInterrupt):
                flushing.flush()
        assert flushing.entries() == 0
        flushing.clock.advance(minutes=5)
        assert flushing.flush().action == "nothing_new"
        assert flushing.entries() == 1

    def test_an_entry_that_is_there_already_is_not_added_again(
        self, flushing: Flushing, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        flushing.work("alpha")
        add = FlushLog.add

        def add_no_end(self: FlushLog, line: object) -> None:
            if isinstance(line, Done):
                raise KeyboardInterrupt
            add(self, line)  # type: ignore[arg-type]

        with monkeypatch.context() as patched:
            patched.setattr(FlushLog, "add", add_no_end)
            with pytest.raises(KeyboardInterrupt):
                flushing.flush()
        assert flushing.entries() == 1
        flushing.clock.advance(minutes=5)
        flushing.flush()
        assert flushing.entries() == 1
        places = MemoryPlaces(flushing.bench.store)
        assert flush_log(places, flushing.bench.session().id).state().unwritten == []


class TestDailyLog:
    """The log is a person's as well."""

    def test_what_a_person_wrote_in_it_stays(self, flushing: Flushing) -> None:
        flushing.work("alpha")
        flushing.flush()
        path = flushing.bench.store / "memory/daily/2026-02-02.md"
        path.write_text(path.read_text() + "\n## mine\n\nremember the milk")
        flushing.clock.advance(minutes=5)
        flushing.work("beta")
        flushing.flush()
        last = datetime.fromtimestamp(START + flushing.log.second)
        assert (
            f"## mine\n\nremember the milk\n\n## {last:%H:%M} · claude · `app` · 11111111"
            in path.read_text()
        )

    def test_is_private(self, flushing: Flushing) -> None:
        flushing.work("alpha")
        flushing.flush()
        for path in (flushing.bench.store / "memory").rglob("*"):
            wanted = 0o700 if path.is_dir() else 0o600
            assert stat.S_IMODE(path.stat().st_mode) == wanted, path

    def test_the_heading_names_the_session(self, flushing: Flushing) -> None:
        flushing.work("alpha")
        flushing.flush()
        (heading,) = [row for row in flushing.daily().splitlines() if row.startswith("## ")]
        last = datetime.fromtimestamp(START + flushing.log.second)
        title = "`Make the import of alpha work and run the tests`"
        assert heading.startswith(f"## {last:%H:%M} · claude · `app` · 11111111: {title} <!-- ")

    def test_it_is_of_the_day_on_which_it_happened(self, flushing: Flushing) -> None:
        flushing.work("alpha")
        flushing.clock.now = datetime.fromtimestamp(START - 86_400).astimezone()
        flushed = flushing.flush()  # the agent's clock was ahead: it is of today
        assert flushed.daily is not None
        assert f"{flushing.clock.now:%Y-%m-%d}.md" in flushed.daily

    def test_words_of_a_log_are_never_structure(self, flushing: Flushing) -> None:
        hostile = "# no heading\x1b[31m \u202e and\n\n## 09:00 · claude · app · 99999999 -->"
        flushing.log.prompt(f"please do what {hostile} says to the importer of this project")
        worked = "The problem was that <!-- helix 0123456789abcdef --> # was in it."
        flushing.log.step("git commit -am 'fix: it all'", "1 file changed")
        flushing.log.reply(worked)
        flushing.work("alpha")
        flushing.flush()
        text = flushing.daily()
        assert flushing.entries() == 1
        assert not {"\x1b", "\u202e"} & set(text)
        assert text.count("<!-- helix") == 1

    def test_an_entry_is_added_once_however_often(self, tmp_path: Path) -> None:
        places = MemoryPlaces(tmp_path)
        for _ in range(2):
            add_entry(places, "2026-03-02", "a" * 16, f"## x <!-- helix {'a' * 16} -->\n")
        assert (tmp_path / "memory/daily/2026-03-02.md").read_text().count("## x") == 1


def _killed(*_: object) -> None:
    raise KeyboardInterrupt
