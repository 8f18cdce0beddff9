"""How commands end: what nobody expected is told as a bug, and nothing is taken for another."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from helix_tui.cli.ending import run_to_end
from helix_tui.errors import ExitCode, UsageError

SECRET = "sk-ant-api03-" + "aB3dE5gH7j" * 9 + "AA"


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "helix" / "log"


def raising(error: Exception) -> Callable[[], object]:
    def act() -> object:
        raise error

    return act


def ended(act: Callable[[], object]) -> int:
    with pytest.raises(SystemExit) as exit_:
        run_to_end(act)
    assert isinstance(exit_.value.code, int)
    return exit_.value.code


def told(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().err


def test_a_bug_leaves_its_traceback_in_a_file_of_the_users_own(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ended(raising(ZeroDivisionError("by\x1b[2J nothing"))) == ExitCode.BUG
    (report,) = log.iterdir()
    assert stat.S_IMODE(report.stat().st_mode) == 0o600
    text = report.read_text()
    assert "test_ending.py" in text
    assert "in act" in text
    assert "\x1b" not in text
    sentence = told(capsys)
    assert "ZeroDivisionError" in sentence
    assert str(report) in sentence
    assert "Traceback" not in sentence


def test_a_secret_in_what_failed_is_told_nowhere(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ended(raising(KeyError(f"ANTHROPIC_API_KEY={SECRET}")))
    (report,) = log.iterdir()
    assert SECRET not in told(capsys) + report.read_text()


def test_where_no_file_can_be_made_the_traceback_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    assert ended(raising(ValueError("x"))) == ExitCode.BUG
    assert "Traceback (most recent call last)" in told(capsys)


def test_a_full_disk_under_a_file_is_no_trouble_of_the_output(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    full = OSError(errno.ENOSPC, "No space left on device", "/some/file")
    assert ended(raising(full)) == ExitCode.BUG
    assert "/some/file" in told(capsys)


def test_output_that_cannot_be_written_is_told_as_such(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    full = OSError(errno.ENOSPC, "No space left on device")
    assert ended(raising(full)) == ExitCode.UNWRITABLE
    assert "the output cannot be written: No space left on device." in told(capsys)
    assert not log.exists()


def test_a_broken_pipe_of_something_else_is_a_bug(log: Path) -> None:
    assert ended(raising(BrokenPipeError(errno.EPIPE, "Broken pipe"))) == ExitCode.BUG


def test_a_reader_who_has_seen_enough_is_fine(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    output = os.fdopen(writer, "w")
    monkeypatch.setattr(sys, "stdout", output)

    def act() -> None:
        print("x" * 100_000)

    assert ended(act) == ExitCode.DONE
    assert not log.exists()
    output.close()


def test_an_error_that_a_person_can_act_on_is_a_sentence(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ended(raising(UsageError("There is no such day.", "Say another."))) == ExitCode.USAGE
    assert told(capsys) == "helix: There is no such day. Say another.\n"
