"""What is stored of detection is what the digests give: whatever came when, and whatever broke."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from helix_tui.engine.candidates import grouping
from helix_tui.errors import NotFoundError, StoreError
from helix_tui.events import SweepFinished
from helix_tui.sample import write_sample
from helix_tui.schema.candidate import CandidateFilter
from helix_tui.store.layout import StoreLayout
from helix_tui.store.lock import writer_lock
from helix_tui.text.signature.signature import classify
from tests.agents import ClaudeStory, work
from tests.conftest import Workbench
from tests.engine.retained import set_caps
from tests.engine.tables import sql
from tests.engine.trouble_log import (
    detected,
    ids,
    name_of,
    set_quality,
    troubled,
    write_troubled,
)
from tests.store.downgrading import TO_FOURTH_VERSION, downgrade

TABLES = (
    *("signal", "counted", "candidate", "speech", "saying", "triggered"),
    *("changed_bucket", "changed_session"),
)


@pytest.fixture
def filled(bench: Workbench) -> Workbench:
    write_troubled(bench)
    bench.sweep()
    return bench


def is_sound(bench: Workbench) -> bool:
    return all(check.is_ok for check in bench.engine().doctor())


def test_something_recurs_in_these_sessions(filled: Workbench) -> None:
    found = json.loads(detected(filled))
    assert {one["signal"] for one in found} >= {"env_missing", "user_correction"}
    assert all(cited["excerpt"] for one in found for cited in one["evidence"])
    assert is_sound(filled)


def units_of(home: Path) -> list[list[Path]]:
    """What comes together: a file, or a folder of Grok's."""
    by_unit: dict[Path, list[Path]] = {}
    for path in sorted(path for path in home.rglob("*") if path.is_file()):
        by_unit.setdefault(path.parent if ".grok" in path.parts else path, []).append(path)
    return list(by_unit.values())


class TestArrival:
    """Sweep by sweep, in any order, it ends as if everything had been swept at once."""

    @pytest.mark.parametrize("seed", range(4 if "HELIX_EXAMPLES" in os.environ else 1))
    def test_a_month_of_three_agents(self, bench: Workbench, tmp_path: Path, seed: int) -> None:
        write_sample(tmp_path / "all", seed)
        chance = random.Random(seed)
        units = sorted(units_of(tmp_path / "all"))
        chance.shuffle(units)
        steps = 6
        for number in range(steps):
            for unit in units[number::steps]:
                for path in unit:
                    place = bench.home / path.relative_to(tmp_path / "all")
                    place.parent.mkdir(parents=True, exist_ok=True)
                    content = path.read_bytes()
                    cut = chance.choice((0, len(content) // 2, len(content)))
                    place.write_bytes(content[:cut] if path.suffix == ".jsonl" else content)
            bench.sweep()
        shutil.copytree(tmp_path / "all", bench.home, dirs_exist_ok=True)
        bench.sweep()
        at_once = bench.store.with_name("at-once")
        bench.sweep(at_once)
        assert detected(bench) == detected(bench, at_once)
        assert is_sound(bench)

    def test_a_session_that_is_eligible_late(self, bench: Workbench) -> None:
        write_troubled(bench, 4)
        log = troubled(9, rounds=3)
        path = log.write(bench.home)
        whole = path.read_bytes()
        path.write_bytes(b"".join(log.lines()[:5]))
        bench.sweep()
        member = f"claude:{name_of(9)}"
        assert member not in detected(bench)
        path.write_bytes(whole)
        bench.sweep()
        assert member in detected(bench)
        bench.sweep(bench.store.with_name("at-once"))
        assert detected(bench) == detected(bench, bench.store.with_name("at-once"))

    def test_a_sub_agent_before_its_parent(self, bench: Workbench) -> None:
        write_troubled(bench, 4)
        troubled(9, agent="abc").write(bench.home)
        bench.sweep()
        assert f"claude:{name_of(9)}.abc" in detected(bench)
        troubled(9).write(bench.home)
        bench.sweep()
        members = {name for one in json.loads(detected(bench)) for name in one["members"]}
        assert f"claude:{name_of(9)}" in members
        assert f"claude:{name_of(9)}.abc" not in members
        bench.sweep(bench.store.with_name("at-once"))
        assert detected(bench) == detected(bench, bench.store.with_name("at-once"))

    def test_copies_under_another_name_count_once(self, filled: Workbench) -> None:
        before = detected(filled)
        for number in (1, 5):
            troubled(number, rounds=1 + number % 3).write(filled.home, project="-z", name="copy")
            filled.sweep()
        assert detected(filled) == before

    def test_an_earlier_folder_makes_it_another_repository(self, filled: Workbench) -> None:
        early = troubled(4, rounds=2)
        early.cwd = "/work/elsewhere"
        early.second -= 10_000
        early.records.clear()
        early.prompt("begin here", uuid="earlier")
        early.write(filled.home, name="early")
        filled.sweep()
        assert "elsewhere" in detected(filled)
        filled.sweep(filled.store.with_name("at-once"))
        assert detected(filled) == detected(filled, filled.store.with_name("at-once"))


class TestSameAgain:
    """Nothing but sessions and settings changes what is found."""

    def test_twice_the_same_bytes(self, filled: Workbench) -> None:
        runs = [filled.helix("detect", "--all", "--json").out for _ in range(2)]
        assert runs[0] == runs[1]
        filled.sweep()
        assert filled.helix("detect", "--all", "--json").out == runs[0]
        assert json.dumps(json.loads(runs[0])["candidates"], indent=1) == detected(filled)

    def test_without_any_raw_bytes(self, filled: Workbench) -> None:
        before = detected(filled)
        set_caps(filled, 0, 0)
        filled.engine().retain(is_dry_run=False)
        assert sql(filled, "SELECT count(*) FROM event") == [(0,)]
        assert detected(filled) == before
        for table in TABLES:
            sql(filled, f"DELETE FROM {table}")
        sql(filled, "DELETE FROM note WHERE name IN ('signals', 'grouped')")
        sql(filled, "UPDATE session SET profile = NULL")
        assert detected(filled) == before

    def test_a_sweep_that_finds_nothing_groups_nothing(
        self, filled: Workbench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("helix_tui.engine.candidates.regroup.regroup", None)
        report = filled.sweep().candidates
        assert (report.new, report.changed) == (0, 0)
        assert report.total > 0

    def test_only_changed_buckets_are_grouped(
        self, filled: Workbench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from helix_tui.detect import regrouping
        from helix_tui.detect.group import group_bucket

        calls: list[object] = []

        def counting(*arguments: object) -> object:
            calls.append(arguments)
            return group_bucket(*arguments)  # type: ignore[arg-type]

        buckets = sql(filled, "SELECT count(DISTINCT bucket) FROM signal")[0][0]
        monkeypatch.setattr(regrouping, "group_bucket", counting)
        log = troubled(3, rounds=1)
        log.step("uv run x", "Exit code 1\nModuleNotFoundError: No module named 'toml'", True)
        log.write(filled.home)
        filled.sweep()
        assert isinstance(buckets, int)
        assert 0 < len(calls) < buckets


def test_analyzed_again_a_correction_took_as_much(bench: Workbench) -> None:
    log = ClaudeStory()
    work(log)
    opened = "<ide_opened_file>The user opened src/parser.py in the IDE.</ide_opened_file>"
    log.prompt([{"type": "text", "text": text} for text in (opened, "fix the parser too")])
    log.edit()
    log.ask("no, don't touch the parser")
    log.save(bench.home)
    bench.sweep()
    show = ("show", f"claude:{log.session}", "--json")
    before = bench.helix(*show).json["digest"]
    assert before["corrections"]
    sql(bench, "UPDATE note SET value = '0' WHERE name = 'extractor'")
    assert bench.sweep().analyzed == 1
    assert bench.helix(*show).json["digest"] == before


class TestForgotten:
    """No trace is left, not even where the process dies before all is grouped again."""

    def traces(self, bench: Workbench, name: str) -> list[str]:
        with closing(sqlite3.connect(bench.store / "store.db")) as database:
            return [
                table
                for table in (*TABLES, "regrouped", "session")
                for row in database.execute(f"SELECT * FROM {table}")
                if name.encode() in b" ".join(str(value).encode() for value in row)
                or any(isinstance(value, bytes) and name.encode() in value for value in row)
            ]

    def test_nothing_names_it(self, filled: Workbench) -> None:
        assert self.traces(filled, name_of(2))
        filled.engine().forget(name_of(2))
        assert self.traces(filled, name_of(2)) == []
        assert name_of(2) not in detected(filled)
        (filled.home / ".claude" / "projects" / "-work-app" / f"{name_of(2)}.jsonl").unlink()
        (filled.home / ".claude" / "projects" / "-work-app" / "agent-abc.jsonl").unlink()
        filled.sweep(filled.store.with_name("at-once"))
        assert detected(filled) == detected(filled, filled.store.with_name("at-once"))
        assert is_sound(filled)

    def test_killed_before_the_rest_is_grouped(
        self, filled: Workbench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def die(*_: object) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as broken:
            broken.setattr("helix_tui.engine.health.upkeep.group_changes", die)
            with pytest.raises(KeyboardInterrupt):
                filled.engine().forget(name_of(2))
        assert self.traces(filled, name_of(2)) == []
        assert is_sound(filled)
        left = detected(filled)
        assert "command_not_found" in left
        filled.sweep()
        assert detected(filled) == left


class TestKilled:
    """Between commit and grouping, or during it: the next command makes it right."""

    @pytest.mark.parametrize("place", ["before", "during", "at its end"])
    @pytest.mark.parametrize("then", ["detect", "sweep"])
    def test_the_next_one_is_right(self, bench: Workbench, place: str, then: str) -> None:
        write_troubled(bench, 5)
        bench.sweep()
        write_troubled(bench, 8)
        killed = {
            "before": "helix_tui.engine.sweep.sweep.group_changes",
            "during": "helix_tui.store.detection.candidates.replace_candidates",
            "at its end": "helix_tui.engine.candidates.regroup.note_grouped",
        }[place]
        if (child := os.fork()) == 0:
            import helix_tui.engine.candidates.regroup  # noqa: F401 - what is replaced must be there

            pytest.MonkeyPatch().setattr(killed, lambda *_: os.kill(os.getpid(), signal.SIGKILL))
            bench.sweep()
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
        if then == "sweep":
            bench.sweep()
        bench.sweep(bench.store.with_name("at-once"))
        assert detected(bench) == detected(bench, bench.store.with_name("at-once"))
        assert is_sound(bench)


class TestSettings:
    """Knobs take effect at the next detect or sweep."""

    @pytest.mark.parametrize("is_swept", [False, True])
    def test_knobs(self, filled: Workbench, is_swept: bool) -> None:
        before = detected(filled)
        for knobs in ({"min_events": 30}, {"min_tool_calls": 100}):
            set_quality(filled, **knobs)
            if is_swept:
                filled.sweep()
            fewer = detected(filled)
            assert len(fewer) < len(before)
            filled.sweep(filled.store.with_name("at-once"))
            assert fewer == detected(filled, filled.store.with_name("at-once"))
        assert fewer == "[]"
        dropped, _ = filled.engine().candidates.dropped()
        assert {one.gate for one in dropped} == {"few_tool_calls"}
        filled.config = None
        assert detected(filled) == before
        assert filled.engine().candidates.dropped() == ([], "")


@pytest.fixture
def other_ids(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Makes the version of grouping, which ids carry, another one."""

    def change() -> None:
        for module in ("helix_tui.engine.candidates.grouping", "helix_tui.detect.keys"):
            monkeypatch.setattr(f"{module}.GROUPING_VERSION", 99)

    return change


class TestVersions:
    """A new version works on digests alone, and old ids lead to the new ones."""

    def test_old_ids_are_followed(
        self, filled: Workbench, other_ids: Callable[[], None], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        set_caps(filled, 0, 0)
        filled.engine().retain(is_dry_run=False)
        shutil.rmtree(filled.home / ".claude")
        old = filled.engine().candidates.detect(CandidateFilter(is_all=True)).ranked
        other_ids()
        new = ids(filled)
        assert not {one.candidate.id for one in old} & set(new)
        for one in old:
            found = filled.engine().candidates.one(one.candidate.id).ranked[0].candidate
            assert found.title == one.candidate.title
            assert found.members.keys() == one.candidate.members.keys()
        monkeypatch.undo()
        # And back: an id that is there again leads to itself.
        assert sorted(ids(filled)) == sorted(one.candidate.id for one in old)
        for name in [*new, *ids(filled)]:
            assert filled.engine().candidates.one(name).ranked[0].candidate.id in ids(filled)

    def test_signals_of_another_wording_are_made_again(
        self, filled: Workbench, other_ids: Callable[[], None], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        old = {one["id"]: one for one in json.loads(detected(filled))}

        def renaming(text: str, tool_class: str, exit_code: int, command: str) -> tuple[str, str]:
            found, subject = classify(text, tool_class, exit_code, command)
            return "program_gone" if found == "command_not_found" else found, subject

        other_ids()
        monkeypatch.setattr("helix_tui.digest.signals.classify", renaming)
        filled.sweep()
        missing = next(name for name, one in old.items() if one["class"] == "command_not_found")
        found = filled.engine().candidates.one(missing).ranked[0].candidate
        assert found.id.startswith("program-gone")
        assert list(found.members) == old[missing]["members"]

    def test_a_new_extractor(self, filled: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
        before = detected(filled)
        evicted = name_of(0)
        set_caps(filled, 30_000, 30_000)
        filled.engine().retain(is_dry_run=False)
        for module in ("sweep.sweep", "candidates.grouping", "health.upkeep"):
            monkeypatch.setattr(f"helix_tui.engine.{module}.EXTRACTOR", 99)
        assert detected(filled) == before, "asked before the sweep"
        shutil.rmtree(filled.home / ".claude")
        (filled.home / ".claude" / "projects").mkdir(parents=True)
        filled.sweep()
        assert detected(filled) == before
        assert evicted in before
        assert grouping.signals_version().startswith("99:")

    def test_unknown_and_ambiguous_ids(self, filled: Workbench) -> None:
        engine = filled.engine()
        with pytest.raises(NotFoundError, match="no candidate"):
            engine.candidates.one("nothing")
        with pytest.raises(NotFoundError, match="no candidate"):
            engine.candidates.one("")
        name = next(one for one in ids(filled) if one.startswith("command-not-found"))
        assert engine.candidates.one(name[:-4]).ranked[0].candidate.id == name
        with pytest.raises(NotFoundError, match="fits several"):
            engine.candidates.one("user")


class TestMigration:
    """A store of the version before is filled by the next sweep, whatever was evicted."""

    def test_from_the_fourth_version(self, filled: Workbench) -> None:
        before = detected(filled)
        set_caps(filled, 0, 0)
        filled.engine().retain(is_dry_run=False)
        downgrade(filled.store, TO_FOURTH_VERSION)
        with pytest.raises(StoreError, match="older version"):
            detected(filled)
        assert filled.sweep().candidates.total > 0
        assert detected(filled) == before
        assert is_sound(filled)


def damage_signal(bench: Workbench) -> None:
    sql(bench, "UPDATE signal SET data = x'c1ff'")


def damage_candidate(bench: Workbench) -> None:
    sql(bench, "UPDATE candidate SET data = substr(data, 1, length(data) / 2)")


def damage_brief(bench: Workbench) -> None:
    sql(bench, "UPDATE candidate SET brief = x'c1ff' WHERE brief IS NOT NULL")


def mix_up_briefs(bench: Workbench) -> None:
    one = "SELECT brief FROM candidate WHERE brief IS NOT NULL ORDER BY id LIMIT 1"
    sql(bench, f"UPDATE candidate SET brief = ({one}) WHERE brief IS NOT NULL")


def damage_profile(bench: Workbench) -> None:
    sql(bench, "UPDATE session SET profile = x'a3'")


def lose_sessions(bench: Workbench) -> None:
    sql(bench, "DELETE FROM counted WHERE key % 2")


def stray_signal(bench: Workbench) -> None:
    sql(bench, "INSERT INTO signal VALUES (1, 999, x'90')")


def stray_member(bench: Workbench) -> None:
    with closing(sqlite3.connect(bench.store / "store.db")) as database, database:
        rows = database.execute("SELECT id, data FROM candidate ORDER BY id").fetchall()
        name, data = next(row for row in rows if name_of(1).encode() in row[1])
        database.execute(
            "UPDATE candidate SET data = ? WHERE id = ?",
            (data.replace(name_of(1).encode(), name_of(77).encode()), name),
        )


DAMAGES: dict[str, Callable[[Workbench], None]] = {
    "signals": damage_signal,
    "candidates": damage_candidate,
    "briefs": damage_brief,
    "briefs of others": mix_up_briefs,
    "profiles": damage_profile,
    "lost sessions": lose_sessions,
    "stray signal": stray_signal,
    "stray member": stray_member,
}


class TestDamage:
    """Doctor sees it, repair makes it anew from the digests, and nobody meets a traceback."""

    @pytest.mark.parametrize("name", DAMAGES)
    def test_repaired_it_is_as_before(self, filled: Workbench, name: str) -> None:
        before = detected(filled)
        sql(filled, "INSERT INTO regrouped VALUES ('old', 'new')")
        DAMAGES[name](filled)
        sick = filled.helix("doctor", check=False)
        assert (sick.code, "WRONG  detection" in sick.out) == (3, True), sick.out
        mended = filled.helix("doctor", "--repair")
        assert "Made signals and candidates anew" in mended.out
        assert detected(filled) == before
        assert sql(filled, "SELECT * FROM regrouped") == [("old", "new")]
        filled.sweep()
        assert detected(filled) == before
        again = filled.helix("doctor", "--repair", "--json").json
        assert again["repair"]["repaired"] is False

    @pytest.mark.parametrize("name", ["signals", "profiles"])
    def test_a_sweep_takes_in_and_says_what_to_do(self, filled: Workbench, name: str) -> None:
        DAMAGES[name](filled)
        # The parent of a session whose profile cannot be read any more.
        troubled(2, agent="new").write(filled.home)
        troubled(7, rounds=3).write(filled.home)
        swept = filled.helix("--sweep", "--json", check=False)
        assert swept.code == 74
        assert swept.json["ingested"] == 2
        assert "doctor --repair" in swept.err
        assert "Traceback" not in swept.err
        shown = filled.helix("detect", check=False)
        assert "Traceback" not in shown.err
        filled.helix("doctor", "--repair")
        filled.sweep(filled.store.with_name("at-once"))
        assert detected(filled) == detected(filled, filled.store.with_name("at-once"))

    def test_a_candidate_that_cannot_be_read(self, filled: Workbench) -> None:
        damage_candidate(filled)
        for arguments in (["detect"], ["detect", "--json"]):
            ran = filled.helix(*arguments, check=False)
            assert (ran.code, ran.out) == (74, "")
            assert "doctor --repair" in ran.err
            assert "Traceback" not in ran.err

    def test_a_store_that_is_rebuilt(self, filled: Workbench) -> None:
        before = detected(filled)
        old = ids(filled)[0]
        sql(filled, "INSERT INTO regrouped VALUES ('earlier', ?)", old)
        with (filled.store / "store.db").open("r+b") as database:
            database.seek(4096 * 5)
            database.write(b"\xff" * 4096)
        filled.helix("doctor", "--repair")
        assert is_sound(filled)
        assert detected(filled) == before
        assert filled.engine().candidates.one("earlier").ranked[0].candidate.id == old
        filled.sweep()
        assert detected(filled) == before

    def test_rebuilt_without_logs_of_what_was_evicted(self, filled: Workbench) -> None:
        before = detected(filled)
        set_caps(filled, 0, 0)
        filled.engine().retain(is_dry_run=False)
        shutil.rmtree(filled.home / ".claude")
        (filled.home / ".claude" / "projects").mkdir(parents=True)
        sql(filled, "UPDATE session SET events = events + 1 WHERE key = 1")
        filled.helix("doctor", "--repair", check=False)
        assert len(json.loads(detected(filled))) == len(json.loads(before))


class TestUnwritable:
    """What cannot be grouped is said in one line, and what was grouped is shown."""

    def lines(self, text: str) -> list[str]:
        return [line for line in text.splitlines() if line.startswith("helix: ")]

    def test_while_another_writes(self, filled: Workbench) -> None:
        before = filled.helix("detect", "--json").json
        assert before["stale"] is None
        sql(filled, "DELETE FROM note WHERE name = 'grouped'")
        with writer_lock(StoreLayout(filled.store)):
            for arguments in (["detect", "--json"], ["detect", "--why", ids(filled)[0]]):
                ran = filled.helix(*arguments)
                (line,) = self.lines(ran.err)
                assert "from before" in line
                assert "Another sweep" in line
            for arguments in ([], ["--dropped"], ["--why", ids(filled)[0]]):
                assert "Another sweep" in filled.helix("detect", "--json", *arguments).json["stale"]
            assert filled.helix("detect", "--json").json["candidates"] == before["candidates"]
        assert filled.helix("detect", "--json").err == ""

    def test_read_only(self, unprivileged: Path) -> None:
        bench = Workbench(unprivileged)
        write_troubled(bench)
        bench.sweep()
        before = detected(bench)
        sql(bench, "DELETE FROM note WHERE name = 'grouped'")
        sql(bench, "PRAGMA wal_checkpoint(TRUNCATE)")
        folders = [bench.store, *(path for path in bench.store.rglob("*") if path.is_dir())]
        for path in folders:
            path.chmod(0o500)
        try:
            found = bench.engine().candidates.detect(CandidateFilter(is_all=True))
            assert "readonly" in found.stale
            assert len(found.ranked) == len(json.loads(before))
        finally:
            for path in folders:
                path.chmod(0o700)


def test_a_sweep_says_how_many(bench: Workbench) -> None:
    write_troubled(bench)
    *_, last = bench.engine().sweep()
    assert isinstance(last, SweepFinished)
    assert last.report.candidates.new == last.report.candidates.total > 0
    troubled(8).write(bench.home)
    report = bench.sweep().candidates
    assert report.changed > 0
    assert report.total >= last.report.candidates.total
