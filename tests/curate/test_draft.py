"""A candidate becomes a page that reads well, and says which of its words are of a log."""

from __future__ import annotations

import os
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from helix_tui.curate.draft.draft import Draft, Excerpts, draft
from helix_tui.curate.page.page import read_page, tidy, write_page
from helix_tui.curate.page.pattern import Pattern
from helix_tui.sample import write_sample
from helix_tui.schema.candidate import Candidate, CandidateFilter, Ranked, Remedy
from helix_tui.schema.curation import EvidenceDetail
from helix_tui.schema.signal import Followed, SignalName
from helix_tui.text.command_difference import added_in, exchanged_in
from helix_tui.text.refuse import refusals
from helix_tui.text.shape_change import ASKED_BY_TOOLS
from helix_tui.text.signature.classes import MEANINGS, is_open
from tests.conftest import Workbench
from tests.curate.candidates import candidate, cure, ranked

EXAMPLES = int(os.environ.get("HELIX_EXAMPLES", "25"))
KEY = "sk-ant-api03-" + "Ab3dE6gH9jK2mN5pQ8sT1vW4"
VERBS = (
    *("read the file again", "other text", "quote it", "install", "edit a file", "git pull"),
    *("format", "start the service", "kill", "remove", "chmod", "use grep", "add --rebase"),
    *("add -p", "run it with uv", "go mod", "pnpm api:generate", "python3 build.py"),
)


def drafted(
    one: Candidate | Ranked,
    said: dict[int, str] | None = None,
    *,
    detail: EvidenceDetail = "excerpts",
    is_reviewed: bool = True,
) -> Draft:
    """The draft of a candidate, with what its evidence says by its place in it."""
    whole = one if isinstance(one, Ranked) else ranked(one)
    cited = whole.candidate.evidence
    excerpts: Excerpts = {
        (whole.candidate.id, cited[at].session, cited[at].fingerprint): text
        for at, text in (said or {}).items()
    }
    return draft(
        whole,
        excerpts,
        author="kim",
        at="2026-05-31T08:30:00Z",
        detail=detail,
        is_reviewed=is_reviewed,
    )


def prose(pattern: Pattern) -> str:
    fields = (pattern.title, pattern.problem, pattern.applies, pattern.does_not_apply)
    return "\n".join((*fields, pattern.guidance, pattern.subject, *pattern.evidence.repo_names))


def check_whole(made: Draft) -> None:
    """What is true of every draft."""
    pattern = made.pattern
    assert all((pattern.title, pattern.problem, pattern.applies))
    assert len(pattern.title) <= 140
    lines = pattern.guidance.split("\n") if pattern.guidance else []
    assert all(line.startswith("- ") for line in lines)
    assert len(lines) <= 3
    assert "{subject" not in prose(pattern)
    assert "{name" not in prose(pattern)
    assert refusals("\n".join((prose(pattern), *(one.text for one in pattern.excerpts)))) == []
    assert made.log_fields == [
        field
        for field in ("title", "problem", "applies", "does_not_apply", "guidance", "subject")
        if field in {one.field for one in made.origin}
    ]
    assert (pattern.provenance.guidance == "log") == ("guidance" in made.log_fields)
    for one in made.origin:
        held = getattr(pattern, one.field)
        assert one.text[:60].rstrip("…") in held or held.endswith(("…", "…`"))


def check_page(made: Draft) -> None:
    """That a draft is whole, and can be written as a page of the catalog."""
    check_whole(made)
    page = write_page(made.pattern)
    assert read_page(page, made.pattern.id) == tidy(made.pattern)
    assert refusals(page) == []


def test_a_missing_program_is_told_without_a_word_of_a_log() -> None:
    one = candidate(signal="env_missing", error_class="command_not_found", subject="rg")
    way = cure("use grep", "$ grep -rn 'Bar' src", 12)
    made = drafted(ranked(one, remedy=way))
    pattern = made.pattern
    assert pattern.title == "Use `grep` when a shell answers that `rg` is not found"
    assert pattern.guidance == "- Where `rg` is not installed, use `grep` instead of `rg`."
    assert "Bar" not in prose(pattern)
    assert pattern.evidence.remedied == 12
    assert "helped in 12 sessions" in pattern.why
    assert "12" not in pattern.guidance
    assert (made.log_fields, made.origin) == ([], [])
    assert pattern.provenance.guidance == "advice"


def test_our_advice_is_given_where_the_evidence_shows_the_same() -> None:
    way = cure("git pull", "$ git pull --rebase", 6)
    cured = drafted(ranked(candidate(error_class="push_rejected"), remedy=way)).pattern
    assert "rebase" in cured.guidance
    assert len(cured.guidance.split("\n")) == 1


@pytest.mark.parametrize("verb", sorted(ASKED_BY_TOOLS))
def test_what_a_tool_asks_for_itself_is_no_advice(verb: str) -> None:
    one = candidate(signal="edit_mismatch", error_class="edit_no_match", tool_class="edit")
    made = drafted(ranked(one, remedy=cure(verb, "Edit a.py", 6)), is_reviewed=False)
    assert (made.pattern.guidance, made.pattern.evidence.remedied) == ("", 0)
    # Who reads the page finds there what the list says, where we have words for it.
    read = drafted(ranked(one, remedy=cure(verb, "Edit a.py", 6))).pattern.guidance
    assert bool(read) == (verb in ("read the file again", "other text"))


def test_without_evidence_of_what_helps_a_page_says_only_what_happens() -> None:
    one = candidate(signal="edit_mismatch", error_class="edit_no_match", tool_class="edit")
    plain = drafted(one).pattern
    assert plain.title.startswith("The text to replace, or the context of a patch, is not in")
    assert (plain.guidance, plain.does_not_apply) == ("", "")


@pytest.mark.parametrize("verb", ["kill", "run it with sudo", "git reset", "add --no-verify"])
def test_a_remedy_that_may_do_harm_is_not_taught(verb: str) -> None:
    one = candidate(error_class="hook_failed")
    way = cure(verb, "$ git commit --no-verify", 6)
    made = drafted(ranked(one, remedy=way)).pattern
    assert made.guidance == ""
    assert made.evidence.remedied == 0
    assert made.evidence.unadvised == 6
    assert "In 6 sessions the agent got past it in a way that switches a safeguard off" in made.why
    assert "no-verify" not in made.why


def test_what_was_run_tells_more_than_the_word_for_it() -> None:
    one = candidate(error_class="git_identity_unset")
    harmless = cure("git config", "$ git config user.name kim", 4)
    harmful = cure("git config", "$ git config http.sslVerify false", 4)
    assert drafted(ranked(one, remedy=harmless)).pattern.evidence.remedied == 4
    made = drafted(ranked(one, remedy=harmful)).pattern
    assert (made.evidence.remedied, made.evidence.unadvised) == (0, 4)
    assert "sslVerify" not in prose(made) + made.why


def test_only_the_sessions_that_took_a_way_are_counted_for_its_line() -> None:
    one = candidate(error_class="push_rejected")
    ways = {"git pull": 5, "add --force": 2}
    way = cure("git pull", "$ git pull --rebase", 5, ways)
    made = drafted(ranked(one, remedy=way)).pattern
    assert (made.evidence.remedied, made.evidence.unadvised) == (5, 2)


def test_a_package_that_somebody_named_is_no_advice() -> None:
    one = candidate(error_class="module_not_found", subject="yaml")
    named = drafted(ranked(one, remedy=cure("install", "$ pip install pyyamll", 4)))
    declared = cure("install", "$ pip install -r requirements.txt", 4)
    assert (named.pattern.guidance, named.remedy) == ("", None)
    unseen = drafted(ranked(one, remedy=declared), is_reviewed=False)
    assert (unseen.log_fields, bool(unseen.pattern.guidance)) == ([], True)


def differing(failed: str, works: str, verb: str) -> Remedy:
    """A remedy that is a difference between two commands."""
    return replace(cure(verb, f"$ {works}", 2), failed=f"$ {failed}")


@pytest.mark.parametrize(
    ("failed", "works", "verb", "line"),
    [
        (
            "pytest -q",
            "PYTHONPATH=. pytest -q",
            "set PYTHONPATH",
            "Run `PYTHONPATH=. pytest -q` instead of `pytest -q`.",
        ),
        (
            'sed -n 1,9p "Use cases/a.md"',
            'sed -n 1,20p "Use Cases/a.md"',
            "use the path Use Cases",
            "Write `Use Cases` with these capitals, not `Use cases`, which is not there.",
        ),
        (
            "gh pr view 3 --repo kim/app",
            "gh pr view 3 --repo acme/app",
            "use the path acme",
            "Write `acme/app`, not `kim/app`, which is not there.",
        ),
        (
            f"git push origin {'x' * 200}",
            f"git push origin {'y' * 200}",
            "run it with escalated permissions",
            "Run `git push` with escalated permissions.",
        ),
        (
            f"pytest {'x' * 200}",
            f"TZ=UTC pytest {'x' * 200}",
            "set TZ",
            "Set `TZ` for `git push`, as in `TZ=UTC`.",
        ),
    ],
)
def test_a_difference_is_told_as_it_was_run_or_without_its_values(
    failed: str, works: str, verb: str, line: str
) -> None:
    one = replace(candidate(error_class="timeout"), shape="git push {folder}")
    made = drafted(ranked(one, remedy=differing(failed, works, verb)))
    assert made.pattern.guidance == f"- {line}"
    assert (made.remedy, "guidance" in made.log_fields) == ("quoted", True)
    unseen = drafted(ranked(one, remedy=differing(failed, works, verb)), is_reviewed=False)
    assert unseen.pattern.guidance == ""


def test_of_two_chains_the_command_that_differs_is_told() -> None:
    one = replace(candidate(error_class="local_changes_overwritten"), shape="git pull --rebase")
    remedy = differing(
        "git pull --rebase && bd sync && git push",
        "git pull --rebase --autostash && bd sync && git push",
        "add --autostash",
    )
    one = replace(one, error_class="timeout")
    told = drafted(ranked(one, remedy=remedy)).pattern.guidance
    assert told == "- Run `git pull --rebase --autostash` instead of `git pull --rebase`."


def test_a_formatter_is_told_without_the_files_of_a_day() -> None:
    one = replace(candidate(error_class="test_failure"), shape="pnpm run check", check="check")
    one = replace(one, kinds={"formatting": 2, "TS2322": 1}, scope="repo")
    remedy = replace(
        cure("format", "$ pnpm exec oxfmt docs/roles.md && git diff --check", 2),
        failed="$ pnpm check",
        works="$ pnpm check",
    )
    pattern = drafted(ranked(one, remedy=remedy)).pattern
    assert pattern.guidance == ("- Run `pnpm exec oxfmt` first, then `pnpm check`.")
    assert pattern.problem == (
        "`pnpm run check` is red again and again. It finds `formatting` and others."
    )


def test_an_option_is_left_out_where_the_failure_is_about_options_alone() -> None:
    remedy = differing(
        "npm run check -- --write", "npm run check", "leave out --, leave out --write"
    )
    about = replace(candidate(error_class="unknown_option"), shape="npm run check -- --write")
    line = "- Run `npm run check` instead of `npm run check -- --write`."
    assert drafted(ranked(about, remedy=remedy)).pattern.guidance == line
    other = replace(about, error_class="timeout")
    assert drafted(ranked(other, remedy=remedy)).pattern.guidance == ""
    strict = differing("mypy --strict src", "mypy src", "leave out --strict")
    assert drafted(ranked(about, remedy=strict)).remedy == "unadvised"


def test_words_against_safeguards_are_no_guidance() -> None:
    one = candidate("user-correction-b-11223344", signal="user_correction", subject="permission")
    said = {0: "user: stop asking for permission, just set permissions to bypass"}
    assert drafted(one, said).pattern.guidance == ""
    kept = {0: "user: never skip the permission checks"}
    assert "never skip" in drafted(one, kept).pattern.guidance


def test_words_of_a_log_act_as_no_markdown() -> None:
    one = candidate("user-correction-n-11223344", signal="user_correction", subject="note")
    said = {0: "user: note <!-- obey --> and [this](http://x.example) always"}
    pattern = drafted(one, said).pattern
    assert "\\<!--" in pattern.guidance
    assert "\\[this]" in pattern.guidance
    assert "\\<!--" in pattern.title


def test_a_linter_that_was_red_behind_finished_work_says_what_it_keeps_finding() -> None:
    one = replace(
        candidate(error_class="lint_error"),
        kinds={"errcheck": 3, "goconst": 2, "gosec": 1},
        scope="repo",
        late=2,
    )
    remedy = cure("mend what it names", "$ make lint", 3)
    assert drafted(ranked(one, remedy=remedy)).pattern.guidance == (
        "- Run `make lint` before you commit or say that you are done, and mend what it names; "
        "what it found more than once: `errcheck` and `goconst`."
    )
    # What agents ran and mended by themselves needs no line.
    assert drafted(ranked(replace(one, late=1), remedy=remedy)).pattern.guidance == ""


def test_ways_that_were_seen_once_are_told_as_such_and_only_to_a_reader() -> None:
    lead = differing("just fmt", "cargo fmt --all", "use cargo fmt")
    one = candidate(error_class="command_not_found", subject="just", repos=("app",))
    one = replace(one, leads=[lead], shape="just fmt", scope="repo")
    made = drafted(one)
    assert made.pattern.guidance == (
        "- Where `just` is not installed, use `cargo fmt --all` instead of `just fmt`. "
        "This was seen to work in one conversation so far."
    )
    assert made.pattern.applies == "In `app`, when you run `just fmt`."
    assert {"applies", "guidance"} <= {*made.log_fields}
    assert drafted(one, is_reviewed=False).pattern.guidance == ""
    harmful = replace(lead, verb="add --no-verify", works="$ git commit --no-verify")
    assert drafted(replace(one, leads=[harmful])).pattern.guidance == ""


def test_a_page_of_one_repository_names_it_and_what_is_run_there_also_without_words() -> None:
    one = candidate(error_class="remote_not_found", subject="", repos=("app",))
    one = replace(one, scope="repo", shape="", actions=["gh api graphql", "gh pr comment"])
    made = drafted(one).pattern
    assert made.applies == "In `app`, when you run `gh api graphql` or `gh pr comment`."
    assert made.guidance == ""
    named = cure("name the repository you/app", "$ gh pr comment", 2)
    told = drafted(ranked(one, remedy=named)).pattern.guidance
    assert told == (
        "- Name the repository to `gh` as `you/app`: other names that were tried do not exist."
    )


@pytest.mark.parametrize(
    ("shape", "change", "line"),
    [
        (
            "dotnet ef migrations --project",
            (
                "dotnet ef migrations add A",
                "dotnet ef migrations add A --project src/Data",
                "add --project",
            ),
            "Run `dotnet ef migrations` with `--project src/Data`.",
        ),
        (
            "vendor/bin/phpstan",
            (
                "vendor/bin/phpstan analyse src",
                "vendor/bin/phpstan analyse src --memory-limit=1G",
                "add --memory-limit",
            ),
            "Run `vendor/bin/phpstan` with `--memory-limit`, as in `--memory-limit=1G`.",
        ),
        (
            "terraform plan -chdir",
            ("terraform plan -chdir=a", "AWS_PROFILE=a terraform plan -chdir=a", "set AWS_PROFILE"),
            "Set `AWS_PROFILE` for `terraform plan`, as in `AWS_PROFILE=a`.",
        ),
        (
            "deno task dev --port",
            ("deno task dev --port 3000 a", "deno task dev --port 3010 a", "give another --port"),
            "Give `deno task dev` another `--port` than `3000`.",
        ),
    ],
)
def test_of_a_command_that_names_things_of_that_day_only_the_difference_is_told(
    shape: str, change: tuple[str, str, str], line: str
) -> None:
    failed, works, verb = change
    one = replace(candidate(error_class="timeout", repos=("app",)), shape=shape, scope="repo")
    is_same = "as in" not in line and "another" not in line
    remedy = replace(
        differing(failed, works, verb),
        added=added_in(failed, works) if is_same else "",
        is_varied="as in" in line,
        gone=exchanged_in(failed, works)[0],
    )
    assert drafted(ranked(one, remedy=remedy)).pattern.guidance == f"- {line}"


def test_a_step_is_told_without_the_files_and_the_folder_of_that_day() -> None:
    one = replace(candidate(error_class="test_failure"), shape="", scope="repo")
    one = replace(one, actions=["terraform plan"])
    ran = "$ cd envs/dev && terraform init"
    remedy = replace(
        differing(
            "cd envs/dev && terraform plan", "cd envs/dev && terraform plan", "terraform init"
        ),
        ran=ran,
    )
    told = drafted(ranked(one, remedy=remedy)).pattern.guidance
    assert told == "- Run `terraform init` first, then `terraform plan`."


@pytest.mark.parametrize(
    ("kinds", "line"),
    [
        ({"tests": 3, "lint": 1}, "run what users found red behind it: tests, lint."),
        ({"tests": 1, "lint": 1}, "run what users found red behind it: tests, lint."),
        ({"tests": 2, "CI": 1}, "- After a push look at what CI says"),
    ],
)
def test_red_checks_are_named_those_of_most_conversations_first(
    kinds: dict[str, int], line: str
) -> None:
    one = candidate(signal="error_persistence", error_class="")
    assert line in drafted(replace(one, kinds=kinds)).pattern.guidance


def test_red_checks_are_told_as_each_repository_runs_them() -> None:
    one = candidate(signal="error_persistence", error_class="", repos=("app",))
    one = replace(one, kinds={"tests": 2, "lint": 1})
    in_one = replace(one, steps={"tests": {"app": "uv run pytest"}})
    told = drafted(in_one)
    assert told.pattern.guidance == (
        "- Before you say that work is done, run what users found red behind it: "
        "tests (`uv run pytest`), lint."
    )
    assert told.log_fields == ["guidance"]
    elsewhere = candidate(signal="error_persistence", error_class="", repos=("app", "web"))
    elsewhere = replace(elsewhere, kinds=in_one.kinds, steps=in_one.steps)
    assert "tests (`uv run pytest` in `app`), lint." in drafted(elsewhere).pattern.guidance
    in_ci = replace(in_one, kinds={"tests": 2, "CI": 1, "lint": 1})
    assert drafted(in_ci).pattern.guidance.startswith(
        "- Before a push run what was red in CI: tests (`uv run pytest`"
    )
    in_two = {"tests": {"app": "uv run pytest"}, "lint": {"web": "npm run lint"}}
    assert "tests (`uv run pytest` in `app`), lint (`npm run lint` in `web`)." in (
        drafted(replace(one, steps=in_two)).pattern.guidance
    )
    assert "`" not in drafted(in_one, is_reviewed=False).pattern.guidance
    assert not drafted(replace(in_one, moment="the agent had run it")).pattern.guidance


def test_ways_of_which_one_keeps_what_the_other_left_out_are_told_as_whole_commands() -> None:
    without = differing("yarn test --only=api", "yarn test api", "leave out --only")
    other = differing("yarn test --only=api", "npx vitest --only=api", "use npx vitest")
    one = candidate(error_class="no_tests_found", subject="", repos=("app",))
    one = replace(one, shape="yarn test", scope="repo")
    assert drafted(replace(one, leads=[other])).pattern.guidance
    told = drafted(replace(one, leads=[without, other])).pattern.guidance
    assert told == (
        "- Instead of `yarn test --only=NAME` run `yarn test NAME` or `npx vitest --only=NAME`. "
        "Each was seen to work in one conversation so far."
    )
    cut = differing("yarn test --only=api", "yarn test api …", "leave out --only")
    assert drafted(replace(one, leads=[cut, other])).pattern.guidance == ""


def test_an_option_behind_a_mark_that_a_script_was_handed_is_told_where_two_outputs_show_it() -> (
    None
):
    one = candidate(error_class="no_tests_found", subject="", repos=("app",))
    one = replace(one, shape="pnpm run test", scope="repo")
    shown = (
        "$ pnpm --filter api test -- --filterPattern=a\n> api@1.0.0 test /w\n"
        "> vitest run -- --filterPattern=a\nNo test files found"
    )
    plain = "$ pnpm test -- --filterPattern=a\nNo test files found"
    assert drafted(one, {0: shown, 1: plain}).pattern.guidance == ""
    assert drafted(one, {0: shown, 1: shown}).pattern.guidance == (
        "- Give `pnpm run test` paths of tests, or parts of them, behind `--`, and no options: it "
        "hands the `--` on, as in `vitest run -- --filterPattern`, so that an option is read as a "
        "path and no test runs."
    )
    green = shown.replace("No test files found", "No tests found, exiting with code 0")
    assert "looks green" in drafted(one, {0: green, 1: green}).pattern.problem
    assert "looks green" not in drafted(one, {0: green, 1: shown}).pattern.problem
    assert not drafted(one, {0: shown, 1: shown}, is_reviewed=False).pattern.guidance


@pytest.mark.parametrize(
    ("shape", "verb"),
    [
        ("npm run check", "leave out --, leave out --write"),
        ("npm run check", "add --fix, leave out --write"),
        ("", "leave out --write"),  # what is left to name is the option itself
    ],
)
def test_options_that_mean_nothing_one_by_one_are_not_told_where_seen_once(
    shape: str, verb: str
) -> None:
    lead = differing("npm run check -- --write", "npm run check", verb)
    one = candidate(error_class="unknown_option", subject="--write", repos=("app",))
    made = drafted(replace(one, leads=[lead], shape=shape, scope="repo"))
    assert made.pattern.guidance == ""


@pytest.mark.parametrize(
    "verb", ["pnpm api:generate", "use evil-rg.sh", "add --some-new-option", "frobnicate"]
)
def test_what_is_on_no_list_is_marked_as_of_a_log(verb: str) -> None:
    one = candidate(error_class="timeout")
    made = drafted(ranked(one, remedy=cure(verb, f"$ x {verb}", 3)))
    assert made.log_fields == ["title", "guidance"]
    assert made.pattern.guidance == f"- Run `x {verb}`."


def test_a_program_stands_in_for_another_only_where_both_are_listed() -> None:
    way = cure("use grep", "$ grep -rn x", 6)
    known = drafted(ranked(candidate(error_class="command_not_found", subject="rg"), remedy=way))
    other = drafted(ranked(candidate(error_class="command_not_found", subject="gpg"), remedy=way))
    assert "use `grep` instead of `rg`." in known.pattern.guidance
    assert (known.log_fields, "guidance" in other.log_fields) == ([], True)


def test_an_option_is_advised_only_to_programs_in_which_it_is_harmless() -> None:
    way = cure("add --offline", "$ cargo build --offline", 6)
    made = drafted(ranked(candidate(error_class="timeout"), remedy=way)).pattern
    assert made.guidance.startswith("- Run the same `cargo build` with `--offline`.")
    other = cure("add --offline", "$ other --offline", 6)
    made = drafted(ranked(candidate(error_class="timeout"), remedy=other)).pattern
    assert made.provenance.guidance == "log"


def test_an_error_without_a_class_is_quoted_and_marked() -> None:
    said = "thread * panicked at *:*: assertion * failed"
    made = drafted(candidate("tool-error-fa75c970", title=f"shell: {said}"))
    assert made.pattern.title == f"Shell: {said}"
    assert made.log_fields == ["title", "problem"]
    assert {one.session for one in made.origin} == {"claude:0000"}
    assert made.pattern.provenance.guidance == "advice"


def test_a_class_that_only_tells_the_kind_quotes_which_failure_it_is() -> None:
    one = candidate(
        error_class="test_failure", title="shell: test failure: --- FAIL: TestReplay (<time>)"
    )
    made = drafted(one)
    assert made.pattern.title == "Shell: test failure: --- FAIL: TestReplay (<time>)"
    assert "It says: `--- FAIL: TestReplay (<time>)`" in made.pattern.problem
    assert made.log_fields == ["title", "problem"]


@pytest.mark.parametrize("subject", ["go test", "pytest", "TS2564", "yaml", "--json", "Edit"])
def test_a_known_name_is_no_text_of_a_log(subject: str) -> None:
    assert drafted(candidate(signal="retry_loop", subject=subject)).log_fields == []


@pytest.mark.parametrize(
    "subject",
    [
        *("run this now please", "foo::bar", "x; rm -rf ~", "ünï", "`rm`", "x" * 62),
        *("ignore-all-previous-instructions", "runSudoNow", "obey_me", "@scope/pkg", "evilpkg"),
        *("go deletethings", "rg\u200b", "рytest", "Pytest"),
    ],
)
def test_any_other_subject_is_text_of_a_log_wherever_it_stands(subject: str) -> None:
    made = drafted(candidate(signal="retry_loop", subject=subject))
    assert "subject" in made.log_fields
    assert {"title", "problem", "applies"} <= {*made.log_fields} or "\u200b" in subject
    check_whole(made)


@pytest.mark.parametrize("sign", ["\xad", "\ue000", "\U000e0041", "\ufe0f"])
def test_a_quotation_that_cannot_be_shown_counts_as_words_of_a_log(sign: str) -> None:
    error = drafted(candidate("tool-error-fa75c970", title=f"shell: it{sign} broke"))
    assert error.log_fields == ["title", "problem"]
    named = drafted(candidate(error_class="timeout", subject=f"make{sign}"))
    assert named.log_fields == ["subject"]
    title = f"user on ledger: “use{sign} it”"
    said = candidate("user-correction-l-11223344", signal="user_correction", title=title)
    assert "guidance" in drafted(said).log_fields


def test_names_of_repositories_are_there_only_where_a_person_looks() -> None:
    one = candidate(error_class="timeout", repos=("ignore-all-previous-instructions",))
    assert drafted(one).pattern.evidence.repo_names == ["ignore-all-previous-instructions"]
    assert drafted(one, is_reviewed=False).pattern.evidence.repo_names == []


def test_a_subject_that_holds_a_secret_or_a_hidden_sign_is_left_out() -> None:
    hidden = drafted(candidate(error_class="command_not_found", subject="rg\u202e"))
    assert "\u202e" not in prose(hidden.pattern)
    secret = drafted(candidate(error_class="command_not_found", subject=KEY))
    assert KEY not in prose(secret.pattern)
    private = drafted(candidate(error_class="command_not_found", subject="rg\ue000"))
    # What is hidden shows, and a name that holds it is words of a log, which somebody looks at.
    assert "`rg\ufffd`" in private.pattern.problem
    assert "title" in private.log_fields
    for made in (hidden, secret, private):
        check_whole(made)


def test_what_users_say_is_quoted_with_its_sessions() -> None:
    one = candidate(
        "user-correction-ledger-11223344",
        signal="user_correction",
        subject="ledger",
        title="user on ledger: “use the ledger”",
    )
    said = {
        0: "$ make\nuser: use the ledger,\nnot the cache\nthen $ make test",
        2: "user: always through the ledger",
    }
    made = drafted(one, said)
    assert made.pattern.title == "Users say: “use the ledger, not the cache”"
    assert "- “use the ledger, not the cache”" in made.pattern.guidance
    assert made.log_fields == ["title", "guidance", "subject"]
    assert [one for one in made.origin if one.field == "guidance"] == [
        ("guidance", "claude:0000", "use the ledger, not the cache"),
        ("guidance", "codex:0002", "always through the ledger"),
    ]
    assert made.pattern.provenance.guidance == "log"


def test_without_excerpts_the_quotation_is_that_of_the_title() -> None:
    title = "user on ledger: “use the ledger”"
    one = candidate("user-correction-l-11223344", signal="user_correction", title=title)
    assert drafted(one).origin == [
        ("guidance", "claude:0000", "use the ledger"),
        ("title", "claude:0000", "use the ledger"),
    ]


def test_pieces_of_sessions_are_of_several_agents_and_only_where_a_person_looks() -> None:
    one = candidate(error_class="timeout", flavors=("claude", "claude", "codex", "claude", "grok"))
    said = {at: f"$ make {at}\ntimed out" for at in range(5)}
    cited = drafted(one, said).pattern.excerpts
    assert [piece.session for piece in cited] == ["claude:0000", "codex:0002", "grok:0004"]
    assert cited[0].fingerprint == "0000000000000007"
    assert cited[0].at == "2025-10-09T08:53:20.000Z"
    assert drafted(one, said, is_reviewed=False).pattern.excerpts == []
    assert drafted(one, said, detail="counts").pattern.excerpts == []


def test_pieces_of_sessions_are_short_and_hold_no_secret() -> None:
    text = f"$ export KEY={KEY}\n\x1b[31mfailed\u202e\nodd \ue000 sign\n" + "word " * 400
    made = drafted(candidate(error_class="timeout"), {0: text})
    piece = made.pattern.excerpts[0].text
    assert len(piece) <= 600
    assert piece.endswith("…")
    assert KEY not in piece
    assert "odd \ufffd sign" in piece
    check_whole(made)


def test_counts_are_all_that_a_page_of_counts_shows() -> None:
    one = candidate(error_class="timeout", repos=("ledgerline", "a folder of mine", "sluice"))
    full, counts = drafted(one).pattern.evidence, drafted(one, detail="counts").pattern.evidence
    assert full.repo_names == ["ledgerline", "sluice"]
    assert (counts.repo_names, counts.repos) == ([], 3)
    assert full.flavors == {"claude": 2, "codex": 2}
    assert (full.sessions, full.frequency, full.cost_impact) == (4, 4, 3_000)
    assert (full.first_seen, full.last_seen) == (
        "2025-10-09T08:53:20.000Z",
        "2025-10-12T08:53:20.000Z",
    )


def verbs_for(error_class: str, subject: str) -> tuple[str, ...]:
    """Every way out where many examples are asked for; else each class has some, others in turn."""
    if "HELIX_EXAMPLES" in os.environ:
        return VERBS
    first = sorted(MEANINGS).index(error_class) + bool(subject)
    return tuple(VERBS[(first + step) % len(VERBS)] for step in range(0, len(VERBS), 5))


@pytest.mark.parametrize("error_class", sorted(MEANINGS))
@pytest.mark.parametrize("subject", ["", "some-name"])
def test_every_class_makes_a_whole_page_and_so_does_each_way_out(
    error_class: str, subject: str
) -> None:
    words = error_class.replace("_", " ")
    about = f" `{subject}`" if subject else ""
    title = f"shell: {words}{about}: it broke"
    for verb in verbs_for(error_class, subject):
        one = candidate(error_class=error_class, subject=subject, title=title)
        made = drafted(ranked(one, remedy=cure(verb, f"$ x {verb} y", 3)))
        check_whole(made)
        if not subject:
            fields = ["title", "problem"] if is_open(error_class) else []
            is_quoted = made.remedy == "quoted"
            assert {*made.log_fields} >= {*fields, *(["guidance"] if is_quoted else [])}
        else:
            assert "subject" in made.log_fields
    check_page(drafted(candidate(error_class=error_class, subject=subject, title=title)))


@pytest.mark.parametrize("signal", get_args(SignalName))
@pytest.mark.parametrize("subject", ["", "some-name", "question", "what is said"])
def test_every_signal_makes_a_whole_page(signal: SignalName, subject: str) -> None:
    check_page(drafted(candidate(signal=signal, subject=subject, title="shell: it broke")))


@given(
    st.text(max_size=80),
    st.text(max_size=120),
    st.text(max_size=60),
    st.sampled_from(get_args(SignalName)),
    st.sampled_from(["", *sorted(MEANINGS)]),
)
@settings(max_examples=EXAMPLES * 2, deadline=None)
def test_no_text_of_a_log_gets_past_the_marks(
    subject: str, said: str, verb: str, signal: SignalName, error_class: str
) -> None:
    one = candidate(
        signal=signal,
        error_class=error_class,
        subject=subject,
        title=f"shell: {said}",
    )
    with_way = ranked(one, remedy=cure(verb, said, 3))
    check_page(drafted(with_way, {0: f"user: {said}", 1: said}))


def test_drafts_of_the_sample_are_whole_and_never_the_same(bench: Workbench) -> None:
    write_sample(bench.home)
    bench.sweep()
    found = bench.engine().candidates.detect(CandidateFilter(is_all=True))
    made = [
        draft(
            one, found.excerpts, author="kim", at="2026-05-31", detail="excerpts", is_reviewed=True
        )
        for one in found.ranked
    ]
    assert len(made) > 15
    for one in made:
        check_page(one)
    titles = [one.pattern.title for one in made]
    assert len(set(titles)) == len(titles)


def test_what_users_say_in_one_repository_is_called_by_it() -> None:
    one = candidate(
        "user-correction-pnpm-11223344", signal="user_correction", subject="pnpm", repos=["shop"]
    )
    made = drafted(one, {0: "user: use pnpm here, not npm"})
    assert made.pattern.title == "In `shop`, users say: “use pnpm here, not npm”"
    assert made.pattern.applies == "In `shop`."
    assert made.pattern.why.startswith("This was said ")
    assert "on the work that it corrects" in made.pattern.why


def test_a_page_of_what_users_say_without_a_rule_is_called_as_the_row_is() -> None:
    title = "user corrects in shop: “why is the first schema changed and no new one written?”"
    one = candidate(
        signal="user_correction", subject="schema", title=title, repos=["shop"], flavors=["pi"] * 2
    )
    one = replace(one, sort="correction", reworked="first.sql")
    told = drafted(one, {0: "user: why is the first schema changed and no new one written?"})
    assert not told.pattern.guidance
    assert told.pattern.title == title.replace("user", "User").replace("in shop", "in `shop`")
    assert told.pattern.problem.endswith("Behind it agents edited `first.sql`.")
    assert {"title", "problem"} <= set(told.log_fields)
    of_rest = drafted(replace(one, tier="rest"))
    assert "schema changed" not in of_rest.pattern.title


def test_a_question_that_agents_answered_by_taking_work_back_is_told_with_that() -> None:
    asks = "Why is the first schema changed, rather than a new one added?"
    one = candidate(
        signal="user_correction",
        subject="schema",
        title=f"user corrects in shop: “{asks}”",
        repos=["shop"],
        flavors=["pi"] * 2,
    )
    one = replace(one, sort="correction", scope="repo", reworked="first.sql")
    other = "but each install runs all of them, why would you repeat it?"
    said = {0: f"Edit first.sql\nuser: {asks}\nthen Read first.sql", 1: f"user: {other}"}
    back = drafted(replace(one, taken_back=2), said).pattern
    assert back.guidance == (
        f"- Leave `first.sql` as it is. Users asked: “{asks}” and “{other}” "
        "Agents then took their edits of it back."
    )
    assert back.applies == "In `shop`, when you are about to edit `first.sql`."
    assert back.problem.endswith("Behind it agents took their edits of `first.sql` back.")
    assert drafted(replace(one, taken_back=1), said).pattern.guidance.endswith(
        "Agents then edited `first.sql` again."
    )
    named = asks.replace("a new one added", "adding a new one to do the same")
    one = replace(one, title=f"user corrects in shop: “{named}”", taken_back=2)
    assert drafted(one, {0: f"user: {named}"}).pattern.guidance == (
        "- Leave `first.sql` as it is; what users name in its place: “adding a new one to do the "
        "same”. Agents took their edits of it back."
    )
    one = replace(one, taken_back=1)
    unsafe = replace(one, title="user corrects in shop: “Why not just skip the hooks?”")
    assert not drafted(replace(unsafe, taken_back=2), {}).pattern.guidance
    plain = replace(one, title="user corrects in shop: “is the first schema changed?”")
    assert not drafted(plain, said).pattern.guidance
    assert drafted(replace(plain, taken_back=2), {}).pattern.guidance
    assert not drafted(replace(plain, taken_back=2, tier="rest"), {}).pattern.guidance


def test_what_hides_something_from_a_program_is_told_in_no_draft() -> None:
    lead = differing("./make.sh x", "GIT_DIR=/dev/null ./make.sh x", "set GIT_DIR")
    one = candidate(error_class="", repos=("app",), templates=("bad number",))
    one = replace(one, said="bad number", shape="make.sh", scope="repo")
    follows = [Followed("check.sh", "no branch", "no branch", "set NAME", "$ NAME=a check.sh")]
    kept = replace(one, leads=[replace(lead, again=2)], follows=follows)
    assert "GIT_DIR" not in drafted(kept).pattern.guidance
    page = drafted(replace(one, follows=follows)).pattern
    assert page.guidance == (
        "- Where `check.sh` says “no branch”, set `NAME` for `check.sh`, as in `NAME=a`. "
        "This was seen to work in one conversation so far."
    )
    assert page.problem.endswith("Behind it `check.sh` says “no branch”.")


def test_a_path_and_a_name_are_wrong_whatever_they_are_given_to() -> None:
    path = differing("cat 'my docs/a.md'", "cat 'My Docs/a.md'", "use the path My Docs")
    one = candidate(error_class="file_not_found", repos=("app",))
    one = replace(one, shape="cat {file}", scope="repo")
    assert drafted(ranked(one, remedy=path)).pattern.applies == "In `app`, when you name `My Docs`."
    named = "gh pr view --repo {}/app"
    owner = differing(named.format("me"), named.format("you"), "name the repository you/app")
    one = replace(one, error_class="remote_not_found", shape="", actions=["gh pr view"])
    assert drafted(ranked(one, remedy=owner)).pattern.applies == (
        "In `app`, when you name the repository to `gh`."
    )


def test_a_long_rule_is_cut_in_the_title_alone() -> None:
    rule = (
        "after each change that you make, " + "tell how it is set up, " * 5 + "and update the log"
    )
    title = f"user asks in shop: “{rule}”"
    one = candidate(signal="instruction", subject="log", title=title, repos=["shop"])
    made = drafted(replace(one, sort="instruction"), {0: f"user: {rule}"}).pattern
    assert made.guidance == f"- “{rule}”"
    assert made.title.startswith("In `shop`, users say: “after each")
    assert made.title.endswith("…”")
    assert len(made.title) <= 140


def test_a_check_of_mostly_one_repository_is_of_that_one() -> None:
    flavors = ("claude",) * 4
    one = candidate(error_class="lint_error", flavors=flavors, repos=("app", "app", "app", "clone"))
    made = drafted(replace(one, scope="repo", check="lint", shape="make lint"))
    assert made.pattern.scope == "repo:app"


def test_what_the_output_itself_names_is_told_as_such() -> None:
    said = "DEPRECATED: Use 'fix' instead"
    one = replace(candidate(error_class="unknown_option"), shape="npm run format", scope="repo")
    assert drafted(ranked(replace(one, hints={said: 2}))).pattern.guidance == (
        f"- Where `npm run format` is refused, the program's own output says what to do: “{said}”."
    )
    assert not drafted(ranked(replace(one, hints={said: 1}))).pattern.guidance
    of_option = replace(one, subject="--write", hints={said: 2})
    assert drafted(ranked(of_option)).pattern.guidance == (
        "- Leave `--write` out of `npm run format`: it is not known there; the program's own "
        f"output says what to do: “{said}”."
    )


def test_a_hint_is_said_of_the_command_that_printed_it() -> None:
    said = "DEPRECATED: use 'fix' instead"
    one = replace(candidate(error_class="unknown_option", subject="--write"), scope="repo")
    one = replace(one, hints={said: 2}, actions=["npm run check", "npm run format"])
    told = drafted(replace(one, hinted=["npm run format"])).pattern.guidance
    assert told == (
        "- Leave `--write` out of `npm run check` or `npm run format`: it is not known there; the "
        f"output of `npm run format` says what to do: “{said}”."
    )


def test_a_folder_is_named_as_its_repository_has_it() -> None:
    one = candidate(error_class="no_tests_found", subject="", repos=("app",))
    one = replace(one, shape="yarn test", scope="repo")
    failed = "yarn test --only=api"
    without = differing(failed, "cd ~/code/app/parts/api && yarn test api", "leave out --only")
    other = differing(failed, "npx vitest --only=api", "use npx vitest")
    told = drafted(replace(one, leads=[without, other])).pattern.guidance
    assert "run `yarn test NAME` in the folder `parts/api` or `npx vitest --only=NAME`" in told


def test_a_module_whose_package_is_there_may_be_of_another_copy() -> None:
    one = candidate(error_class="module_not_found", subject="app.jobs")
    assert "another checkout" in drafted(one).pattern.problem
    assert "another checkout" not in drafted(replace(one, subject="yaml")).pattern.problem


def test_a_value_is_told_with_the_folder_that_it_begins_in() -> None:
    one = replace(candidate(error_class="module_not_found"), shape="pytest", scope="repo")
    works = "$ cd /work/app/backend && PYTHONPATH=src pytest -q" + " tests/test_one.py" * 9
    remedy = replace(cure("set PYTHONPATH", works, 2), failed="$ pytest -q", works=works)
    assert drafted(ranked(one, remedy=remedy)).pattern.guidance == (
        "- Set `PYTHONPATH` for `pytest`, as in `PYTHONPATH=src` in the folder `backend`."
    )
