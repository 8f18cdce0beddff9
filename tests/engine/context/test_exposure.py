"""Whether a session saw a line: observed in its log, else assumed by its folder at that time."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from helix_tui.engine.context.exposure import Exposures, plain, plain_lines
from helix_tui.engine.context.git_history import History
from helix_tui.schema.context import Exposure, RecordedText, SessionPlace
from tests.claude_log import START

RULE = "Run `make test` before you say that you are done."


# After the first version of Claude Code that reads AGENTS.md.
LATE = 1_790_000_000


def place(cwd: str = "", flavor: str = "codex", at: int = START) -> SessionPlace:
    return SessionPlace(1, "codex:1", "codex:1", flavor, "app", cwd, at * 1000)


def exposed(text: str | None, line: str = RULE, source: str = "message") -> Exposure:
    """What a session with one record saw; None is a record that there was nothing."""
    record = RecordedText(1, 7 if text is not None else 0, source, START * 1000, None)
    return Exposures({1: [record]}, {7: text or ""}).of(line, place())


def git(folder: Path, *words: str, at: int = START) -> None:
    """Git at a time, with nobody's settings."""
    when = f"{at} +0000"
    environ = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "GIT_AUTHOR_DATE": when,
        "GIT_COMMITTER_DATE": when,
    }
    named = ("-c", "user.name=A", "-c", "user.email=a@example.com")
    subprocess.run(
        ["git", *named, *words], cwd=folder, env=environ, check=True, capture_output=True
    )


def commit(folder: Path, files: dict[str, str], at: int) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    git(folder, "add", "-A", at=at)
    git(folder, "commit", "-qm", "x", at=at)


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    folder = tmp_path / "app"
    folder.mkdir()
    git(folder, "init", "-q")
    return folder


def test_records_prove_what_was_seen_and_what_was_not() -> None:
    seen = exposed(f"# Rules\n\n- {RULE}\n")
    assert (seen.state, seen.proof) == ("observed_yes", "record message of 2026-02-02T02:40:00")
    assert exposed("# Rules\n\nBe brief.").state == "observed_no"
    none = exposed(None)
    assert none.state == "observed_no"
    assert "none" in none.proof


def test_a_line_that_was_cut_was_not_seen() -> None:
    assert exposed(f"x\n- {RULE[:20]}").state == "observed_no"


def test_the_words_count_and_not_how_they_are_set() -> None:
    assert (
        exposed("* **Run** `make test` before you\n  say that you are done.").state
        == "observed_yes"
    )
    assert plain("1. **Do**  it") == "Do it"
    assert plain_lines("- a\n\n  b\n") == "a b"


def test_nested_files_alone_do_not_prove_that_a_line_was_not_seen() -> None:
    assert exposed("Other.", source="nested_memory").state == "unknown"
    assert exposed(RULE, source="nested_memory").state == "observed_yes"


def test_without_a_record_the_folder_of_then_decides(repo: Path) -> None:
    commit(repo, {"AGENTS.md": "Be brief.\n"}, START)
    commit(repo, {"AGENTS.md": f"Be brief.\n{RULE}\n"}, START + 1000)
    commit(repo, {"AGENTS.md": "Be brief.\n"}, START + 2000)
    exposures = Exposures({}, {})
    states = [
        exposures.of(RULE, place(str(repo), at=START + seconds)).state
        for seconds in (-10, 500, 1500, 2500)
    ]
    assert states == ["assumed_no", "assumed_no", "assumed_yes", "assumed_no"]


def test_a_file_that_switched_another_off_did_so_only_from_then_on(repo: Path) -> None:
    commit(repo, {"AGENTS.md": f"{RULE}\n"}, LATE)
    commit(repo, {"CLAUDE.md": "Be brief.\n"}, LATE + 1000)
    exposures = Exposures({}, {})
    assert exposures.of(RULE, place(str(repo), "claude", LATE + 500)).state == "assumed_yes"
    assert exposures.of(RULE, place(str(repo), "claude", LATE + 1500)).state == "assumed_no"


def test_an_agent_had_the_rules_of_versions_that_were_there(repo: Path) -> None:
    commit(repo, {"AGENTS.md": f"{RULE}\n"}, START)
    exposures = Exposures({}, {})
    states = [
        exposures.of(RULE, place(str(repo), flavor, at)).state
        for flavor in ("claude", "codex")
        for at in (START + 10, LATE)
    ]
    assert states == ["assumed_no", "assumed_yes", "assumed_yes", "assumed_yes"]


def test_settings_count_as_they_are_now(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit(repo, {"AGENTS.md": f"{RULE}\n"}, START)
    home = repo.parent / "own"
    (home / ".codex").mkdir(parents=True)
    (home / ".codex" / "config.toml").write_text('model = "one"\n')
    monkeypatch.setenv("HOME", str(home))
    assert Exposures({}, {}).of(RULE, place(str(repo), at=START + 10)).state == "assumed_yes"
    (home / ".codex" / "AGENTS.md").write_text("Written today.\n")
    assert Exposures({}, {}).of(RULE, place(str(repo), at=START + 10)).state == "unknown"


def test_files_without_a_history_count_from_when_they_were_written(repo: Path) -> None:
    (repo / "AGENTS.md").write_text(RULE)
    os.utime(repo / "AGENTS.md", (START, START))
    exposures = Exposures({}, {})
    assert exposures.of(RULE, place(str(repo), at=START + 10)).state == "assumed_yes"
    assert exposures.of(RULE, place(str(repo), at=START - 10)).state == "unknown"


def test_what_is_gone_or_never_said_is_unknown(tmp_path: Path) -> None:
    exposures = Exposures({}, {})
    assert exposures.of(RULE, place(str(tmp_path / "gone"))).state == "unknown"
    assert exposures.of(RULE, place("")).state == "unknown"
    assert exposures.of(RULE, place(str(tmp_path), "another")).state == "unknown"


def test_programs_that_a_repository_names_are_not_run(repo: Path, tmp_path: Path) -> None:
    commit(repo, {"AGENTS.md": f"{RULE}\n", ".gitattributes": "*.md diff=bad\n"}, START)
    commit(repo, {"AGENTS.md": "Other.\n"}, START + 100)
    mark = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {mark}\ncat\n")
    program.chmod(0o755)
    for name in ("core.fsmonitor", "diff.external", "diff.bad.textconv", "diff.bad.command",
                 "gpg.program", "core.pager", "pager.log"):  # fmt: skip
        git(repo, "config", name, str(program))
    git(repo, "config", "log.showSignature", "true")
    history = History(str(repo))
    assert history.content(str(repo / "AGENTS.md"), (START + 50) * 1000) == f"{RULE}\n".encode()
    assert not mark.exists()


def test_a_repository_that_git_refuses_has_no_history(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    history = History(str(tmp_path))
    assert not history.knows(str(tmp_path / "AGENTS.md"))
    assert history.epochs == []
