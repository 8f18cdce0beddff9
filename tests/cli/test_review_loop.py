"""The review at a real terminal: every key, every way out, every size."""

from __future__ import annotations

import signal
import termios
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from helix_tui.cli.review.keys import END, first_key
from helix_tui.curate.journal.journal import Journal
from tests.agents import FLAVORS, story, work
from tests.cli.reviewing import CLEAR, Reviewer, editor, plain, review
from tests.conftest import Workbench
from tests.sample_list import LISTED

FIRST = "user-correction-commit-b041908a"
SECOND = "user-correction-comment-c9628757"
THIRD = "connection-refused-postgres-a8859f2a"
FOURTH = "command-not-found-rg-cd630925"
KEYS = "? help"
HOSTILE = "\x1b]0;title\x07\x1b[31mred\x9b2J \u202eabc [red]x[/red]"
DAY = 86_400


def is_written(bench: Workbench, name: str) -> bool:
    return (bench.store / "catalog" / f"{name}.md").is_file()


def test_every_key_works_without_enter(sampled: Workbench, tmp_path: Path) -> None:
    command = editor(tmp_path, "sed -i 's/^# .*/# Mine/' \"$1\"")
    one = Reviewer(sampled, EDITOR=command)
    assert f"1 of {LISTED}" in one.see(KEYS)
    one.press("a")
    one.see("any other key goes back")
    one.press("y")
    assert f"Approved: {FIRST} 1.0.0" in one.see(KEYS)
    assert is_written(sampled, FIRST)
    one.press("u")
    assert f"1 of {LISTED}" in one.see(KEYS)
    assert not is_written(sampled, FIRST)
    one.press("r")
    assert f"Rejected: {FIRST}" in one.see(KEYS)
    one.press("s")
    assert f"3 of {LISTED}" in one.see(KEYS)
    one.press("d")
    one.see("note (empty: none):")
    one.press("ask the owners\n")
    assert f"Noted: {THIRD}" in one.see(KEYS)
    one.press("s")
    assert f"5 of {LISTED}" in one.see(KEYS)
    one.press("n")
    assert "It goes into no other pattern." in one.see(KEYS)
    one.press("?")
    assert "e   edit the page" in one.see("q   quit")
    one.see(KEYS)
    one.press("v")
    assert "provenance:" in one.see(KEYS)
    one.press("\x1b[A")
    assert "'escape' does nothing here" in one.see(KEYS)
    one.press("e")
    assert f"Approved: {FOURTH}" in one.see(KEYS)
    one.press("q")
    one.see("Everything is saved")
    assert one.end() == 0
    page = sampled.store / "catalog" / f"{FOURTH}.md"
    assert "# Mine\n" in page.read_text()


def test_keys_that_are_typed_ahead_are_not_lost(sampled: Workbench) -> None:
    one = Reviewer(sampled)
    one.press("rdtake care\nrq")
    one.see("0 approved, 2 rejected, 1 discussed")
    assert one.end() == 0


def test_undo_in_a_row_walks_back_through_the_cards(sampled: Workbench) -> None:
    one = Reviewer(sampled)
    one.press("rrrsuuu")
    one.see(f"4 of {LISTED}")
    one.see(f"3 of {LISTED}")
    one.see(f"2 of {LISTED}")
    one.see(f"1 of {LISTED}")
    one.press("q")
    one.see("0 rejected")
    assert one.end() == 0


@pytest.mark.parametrize(
    ("rows", "columns"), [(24, 80), (40, 120), (12, 40)], ids=["80x24", "120x40", "tiny"]
)
def test_every_card_fits_the_screen(sampled: Workbench, rows: int, columns: int) -> None:
    sampled.helix("discuss", SECOND, "--note", "long " * 60)
    one = Reviewer(sampled, rows=rows, columns=columns)
    one.press("s" * (LISTED - 1) + "q")
    assert one.end() == 0
    frames = one.frames()
    assert len(frames) == LISTED
    for number, frame in enumerate(frames, 1):
        # Behind the last card stands the summary.
        shown = frame[:-1] if number < LISTED else frame[: len(frame) - 3]
        assert len(shown) <= rows
        assert all(cell_len(line) <= columns for line in shown)
        if rows > 12:
            assert shown[0].startswith(f"{number} of {LISTED}")
        assert shown[-1].rstrip().endswith(KEYS)


def test_card_shows_what_is_needed_to_decide(sampled: Workbench) -> None:
    sampled.helix("discuss", FIRST, "--note", "is it the same everywhere?")
    one = Reviewer(sampled)
    preview = one.see(KEYS)
    for text in (
        *(
            "user corrects: “undo that",
            "10 sessions",
            "claude 3, codex 3, gemini 1, grok 1, opencode 2",
            "5 repositories",
        ),
        *("7,683 tokens", "ongoing", "ok   min_sessions 10 of 3", "dist_min_cost_impact"),
        *("approved, ready for agents", "- “no commits please", "is it the same everywhere?"),
        *("discussed 2", "codex:01a12fd9"),
    ):
        assert text in preview
    one.press("q")
    assert one.end() == 0


def test_no_color_leaves_out_every_style(sampled: Workbench) -> None:
    one = Reviewer(sampled, NO_COLOR="1")
    one.press("q")
    assert one.end() == 0
    assert "\x1b" not in one.raw.replace(CLEAR, "")
    one = Reviewer(sampled, TERM="dumb")
    one.press("q")
    assert one.end() == 0
    assert "\x1b" not in one.raw


def test_json_is_all_of_stdout_and_cards_are_on_the_terminal(sampled: Workbench) -> None:
    one = Reviewer(sampled, "--json")
    one.see(KEYS)
    one.press("rq")
    assert one.end() == 0
    out = one.out.read_text()
    assert out.startswith('{"schema": "helix.curate/1"')
    assert '"rejected": 1' in out


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_signal_gives_the_terminal_back_and_loses_nothing(
    sampled: Workbench, number: signal.Signals
) -> None:
    one = Reviewer(sampled)
    one.see(KEYS)
    one.press("r")
    one.see(KEYS)
    assert not one.mode()[3] & termios.ICANON
    one.kill(number)
    one.see("Everything is saved")
    assert one.end() == 130
    assert '"rejected"' in sampled.helix("detect", "--json").out


def test_ctrl_c_ends_it_also_in_a_note(sampled: Workbench) -> None:
    one = Reviewer(sampled)
    one.see(KEYS)
    one.press("d")
    one.see("note (empty: none):")
    one.press("half a th\x03")
    one.see("0 discussed")
    assert one.end() == 130
    assert not (sampled.store / "review" / "journal.jsonl").exists()


def test_ctrl_c_in_the_editor_is_the_editors(sampled: Workbench, tmp_path: Path) -> None:
    body = 'trap \'sed -i "s/^# .*/# Mine/" "$1"; exit 0\' INT; echo ready; sleep 20 & wait'
    one = Reviewer(sampled, EDITOR=editor(tmp_path, body))
    one.see(KEYS)
    one.press("e")
    one.see("ready")
    assert one.mode()[3] & termios.ICANON
    one.press("\x03")
    one.see("any other key goes back")
    one.press("y")
    assert f"Approved: {FIRST}" in one.see(KEYS)
    one.press("q")
    assert one.end() == 0


def test_ctrl_d_ends_it_like_q(sampled: Workbench) -> None:
    one = Reviewer(sampled)
    one.see(KEYS)
    one.press("\x04")
    one.see("Everything is saved")
    assert one.end() == 0


def test_candidate_that_was_decided_on_meanwhile_is_passed_over(sampled: Workbench) -> None:
    one = Reviewer(sampled)
    one.see(KEYS)
    sampled.helix("reject", SECOND)
    sampled.helix("merge", FIRST, THIRD)
    one.press("s")
    preview = one.see(KEYS)
    assert f"4 of {LISTED}" in preview
    assert f"{SECOND} was passed over: it is rejected now" in preview
    assert f"{THIRD} was passed over" in " ".join(preview.split())
    one.press("q")
    assert one.end() == 0


def test_note_on_what_was_decided_meanwhile_is_not_written_and_not_lost(
    sampled: Workbench,
) -> None:
    one = Reviewer(sampled)
    one.see(KEYS)
    one.press("d")
    one.see("note")
    sampled.helix("discuss", FIRST, "--note", "wait for me")
    one.press("it is mine\r")
    preview = " ".join(one.see(KEYS).split())
    assert "has changed since you looked" in preview
    assert "Your note: it is mine" in preview
    one.press("q")
    assert one.end() == 0
    read = Journal(sampled.store / "review" / "journal.jsonl").lines()
    assert [line.note for line in read.lines] == ["wait for me"]


def test_card_that_changed_while_it_was_read_is_shown_again(sampled: Workbench) -> None:
    one = Reviewer(sampled)
    one.see(KEYS)
    sampled.helix("discuss", FIRST, "--note", "wait for me")
    one.press("a")
    preview = one.see(KEYS)
    assert "It has changed meanwhile." in preview
    assert "wait for me" in preview
    assert not is_written(sampled, FIRST)
    one.press("ayq")
    one.see("1 approved")
    assert one.end() == 0
    assert is_written(sampled, FIRST)


def test_approved_candidate_with_new_evidence_is_asked_again(bench: Workbench) -> None:
    def tell(numbers: range) -> None:
        for number in numbers:
            log = story(FLAVORS[0], number, start=number * DAY)
            work(log)
            log.run("jq . a.json", "bash: line 1: jq: command not found", 127)
            log.run("cat a.json", "{}\n" * 40, takes=20)
            log.save(bench.home)
        bench.sweep()

    tell(range(1, 4))
    assert review(bench, "a", "y").code == 0
    assert "No candidate waits" in review(bench).out
    tell(range(4, 8))
    done = review(bench, "a", "y", arguments=("--json",))
    assert "7 sessions, 3 when it was decided" in done.err
    assert done.json["patterns"][0]["action"] == "updated"


def test_text_of_a_log_does_not_steer_the_terminal(bench: Workbench) -> None:
    for number, flavor in enumerate(FLAVORS, 1):
        log = story(flavor, number, start=number * DAY)
        work(log)
        log.run("make ship", f"Error: {HOSTILE} exploded in the engine room", 2, takes=20)
        log.ask(f"no, don't use make ship {HOSTILE}, I told you to use just")
        log.run("just ship")
        log.save(bench.home)
    bench.sweep()
    one = Reviewer(bench)
    one.press("va" + "y" + "vs" * 10 + "q")
    one.end()
    shown = plain(one.raw.replace(CLEAR, ""))
    assert "exploded" in shown
    assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(shown)


def test_trouble_with_the_journal_is_told_and_tried_again(sampled: Workbench) -> None:
    one = Reviewer(sampled)
    one.see(KEYS)
    journal = sampled.store / "review" / "journal.jsonl"
    journal.mkdir()
    one.press("r")
    assert "which holds verdicts, cannot be used" in " ".join(one.see(KEYS).split())
    one.press("s")
    assert SECOND in one.see("enter tries again")
    journal.rmdir()
    one.press("\n")
    assert f"2 of {LISTED}" in one.see(KEYS)
    one.press("rq")
    one.see("1 rejected")
    assert one.end() == 0


@given(st.binary(max_size=12))
def test_keys_take_every_byte_once(typed: bytes) -> None:
    left, pressed = typed, 0
    while left:
        key, rest = first_key(left)
        assert len(rest) < len(left)
        assert left.endswith(rest)
        assert key != END or left[0] == 4
        left, pressed = rest, pressed + 1
    assert pressed <= len(typed)


@pytest.mark.parametrize(
    ("typed", "key", "rest"),
    [
        (b"ab", "a", b"b"),
        (b"\x1b[1;5Aa", "escape", b"a"),
        (b"\x1bOPa", "escape", b"a"),
        (b"\x1b", "escape", b""),
        ("éa".encode(), "é", b"a"),
        (b"\na", "enter", b"a"),
        (b"\x04", END, b""),
        (b"", END, b""),
    ],
)
def test_one_key_is_one_press(typed: bytes, key: str, rest: bytes) -> None:
    assert first_key(typed) == (key, rest)
