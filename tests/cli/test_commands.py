"""The command line as scripts and people use it."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from helix_tui import __version__
from tests.claude_log import ClaudeLog, usage
from tests.cli.terminal import through_terminal
from tests.conftest import Workbench

SESSION = "claude:11111111-1111-4111-8111-111111111111"
HOSTILE = "\x1b]0;title\x07\x1b[31mred\x9b2J \u202eabc\u2066 [bold]x[/bold] [/nope] \u200b"


class TestReading:
    """`sessions`, `show`, `usage` and `status`."""

    def test_sessions_have_the_fixed_names(self, swept: Workbench) -> None:
        listed = swept.helix("sessions", "--json").json["sessions"]
        names = (
            "id flavor native_id parent conversation title repo domain cwd branch model "
            "agent_version started_at ended_at events prompts tool_calls tool_errors failures "
            "checks compactions ended outcome outcome_confidence outcome_reason "
            "left_open analyzed raw raw_bytes instructions pinned gate cost"
        )
        assert [list(item) for item in listed] == [names.split()] * 2
        names = "input output cache_read cache_write reasoning usd usd_priced unpriced_tokens"
        assert list(listed[0]["cost"]) == names.split()

    def test_filters(self, swept: Workbench) -> None:
        other = ClaudeLog(session="later", cwd="/work/web", start=10_000_000)
        other.prompt()
        other.write(swept.home)
        swept.sweep()

        def names(*arguments: str) -> list[str]:
            found = swept.helix("sessions", "--json", *arguments).json["sessions"]
            return [item["id"] for item in found]

        assert names("--repo", "web") == ["claude:later"]
        assert names("--since", "2026-05-01") == ["claude:later"]
        assert names("--flavor", "codex") == []
        assert names("--limit", "1") == ["claude:later"]
        wrong = swept.helix("sessions", "--since", "soon", check=False)
        assert (wrong.code, wrong.out) == (2, "")

    @pytest.mark.parametrize(
        ("arguments", "code"),
        [
            (["show"], 66),
            (["forget"], 66),
            (["detect", "--why"], 66),
            (["sessions", "--repo"], 0),
            (["usage", "--flavor"], 0),
        ],
    )
    def test_a_name_that_is_no_unicode_names_nothing(
        self, swept: Workbench, arguments: list[str], code: int
    ) -> None:
        ran = swept.helix(*arguments, os.fsdecode(b"\xff"), check=False)
        assert ran.code == code

    def test_show_takes_the_beginning_of_an_id(self, swept: Workbench) -> None:
        for name in (SESSION, "11111111", "claude:1111"):
            shown = swept.helix("show", name, "--json").json
            assert shown["session"]["id"] == SESSION
            assert shown["digest"]["first_prompt"] == "why does it fail?"
        child = swept.helix("show", f"{SESSION}.a", "--json").json
        assert child["session"]["parent"] == SESSION
        assert swept.helix("show", "nobody", check=False).code == 66

    def test_ambiguous_beginning_names_what_fits(self, bench: Workbench) -> None:
        for name in ("aa1", "aa2"):
            log = ClaudeLog(session=name)
            log.prompt()
            log.write(bench.home)
        bench.sweep()
        ran = bench.helix("show", "aa", check=False)
        assert ran.code == 66
        assert "claude:aa1, claude:aa2" in ran.err

    def test_events_have_the_fixed_names(self, swept: Workbench) -> None:
        events = swept.helix("show", SESSION, "--events", "--json").json["events"]
        names = (
            "seq ts kind role tool tool_class call_id is_error exit_code fault text sidechain "
            "fingerprint"
        )
        assert [list(event) for event in events] == [names.split()] * 4
        assert [event["seq"] for event in events] == [0, 1, 2, 3]
        assert (events[2]["exit_code"], events[2]["is_error"]) == (2, True)
        child = swept.helix("show", f"{SESSION}.abc", "--events", "--json").json["events"]
        assert child[0]["sidechain"] is True

    def test_transcript_reads_like_one(self, swept: Workbench) -> None:
        out = swept.helix("show", SESSION, "--events").out
        assert "  why does it fail?" in out
        assert "  $ make" in out
        assert "tool_result Bash failed with 2" in out

    def test_usage_rows_and_total(self, swept: Workbench) -> None:
        shown = swept.helix("usage", "--by", "model", "--json").json
        (row,) = shown["rows"]
        assert (row["key"], row["sessions"], row["output"]) == ("claude-opus-4-5", 1, 10)
        assert shown["total"]["output"] == 10
        # two messages of 10 tokens in, 5 out, 100 from the cache, 20 to it
        assert row["usd"] == shown["total"]["usd"] == 0.0007
        assert "<$0.01" in swept.helix("usage").out

    def test_status_of_store_and_deletion_clock(self, bench: Workbench) -> None:
        days_old = (1, 24, 28, 40)
        for age in days_old:
            log = ClaudeLog(session=f"old{age}")
            log.prompt()
            path = log.write(bench.home)
            moment = time.time() - age * 86_400
            os.utime(path, (moment, moment))

        def clock() -> tuple[int, int, int, int]:
            claude = bench.helix("status", "--json").json["flavors"]["claude"]
            return (
                claude["uncaptured"],
                claude["cleanup_days"],
                claude["vanish_3_days"],
                claude["vanish_7_days"],
            )

        assert clock() == (4, 30, 2, 3)
        (bench.home / ".claude" / "settings.json").write_text('{"cleanupPeriodDays": 60}')
        assert clock() == (4, 60, 0, 0)
        (bench.home / ".claude" / "settings.json").write_text('{"cleanupPeriodDays": 26}')
        assert clock() == (4, 26, 3, 3)
        (bench.home / ".claude" / "settings.json").write_text("{nonsense")
        assert clock() == (4, 30, 2, 3)
        bench.sweep()
        assert clock() == (0, 30, 0, 0)
        status = bench.helix("status", "--json").json
        assert status["sessions"] == 4
        assert status["last_sweep"]["ingested"] == 4
        assert "4 sessions" in bench.helix("status").out


class TestManners:
    """Help, versions, completion, usage errors, and text that must not steer a terminal."""

    def test_version_and_help(self, bench: Workbench) -> None:
        assert bench.helix("--version").out == f"helix {__version__}\n"
        assert "--sweep" in bench.helix("--help").out

    def test_completion_is_offered(self, bench: Workbench) -> None:
        ran = bench.helix("--show-completion", "--store", "x", check=False, SHELL="/bin/bash")
        assert ran.code in (0, 1)
        assert "--install-completion" in bench.helix("--help").out

    @pytest.mark.parametrize(
        "arguments", [["nonsense"], ["--sweep", "sessions"], ["usage", "--by", "x"], ["show"]]
    )
    def test_wrong_usage_exits_with_2(self, bench: Workbench, arguments: list[str]) -> None:
        ran = bench.helix(*arguments, check=False)
        assert (ran.code, ran.out) == (2, "")
        assert "Traceback" not in ran.err

    def test_empty_store_is_no_store(self, bench: Workbench) -> None:
        for option in ("--store", "--config"):
            ran = bench.helix("--sweep", option, "", check=False)
            assert (ran.code, ran.out) == (2, "")

    @pytest.mark.parametrize("output", [">&-", ">/dev/full", "| head -1"])
    def test_output_that_cannot_be_written(self, swept: Workbench, output: str) -> None:
        command = (
            f"'{sys.executable}' -m helix_tui sessions --json --store '{swept.store}' {output}"
        )
        environ = {"PATH": os.environ["PATH"], **swept.environ}
        done = subprocess.run(
            ["bash", "-c", command], capture_output=True, text=True, env=environ, check=False
        )
        assert done.returncode == (74 if "full" in output else 0)
        assert "Traceback" not in done.stderr
        assert "bug" not in done.stderr

    def test_store_that_is_a_file_is_told(self, bench: Workbench) -> None:
        bench.store.write_text("x")
        assert bench.helix("--sweep", check=False).code == 74
        assert bench.helix("status", check=False).code == 74
        assert bench.helix("doctor", check=False).code == 3

    def test_alone_it_says_what_to_use(self, bench: Workbench) -> None:
        ran = bench.helix(check=False)
        assert ran.code == 2
        assert "helix --sweep" in ran.err

    def test_options_may_stand_before_the_command(self, swept: Workbench) -> None:
        ran = swept.helix("--store", str(swept.store), "sessions", "--json")
        assert len(ran.json["sessions"]) == 2

    def test_no_byte_of_a_log_steers_the_terminal(self, bench: Workbench) -> None:
        log = ClaudeLog(session=f"s{HOSTILE}", cwd=f"/w/{HOSTILE}", branch=HOSTILE, agent=None)
        log.prompt(f"ask {HOSTILE}")
        log.call(HOSTILE, given={"command": HOSTILE}, model=HOSTILE)
        log.write(bench.home, name="log", project="-w")
        bench.sweep()
        for arguments in (
            ["sessions"],
            ["sessions", "--json"],
            ["show", "claude:s", "--events"],
            ["show", "claude:s", "--events", "--json"],
            ["usage", "--by", "model"],
            ["usage", "--by", "repo"],
            ["forget", "claude:s"],
        ):
            shown = through_terminal(bench, arguments)
            plain = shown.replace(b"\r\n", b"\n")
            text = plain.decode()
            for sign in "\x07\x9b\u202e\u2066\u200b":
                assert sign not in text, arguments
            # what Rich itself draws with: colours and nothing else
            assert b"\x1b]" not in plain
            assert b"\x1b[31mred" not in plain
            if arguments[0] == "show":
                assert "[bold]" in text


def test_tokens_of_parents_exclude_children(bench: Workbench) -> None:
    parent = ClaudeLog()
    parent.prompt()
    parent.reply(usage=usage(out=3))
    parent.write(bench.home)
    child = ClaudeLog(agent="abc")
    child.prompt()
    child.reply(usage=usage(out=40))
    child.write(bench.home)
    bench.sweep()
    rows = bench.helix("usage", "--by", "session", "--json").json["rows"]
    assert {row["key"]: row["output"] for row in rows} == {SESSION: 3, f"{SESSION}.abc": 40}
