"""The line that names the cause, above summaries, wrappers, hooks, and what passing tests log."""

from __future__ import annotations

import pytest

from helix_tui.text.signature.passing import without_passing
from helix_tui.text.signature.signature import signature
from tests.text.growth import is_linear

CAUSES = {
    "ruff, full": (
        "SIM115 Use a context manager for opening files\n  --> app/read.py:191:25\n   |\n"
        "191 |     table = open(path)\n   |             ^^^^\n   |\n\nFound 1 error.",
        "SIM115 Use a context manager for opening files",
    ),
    "ruff, concise": (
        "app/read.py:3:8: F401 `os` imported but unused\nFound 1 error.\n[*] 1 fixable",
        "app/read.py:3:8: F401 `os` imported but unused",
    ),
    "mypy": (
        'app/read.py:7: error: Incompatible return value type (got "int", expected "str")'
        "  [return-value]\nFound 1 error in 1 file (checked 12 source files)",
        "app/read.py:7: error: Incompatible return value type",
    ),
    "Biome, behind a warning": (
        "src/b.tsx:3:1 lint/suspicious/noExplicitAny ━━━━━━━━━━\n\n  ! Unexpected any.\n\n"
        "src/a.tsx:19:5 lint/nursery/useSortedAttributes  FIXABLE  ━━━━━━━━━━\n\n"
        "  × The attributes are not sorted.\n\n    18 │ const { x } = render(\n"
        "  > 19 │   <Column state='a' title='b' />\n\n  i Safe fix: Sort the JSX props.\n\n"
        "Checked 656 files in 1010ms. No fixes applied.\nFound 1 error.",
        "src/a.tsx:19:5 lint/nursery/useSortedAttributes",
    ),
    "oxlint, drawn": (
        "\n  × eslint(no-unused-vars): Variable 'x' is declared but never used.\n"
        "   ╭─[src/index.ts:3:7]\n 3 │ const x = 1\n   ╰────\n\nFound 0 warnings and 1 error.",
        "eslint(no-unused-vars): Variable 'x' is declared",
    ),
    "eslint behind npm": (
        "\n> app@1.0.0 lint\n> eslint .\n\n/work/app/a.js\n"
        "  3:7  error  'x' is assigned a value but never used  no-unused-vars\n\n"
        "✖ 1 problem (1 error, 0 warnings)\n\nnpm ERR! code ELIFECYCLE\nnpm ERR! errno 1",
        "3:7  error  'x' is assigned a value but never used",
    ),
    "tsc behind bun": (
        "$ tsc --noEmit\nsrc/a.ts(4,9): error TS2322: Type 'string' is not assignable to type"
        " 'number'.\nFound 1 error in src/a.ts:4\n\nerror: script \"types\" exited with code 2",
        "src/a.ts(4,9): error TS2322",
    ),
    "a compiler behind make": (
        "cc -o read read.c\nread.c:12:5: error: use of undeclared identifier 'tabel'\n"
        "1 error generated.\nmake: *** [Makefile:4: read] Error 1",
        "read.c:12:5: error: use of undeclared identifier",
    ),
    "make within make": (
        "make[1]: Entering directory '/work/app'\nld: cannot find -lfoo\n"
        "make[1]: *** [Makefile:9: all] Error 1\nmake: *** [Makefile:2: app] Error 2",
        "ld: cannot find -lfoo",
    ),
    "a linter behind a task runner": (
        "[lint] $ golangci-lint run ./...\n"
        "[lint] cmd/read.go:81:15: string `table` has 3 occurrences, make it a constant (goconst)\n"
        "[lint] 1 issues:\n[lint] * goconst: 1\n[lint] ERROR task failed",
        "cmd/read.go:81:15: string `table` has 3 occurrences",
    ),
    "a hook of husky": (
        "[STARTED] Running tasks for staged files...\n[FAILED] markdownlint --fix [FAILED]\n"
        "docs/read.md:148 error MD040/fenced-code-language Fenced code blocks should have a"
        " language specified\nhusky - pre-commit script failed (code 1)",
        "docs/read.md:148 error MD040",
    ),
    "pnpm": (
        "src/a.ts(1,1): error TS2304: Cannot find name 'foo'.\n"
        "\u2009ELIFECYCLE\u2009 Command failed with exit code 2.",
        "src/a.ts(1,1): error TS2304",
    ),
    "go vet": (
        "# example.com/app\n./read.go:9:2: undefined: tabel\nexit status 1",
        "./read.go:9:2: undefined: tabel",
    ),
    "a job of a CI runner": (
        "[CI/test-1] ⭐ Run Main types\n"
        "[CI/test-1]   🐳  docker exec cmd=[bash -e /run/3] user= workdir=\n"
        '[CI/test-1]   | app/read.py:453:13 - error: Type of "last" is partially unknown\n'
        "[CI/test-1]   | 17 errors, 0 warnings, 0 informations\n"
        "[CI/test-1]   ❌  Failure - Main types [4.9s]\n"
        "[CI/test-1] exitcode '1': failure\n[CI/test-1] 🏁  Job failed\nError: Job 'test' failed",
        'app/read.py:453:13 - error: Type of "last"',
    ),
    "jest, with a log of a passing test": (
        "  console.error\n    Error: Not implemented: navigation\n"
        "        at module.exports (node_modules/jsdom/not-implemented.js:9:17)\n\n"
        "PASS src/a.test.js\nFAIL src/b.test.js\n  ● adds numbers\n\n"
        "    expect(received).toBe(expected)\n\nTests: 1 failed, 3 passed, 4 total",
        "adds numbers",
    ),
    "vitest, with a log of a passing test": (
        "stderr | src/a.test.ts > reads > says what is wrong\n"
        "TypeError: the table is not there\n\n ✓ src/a.test.ts (3 tests) 4ms\n"
        " FAIL  src/b.test.ts > adds\nAssertionError: expected 1 to be 2",
        "AssertionError: expected 1 to be 2",
    ),
    "go test -v, with a log of a passing test": (
        "=== RUN   TestRead\n    read_test.go:9: cannot open x: no such file or directory\n"
        "--- PASS: TestRead (0.00s)\n=== RUN   TestAdd\n"
        "    add_test.go:12: sum is 3, want 4\n--- FAIL: TestAdd (0.00s)\nFAIL\nexit status 1",
        "TestAdd",
    ),
    "go test, with a record of a log": (
        "    hooks.go:155: output: 2026/01/14 15:22:25 INFO saved component=hooks\n"
        "    resume_test.go:772: the log should have been overwritten\nFAIL",
        "resume_test.go:772: the log should have been overwritten",
    ),
    "pytest behind uv": (
        "_____ test_add _____\n\n    def test_add():\n>       assert add(1, 2) == 4\n"
        "E       assert 3 == 4\n\ntests/test_add.py:4: AssertionError\n"
        "===== 1 failed, 3 passed in 0.1s =====\nerror: command failed with exit status 1",
        "assert 3 == 4",
    ),
}


@pytest.mark.parametrize("name", CAUSES)
def test_the_cause_goes_before_what_follows_from_it(name: str) -> None:
    text, cause = CAUSES[name]
    assert cause in signature(text, "shell", 1).line


@pytest.mark.parametrize(
    "line",
    [
        "make: *** [all] Error 2",
        'error: script "lint" exited with code 1',
        "npm ERR! code ELIFECYCLE",
        "Found 3 errors.",
        "husky - pre-commit script failed (code 1)",
        "exit status 1",
    ],
)
def test_a_wrapper_names_the_error_where_nothing_else_does(line: str) -> None:
    assert signature(line, "shell", 1).line == line
    assert "no space" in signature(f"no space for the table\n{line}", "shell", 1).line


def test_a_failing_test_of_go_keeps_what_it_logged() -> None:
    text = "=== RUN   TestAdd\n    a_test.go:3: sum is 3\n--- FAIL: TestAdd (0.00s)"
    assert without_passing(text) == text


def test_reading_takes_time_as_the_text_does() -> None:
    for piece in ("console.log\n   x\n", "stderr | a\nx\n", "=== RUN   T\n--- PASS: T\n"):
        assert is_linear(without_passing, 500 * piece, 2000 * piece)
