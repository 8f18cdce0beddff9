"""What a session leaves open, and the outcome that follows from its facts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix_tui.digest.ending import merged_ending
from helix_tui.digest.outcome import judge
from helix_tui.schema import CheckFact, Closing, Ending, Facts, RunFact
from tests.claude_log import ClaudeLog
from tests.conftest import Workbench
from tests.digest.scenes import (
    DENIED,
    GREEN,
    UNABLE,
    Scene,
    asks,
    commit,
    digest_of,
    edit,
    lists,
    red,
    refuse,
    run_by_person,
    says,
    use,
)

OUTCOMES: dict[str, tuple[list[Scene], str, str]] = {
    # name: what happens, the outcome, a piece of what is left open ("" for nothing)
    "a green check": (
        [asks(), edit, lambda log: log.step("pytest -q", GREEN), says()],
        "success",
        "",
    ),
    "a red check": ([asks(), edit, red, says()], "failed", "pytest fails"),
    "a plain order for a style sheet": (
        [
            asks("add a margin to the details"),
            lambda log: edit(log, "/work/app/a.css"),
            says(),
        ],
        "success",
        "",
    ),
    "a fault mended in a style sheet": (
        [asks("fix the margin, it is broken"), lambda log: edit(log, "/work/app/a.css"), says()],
        "unknown",
        "",
    ),
    "a plain order for a workflow": (
        [asks("add a job for the tests"), lambda log: edit(log, "/work/app/ci.yml"), says()],
        "unknown",
        "",
    ),
    "a plain order for code": (
        [asks("add a margin to the details"), edit, says()],
        "unknown",
        "",
    ),
    "a no to what was said": (
        [asks("how would you read it?"), says("With two readers."), asks("nah"), says("I see.")],
        "unknown",
        "",
    ),
    "a no to an offer": (
        [asks("how is it read?"), says("Once. Shall I draw it?"), asks("no"), says("Fine.")],
        "success",
        "",
    ),
    "a task that was reported as blocked": (
        [
            asks("write the second gate of the importer"),
            says("The task is blocked by the supervisor.\n\nChanged files: None."),
            asks("how far is the third gate?"),
            says("It is not begun."),
        ],
        "failed",
        "reported as blocked: write the second gate of the importer",
    ),
    "a release that was not pushed": (
        [asks("release version 1.2"), edit, commit, says()],
        "success",
        "a push or a release was asked for",
    ),
    "a release that was pushed": (
        [
            asks("release version 1.2"),
            edit,
            commit,
            lambda log: log.step("git push", "To host\n   1a2b3c4..3f2a1bc  main -> main"),
            says(),
        ],
        "success",
        "",
    ),
    "red, edited since, and another check green": (
        [
            asks(),
            lambda log: red(log, "eslint .", "✖ 2 problems (1 error, 1 warning)"),
            edit,
            lambda log: log.step("pytest -q", GREEN),
            says(),
        ],
        "success",
        "eslint failed, and was not run again",
    ),
    "red after green": (
        [asks(), lambda log: log.step("pytest -q", GREEN), edit, red, says()],
        "partial",
        "pytest fails",
    ),
    "green after red": (
        [asks(), red, edit, lambda log: log.step("pytest -q", GREEN), says()],
        "success",
        "",
    ),
    "another script of the same kind clears": (
        [
            asks(),
            lambda log: red(log, "npm run test:unit", "boom"),
            edit,
            lambda log: log.step("npm run test:all", "ok"),
            says(),
        ],
        "success",
        "",
    ),
    "a red linter beside green tests": (
        [
            asks(),
            edit,
            lambda log: red(log, "ruff check .", "a.py:1:1: F401 unused\nFound 1 error."),
            lambda log: log.step("pytest -q", GREEN),
            says(),
        ],
        "success",
        "ruff fails",
    ),
    "red tests beside a green linter": (
        [asks(), edit, red, lambda log: log.step("ruff check .", "All checks passed!"), says()],
        "partial",
        "pytest fails",
    ),
    "red and edited since": (
        [asks(), red, edit, says()],
        "unknown",
        "pytest failed, and was not run again",
    ),
    "a commit clears the hook that refused it": (
        [
            asks(),
            edit,
            lambda log: red(log, "git commit -m x", "husky - pre-commit script failed (code 1)"),
            commit,
            says(),
        ],
        "success",
        "",
    ),
    "a commit": ([asks(), edit, commit, says()], "success", ""),
    "a merge": (
        [
            asks("merge the branches"),
            lambda log: log.step("git merge topic", "Merge made by the 'ort' strategy."),
            says(),
        ],
        "success",
        "",
    ),
    "code that nothing ran": ([asks(), edit, says()], "unknown", ""),
    "code that was tried": (
        [asks(), edit, lambda log: log.step("python3 build.py", "built"), says()],
        "success",
        "",
    ),
    "looking is no try": (
        [asks(), edit, lambda log: log.step("git diff && cat a.py", "+x"), says()],
        "unknown",
        "",
    ),
    "a document": (
        [asks("write the notes"), lambda log: edit(log, "/work/app/CHANGELOG.md"), says()],
        "success",
        "",
    ),
    "a question answered": (
        [asks("how does it read the table?"), says("Once, at start.")],
        "success",
        "",
    ),
    "an offer behind an answer": (
        [asks("how does it read?"), says("Twice. Want me to change that?")],
        "success",
        "offered: Want me to change that?",
    ),
    "a question that nobody answered": (
        [asks("set up the store"), says("Postgres or SQLite: which do you prefer?")],
        "abandoned",
        "asked: Postgres or SQLite: which do you prefer?",
    ),
    "the agent could not": (
        [asks("search the web for it"), says("I'm not able to browse the web from here.")],
        "failed",
        "could not: I'm not able",
    ),
    "nothing was asked": (
        [asks("Warmup"), says("I'm ready. What would you like me to do?")],
        "unknown",
        "",
    ),
    "a greeting that asks": (
        [asks("Warmup"), says("I cannot edit here. What are you looking for?")],
        "unknown",
        "",
    ),
    "a list that the agent keeps": (
        [asks(), lists("Try it out"), says(), asks("how does it read the table?"), says()],
        "success",
        "on the agent's list: Try it out",
    ),
    "a list that is out of date": (
        [
            *(asks(), lists("Try it out"), says()),
            *(asks("how does it read the table?"), says()),
            *(asks("and how is it written?"), says()),
        ],
        "success",
        "",
    ),
    "something logged for later": (
        [asks(), says(), asks("log an improvement for the index"), says()],
        "partial",
        "put off: log an improvement for the index",
    ),
    "a report at the end": (
        [asks(), edit, says(), asks("it still doesn't work"), says("Let me think.")],
        "partial",
        "reported, and not seen to work since: it still doesn't work",
    ),
    "reports to the last": (
        [
            *(asks(), edit, says(), asks("it still doesn't work"), edit, says()),
            *(asks("same error as before"), says("Ah.")),
        ],
        "failed",
        "same error as before",
    ),
    "an error pasted, and something done about it": (
        [asks(), says(), asks("TypeError: the table is not callable"), edit, says()],
        "unknown",
        "reported, and not seen to work since: TypeError: the table is not callable",
    ),
    "a report that a check answers": (
        [
            *(asks(), edit, says(), asks("it still doesn't work"), edit),
            *(lambda log: log.step("pytest -q", GREEN), says()),
        ],
        "success",
        "",
    ),
    "a change that was refused": (
        [
            *(asks(), lambda log: log.step("pytest -q", GREEN)),
            refuse,
            *(asks("how can we know which one is active?"), says("By its name.")),
        ],
        "partial",
        "a change that was refused: Edit /work/app/a.py",
    ),
    "what was not permitted": (
        [
            asks("look it up"),
            lambda log: use(log, "WebSearch", {"query": "tables"}, DENIED, is_error=True),
            says("From memory: once."),
        ],
        "partial",
        "not permitted: WebSearch tables",
    ),
    "what was permitted at last": (
        [
            asks("look it up"),
            lambda log: use(log, "WebSearch", {"query": "tables"}, DENIED, is_error=True),
            lambda log: use(log, "WebSearch", {"query": "tables"}, "1. Tables"),
            says("Once."),
        ],
        "success",
        "",
    ),
    "what was put off": (
        [asks("why does it fail?"), says("A race."), asks("ok, create an issue for that"), says()],
        "partial",
        "put off: ok, create an issue for that (why does it fail?)",
    ),
    "a prompt that was never answered": (
        [asks(), says(), asks("and now the other")],
        "abandoned",
        "the other",
    ),
    "the same behind a commit": (
        [asks(), edit, commit, says(), asks("continue")],
        "partial",
        "not answered: read the table only once",
    ),
    "a call without a result": ([asks(), lambda log: log.call()], "abandoned", "no result: $ "),
    "stopped": (
        [
            asks(),
            lambda log: log.prompt([{"type": "text", "text": "[Request interrupted by user]"}]),
        ],
        "abandoned",
        "stopped by the person",
    ),
    "a commit was asked for": (
        [asks("fix it, then commit"), edit, lambda log: log.step("pytest -q", GREEN), says()],
        "success",
        "a commit was asked for, and none was made",
    ),
    "the agent's list": (
        [
            asks("read the table once and test that"),
            lambda log: use(
                log,
                "TodoWrite",
                {
                    "todos": [
                        {"content": "Read once", "status": "completed"},
                        {"content": "Write a test", "status": "pending"},
                    ]
                },
                "ok",
            ),
            says(),
        ],
        "success",
        "on the agent's list: Write a test",
    ),
    "tasks by number": (
        [
            asks("read the table once and test that"),
            lambda log: use(log, "TaskCreate", {}, "Task #1 created successfully: Read once"),
            lambda log: use(log, "TaskCreate", {}, "Task #2 created successfully: Test it"),
            lambda log: use(log, "TaskUpdate", {"taskId": "1", "status": "completed"}, "ok"),
            says(),
        ],
        "success",
        "on the agent's list: Test it",
    ),
    "red by the person's own run": (
        [asks(), edit, says(), lambda log: run_by_person(log, "== 5 failed, 6 passed in 0.37s ==")],
        "failed",
        "pytest fails",
    ),
    "green by the person's own run": (
        [asks(), edit, says(), lambda log: run_by_person(log, "== 11 passed in 0.37s ==")],
        "success",
        "",
    ),
    "the agent's own reply, pasted back": (
        [
            asks("search the web for the latest model"),
            says(UNABLE),
            lambda log: log.prompt(UNABLE.replace("**", "")),
        ],
        "failed",
        "could not: I don't have any way",
    ),
    "a search that was never made": (
        [asks("search the web for the latest model"), says("It is the one of last week.")],
        "failed",
        "",
    ),
    "a search": (
        [
            asks("search the web for the latest model"),
            lambda log: use(log, "WebSearch", {"query": "latest model"}, "It is this one."),
            says("It is this one."),
        ],
        "success",
        "",
    ),
    "a change that nothing made": (
        [asks("remove the alias of the agent"), lambda log: log.step("ls", "a"), says("Done.")],
        "unknown",
        "",
    ),
    "a change by a command": (
        [asks("remove the old table"), lambda log: log.step("rm table.csv", ""), says("Done.")],
        "success",
        "",
    ),
    "reports that a later message takes back": (
        [
            asks(),
            edit,
            says(),
            asks("it still does not work"),
            edit,
            says(),
            asks("still broken, same error"),
            edit,
            says(),
            asks("it works now, and please write that down in the readme"),
            lambda log: edit(log, "/work/app/README.md"),
            says(),
        ],
        "unknown",
        "",
    ),
    "reports that are only half taken back": (
        [
            asks(),
            edit,
            says(),
            asks("it still does not work"),
            edit,
            says(),
            asks("still broken, same error"),
            edit,
            says(),
            asks("it works now, but the page loads slowly; write that down"),
            lambda log: edit(log, "/work/app/README.md"),
            says(),
        ],
        "partial",
        "reported, and not seen to work since",
    ),
    "reports behind which it does the job": (
        [
            asks(),
            edit,
            says(),
            asks("it still does not work"),
            edit,
            says(),
            asks("still broken, same error"),
            edit,
            says(),
            asks("this does the job, but the page loads slowly; make it load once"),
            edit,
            commit,
            says(),
        ],
        "partial",
        "",
    ),
    "the request before the one that was not answered": (
        [
            asks("read the table only once"),
            lambda log: log.step("cat a.py", "x"),
            asks("here is a picture of it"),
        ],
        "abandoned",
        "not answered: read the table only once",
    ),
    "a push that was forbidden": (
        [
            asks("Write the notes on it.\n\n- Commit here. **Do not** push or merge."),
            lambda log: edit(log, "/work/app/notes.md"),
            commit,
            says("Round 1 is complete, committed and not pushed. Ready for round 2 when you are."),
        ],
        "success",
        "",
    ),
    "a merge was asked for": (
        [
            asks("read the table only once"),
            edit,
            commit,
            says(),
            asks("ok push all this up and lets get it merged"),
            lambda log: log.step("git push", "To github.com:a/b\n   1..2  main -> main"),
            says(),
        ],
        "success",
        "a merge was asked for, and none was made",
    ),
    "stashed changes that were thrown away": (
        [
            asks(),
            lambda log: log.step("git stash", "Saved working directory"),
            lambda log: red(log, "git stash pop", "error: could not restore untracked files"),
            lambda log: log.step("git stash drop", "Dropped refs/stash@{0}"),
            says(),
        ],
        "success",
        "stashed changes were dropped",
    ),
    "a script that is not there is no red check": (
        [
            asks(),
            edit,
            lambda log: log.step("pytest -q", GREEN),
            lambda log: red(log, "npm run check", 'npm error Missing script: "check"'),
            says(),
        ],
        "success",
        "",
    ),
    "a script is green where all that it runs is": (
        [
            asks(),
            lambda log: red(log, "pnpm check", " ELIFECYCLE  Command failed with exit code 1."),
            edit,
            lambda log: log.step(
                "pnpm check", "$ tsc --noEmit\n$ oxlint .\nFound 0 warnings and 0 errors."
            ),
            says(),
        ],
        "success",
        "",
    ),
    "work that went on behind a red check": (
        [
            asks(),
            edit,
            lambda log: red(log, "npx tsc --noEmit", "src/a.ts(1,2): error TS2304: no name"),
            edit,
            lambda log: log.step("pytest -q", GREEN),
            commit,
            says(),
        ],
        "success",
        "tsc failed, and was not run again",
    ),
    "another check of the kind, and a commit": (
        [
            asks(),
            edit,
            lambda log: red(log, "npx jest", "Tests:       1 failed, 1 total"),
            edit,
            lambda log: log.step("pytest -q", GREEN),
            commit,
            says(),
        ],
        "success",
        "",
    ),
    "faults that a filter no longer shows": (
        [
            asks(),
            edit,
            lambda log: log.step("npx tsc | grep src/a", "src/a.ts(1,2): error TS2304: no name"),
            edit,
            lambda log: log.step("npx tsc | grep src/a", ""),
            says(),
        ],
        "success",
        "",
    ),
    "a push that failed last": (
        [
            asks(),
            edit,
            lambda log: log.step("pytest -q", GREEN),
            commit,
            lambda log: red(log, "git push", "fatal: Could not read from remote repository."),
            says("It is committed and not yet pushed."),
        ],
        "partial",
        "the last push failed: fatal: Could not read",
    ),
    "a push that the person takes on": (
        [
            asks(),
            edit,
            commit,
            lambda log: red(log, "git push", "fatal: Could not read from remote repository."),
            says(),
            asks("I pushed it manually, tell me what is in it"),
            says(),
        ],
        "success",
        "",
    ),
    "a complaint that nobody repeats": (
        [
            asks(),
            edit,
            says(),
            asks("horrible, it does not work"),
            edit,
            says(),
            asks("what are the other two files for?"),
            edit,
            says(),
            asks("add the type file again please"),
            lambda log: edit(log, "/work/app/README.md"),
            says(),
        ],
        "unknown",
        "",
    ),
    "a search by a tool of a server": (
        [
            asks("search the web for the latest recorder"),
            lambda log: use(log, "mcp__search__query", {"q": "recorder"}, "three hits"),
            says("It is the third."),
        ],
        "success",
        "",
    ),
    "words that were taken out of the log": (
        [asks("scrubbed"), lambda log: log.step("ls", "a.py"), says("scrubbed")],
        "unknown",
        "",
    ),
    "a review, with faults put in to see the tests fail": (
        [
            asks("Review the branch and its tests"),
            edit,
            red,
            edit,
            says("Findings: APPROVE. Two minor ones stand."),
        ],
        "success",
        "found: APPROVE",
    ),
    "a review that found faults": (
        [
            asks("Review the branch and its tests"),
            lambda log: log.step("git diff", "+a"),
            says("- [P1] The lock is never taken"),
        ],
        "success",
        "found: [P1] The lock is never taken",
    ),
    "what was found is worked on": (
        [asks("look at the lock"), edit, says("- [P1] The lock is never taken")],
        "unknown",
        "",
    ),
    "commits as the work goes on": (
        [
            asks("add the table and commit the changes as you go"),
            edit,
            commit,
            edit,
            lambda log: log.step("pytest -q", GREEN),
            says(),
        ],
        "success",
        "the last edits are in none",
    ),
    "red, run again with its output hidden, and committed": (
        [
            asks(),
            edit,
            red,
            edit,
            lambda log: log.step("pytest -q | wc -l", "12"),
            lambda log: log.step("ruff check .", "All checks passed!"),
            commit,
            says(),
        ],
        "success",
        "",
    ),
    "a recap leaves open what was open": (
        [
            asks(),
            lambda log: log.step("ls", "a.py"),
            says("The table is read once. I did not commit or push."),
            asks("Provide a brief synopsis of what you did"),
            says("**Summary:** the table is read once."),
        ],
        "success",
        "I did not commit or push",
    ),
    "what tells nothing": (
        [asks(), lambda log: log.step("pytest -q | wc -l", "12"), says()],
        "unknown",
        "",
    ),
}


@pytest.mark.parametrize("name", OUTCOMES)
def test_the_outcome_follows_from_the_facts(bench: Workbench, name: str) -> None:
    scenes, outcome, left_open = OUTCOMES[name]
    digest = digest_of(bench, *scenes)
    assert (digest.verdict.outcome, bool(digest.verdict.reason)) == (outcome, True)
    assert digest.left_open is not None
    if left_open:
        assert any(left_open in entry for entry in digest.left_open), digest.left_open
    else:
        assert digest.left_open == []


def test_a_check_that_was_blocked_is_no_run() -> None:
    facts = Facts(ended="reply", last_reply="It was not run.", useful_calls=1, prompts=1)
    facts.checks["pytest"] = CheckFact("unknown", None)
    facts.runs.append(
        RunFact(1, None, "pytest", "failed", kind="test", reason="guard blocked a sed")
    )
    assert judge(facts).outcome == "success"
    facts.runs.append(RunFact(2, None, "pytest", "unknown", kind="test"))
    assert judge(facts).outcome == "unknown"


def test_an_edit_behind_a_refused_one_makes_up_for_it(bench: Workbench) -> None:
    digest = digest_of(bench, asks(), refuse, asks("in b.py please"), edit, says())
    assert digest.facts.ending.refused_change == ""


def endings() -> st.SearchStrategy[Facts]:
    counts = st.integers(0, 3)
    ending = st.builds(
        Ending,
        st.builds(Closing, st.sampled_from(["", "Shall I?"])),
        st.sampled_from(["", "do it"]),
        st.none() | st.just(["x"]),
        st.lists(st.just("later"), max_size=2),
        st.sampled_from(["", "asked", "done"]),
        st.sampled_from(["", "Edit a.py"]),
        st.lists(st.just("WebSearch x"), max_size=2),
        *[counts] * 6,
        st.sampled_from(["", "broken"]),
        counts,
        st.lists(st.just("before"), max_size=2),
        st.booleans(),
        st.sampled_from(["", "asked", "done"]),
    )
    return st.builds(
        Facts,
        ending=ending,
        prompts=counts,
        commits=counts,
        checks_passed=counts,
        last_reply=st.just("Done."),
        last_check_passed=st.sampled_from([None, True, False]),
    )


@given(endings(), endings(), endings())
def test_parts_may_be_merged_in_any_grouping(one: Facts, two: Facts, three: Facts) -> None:
    def merged(early: Facts, late: Facts) -> Facts:
        return Facts(
            ending=merged_ending(early, late),
            prompts=early.prompts + late.prompts,
            commits=early.commits + late.commits,
            checks_passed=early.checks_passed + late.checks_passed,
            last_reply=late.last_reply or early.last_reply,
            last_check_passed=(
                early.last_check_passed
                if late.last_check_passed is None
                else late.last_check_passed
            ),
        )

    left = merged(merged(one, two), three).ending
    right = merged(one, merged(two, three)).ending
    assert left == right


@given(endings())
def test_an_empty_part_changes_nothing(facts: Facts) -> None:
    empty = Facts()
    assert merged_ending(empty, facts) == facts.ending
    assert merged_ending(facts, empty) == facts.ending


def test_reason_says_whether_all_of_the_work_was_committed(bench: Workbench) -> None:
    def green(log: ClaudeLog) -> None:
        log.step("pytest -q", GREEN)

    begins = (lambda log: log.prompt("read it once"), edit, green, commit)
    ends = (edit, green, lambda log: log.reply("Done."))
    digest_of(bench, *begins, *ends)
    assert "part of the work was committed" in (bench.session().outcome_reason or "")


def test_reason_says_so_where_all_of_it_was(bench: Workbench) -> None:
    def green(log: ClaudeLog) -> None:
        log.step("pytest -q", GREEN)

    begins = (lambda log: log.prompt("read it once"), edit, green)
    digest_of(bench, *begins, commit, lambda log: log.reply("Done."))
    assert "and the work was committed" in (bench.session().outcome_reason or "")


def test_what_stands_at_the_end_of_another_entry_is_told_once(bench: Workbench) -> None:
    reply = (
        "Done.\n\n## Next steps\n\n- Commit the changes: Push to the server.\n- Push to the server."
    )
    digest = digest_of(bench, asks(), edit, says(reply))
    assert digest.left_open == ["remains: Commit the changes: Push to the server."]


def test_a_green_check_does_not_settle_a_push_that_failed_last(bench: Workbench) -> None:
    digest = digest_of(
        bench,
        asks("read the table once and push it"),
        edit,
        lambda log: log.step("pytest -q", GREEN),
        lambda log: log.step("git push", "Exit code 1\nfatal: no network", is_error=True),
        lambda log: log.step("git status -sb", "## main...origin/main [ahead 1]"),
    )
    assert digest.left_open is not None
    assert any(entry.startswith("no reply after") for entry in digest.left_open)
