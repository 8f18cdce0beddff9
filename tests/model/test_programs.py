"""Programs by the names of the presets: called as they want it, read, given up, kept apart."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from helix_tui.model.failure import ModelError
from tests.model.made import (
    ANSWER,
    DAY,
    FENCED,
    QUESTION,
    WRAPPED,
    asked,
    claude_result,
    codex_events,
    fits,
    model_of,
    program,
)

KEY = "sk-own-4711-4711-4711"


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which programs are found before all others."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return folder


def failed(folder: Path, **settings: Any) -> ModelError:
    with pytest.raises(ModelError) as failure:
        asked(model_of(folder, **settings))
    return failure.value


class TestClaude:
    def test_it_is_called_without_tools_and_leaves_no_session(
        self, path: Path, tmp_path: Path
    ) -> None:
        seen = tmp_path / "seen"
        program(
            path,
            "claude",
            f"json.dump([arguments, text, os.getcwd(), os.environ.get('HELIX_INVOKED_BY')], "
            f"open({str(seen)!r}, 'w'))\nprint({json.dumps(claude_result(FENCED))!r})",
        )
        answer = asked(model_of(tmp_path, preset="claude"))
        assert (answer.value, answer.tokens) == ({"answer": 42}, 120)
        arguments, text, folder, by = json.loads(seen.read_text())
        assert arguments[:5] == ["-p", "--output-format", "json", "--model", "haiku"]
        assert arguments[arguments.index("--tools") + 1] == ""
        assert "--no-session-persistence" in arguments
        assert text == f"{QUESTION.instructions}\n\n{QUESTION.material}\n"
        assert folder == str(tmp_path / "run")
        assert by == "helix"

    def test_an_older_one_is_called_without_what_it_does_not_know(
        self, path: Path, tmp_path: Path
    ) -> None:
        program(
            path,
            "claude",
            "if '--tools' in arguments:\n"
            "    sys.exit(\"error: unknown option '--tools'\\nSee claude --help\")\n"
            f"print({json.dumps(claude_result(ANSWER))!r})",
        )
        assert asked(model_of(tmp_path, preset="claude")).value == {"answer": 42}

    @pytest.mark.parametrize("code", [0, 1])
    def test_nobody_logged_in_is_told_with_what_to_do(
        self, path: Path, tmp_path: Path, code: int
    ) -> None:
        said = claude_result("Invalid API key · Please run /login", is_error=True)
        program(path, "claude", f"print({json.dumps(said)!r})\nsys.exit({code})")
        error = failed(tmp_path, preset="claude")
        assert error.kind == "setup"
        assert "Please run /login" in error.what
        assert "run `claude` once" in error.todo

    def test_a_limit_is_known(self, path: Path, tmp_path: Path) -> None:
        said = claude_result("Claude AI usage limit reached|1763600000", is_error=True)
        program(path, "claude", f"print({json.dumps(said)!r})\nsys.exit(1)")
        assert failed(tmp_path, preset="claude").kind == "limited"

    def test_one_that_is_not_installed(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PATH", str(tmp_path))
        error = failed(tmp_path, preset="claude")
        assert error.kind == "setup"
        assert "Install Claude Code" in error.todo

    def test_a_refusal_that_it_tells_apart(self, path: Path, tmp_path: Path) -> None:
        said = claude_result(ANSWER, stop_reason="refusal")
        program(path, "claude", f"print({json.dumps(said)!r})")
        assert failed(tmp_path, preset="claude").kind == "refused"


class TestCodex:
    def test_it_is_called_read_only_and_its_last_message_counts(
        self, path: Path, tmp_path: Path
    ) -> None:
        seen = tmp_path / "seen"
        events = "\n".join(map(json.dumps, codex_events(FENCED)))
        program(
            path,
            "codex",
            f"json.dump(arguments, open({str(seen)!r}, 'w'))\nprint({events!r})",
        )
        answer = asked(model_of(tmp_path, preset="codex", model="small"))
        assert (answer.value, answer.tokens) == ({"answer": 42}, 57)
        arguments = json.loads(seen.read_text())
        assert arguments[0] == "exec"
        assert arguments[-1] == "-"
        assert arguments[arguments.index("--sandbox") + 1] == "read-only"
        assert arguments[arguments.index("--model") + 1] == "small"
        assert "--ephemeral" in arguments

    def test_its_failure_is_told(self, path: Path, tmp_path: Path) -> None:
        events = [
            {"type": "error", "message": "Reconnecting... 1/5"},
            {"type": "turn.failed", "error": {"message": "You've hit your usage limit."}},
        ]
        said = "\n".join(map(json.dumps, events))
        program(path, "codex", f"print({said!r})\nsys.exit(1)")
        error = failed(tmp_path, preset="codex")
        assert error.kind == "limited"
        assert "usage limit" in error.what


class TestCommand:
    @pytest.mark.parametrize("wrapping", WRAPPED)
    def test_any_envelope_and_none(self, tmp_path: Path, wrapping: str) -> None:
        file = program(tmp_path, "own", f"print({WRAPPED[wrapping](FENCED)!r})")
        answer = asked(model_of(tmp_path, preset="command", command=(str(file),)))
        assert answer.value == {"answer": 42}

    @pytest.mark.parametrize("wrapping", WRAPPED)
    @pytest.mark.parametrize("preamble", ["''", "'Here is what you said: '"])
    def test_an_echo_is_refused(self, tmp_path: Path, wrapping: str, preamble: str) -> None:
        wrapped = WRAPPED[wrapping]("ECHO!")
        said = "text" if wrapping == "plain" else "json.dumps(text)[1:-1]"
        body = f"print({wrapped!r}.replace('ECHO!', {preamble} + {said}))"
        file = program(tmp_path, "own", body)
        error = failed(tmp_path, preset="command", command=(str(file),))
        assert (error.kind, "repeated the request" in error.what) == ("unusable", True)

    @pytest.mark.parametrize(
        ("body", "kind"),
        [
            ("print(\"I'm sorry, but I can't help with that.\")", "refused"),
            ("print('no idea')", "unusable"),
            ("pass", "unusable"),
            ("print('x' * 300_000)", "unusable"),
            ("sys.exit('it broke')", "failed"),
            ("os.kill(os.getpid(), 9)", "failed"),
            ("sys.stdout.buffer.write(b'\\xff\\xfe\\x00' * 99)", "unusable"),
        ],
    )
    def test_what_is_no_answer(self, tmp_path: Path, body: str, kind: str) -> None:
        file = program(tmp_path, "own", body)
        assert failed(tmp_path, preset="command", command=(str(file),)).kind == kind

    def test_one_that_hangs_is_ended_with_what_it_started(self, tmp_path: Path) -> None:
        pids = tmp_path / "pids"
        body = (
            "import subprocess\n"
            "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
            f"open({str(pids)!r}, 'w').write(f'{{os.getpid()}} {{child.pid}}')\ntime.sleep(60)"
        )
        file = program(tmp_path, "own", body)
        started = time.monotonic()
        error = failed(tmp_path, preset="command", command=(str(file),), timeout_seconds=2)
        assert error.kind == "late"
        assert time.monotonic() - started < 20
        time.sleep(0.2)
        assert not [pid for pid in pids.read_text().split() if _is_running(pid)]

    def test_the_key_reaches_the_program_that_is_asked_and_no_arguments(
        self, tmp_path: Path
    ) -> None:
        seen = tmp_path / "seen"
        body = (
            "line = open('/proc/self/cmdline').read()\n"
            f"json.dump([line, os.environ.get('OWN_KEY')], open({str(seen)!r}, 'w'))\n"
            f"print({ANSWER!r})"
        )
        file = program(tmp_path, "own", body)
        environ = {**os.environ, "OWN_KEY": KEY}
        command = (str(file),)
        asked(model_of(tmp_path, environ, preset="command", command=command, key_env="OWN_KEY"))
        line, key = json.loads(seen.read_text())
        assert KEY not in line
        assert key == KEY

    def test_the_key_is_in_no_error(self, tmp_path: Path) -> None:
        file = program(tmp_path, "own", "sys.exit('error: bad key ' + os.environ['OWN_KEY'])")
        model = model_of(
            tmp_path,
            {**os.environ, "OWN_KEY": KEY},
            preset="command",
            command=(str(file),),
            key_env="OWN_KEY",
        )
        with pytest.raises(ModelError) as failure:
            asked(model)
        assert "bad key" in failure.value.what
        assert KEY not in str(failure.value) + repr(model)


class TestBudget:
    def test_tokens_are_counted_over_processes_and_the_cap_holds(self, tmp_path: Path) -> None:
        calls = tmp_path / "calls"
        file = program(tmp_path, "own", f"open({str(calls)!r}, 'a').write('x')\nprint({ANSWER!r})")
        settings: dict[str, Any] = {
            "preset": "command",
            "command": (str(file),),
            "daily_token_cap": 200,
        }
        for _ in range(3):
            asked(model_of(tmp_path, **settings))
        error = failed(tmp_path, **settings)
        assert error.kind == "limited"
        assert "cap of 200 tokens" in error.what
        assert calls.read_text() == "xxx"

    def test_what_a_model_tells_is_what_counts(self, tmp_path: Path) -> None:
        said = json.dumps(claude_result(ANSWER))
        file = program(tmp_path, "own", f"print({said!r})")
        model = model_of(tmp_path, preset="command", command=(str(file),))
        asked(model)
        assert model.spent(DAY) == 120

    def test_what_never_started_costs_nothing(self, tmp_path: Path) -> None:
        model = model_of(tmp_path, preset="command", command=("/no/such/program",))
        with pytest.raises(ModelError):
            asked(model)
        assert model.spent(DAY) == 0

    def test_long_material_is_cut_in_its_middle_and_redacted(self, tmp_path: Path) -> None:
        seen = tmp_path / "seen"
        file = program(tmp_path, "own", f"open({str(seen)!r}, 'w').write(text)\nprint({ANSWER!r})")
        model = model_of(
            tmp_path, preset="command", command=(str(file),), max_input_characters=4_000
        )
        secret = "sk-ant-" + "a1B2" * 10
        material = f"FIRST {secret} " + "word " * 9_000 + f"{secret} LAST"
        with model:
            model.ask(QUESTION._replace(material=material), fits, DAY)
        text = seen.read_text()
        assert len(text) <= 4_010
        assert "FIRST" in text
        assert "LAST" in text
        assert secret not in text
        assert QUESTION.instructions in text


def _is_running(pid: str) -> bool:
    try:
        return " Z " not in Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False
