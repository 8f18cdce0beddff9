"""What a tool's own output names as the cure, and that somebody followed it."""

from __future__ import annotations

import pytest

from helix_tui.digest.remedies.hints import hints_in
from helix_tui.text.shape import Shape
from tests.digest.told_session import Told

DEPRECATED = (
    "error: unknown option '--write'\n\nUsage: tidy format [options]\n\n"
    "⚠️ DEPRECATED: Use 'fix' instead - mends what it finds"
)


@pytest.mark.parametrize(
    ("output", "name", "is_instead"),
    [
        (DEPRECATED, "fix", True),
        ("Did you mean this?\n    npm run test:unit", "npm run test:unit", True),
        ("The most similar command is\n\tstatus", "status", True),
        ("error: no such command: `fmtt`\n\n\tDid you mean `fmt`?", "fmt", True),
        ("  tip: a similar subcommand exists: 'test'", "test", True),
        ("perhaps you meant '-c'?", "-c", True),
        ("hint: run `git pull --rebase` first", "git pull --rebase", False),
        ("2 files are not formatted. Run without `--check` to fix.", "without --check", False),
    ],
)
def test_a_hint_is_a_name_that_the_output_gives(output: str, name: str, is_instead: bool) -> None:
    (hint,) = hints_in(output, Shape(program="npm"))
    assert (hint.name, hint.is_instead) == (name, is_instead)
    assert hint.says[:1].isalnum()


@pytest.mark.parametrize(
    "output",
    [
        "src/a.ts:3:1: error: Use `Array.from()` instead of `slice()`",
        'app.py:7: note: Use "-> None" if the function returns nothing',
        '  (use "git add <file>..." to update what will be committed)',
        "Try 'ls --help' for more information.",
        "Run `npm` again",
    ],
)
def test_what_is_about_code_or_only_helps_is_no_hint(output: str) -> None:
    assert hints_in(output, Shape(program="npm")) == []


def test_what_a_tool_says_to_run_instead_and_then_passes_overcame_it() -> None:
    told = Told().run("npm run format -- --write", DEPRECATED, 1).run("npm run fix")
    assert told.change() == "as told: fix"
    (group,) = told.facts().groups.values()
    assert group.hint == "DEPRECATED: Use 'fix' instead - mends what it finds"
    assert group.hinted == "npm run format -- --write"
    chain = Told().run("npm run format -- --write && npx fmt --write", DEPRECATED, 1)
    (group,) = chain.facts().groups.values()
    assert (bool(group.hint), group.hinted) == (True, "")
    other = Told().run("npm run format -- --write", DEPRECATED, 1).run("npm run build")
    assert other.recoveries() == []
