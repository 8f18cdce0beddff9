"""Notes of running sessions: when they are written, what they say, what is left alone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from helix_tui.engine.memory.notes import Notes, list_notes, read_notes
from helix_tui.errors import ConfigError, NotFoundError, StoreError
from helix_tui.memory.notes.file import locked
from helix_tui.memory.notes.page import read_page
from helix_tui.memory.notes.sections import BOUNDS
from helix_tui.schema.memory import NotesOutcome
from helix_tui.text.refuse import refusals
from tests.claude_log import START, ClaudeLog, usage
from tests.codex_log import CodexLog
from tests.conftest import Workbench
from tests.engine.retained import set_caps
from tests.engine.secret_logs import SECRETS, write_logs
from tests.grok_log import GrokLog
from tests.grok_log import usage as grok_usage

SESSION = ClaudeLog().session
NAME = f"claude:{SESSION}"


class Running:
    """A session of Claude Code that grows, swept and looked at while it runs."""

    def __init__(self, bench: Workbench) -> None:
        self.bench = bench
        self.log = ClaudeLog()

    def turn(self, tokens: int, calls: int = 1, text: str = "go on") -> None:
        """A prompt, some calls and a reply at the end, in a context of so many tokens."""
        self.log.prompt(text)
        for _ in range(calls):
            call = self.log.call(usage=usage(0, 0, tokens - 1, 0))["message"]["content"][0]["id"]
            self.log.result(call)
        self.log.reply("That is done.", usage=usage(0, 0, tokens, 0))

    def sweep(self) -> None:
        self.log.write(self.bench.home)
        self.bench.sweep()

    def notes(self, later: int = 60) -> Notes:
        return self.bench.engine().notes((START + int(self.log.second) + later) * 1000)

    def update(self, *, is_forced: bool = False, later: int = 60) -> NotesOutcome:
        self.sweep()
        (outcome,) = self.notes(later).update([NAME], is_forced=is_forced)
        return outcome

    @property
    def path(self) -> Path:
        return self.bench.store / "memory" / "notes" / f"claude-{SESSION}.md"

    def text(self) -> str:
        return self.path.read_text()

    def section(self, name: str) -> str:
        (body,) = [part.body for part in read_page(self.text()).parts if part.section == name]
        return body.strip()


@pytest.fixture
def running(bench: Workbench) -> Running:
    return Running(bench)


class TestRule:
    """The thresholds hold from the log to the file."""

    def test_begins_at_ten_thousand_and_goes_on_by_five(self, running: Running) -> None:
        running.turn(9_999)
        assert running.update().action == "waiting"
        assert not running.path.exists()
        running.turn(10_000)
        outcome = running.update()
        assert (outcome.action, outcome.context_tokens) == ("written", 10_000)
        running.turn(14_999)
        assert running.update().action == "waiting"
        running.turn(15_000)
        outcome = running.update()
        assert (outcome.action, outcome.context_tokens) == ("written", 15_000)
        assert running.update().reason == "nothing new since the last update"

    def test_calls_of_all_turns_since_the_last_update_count(self, running: Running) -> None:
        running.turn(10_000)
        running.update()
        for calls in range(3):
            running.log.prompt("more")
            call = running.log.call(usage=usage(0, 0, 16_000, 0))["message"]["content"][0]["id"]
            running.log.result(call)
            assert running.update().action == ("waiting" if calls < 2 else "written")

    def test_never_between_a_call_and_its_result(self, running: Running) -> None:
        running.turn(10_000)
        running.update()
        running.turn(30_000, calls=5)
        call = running.log.call(usage=usage(0, 0, 30_000, 0))["message"]["content"][0]["id"]
        assert "without a result" in running.update().reason
        assert "without a result" in running.update(is_forced=True).reason
        running.log.result(call)
        assert running.update().action == "written"

    def test_a_parent_that_waits_for_its_sub_agent_waits(self, running: Running) -> None:
        running.turn(12_000)
        call = running.log.call("Task", usage=usage(0, 0, 12_000, 0))["message"]["content"][0]["id"]
        agent = ClaudeLog(agent="abc", start=20)
        agent.prompt("look around")
        agent.step()
        agent.reply("all is there", usage=usage(0, 0, 90_000, 0))
        agent.write(running.bench.home)
        outcome = running.update()
        assert (outcome.action, outcome.context_tokens < 13_000) == ("waiting", True)
        running.log.result(call)
        assert running.update().action == "written"
        assert running.notes().running() == [NAME], "sub-agents do not count"
        (child,) = running.notes().update([f"{NAME}.abc"], is_forced=True)
        assert (child.action, child.reason) == ("waiting", "a sub-agent has no notes of its own")
        assert [file.session for file in list_notes(running.bench.engine().config)] == [NAME]

    def test_growth_is_measured_from_a_compaction(self, running: Running) -> None:
        running.turn(100_000)
        running.update()
        running.log.add("system", subtype="compact_boundary", content="Conversation compacted")
        running.turn(20_000)
        assert running.update().action == "waiting"
        running.turn(25_000)
        assert running.update().action == "written"

    def test_a_session_that_rests_is_left_alone_unless_asked_for(self, running: Running) -> None:
        running.turn(20_000)
        resting = running.update(later=3601)
        assert (resting.action, resting.reason) == (
            "waiting",
            "nothing happened in it within the hour",
        )
        assert running.update(is_forced=True, later=3601).action == "written"
        assert running.notes(3601).running() == []

    def test_now_ignores_thresholds_also_for_what_ended_in_a_call(self, running: Running) -> None:
        running.turn(50)
        running.log.call()
        assert running.update(is_forced=True, later=9_000).action == "written"
        assert running.update(is_forced=True, later=9_000).action == "unchanged"

    def test_settings_are_those_of_the_configuration(self, running: Running) -> None:
        running.bench.config = running.bench.home / "helix.toml"
        running.bench.config.write_text(
            "[memory]\nminimum_tokens_to_init = 100\nminimum_tokens_between_update = 50\n"
        )
        running.turn(100)
        assert running.update().action == "written"
        running.turn(150)
        assert running.update().action == "written"

    def test_unknown_session(self, running: Running) -> None:
        running.turn(1)
        running.sweep()
        with pytest.raises(NotFoundError):
            list(running.notes().update(["claude:nobody"], is_forced=True))


class TestFlavors:
    """Each agent counts its own way."""

    def test_codex_counts_by_time(self, bench: Workbench) -> None:
        log = CodexLog()
        log.prompt("x" * 4_000)
        log.step("y" * 400)
        log.spend(fresh=9_000, cached=2_000, out=100)
        log.tokens(dict(log._spent))
        log.step("z" * 4_000)
        log.write(bench.home)
        outcome = update(bench, f"codex:{log.session}", log.second)
        call = len('{"command": ["ls"]}')
        assert outcome.context_tokens == 11_100 + 1_000 + -(-call // 4)
        assert outcome.action == "written"
        log.spend(fresh=1_000, cached=11_000, out=200)
        log.write(bench.home)
        assert update(bench, f"codex:{log.session}", log.second).action == "unchanged"

    def test_grok_is_estimated(self, bench: Workbench) -> None:
        log = GrokLog()
        log.prompt("x" * 30_000)
        log.reply("y" * 30_000)
        log.end_turn(grok_usage(100_000, 900_000, modelCalls=12))
        log.write(bench.home)
        outcome = update(bench, f"grok:{log.session}", log.second)
        assert outcome.action == "written"
        assert 15_000 <= outcome.context_tokens < 16_000

    def test_claude_knows_by_message(self, running: Running) -> None:
        running.log.prompt("x" * 400_000)
        running.log.reply("short", usage=usage(5, 7, 11_000, 13))
        running.log.prompt("y" * 400)
        assert running.update().context_tokens == 11_025 + 100


def update(bench: Workbench, name: str, second: float) -> NotesOutcome:
    bench.sweep()
    notes = bench.engine().notes((START + int(second) + 5) * 1000)
    (outcome,) = notes.update([name], is_forced=False)
    return outcome


class TestContent:
    """What a person who comes back wants to know."""

    def test_sections_say_what_happened(self, running: Running) -> None:
        log = running.log
        log.prompt("make the parser accept tabs")
        for _ in range(2):
            log.step("pytest -q", "1 passed")
        log.step("mak", "Exit code 127\nbash: mak: command not found", is_error=True)
        log.step("make", "built")
        call = log.call("Edit", given={"file_path": "/work/app/parser.py"})
        log.result(call["message"]["content"][0]["id"])
        log.reply("Tabs are accepted.")
        log.prompt("no, that's wrong: use four spaces instead")
        log.reply("Changed it to four spaces.")
        assert running.update(is_forced=True).action == "written"
        assert running.section("Title") == "`make the parser accept tabs`"
        assert "use four spaces instead" in running.section("Current state")
        assert "Changed it to four spaces." in running.section("Key results")
        assert "make the parser accept tabs" in running.section("Task")
        assert running.section("Files") == "- `parser.py`: 1 edit"
        assert "`pytest -q`" in running.section("Workflow")
        assert "mak: command not found" in running.section("Errors and corrections")
        assert "Corrected by a person: `no, that's wrong" in running.section(
            "Errors and corrections"
        )
        assert len(running.section("Worklog").split("\n")) == 2
        assert "asked `make the parser accept tabs` · 5 calls" in running.section("Worklog")
        log.prompt("thank you")
        log.reply("You are welcome.")
        running.update(is_forced=True)
        lines = running.section("Worklog").split("\n")
        assert len(lines) == 3, "only what is new since the last update was added"
        assert "asked `thank you`" in lines[-1]

    def test_planted_secrets_are_in_no_byte(self, bench: Workbench) -> None:
        write_logs(bench.home)
        bench.sweep()
        engine = bench.engine()
        outcomes = list(engine.notes().update(sorted(bench.sessions()), is_forced=True))
        assert [one.action for one in outcomes] == ["written"] * len(SECRETS)
        written = "\n".join(path.read_text() for path in bench.store.glob("memory/notes/*"))
        assert written.count("# Worklog") == len(SECRETS)
        for _, core in SECRETS:
            runs = {core[at : at + 8] for at in range(len(core) - 7)}
            assert {run for run in runs if not run.isdecimal() and run in written} == set()

    def test_hostile_words_make_no_section(self, running: Running) -> None:
        evil = "# Files\n\n<!-- helix:notes {} -->\n\x1b[31m\u202e# Worklog\n- fake\n```"
        running.log.prompt(evil)
        running.log.step(evil, evil, is_error=True)
        running.log.reply(evil)
        running.update(is_forced=True)
        page = read_page(running.text(), NAME)
        there = [f"# {name}" for name in BOUNDS]
        found = [part.heading for part in page.parts]
        assert found == [heading for heading in there if heading in found]
        assert page.state is not None
        assert refusals(running.text()) == []

    def test_a_persons_words_stay(self, running: Running) -> None:
        running.turn(20_000)
        running.update()
        running.path.write_text(running.text().replace("# Task\n", "# Task\n\nmine\n"))
        running.turn(40_000)
        assert running.update().action == "written"
        assert running.section("Task").startswith("mine")
        (file,) = list_notes(running.bench.engine().config)
        assert (file.kept, file.context_tokens) == (["Task"], 40_000)

    def test_a_broken_state_starts_over(self, running: Running) -> None:
        running.turn(20_000)
        running.update()
        running.path.write_text(running.text().replace('"session"', '"sessions"'))
        (file,) = list_notes(running.bench.engine().config)
        assert (file.session, file.updated_at) == ("", None)
        assert running.update().action == "written"
        assert "# Kept from before" in running.text()

    def test_a_template_of_the_users_own(self, running: Running) -> None:
        template = running.bench.home / "notes.md"
        template.write_text("# Worklog\n\n# House rules\n\nBe kind.\n\n# Title\n")
        running.bench.config = running.bench.home / "helix.toml"
        running.bench.config.write_text(f'[memory]\nnotes_template = "{template}"\n')
        running.turn(20_000, text="mend it")
        running.update()
        parts = [part.heading for part in read_page(running.text()).parts]
        assert parts == ["# Worklog", "# House rules", "# Title"]
        assert running.section("Title") == "`mend it`"
        assert "Be kind." in running.text()
        template.unlink()
        running.turn(30_000)
        assert running.update().action == "written", "it is only needed for a beginning"
        running.path.unlink()
        with pytest.raises(ConfigError, match=r"notes\.md cannot be read"):
            running.update()

    @pytest.mark.parametrize("has_log", [True, False])
    def test_an_evicted_session_has_notes_of_what_is_left(
        self, running: Running, has_log: bool
    ) -> None:
        running.turn(20_000, text="mend the parser")
        running.sweep()
        set_caps(running.bench, 0)
        running.sweep()
        assert running.bench.session().raw == "evicted"
        if not has_log:
            next(running.bench.home.rglob("*.jsonl")).unlink()
        notes = running.notes(later=9_000)
        (outcome,) = notes.update([NAME], is_forced=True)
        assert outcome.action == "written"
        assert running.section("Title") == "`mend the parser`"
        assert ("asked `mend the parser`" in running.section("Worklog")) is has_log


class TestFile:
    """One file, whole or not at all, for its owner alone."""

    def test_nothing_else_changes(self, running: Running) -> None:
        for tokens in (20_000, 40_000):
            running.turn(tokens)
            running.sweep()
            before = snapshot(running.bench)
            (outcome,) = running.notes().update([NAME], is_forced=False)
            assert outcome.action == "written"
            after = snapshot(running.bench)
            changed = {path for path in {*before, *after} if before.get(path) != after.get(path)}
            assert changed == {running.path}

    def test_a_look_leaves_nothing_behind(self, running: Running) -> None:
        running.turn(20_000)
        running.sweep()
        assert running.notes().expect(running.bench.session()).reason.startswith("due: ")
        assert read_notes(running.bench.engine().config, NAME) == ""
        assert not (running.bench.store / "memory").exists()

    def test_only_the_owner_may_look(self, running: Running) -> None:
        old = os.umask(0)
        try:
            running.turn(20_000)
            running.update()
        finally:
            os.umask(old)
        assert running.path.stat().st_mode & 0o777 == 0o600
        for folder in (running.path.parent, running.path.parent.parent):
            assert folder.stat().st_mode & 0o777 == 0o700

    def test_two_at_once(self, running: Running) -> None:
        running.turn(20_000)
        running.sweep()
        with locked(running.path):
            assert running.update().action == "busy"
            assert running.update(is_forced=True).action == "busy"
        assert not running.path.exists(), "what was only locked goes again"
        assert running.update().action == "written"

    def test_many_processes_write_once(self, running: Running) -> None:
        running.turn(20_000)
        running.sweep()
        children = [
            subprocess.Popen(
                program(running, "update"), env=environ(running), stdout=subprocess.PIPE
            )
            for _ in range(4)
        ]
        said = [child.communicate()[0].decode().strip() for child in children]
        assert said.count("written") == 1, said
        assert set(said) <= {"written", "busy", "unchanged"}
        assert running.section("Worklog").count("asked") == 1

    def test_a_killed_holder_keeps_nobody_out(self, running: Running) -> None:
        running.turn(20_000)
        running.sweep()
        child = subprocess.Popen(
            program(running, "hold"), env=environ(running), stdout=subprocess.PIPE
        )
        assert child.stdout is not None
        assert child.stdout.readline() == b"held\n"
        assert running.update().action == "busy"
        child.kill()
        child.wait()
        assert running.update().action == "written"

    @pytest.mark.parametrize("place", ["fsync", "before replace", "after replace"])
    @pytest.mark.parametrize("is_first", [True, False])
    def test_killed_in_the_middle(self, running: Running, place: str, is_first: bool) -> None:
        running.turn(20_000)
        if not is_first:
            running.update()
            running.turn(40_000)
        before = running.text() if not is_first else ""
        running.sweep()
        child = subprocess.run(program(running, place), env=environ(running), check=False)
        assert child.returncode == -signal.SIGKILL
        found = running.text() if running.path.exists() else ""
        if place == "after replace":
            assert found != before
            assert read_page(found, NAME).state is not None
            assert running.update().action == "unchanged"
        else:
            assert found == before
            assert running.update().action == "written"
        left = [path.name for path in running.path.parent.iterdir()]
        assert left == [running.path.name] or place == "after replace"
        assert running.section("Worklog").count("asked") == (1 if is_first else 2)

    def test_a_link_is_not_followed(self, running: Running) -> None:
        running.turn(20_000)
        running.sweep()
        running.path.parent.mkdir(parents=True)
        target = running.bench.home / "target"
        target.write_text("somebody else's")
        running.path.symlink_to(target)
        with pytest.raises(StoreError):
            running.update()
        assert target.read_text() == "somebody else's"

    def test_a_file_that_is_far_too_large_is_left_alone(self, running: Running) -> None:
        running.turn(20_000)
        running.update()
        running.path.write_bytes(b"x" * (1 << 20) + b"x")
        running.turn(40_000)
        with pytest.raises(StoreError, match="larger than notes may be"):
            running.update()
        assert len(list_notes(running.bench.engine().config)) == 1


class TestDriven:
    """Sweeps keep notes current, and say where they cannot."""

    def test_a_sweep_writes_the_notes_of_what_runs(self, bench: Workbench) -> None:
        log = ClaudeLog(start=int(time.time()) - START - 60)
        log.prompt("mend it")
        log.reply("Mended.", usage=usage(0, 0, 20_000, 0))
        log.write(bench.home)
        old = ClaudeLog(session="22222222-1111-4111-8111-111111111111")
        old.prompt("long ago")
        old.reply("Mended.", usage=usage(0, 0, 20_000, 0))
        old.write(bench.home)
        bench.helix("--sweep")
        (file,) = list_notes(bench.engine().config)
        assert (file.session, file.title) == (NAME, "mend it")
        stamp = Path(file.path).stat().st_mtime_ns
        bench.helix("--sweep")
        assert Path(file.path).stat().st_mtime_ns == stamp

    def test_notes_can_be_switched_off(self, bench: Workbench) -> None:
        log = ClaudeLog(start=int(time.time()) - START - 60)
        log.prompt("mend it")
        log.reply("Mended.", usage=usage(0, 0, 20_000, 0))
        log.write(bench.home)
        bench.config = bench.home / "helix.toml"
        bench.config.write_text("[memory]\nnotes = false\n")
        bench.helix("--sweep", "--config", str(bench.config))
        assert not (bench.store / "memory").exists()

    def test_a_sweep_says_what_went_wrong_and_ends_well(self, bench: Workbench) -> None:
        log = ClaudeLog(start=int(time.time()) - START - 60)
        log.prompt("mend it")
        log.reply("Mended.", usage=usage(0, 0, 20_000, 0))
        log.write(bench.home)
        bench.config = bench.home / "helix.toml"
        bench.config.write_text('[memory]\nnotes_template = "nowhere.md"\n')
        done = bench.helix("--sweep", "--config", str(bench.config))
        assert f"The notes of {NAME} were not updated: " in done.err

    def test_a_sweep_with_nothing_new_loads_nothing_of_it(self, bench: Workbench) -> None:
        log = ClaudeLog(start=int(time.time()) - START - 60)
        log.prompt("mend it")
        log.reply("Mended.", usage=usage(0, 0, 20_000, 0))
        log.write(bench.home)
        bench.helix("--sweep")
        program = (
            "import sys; from helix_tui.cli.main import main\n"
            f"sys.argv = ['helix', '--sweep', '--store', {str(bench.store)!r}]\n"
            "try: main()\nexcept SystemExit: pass\n"
            "print([name for name in sys.modules if 'notes' in name and 'store' not in name])"
        )
        env = {"PATH": os.environ["PATH"], **bench.environ}
        done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True)
        assert done.stdout.decode().splitlines()[-1] == "[]"


def snapshot(bench: Workbench) -> dict[Path, Any]:
    """Every file of home and store, but for what SQLite keeps while somebody reads."""
    return {
        path: (path.read_bytes(), path.stat().st_mode)
        for path in [*bench.home.rglob("*"), *bench.store.rglob("*")]
        if path.is_file() and path.suffix not in (".db-wal", ".db-shm")
    }


PROGRAM = """
import os, signal, sys, time
from pathlib import Path
from helix_tui.config import load
from helix_tui.engine import Engine
from helix_tui.memory.notes.file import locked, notes_path
from helix_tui.memory.places import MemoryPlaces
what, store, name, now = sys.argv[1:]
if what == "hold":
    with locked(notes_path(MemoryPlaces(Path(store)), name)):
        print("held", flush=True)
        time.sleep(60)
def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)
if what == "fsync":
    os.fsync = die
replace = Path.replace
if what == "before replace":
    Path.replace = die
if what == "after replace":
    Path.replace = lambda one, two: (replace(one, two), die())
(done,) = Engine(load(None, Path(store))).notes(int(now)).update([name], is_forced=False)
print(done.action)
"""


def program(running: Running, what: str) -> list[str]:
    now = str((START + int(running.log.second) + 60) * 1000)
    return [sys.executable, "-c", PROGRAM, what, str(running.bench.store), NAME, now]


def environ(running: Running) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], **running.bench.environ}
