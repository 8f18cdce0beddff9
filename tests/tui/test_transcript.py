"""What a transcript shows of an event."""

from __future__ import annotations

import json

from rich.cells import cell_len

from helix_tui.engine.transcripts.transcript import TimedEvent
from helix_tui.schema import SessionEvent
from helix_tui.tui.kit.transcript_rows import (
    excerpt_piece,
    is_foldable,
    piece_of,
    wrapped,
)


def step(kind: str = "tool_result", text: str = "", **more: object) -> TimedEvent:
    fields: dict[str, object] = {
        "seq": 0, "ts": 1_790_000_000_000, "kind": kind, "role": None, "tool": "shell",
        "tool_class": "shell", "call_id": "c", "is_error": False, "exit_code": None,
        "fault": None, "text": text, "sidechain": False, "fingerprint": "0" * 16, **more,
    }  # fmt: skip
    return TimedEvent(SessionEvent(**fields), 12_000, 4_100)  # type: ignore[arg-type]


def test_a_call_says_what_it_is_about_how_long_it_took_and_its_tokens() -> None:
    piece = piece_of(step("tool_call", json.dumps({"command": "make test", "timeout": 5})))
    assert (piece.who, piece.sign, piece.summary) == ("shell", "▸", "make test")
    assert piece.price == "(12 s, 4.1k tokens)"
    assert [line for line, _ in piece.body] == ["command: make test", "timeout: 5"]


def test_a_call_of_one_field_has_nothing_to_unfold() -> None:
    piece = piece_of(step("tool_call", json.dumps({"file_path": "/a/b.py"})))
    assert not is_foldable(piece, 40)
    assert is_foldable(piece, 4)


def test_an_error_is_told_by_its_line_and_by_a_sign() -> None:
    said = "Exit code 1\ncollecting\nbash: rg: command not found"
    piece = piece_of(step(text=said, is_error=True, exit_code=1))
    assert piece.sign == "✗"
    assert piece.summary == "(exit 1) bash: rg: command not found"


def test_headings_above_an_output_are_left_out() -> None:
    said = "Chunk ID: 1\nWall time: 1.1 seconds\nProcess exited with code 0\nOutput:\nall fine\n"
    piece = piece_of(step(text=said))
    assert piece.summary == "all fine"
    assert [line for line, _ in piece.body] == ["all fine"]
    kept = piece_of(step(text="first\nOutput:\nsecond"))
    assert [line for line, _ in kept.body] == ["first", "Output:", "second"]


def test_a_text_of_a_megabyte_is_cut_and_says_how_much_is_left_out() -> None:
    piece = piece_of(step(text="漢" * 500_000 + "x" * 500_000))
    lines = wrapped(piece, 70)
    assert all(cell_len(line) <= 70 for line, _ in lines)
    assert len(lines) <= 1_001 + 1
    assert "more" in lines[-1][0]


def test_lines_break_at_words_and_lose_none() -> None:
    text = "the quick brown fox jumps over the lazy dog " * 9
    lines = [line for line, _ in wrapped(piece_of(step("reply", text)), 30)]
    assert " ".join(lines).rstrip() == text.rstrip()
    assert all(len(line) <= 30 for line in lines)


def test_an_excerpt_marks_the_line_that_counts_by_a_sign() -> None:
    piece = excerpt_piece("$ rg x\nbash: rg: command not found\nthen $ grep x", "problem")
    assert [line[:2] for line, _ in piece.body] == ["▸ ", "✗ ", "▸ "]
