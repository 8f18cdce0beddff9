"""Shapes of actions: what stays of a call, and what is forgotten."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix_tui.digest.actions import action_of
from helix_tui.digest.shape.call import shape_of_text
from helix_tui.digest.shape.command import chosen_shape, shape_of_command
from helix_tui.digest.shape.failing import failing_shape
from helix_tui.digest.shape.kinds import kind_of_path
from helix_tui.digest.shape.lines import shape_on_line
from helix_tui.digest.state import Pending
from helix_tui.text.shape import Shape, relative_text, text_anywhere

COMMANDS = [
    # Values are forgotten, names stay.
    ("pytest", "pytest"),
    ("pytest tests/test_a.py::test_b", "pytest {test}"),
    ("pytest -k name tests", "pytest -k {test}"),
    ("git commit -m 'fix: a | b && c'", "git commit -m"),
    ("git log -5 --format=%h main..HEAD", "git log --format"),
    ("git diff -- src/a.py", "git diff -- {source}"),
    ("make -j4 lint", "make lint -j"),
    ("rm -rf build", "rm -rf"),
    ("curl -s https://example.com/x.json", "curl -s {url}"),
    # What only says how much is printed goes.
    ("pytest -q --tb=short --color=no", "pytest"),
    ("pytest -xvs", "pytest -x"),
    ("go test -v ./...", "go test {folder}"),
    ("grep -v word a.py", "grep -v {source}"),
    # Variables, by name.
    ("PYTHONPATH=. pytest", "PYTHONPATH= pytest"),
    ("B=2 A=1 make", "A= B= make"),
    ("env CI=1 npm test", "CI= npm run test"),
    ("export CI=1 && npm test", "CI= npm run test"),
    ("cross-env NODE_ENV=test jest", "NODE_ENV= cross-env jest"),
    # Wrappers.
    ("uv run pytest", "uv run pytest"),
    ("uv run --extra dev pytest tests/", "uv run --extra={} pytest {test}"),
    ("npx --yes jest", "npx --yes jest"),
    ("poetry run mypy pkg/", "poetry run mypy {folder}"),
    ("timeout 60 pytest", "timeout {} pytest"),
    ("sudo apt-get install x", "sudo apt-get install"),
    ("docker compose exec web pytest", "docker compose exec {} pytest"),
    ("time nice make", "make"),
    ("python -m pytest -q", "python -m pytest"),
    ("python3 tools/build.py --all", "python3 build.py --all"),
    ("python -c 'import x'", "python -c"),
    ("bash scripts/make-feature.sh --json", "bash make-feature.sh --json"),
    ("./scripts/make-feature.sh --json", "make-feature.sh --json"),
    (".venv/bin/pytest", ".venv/bin/pytest"),
    ("/home/me/repo/.venv/bin/pytest", ".venv/bin/pytest"),
    ("(source .venv/bin/activate && pytest)", ".venv/bin/pytest"),
    ("node_modules/.bin/eslint .", "node_modules/.bin/eslint {folder}"),
    ("bash -lc 'cd web && npm test'", "cd web && npm run test"),
    ('sh -c "pytest | tail -5"', "pytest"),
    # Sub-commands and scripts.
    ("git stash pop", "git stash pop"),
    ("git -C web status", "cd web && git status"),
    ("gh pr view 12 --json title", "gh pr view --json"),
    ("gh api repos/o/r/pulls", "gh api"),
    ("npm t", "npm run test"),
    ("npm run build:web", "npm run build:web"),
    ("npm --prefix web run lint", "cd web && npm run lint"),
    ("pnpm --filter @x/api test -- --runInBand", "pnpm run test -- --filter --runInBand"),
    ("yarn lint", "yarn run lint"),
    ("npm install left-pad", "npm install"),
    ("mise run lint", "mise run lint"),
    ("just fmt", "just fmt"),
    ("ruff check --fix src/", "ruff check --fix {folder}"),
    ("cargo test -p core", "cargo test -p"),
    # Folders.
    ("cd backend && pytest", "cd backend && pytest"),
    ("cd a && cd b && make", "cd a/b && make"),
    ("cd ./web/ && ls", "cd web && ls"),
    ("cd 'my folder' && make", "cd 'my folder' && make"),
    # Pipes and chains: the part that matters.
    ("pytest 2>&1 | tail -5", "pytest"),
    ("npm test | grep -c FAIL", "npm run test"),
    ("echo '{}' | node run.js", "node run.js"),
    ("git add -A && git commit -m x && git push", "git push"),
    ("pytest; git status", "pytest"),
    ("ls && cat a.md", "cat {docs}"),
    ("set -e; pytest || true", "pytest"),
    ("cat <<'EOF' > a.py\nimport os; rm -rf /\nEOF", "cat"),
    # Nothing to say.
    ("", ""),
    ("cd web", ""),
    ("X=1", ""),
    ("echo done", ""),
    ("$RUNNER --all", ""),
]


@pytest.mark.parametrize(("command", "expected"), COMMANDS)
def test_command_lines(command: str, expected: str) -> None:
    assert shape_of_command(command).text == expected


@pytest.mark.parametrize(("command", "_"), COMMANDS)
def test_the_text_of_a_shape_has_that_shape(command: str, _: str) -> None:
    shape = shape_of_command(command)
    again = shape_of_text(shape.text)
    assert again.text == shape.text
    assert (again.program, again.flags, again.folder) == (shape.program, shape.flags, shape.folder)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("tests/test_a.py", "test"),
        ("src/a.spec.ts", "test"),
        ("pkg/a_test.go", "test"),
        ("src/test/java/ATest.java", "test"),
        ("src/a.py", "source"),
        ("src/contest.py", "source"),
        ("README.md", "docs"),
        ("docs/test-plan.md", "docs"),
        ("pyproject.toml", "config"),
        (".eslintrc", "config"),
        ("vite.config.ts", "config"),
        ("Dockerfile", "config"),
        ("package-lock.json", "generated"),
        ("dist/app.js", "generated"),
        ("api/x_pb2.py", "generated"),
        ("data/rows.csv", "file"),
        ("./cmd/...", "folder"),
        ("src/", "folder"),
        (".", "folder"),
        ("https://example.com", "url"),
        ("word", ""),
        ("1,200p", ""),
        ("a sentence that names no file/folder", ""),
        ("", ""),
    ],
)
def test_kinds_of_paths(path: str, kind: str) -> None:
    assert kind_of_path(path) == kind


def test_filters_are_noted_and_no_part_of_the_text() -> None:
    shape = shape_of_command("cd web && npm test 2>&1 | grep -v x | tail -5")
    assert (shape.text, shape.filters) == ("cd web && npm run test", ("grep", "tail"))


def test_the_part_that_failed_matters_most() -> None:
    command = "git log --merges | grep -oP '#[0-9]+' && pytest"
    assert shape_of_command(command, "grep").text == "grep -oP"
    assert shape_of_command(command, "git").text == "git log --merges"
    assert shape_of_command(command, "unknown").text == "pytest"


@pytest.mark.parametrize(
    ("command", "line", "expected"),
    [
        (
            "git pull --rebase && make note && git push",
            "error: cannot pull with rebase: You have unstaged changes.",
            "git pull --rebase",
        ),
        (
            "git pull && git push",
            "error: Pulling is not possible because you have unmerged files.",
            "git pull",
        ),
        ("git pull && git push", "error: failed to push some refs", "git push"),
        ("git add -A && git commit && git push", "fatal: cannot commit now", "git commit"),
        ("npm install && npm run dev", "npm error: install was stopped", "npm install"),
        # What a line asks for, or quotes, is not what failed.
        ("npm install && npm run dev", "npm error: run npm install again", "npm run dev"),
        ("git pull && git push", "error: the branch 'pull' is not there", "git push"),
        # A word of a sub-command says nothing without its program, nor do two of them.
        ("git add -A && pytest", "TypeError: add takes one argument", "pytest"),
        ("git pull && git push", "error: pull first, or push elsewhere", "git push"),
    ],
)
def test_of_a_chain_the_part_failed_that_the_error_names(
    command: str, line: str, expected: str
) -> None:
    action = action_of("claude", "Bash", json.dumps({"command": command}))
    call = Pending("Bash", "shell", 0, command, "", "", False, False, False, None)
    call.shapes, call.behind = tuple(action.shapes), tuple(action.behind)
    assert failing_shape(call, line, "", "").text == expected


CALLS = [
    ("claude", "Bash", {"command": "npm test"}, "npm run test"),
    ("codex", "shell", {"command": ["bash", "-lc", "npm test"]}, "npm run test"),
    ("codex", "exec_command", {"cmd": "npm test"}, "npm run test"),
    ("grok", "run_terminal_command", {"command": "npm test"}, "npm run test"),
    ("claude", "Edit", {"file_path": "/a/b.py"}, "Edit {source}"),
    (
        "claude",
        "Edit",
        {"file_path": "/a/b.py", "replace_all": True},
        "Edit --replace_all {source}",
    ),
    ("grok", "search_replace", {"file_path": "b.py"}, "Edit {source}"),
    ("claude", "Write", {"file_path": "/a/b.md"}, "Write {docs}"),
    ("grok", "write_file", {"file_path": "b.md"}, "Write {docs}"),
    ("claude", "Read", {"file_path": "/a/LICENSE"}, "Read {folder}"),
    ("codex", "read_file", {"path": "a.toml"}, "Read {config}"),
    ("claude", "Grep", {"pattern": "x", "path": "src/"}, "Search {folder}"),
    ("claude", "WebFetch", {"url": "https://example.com"}, "Web {url}"),
    ("claude", "TodoWrite", {"todos": []}, "Plan"),
    ("claude", "mcp__linear__create_issue", {"title": "x"}, "mcp__linear__create_issue --title"),
]


@pytest.mark.parametrize(("flavor", "tool", "given_", "expected"), CALLS)
def test_calls_of_any_agent(flavor: str, tool: str, given_: object, expected: str) -> None:
    action = action_of(flavor, tool, json.dumps(given_))
    assert chosen_shape(action.shapes, action.behind).text == expected


@pytest.mark.parametrize(
    "allowed",
    [
        {"with_escalated_permissions": True},
        {"sandbox_permissions": "require_escalated"},
        {"dangerouslyDisableSandbox": True},
    ],
)
def test_a_call_outside_of_the_sandbox_is_another_one(allowed: dict[str, object]) -> None:
    action = action_of("codex", "shell", json.dumps({"command": "git push", **allowed}))
    assert action.shapes[0].text == "escalated git push"
    assert shape_of_text("escalated git push").wrappers == ("escalated",)


def test_a_patch_with_lines_that_begin_with_no_sign_is_another_one() -> None:
    patch = "*** Begin Patch\n*** Add File: a.md\n+one\n{}\n*** End Patch"
    sound, broken = (action_of("codex", "apply_patch", patch.format(x)) for x in ("+two", "two"))
    assert sound.shapes[0].text == "Write {docs}"
    assert broken.shapes[0].text == "Write --unprefixed {docs}"


def test_a_secret_is_kept_in_no_shape() -> None:
    secret = "ghp_" + "a1B2" * 9
    for command in (f"{secret} --all", f"npm run {secret}", f"cd /x/{secret} && ls"):
        action = action_of("claude", "Bash", json.dumps({"command": command}))
        assert secret not in repr((action.shapes, action.behind))


def test_lines_are_commands_or_calls() -> None:
    assert shape_on_line('{"name": "Edit", "input": {"file_path": "a.py"}}').text == "Edit {source}"
    codex = (
        '{"name": "shell", "arguments": "{\\"command\\": [\\"bash\\", \\"-lc\\", \\"ls x/\\"]}"}'
    )
    assert shape_on_line(codex).text == "ls {folder}"
    assert shape_on_line("{ pytest; }").text == "pytest"
    assert shape_on_line("{").text == ""
    assert shape_on_line("apply_patch <<'X'\n*** Begin Patch").text == "Edit"


def test_a_folder_is_seen_from_the_root() -> None:
    text = shape_of_command("cd /work/repo/web && npm test").text
    assert relative_text(text, "/work/repo") == "cd web && npm run test"
    assert relative_text(text, "/work/repo/web/") == "npm run test"
    assert relative_text(text, "/work/re") == text
    assert text_anywhere(text) == "npm run test"
    assert text_anywhere("npm run test") == "npm run test"


_WORDS = r"""
cd backend && ; | || pytest npm run test -- --x -q ' " ( ) { } $( ` <<EOF A=1 uv npx sudo bash -lc
python -m timeout 5 docker compose exec web git -C push tests/a.py {test} {} # \ 2>&1 escalated Edit
"""
_PIECES = st.sampled_from(["\n", *_WORDS.split()])
_LINES = st.one_of(st.text(max_size=200), st.lists(_PIECES, max_size=20).map(" ".join))


@given(_LINES)
def test_any_line_has_a_shape_that_stays(line: str) -> None:
    shape = shape_on_line(line)
    assert "\n" not in shape.text
    if shape.tool == "shell":
        again = shape_of_text(shape.text)
        assert again.text == shape.text


@pytest.mark.parametrize(
    "piece", ["a ", "'", "$(", "((", "a/", "-a ", "| a ", "A=1 ", "bash -c '", "{"]
)
def test_a_long_line_takes_time_by_its_length(piece: str) -> None:
    started = time.process_time()
    assert isinstance(shape_of_command(piece * 50_000), Shape)
    assert time.process_time() - started < 2
