"""Adapters that are not ours: a fourth flavor, and plug-ins that fail."""

from __future__ import annotations

import json
import shutil
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from helix_tui.capture.adapters.installed import OURS
from helix_tui.capture.draft import UnitDraft
from helix_tui.config import ADAPTER_GROUP
from tests.capture.plugins import EXAMPLE, GOOSE, KIMI, install, thread
from tests.claude_log import ClaudeLog
from tests.conftest import Workbench
from tests.text.planted import KEYS


def test_ours_are_entry_points_like_any_other() -> None:
    named = {f"{entry.name}={entry.value}" for entry in entry_points(group=ADAPTER_GROUP)}
    assert named >= set(OURS)


@pytest.fixture
def amp(bench: Workbench, tmp_path: Path) -> Workbench:
    """A machine with the example installed and two documents, one of them no session."""
    place = install(tmp_path / "site", EXAMPLE, "amp = helix_amp:AmpAdapter")
    threads = bench.home / "threads"
    threads.mkdir(parents=True)
    (threads / "one.json").write_text(json.dumps(thread(), indent=2))
    (threads / "other.json").write_text("[1, 2]")
    config = tmp_path / "config.toml"
    config.write_text(f'[sources.amp]\nroots = ["{threads}"]\n')
    bench.variables |= {"PYTHONPATH": place, "HELIX_CONFIG": str(config)}
    return bench


class TestExample:
    """The documented example of documents reads Amp's threads."""

    def test_a_thread_is_a_session(self, amp: Workbench) -> None:
        swept = amp.helix("--sweep", "--json", check=False)
        assert swept.code == 1
        (problem,) = swept.json["problems"]["list"]
        assert problem["path"].endswith("other.json")
        (session,) = amp.helix("sessions", "--json").json["sessions"]
        assert session["id"] == "amp:T-1"
        assert (session["repo"], session["model"]) == ("shop", "some-model")
        assert [session[key] for key in ("prompts", "tool_calls", "tool_errors")] == [1, 1, 1]
        assert session["started_at"] == "2025-10-09T08:53:20.500Z"
        cost = {key: session["cost"][key] for key in ("input", "output", "cache_read")}
        assert cost == {"input": 10, "output": 7, "cache_read": 100}

    def test_its_events_speak_the_one_vocabulary(self, amp: Workbench) -> None:
        amp.helix("--sweep", check=False)
        shown = amp.helix("show", "amp:T-1", "--events", "--json").json
        kinds = [event["kind"] for event in shown["events"] if event["kind"] != "other"]
        assert kinds == ["prompt", "thinking", "tool_call", "tool_result", "reply"]
        assert {event["tool_class"] for event in shown["events"]} == {None, "shell"}
        assert shown["digest"]["commands"]

    def test_a_changed_thread_adds_what_is_new(self, amp: Workbench) -> None:
        amp.helix("--sweep", check=False)
        longer = thread()
        longer["messages"].append(
            {
                "role": "user",
                "content": [{"type": "text", "text": "try again"}],
                "meta": {"sentAt": 1_760_000_009_000},
            }
        )
        (amp.home / "threads" / "one.json").write_text(json.dumps(longer))
        amp.helix("--sweep", check=False)
        (session,) = amp.helix("sessions", "--json").json["sessions"]
        assert (session["prompts"], session["tool_calls"]) == (2, 1)
        assert amp.helix("doctor").code == 0

    @pytest.mark.parametrize("example", [EXAMPLE, GOOSE, KIMI])
    def test_they_are_short(self, example: Path) -> None:
        assert len(example.read_text().splitlines()) < 120

    def test_without_roots_the_configuration_says_so(self, amp: Workbench, tmp_path: Path) -> None:
        (tmp_path / "config.toml").write_text("[sources.amp]\nenabled = true\n")
        ran = amp.helix("config", "check", check=False)
        assert ran.code == 78
        assert "sources.amp.roots: must be set" in ran.err

    def test_a_flavor_that_nobody_reads_is_a_mistake(self, amp: Workbench, tmp_path: Path) -> None:
        (tmp_path / "config.toml").write_text('[sources.claud]\nroots = ["/x"]\n')
        ran = amp.helix("config", "check", check=False)
        assert ran.code == 78
        assert "sources.claud: unknown flavor" in ran.err


BROKEN = {
    "load": "raise RuntimeError('no such library')",
    "list": """
    def parts(self, path, names): raise RuntimeError('cannot list')
""",
    "read": """
    def reader(self, unit, paths, state): raise RuntimeError('cannot read')
""",
    "name": """
    flavor = 'another'
""",
}


@pytest.mark.parametrize("where", sorted(BROKEN))
def test_a_plug_in_that_fails_costs_its_own_only(
    bench: Workbench, tmp_path: Path, where: str
) -> None:
    module = tmp_path / "broken.py"
    if where == "load":
        module.write_text(BROKEN["load"])
    else:
        module.write_text(
            "from helix_amp import AmpAdapter\n"
            f"class Broken(AmpAdapter):\n    flavor = 'broken'\n{BROKEN[where]}"
        )
    place = install(tmp_path / "site", module, "broken = broken:Broken")
    shutil.copy(EXAMPLE, place)
    (bench.home / "exports").mkdir(parents=True)
    (bench.home / "exports" / "one.json").write_text("{}")
    config = tmp_path / "config.toml"
    config.write_text(f'[sources.broken]\nroots = ["{bench.home / "exports"}"]\n')
    bench.variables |= {"PYTHONPATH": place, "HELIX_CONFIG": str(config)}
    log = ClaudeLog()
    log.prompt()
    log.write(bench.home)
    swept = bench.helix("--sweep", "--json", check=False)
    assert swept.code == 1
    (problem,) = swept.json["problems"]["list"]
    kind = "ValueError: its flavor is 'another'" if where == "name" else "RuntimeError"
    assert f"the broken adapter failed: {kind}" in problem["reason"]
    assert len(bench.helix("sessions", "--json").json["sessions"]) == 1
    assert bench.helix("--sweep").code == 0, "a known problem is only counted"


def test_what_a_plug_in_says_of_a_log_is_redacted(bench: Workbench, tmp_path: Path) -> None:
    _, start, rest = KEYS[0]
    key = start.replace("|", "") + rest
    module = tmp_path / "talker.py"
    module.write_text(
        "from helix_amp import AmpAdapter, AmpReader\n"
        "class Reader(AmpReader):\n"
        "    def read_document(self, part, content, draft):\n"
        f"        draft.problem(0, 'odd: {key} \\ud800 \\0 ' + 'x' * 9000)\n"
        f"        raise RuntimeError('cannot read: {key}')\n"
        "class Talker(AmpAdapter):\n"
        "    flavor = 'talker'\n"
        "    def reader(self, unit, paths, state): return Reader()\n"
    )
    place = install(tmp_path / "site", module, "talker = talker:Talker")
    shutil.copy(EXAMPLE, place)
    (bench.home / "exports").mkdir(parents=True)
    (bench.home / "exports" / "one.json").write_text("{}")
    config = tmp_path / "config.toml"
    config.write_text(f'[sources.talker]\nroots = ["{bench.home / "exports"}"]\n')
    bench.variables |= {"PYTHONPATH": place, "HELIX_CONFIG": str(config)}
    swept = bench.helix("--sweep", "--json", check=False)
    assert swept.code == 1
    (problem,) = swept.json["problems"]["list"]
    assert "cannot read: " in problem["reason"]
    assert rest not in swept.out + swept.err


def test_reasons_are_valid_and_short() -> None:
    _, start, rest = KEYS[0]
    draft = UnitDraft("any", "/a")
    draft.problem(0, f"odd: {start.replace('|', '')}{rest} \ud800 \0 {'x' * 9000}")
    (problem,) = draft.problems
    assert rest not in problem.reason
    assert len(problem.reason.encode()) < 500
    assert "\0" not in problem.reason
