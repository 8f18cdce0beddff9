"""What overcame an error: the difference to the next action like it that passed."""

from __future__ import annotations

import json

import pytest

from helix_tui.digest.signals import signals_of
from helix_tui.text.shape_change import NO_REMEDY, in_words
from tests.digest.told_session import Told

MISSING = "bash: line 1: {}: command not found"
NO_MODULE = "E   ModuleNotFoundError: No module named 'app'\n1 error in 0.1s"
NOT_UNIQUE = "Found 2 matches of the string to replace, but replace_all is false."
NOT_READ = "File has not been read yet. Read it first before writing to it."
NO_AND_LIST = "The token '&&' is not a valid statement separator in this version."
NO_MATCH = "String to replace not found in file."


COMMANDS = [
    ("pytest -q", NO_MODULE, "PYTHONPATH=. pytest -q", "+env PYTHONPATH"),
    ("CI=1 ./tool", "boom", "./tool", "-env CI"),
    ("pytest", MISSING.format("pytest"), ".venv/bin/pytest", "+wrapper .venv/bin/"),
    ("npm run build", "boom", "volta run npm run build", "+wrapper volta run"),
    ("npx tool x", "boom", "tool x", "-wrapper npx"),
    ("python -m app", "boom", "python3 -m app", "wrapper python -m -> python3 -m"),
    ("npm test", "boom", "npm test -- --runInBand", "+flag --, +flag --runInBand"),
    ("pnpm test -- --ci", "no tests", "pnpm test --ci", "-flag --"),
    ("make image", "boom", "cd backend && make image", "folder . -> backend"),
    ("pnpm test -- --ci a", "no tests", "pnpm test -- a", "-flag --ci"),
    ("rg -n word", MISSING.format("rg"), "grep -rn word", "program rg -> grep"),
    ("just fmt", MISSING.format("just"), "cargo fmt --all", "program just fmt -> cargo fmt"),
    ("pnpm tsc --noEmit", "no such script", "npx tsc --noEmit", "program pnpm run tsc -> npx tsc"),
    ("cat app/[id]/a.ts", "no matches found", "cat 'app/[id]/a.ts'", "quoted"),
    ("cat 'My docs/a.md'", "No such file", "cat 'My Docs/a.md'", "path -> My Docs"),
    ("gh pr view --repo me/app", "boom", "gh pr view --repo you/app", "path -> you"),
    ("cat a/b.py", "No such file", "cat /work/a/b.py", "absolute path"),
    ("./serve --port 80", "in use", "./serve --port 81", "value of --port"),
    ("jq .a b.json", MISSING.format("jq"), "cat b.json", "program jq -> cat"),
    ("curl -s x | jq .a", MISSING.format("jq"), "curl -s x | grep -o a", "program jq -> grep"),
    ("./deploy", "boom", "npm install && ./deploy", "before: install"),
    ("cd a && npm test", NO_AND_LIST, "cd a; npm test", "&& -> ;"),
    ("dotnet test", "boom", "~/.dotnet/dotnet test", "+wrapper ~/.dotnet/"),
    ("./suite", "boom", "composer dump-autoload && ./suite", "before: composer dump-autoload"),
    ("./suite", "boom", "rubocop -a && ./suite", "before: rubocop -a"),
    ("make image", "boom", "make image", "again"),
]


@pytest.mark.parametrize(("failed", "error", "passed", "change"), COMMANDS)
def test_the_difference_between_two_commands(
    failed: str, error: str, passed: str, change: str
) -> None:
    (found,) = Told().run(failed, error, 2).run(passed).recoveries()
    assert (found.change, found.failed, found.passed) == (change, f"$ {failed}", f"$ {passed}")
    assert bool(found.verb) == (change not in NO_REMEDY)


@pytest.mark.parametrize(
    ("failed", "error", "passed"),
    [
        ("./deploy staging", "no route", "./deploy docs"),
        ("pytest", "1 failed", "pytest tests/test_a.py"),
        ("pytest", "1 failed", "pytest -k name"),
        ("pytest", "1 failed", "git status"),
        ("rg -n word", MISSING.format("rg"), "cat notes.md"),
        ("lister -n word notes.md", MISSING.format("lister"), "ls notes.md | sorter notes.md"),
        ("make image", "boom", "curl -s localhost"),
        ("git push", "boom", "git pull"),
        ("a --b", "boom", "a --c --d --e --f"),
    ],
)
def test_another_action_overcomes_nothing(failed: str, error: str, passed: str) -> None:
    assert Told().run(failed, error, 1).run(passed).recoveries() == []


NO_REPOSITORY = "GraphQL: Could not resolve to a Repository with the name 'me/app'. (repository)"
NAMED = 'gh api graphql -f query=\'{{ repository(owner: "{}", name: "{}") {{ id }} }}\''


@pytest.mark.parametrize(
    ("failed", "passed"),
    [
        ("gh pr view 3 --repo me/app", "gh pr view 3 --repo you/app"),
        ("gh pr view 3 -R 'me/app'", "gh pr view 3 -R you/app"),
        ("gh api repos/me/app/pulls", "gh api repos/you/app/pulls"),
        ("git clone https://host.example/me/app.git", "git clone git@host.example:you/app"),
        (NAMED.format("me", "app"), NAMED.format("you", "app")),
    ],
)
def test_a_repository_by_its_right_name_is_one_change_in_whatever_form_it_is_given(
    failed: str, passed: str
) -> None:
    (found,) = Told().run(failed, NO_REPOSITORY, 1).run(passed).recoveries()
    assert found.change == "repository -> you/app"
    assert found.verb == "name the repository you/app"


def test_another_program_in_the_place_of_a_missing_one_got_further_where_it_is_there() -> None:
    missing = Told().run("just fmt", MISSING.format("just"), 127)
    (found,) = missing.run("cargo fmt --all", "error: could not create temp file", 1).recoveries()
    assert (found.change, found.is_further) == ("program just fmt -> cargo fmt", True)
    none = Told().run("just fmt", MISSING.format("just"), 127)
    assert none.run("cargo fmt --all", MISSING.format("cargo"), 127).recoveries() == []


def test_what_fails_later_by_something_else_got_past_the_error() -> None:
    told = Told().run("pytest -q", NO_MODULE, 2).run("PYTHONPATH=. pytest -q", "1 failed in 1s", 1)
    (found,) = told.recoveries()
    assert (found.change, found.is_further) == ("+env PYTHONPATH", True)
    passed = told.run("PYTHONPATH=. pytest -q", "3 passed in 1s").recoveries()
    (found,) = [one for one in passed if one.change == "+env PYTHONPATH"]
    assert (found.is_further, found.count) == (False, 1)
    stashed = "error: cannot pull with rebase: You have unstaged changes."
    late = "ssh: connect to host x.example port 22: Operation timed out"
    told = Told().run("git pull --rebase", stashed, 1)
    (found,) = told.run("git pull --rebase --autostash", late, 1).recoveries()
    assert (found.change, found.is_further) == ("+flag --autostash", True)


@pytest.mark.parametrize(
    ("second", "error"),
    [
        ("pytest -q", "1 failed in 1s"),
        ("PYTHONPATH=. pytest -q", NO_MODULE),
        ("PYTHONPATH=. pytest --nope", "error: unrecognized arguments: --nope"),
    ],
)
def test_failing_again_or_before_the_work_overcomes_nothing(second: str, error: str) -> None:
    assert Told().run("pytest -q", NO_MODULE, 2).run(second, error, 2).recoveries() == []


def test_a_fixer_is_a_step_also_beside_edits() -> None:
    red = "src/a.ts:1:1: error eslint(sort-keys): Object keys should be sorted\nFound 1 error"
    told = Told().run("npm run lint", red, 1).edit().run("npx eslint --fix src")
    (found,) = told.run("npm run lint").recoveries()
    assert found.change == "before: eslint --fix"


RED = "src/a.ts:1:1: error eslint(sort-keys): Object keys should be sorted\nFound 1 error"


def test_a_fixer_is_known_by_its_command_where_the_check_passed_behind_it() -> None:
    told = Told().run("npm run check", RED, 1).run("npx prettier --write a.md")
    (found,) = told.run("npm run check").recoveries()
    assert (found.change, found.fixer) == ("before: format", "prettier --write")
    told = Told().run("npm run check", RED, 1).run("npx prettier --write a.md")
    (found,) = told.run("npm run fix && npm run check").recoveries()
    assert (found.change, found.fixer) == ("before: npm run fix", "npm run fix")
    assert found.remedy == "$ npm run fix && npm run check"


@pytest.mark.parametrize(
    ("between", "last"),
    [
        (("npm run format", None), "npm run check"),
        (("npm run format",), "sed -i 's/a/b/' a.ts && npm run check"),
        (("npm run format", "sed -i 's/a/b/' a.ts"), "npm run check"),
    ],
)
def test_a_fixer_that_was_edited_behind_is_not_what_turned_a_check_green(
    between: tuple[str | None, ...], last: str
) -> None:
    told = Told().run("npm run check", RED, 1)
    for command in between:
        told = told.run(command) if command else told.edit()
    (found,) = told.run(last).recoveries()
    assert (found.change, found.fixer) == ("edit first", "")


def test_a_fixer_behind_which_a_check_is_red_again_is_not_what_turned_it_green() -> None:
    told = Told().run("npm run check", RED, 1).run("npm run format").run("npm run check", RED, 1)
    found = told.edit().run("npm run check").recoveries()
    assert {(one.change, one.fixer) for one in found} == {("edit first", "")}
    told = Told().run("npm run check", RED, 1).run("npm run format").run("npm run check", RED, 1)
    found = told.run("npm run fix").run("npm run check").recoveries()
    assert {one.fixer for one in found} == {"npm run fix"}
    told = Told().run("npm run check", RED, 1).run("npm run format").run("npm run fix", RED, 1)
    assert not any(one.fixer for one in told.run("npm run check").recoveries())


STEPS = [
    ("npm test", "npm install", "before: install"),
    ("git push", "git pull --rebase", "before: git pull"),
    ("git commit -m x", "pnpm api:generate", "before: pnpm run api:generate"),
    ("cp a b/c", "mkdir -p b", "before: mkdir"),
    ("./serve", "docker compose up -d", "before: start the service"),
]


@pytest.mark.parametrize(("command", "step", "change"), STEPS)
def test_a_step_before_the_same_action(command: str, step: str, change: str) -> None:
    told = Told().run(command, "it failed", 1).run(step).run(command)
    (found,) = told.recoveries()
    assert (found.change, found.remedy) == (change, f"$ {step}")


@pytest.mark.parametrize(
    "between", ["ls", "cat package.json", "git status", "echo hi", "git add ."]
)
def test_what_was_merely_done_in_between_is_no_step(between: str) -> None:
    assert Told().run("npm start", "it failed", 1).run(between).run("npm start").change() == "again"


def test_a_step_that_a_person_spoke_after_is_none() -> None:
    told = Told().run("npm start", "boom", 1).run("npm install").ask().run("npm start")
    assert told.change() == "again"


def test_a_red_check_that_an_edit_turns_green_is_overcome_by_the_edit() -> None:
    told = Told().run("pytest -q", "1 failed in 1s", 1).edit().run("pytest -q -p x", "1 passed")
    assert told.change() == "edit first"


def test_a_run_whose_result_is_hidden_overcomes_nothing() -> None:
    told = Told().run("pytest -q", "1 failed in 1s", 1).edit().run("pytest -q | head -1", "....")
    assert told.recoveries() == []


def test_edits() -> None:
    one, two = "x = 1", "y = 2\nx = 1\nz = 3"
    read = {"file_path": "/w/a.py"}
    assert Told().edit(NOT_READ).use("Read", read).edit().change() == "read first"
    assert Told().edit(NO_MATCH).run("sed -n 1,9p a.py").edit().change() == "read first"
    assert Told().edit(NOT_UNIQUE, old_string=one).edit(old_string=two).change() == "more lines"
    assert Told().edit(NOT_UNIQUE).edit(replace_all=True).change() == "+flag --replace_all"
    assert Told().edit(NO_MATCH, old_string=one).edit(old_string="a").change() == "other text"
    assert Told().edit(NO_MATCH).edit(file="/w/b.py").recoveries() == []
    assert Told().edit(NO_MATCH).use("Write", read).change() == "program Edit -> Write"


@pytest.mark.parametrize(
    ("error", "change"),
    [
        ("got: 'two'", "-flag --unprefixed"),
        ("'' is not a valid hunk header. Valid ones: '*** Add File: {path}'", "-flag --unprefixed"),
        ("Unexpected line found in update hunk: 'two'. Each has a sign", "-flag --unprefixed"),
        ("Update file hunk for path 'a.md' is empty", "other text"),
        ("'@@@ x' is not a valid hunk header", "other text"),
    ],
)
def test_a_sign_is_what_was_missing_only_where_the_error_quotes_a_line_without_one(
    error: str, change: str
) -> None:
    patch = "apply_patch <<'P'\n*** Begin Patch\n*** Add File: a.md\n+one\n{}\n*** End Patch\nP"
    told = Told("codex").run(patch.format("two"), f"error: invalid hunk at line 5, {error}", 1)
    assert told.run(patch.format("+two")).change() == change


def test_a_call_that_leaves_the_sandbox() -> None:
    refused = "ssh: Could not resolve hostname github.com"
    told = Told("codex").run("git push", refused, 128)
    assert told.run("git push", with_escalated_permissions=True).change() == "+wrapper escalated"


def test_a_tool_of_ones_own_with_another_field() -> None:
    told = Told().use("mcp__tracker__create", {"title": "x"}, "Error: team is required", 1)
    assert told.use("mcp__tracker__create", {"title": "x", "team": "y"}).change() == "+flag --team"


def test_signals_carry_both_actions_and_how_usual_the_change_is() -> None:
    told = Told()
    for command in ("pytest -q", "PYTHONPATH=. pytest -q", "pytest -q"):
        told.run(command, "3 passed in 1s")
    told.run("pytest -q", NO_MODULE, 2).run("pytest -q", NO_MODULE, 2)
    told.run("PYTHONPATH=. pytest -q", "3 passed in 1s")
    signals = [one for one in signals_of(told.facts()) if one.name == "recovery"]
    (cure,) = signals
    assert (cure.failed, cure.passed) == ("$ pytest -q", "$ PYTHONPATH=. pytest -q")
    assert (cure.shape, cure.change, cure.verb) == ("pytest", "+env PYTHONPATH", "set PYTHONPATH")
    assert (cure.count, cure.tries, cure.fails) == (2, 4, 2)
    # Green to green it was added once and dropped once; behind the failure it was added again.
    assert (cure.usual, cure.pairs) == (2, 3)


def test_shapes_and_kinds_are_counted() -> None:
    told = Told().run("make image", "boom", 2).run("make image").run("cd web && make image")
    facts = told.edit().edit(file="/w/tests/test_a.py").facts()
    assert facts.shapes["make image"].runs == 2
    assert (facts.shapes["make image"].passed, facts.shapes["make image"].failed) == (1, 1)
    assert facts.shapes["cd web && make image"].passed == 1
    assert facts.kinds_edited == {"source": 1, "test": 1}


def test_changes_in_words() -> None:
    assert in_words("+env A, folder . -> web") == "set A, run it in web"
    assert in_words("program rg -> grep") == "use grep"
    assert [in_words(change) for change in sorted(NO_REMEDY)] == ["", "", ""]


def test_what_is_kept_is_bounded() -> None:
    told = Told()
    for number in range(150):
        told.run(f"tool{number} --flag{number}", "boom", 2)
        told.run(f"tool{number} --other{number}")
    facts = told.facts()
    assert len(facts.recoveries) <= 40
    assert len(facts.shapes) <= 121
    assert sum(one.runs for one in facts.shapes.values()) == 300
    assert len(facts.habits) <= 40


LOCK = "pyproject.toml changed since poetry.lock was made. Run `poetry lock` to fix the lock file."


def test_a_step_that_the_error_asks_for_is_one() -> None:
    asked = Told().run("poetry install", LOCK, 1).run("poetry lock").run("poetry install")
    assert asked.change() == "before: poetry lock"
    within = Told().run("poetry install", LOCK, 1).run("poetry lock && poetry install")
    assert within.change() == "before: poetry lock"
    other = Told().run("poetry install", LOCK, 1).run("poetry show").run("poetry install")
    assert other.change() == "again"


def test_a_formatter_that_now_writes_is_a_step_towards_its_check() -> None:
    unformatted = "[warn] a.ts\n[warn] Code style issues found in the above file."
    told = Told().run("npx prettier --check .", unformatted, 1).run("npx prettier --write .")
    assert told.recoveries() == []
    told.run("npx prettier --check .", "All matched files use Prettier code style!")
    assert told.change() == "before: format"


@pytest.mark.parametrize("formatter", ["pnpm exec oxfmt", "rustfmt", "clang-format -i"])
def test_a_formatter_is_known_by_its_name_on_whatever_file(formatter: str) -> None:
    for file in ("src/a.ts", "web/b.ts"):
        told = Told().run("npm run check", "1 file is not formatted", 1).run(f"{formatter} {file}")
        told.run("npm run check", "all is well")
        assert told.change() == "before: format"


def test_a_formatter_in_the_line_of_its_own_check_is_a_step_on_whatever_file() -> None:
    told = Told().run("npx oxfmt --check a.md b.ts", "1 file is not formatted", 1)
    told.run("npx oxfmt a.md && npx oxfmt --check a.md b.ts c.ts")
    assert told.change() == "before: format"


def test_an_error_costs_its_own_call_and_what_was_spent_until_it_was_overcome() -> None:
    def spent(told: Told) -> int:
        (group,) = told.facts().groups.values()
        return group.chars

    failed = MISSING.format("rg")
    own = len(json.dumps({"command": "rg x"})) + len(failed)
    never = Told().run("rg x", failed, 127)
    for _ in range(20):
        never.run("cat a.py", "x" * 1000)
    assert spent(never) == own
    later = Told().run("rg x", failed, 127).run("cat a.py", "y" * 1000).run("grep -rn x src")
    assert spent(later) > own + 1000
    stopped = Told().run("rg x", failed, 127).run("cat a.py", "y" * 1000).ask().run("grep -n x b")
    assert spent(stopped) == own


def test_that_a_way_past_an_error_was_kept_to_is_counted_until_the_error_comes_again() -> None:
    wrong, right = "./make.sh a", "GIT_DIR=/dev/null ./make.sh {}"
    warning = "[make] Warning: no repository; nothing is branched"
    told = Told().run(wrong, "bad number", 1).run(right.format("a"), f"ok\n{warning}")
    (found,) = told.recoveries()
    assert (found.again, found.warned) == (0, warning)
    told.run(right.format("b")).run("ls").run(right.format("c"))
    assert told.recoveries()[0].again == 2
    # What fails by something else is another matter.
    assert told.run(right.format("d"), "no space left", 1).recoveries()[0].again == 2
    assert told.run(right.format("d"), "bad number", 1).recoveries()[0].again < 0


def test_the_error_of_a_script_knows_which_other_script_had_failed_before_it() -> None:
    told = Told().run("./make.sh a", "bad number", 1).run("./lint.py", "ok")
    told.run("./check.sh", "no such branch", 1).run("NAME=a ./check.sh").run("NAME=b ./check.sh")
    told.run("cat notes.md", "cat: notes.md: No such file or directory", 1)
    found = {one.shape: one for one in signals_of(told.facts()) if one.name == "tool_error"}
    make, check = found["make.sh"], found["check.sh"]
    assert (make.behind, check.behind) == ("", f"make.sh: {make.template}")
    (follows,) = make.follows
    assert (follows.shape, follows.said, follows.verb) == ("check.sh", "no such branch", "set NAME")
    assert (follows.passed, follows.again) == ("$ NAME=a ./check.sh", 1)
    assert check.follows == []
