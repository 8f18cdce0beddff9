"""A candidate becomes a page that reads well, and says which of its words are of a log."""

from __future__ import annotations

import os
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helix_tui.curate.draft.draft import Draft, Excerpts, draft
from helix_tui.curate.page.page import read_page, tidy, write_page
from helix_tui.curate.page.pattern import Pattern
from helix_tui.sample import write_sample
from helix_tui.schema.candidate import Candidate, CandidateFilter, Ranked, Remedy
from helix_tui.schema.curation import EvidenceDetail
from helix_tui.schema.signal import SignalName
from helix_tui.text.refuse import refusals
from helix_tui.text.signature.classes import MEANINGS, is_open
from tests.conftest import Workbench
from tests.curate.candidates import candidate, ranked

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
    assert all((pattern.title, pattern.problem, pattern.applies, pattern.guidance))
    assert len(pattern.title) <= 140
    assert all(line.startswith("- ") for line in pattern.guidance.split("\n"))
    assert 1 <= len(pattern.guidance.split("\n")) <= 6
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
    one = candidate(
        signal="env_missing", error_class="command_not_found", subject="rg", remedy="cure"
    )
    cure = Remedy("cure", "→ use grep", "use grep", "$ grep -rn 'Bar' src", 12)
    made = drafted(ranked(one, remedy=cure))
    pattern = made.pattern
    assert pattern.title == "Check that `rg` is there before relying on it"
    assert pattern.guidance.startswith("- Use `grep` instead of `rg`.\n- ")
    assert "Bar" not in prose(pattern)
    assert pattern.evidence.remedied == 12
    assert "helped in 12 sessions" in pattern.why
    assert "12" not in pattern.guidance
    assert (made.log_fields, made.origin) == ([], [])
    assert pattern.provenance.guidance == "advice"


def test_a_remedy_that_the_advice_names_is_not_named_twice() -> None:
    one = candidate(signal="edit_mismatch", error_class="edit_no_match", tool_class="edit")
    cure = Remedy("cure", "", "read the file again", "Read a.py", 6)
    plain, cured = drafted(one), drafted(ranked(one, remedy=cure))
    assert cured.pattern.guidance == plain.pattern.guidance
    assert cured.pattern.title == "Read the file again before editing text you remember"


@pytest.mark.parametrize("verb", ["kill", "run it with sudo", "git reset", "add --no-verify"])
def test_a_remedy_that_may_do_harm_is_not_taught(verb: str) -> None:
    one = candidate(error_class="hook_failed")
    cure = Remedy("cure", "", verb, "$ git commit --no-verify", 6)
    made, plain = drafted(ranked(one, remedy=cure)).pattern, drafted(one).pattern
    assert made.guidance == plain.guidance
    assert made.evidence.remedied == 0
    assert made.evidence.unadvised == 6
    assert "In 6 sessions the agent got past it in a way that switches a safeguard off" in made.why
    assert "no-verify" not in made.why


def test_what_overcame_a_problem_is_the_title_of_a_success() -> None:
    one = candidate(
        kind="success",
        signal="recovery",
        error_class="push_rejected",
        ways={"git pull": 9, "add --force": 1},
        resolves="push-rejected-73f775e6",
    )
    pattern = drafted(one).pattern
    assert pattern.title.startswith("Pull first when git rejects a push")
    assert "git pull --rebase" in pattern.guidance
    assert pattern.evidence.remedied == len(one.members)


def test_a_harmful_way_out_is_said_to_be_seen_and_not_named() -> None:
    one = candidate(
        kind="success",
        signal="recovery",
        error_class="port_in_use",
        ways={"kill": 3, "add --port": 1},
        remedy_text="$ fuser -k 3000/tcp",
    )
    pattern = drafted(one).pattern
    assert pattern.title.startswith("Look before forcing")
    assert pattern.guidance.split("\n")[-1].startswith("- Do not get past it by force")
    assert "`kill`" not in prose(pattern) + pattern.why
    assert "fuser" not in prose(pattern) + pattern.why
    assert pattern.why.startswith("It was overcome 4 times")
    assert "In 3 sessions the agent got past it" in pattern.why
    assert pattern.evidence.remedied == 0


def test_what_was_run_tells_more_than_the_word_for_it() -> None:
    one = candidate(error_class="git_identity_unset")
    harmless = Remedy("cure", "", "git config", "$ git config user.name kim", 4)
    harmful = Remedy("cure", "", "git config", "$ git config http.sslVerify false", 4)
    assert drafted(ranked(one, remedy=harmless)).pattern.evidence.remedied == 4
    made = drafted(ranked(one, remedy=harmful)).pattern
    assert (made.evidence.remedied, made.evidence.unadvised) == (0, 4)
    assert "sslVerify" not in prose(made) + made.why


def test_only_the_sessions_that_took_a_way_are_counted_for_its_line() -> None:
    one = candidate(error_class="push_rejected")
    ways = {"git pull": 5, "add --force": 2}
    cure = Remedy("cure", "", "git pull", "$ git pull --rebase", 7, ways)
    made = drafted(ranked(one, remedy=cure)).pattern
    assert (made.evidence.remedied, made.evidence.unadvised) == (5, 2)


def test_a_package_that_somebody_named_is_no_advice() -> None:
    one = candidate(error_class="module_not_found", subject="yaml")
    named = Remedy("cure", "", "install", "$ pip install pyyamll", 4)
    declared = Remedy("cure", "", "install", "$ pip install -r requirements.txt", 4)
    assert drafted(ranked(one, remedy=named)).pattern.evidence.remedied == 0
    assert drafted(ranked(one, remedy=declared)).pattern.evidence.remedied == 4


def test_a_short_option_is_cited_with_what_followed_it() -> None:
    one = candidate(
        kind="success",
        signal="recovery",
        error_class="database_locked",
        ways={"add -p": 6},
        remedy_text="$ uv run pytest tests/test_ledger.py -q -p no:xdist",
    )
    made = drafted(one)
    assert made.pattern.guidance.startswith("- Others got past it with `-p no:xdist`: look at")
    assert made.log_fields == ["guidance"]
    assert made.origin == [("guidance", "claude:0000", "-p no:xdist")]
    assert "test_ledger" not in prose(made.pattern)
    problem = candidate(error_class="database_locked", remedy="cure")
    cure = Remedy("cure", "", "add -p", one.remedy_text, 6)
    drawn = drafted(ranked(problem, remedy=cure))
    assert (drawn.log_fields, drawn.remedy) == ([], "quoted")


@pytest.mark.parametrize(
    "verb", ["pnpm api:generate", "use evil-rg.sh", "add --some-new-option", "frobnicate"]
)
def test_what_is_on_no_list_is_marked_as_of_a_log(verb: str) -> None:
    one = candidate(
        kind="success",
        signal="recovery",
        error_class="timeout",
        ways={verb: 3},
        remedy_text=f"$ x {verb}",
    )
    made = drafted(one)
    assert made.log_fields == ["guidance"]
    assert made.pattern.guidance.startswith("- Others got past it with `")
    problem = candidate(error_class="command_not_found", subject="rg")
    drawn = drafted(ranked(problem, remedy=Remedy("cure", "", verb, f"$ x {verb}", 6)))
    assert drawn.pattern.guidance == drafted(problem).pattern.guidance


def test_a_program_stands_in_for_another_only_where_both_are_listed() -> None:
    cure = Remedy("cure", "", "use grep", "$ grep -rn x", 6)
    known = drafted(ranked(candidate(error_class="command_not_found", subject="rg"), remedy=cure))
    other = drafted(ranked(candidate(error_class="command_not_found", subject="gpg"), remedy=cure))
    assert "Use `grep` instead of `rg`." in known.pattern.guidance
    assert "grep" not in other.pattern.guidance


def test_an_option_is_advised_only_to_programs_in_which_it_is_harmless() -> None:
    cure = Remedy("cure", "", "add --offline", "$ cargo build --offline", 6)
    made = drafted(ranked(candidate(error_class="timeout"), remedy=cure)).pattern
    assert made.guidance.startswith("- Run the same `cargo build` with `--offline`.")
    other = cure._replace(text="$ other --offline")
    made = drafted(ranked(candidate(error_class="timeout"), remedy=other)).pattern
    assert "--offline" not in made.guidance


def test_an_error_without_a_class_is_quoted_and_marked() -> None:
    said = "thread * panicked at *:*: assertion * failed"
    made = drafted(candidate("tool-error-fa75c970", title=f"shell: {said}"))
    assert made.pattern.title.endswith(f": `{said}`")
    assert made.log_fields == ["title", "problem"]
    assert {one.session for one in made.origin} == {"claude:0000"}
    assert made.pattern.provenance.guidance == "advice"


def test_a_class_that_only_tells_the_kind_quotes_which_failure_it_is() -> None:
    one = candidate(
        error_class="test_failure", title="shell: test failure: --- FAIL: TestReplay (<time>)"
    )
    made = drafted(one)
    assert made.pattern.title == (
        "Read a failing test before changing code or test: `--- FAIL: TestReplay (<time>)`"
    )
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
    made = drafted(candidate(signal="first_pass", kind="success", subject=subject))
    assert "subject" in made.log_fields
    assert {"title", "problem", "applies", "guidance"} <= {*made.log_fields} or "\u200b" in subject
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
    assert private.pattern.title == "Check that `rg\ufffd` is there before relying on it"
    assert "title" in private.log_fields
    for made in (hidden, secret, private):
        check_whole(made)


def test_what_users_say_of_a_known_topic_needs_no_quotation() -> None:
    one = candidate(
        "user-correction-commit-b041908a",
        signal="user_correction",
        subject="commits",
        title="user on commits: “no commits please”",
    )
    made = drafted(one, {0: "$ git commit\nuser: no commits please\nthen $ git reset"})
    assert made.pattern.title.startswith("Commit when and how the user wants it")
    assert made.log_fields == []
    assert "no commits please" not in prose(made.pattern)


def test_what_users_say_of_anything_else_is_quoted_with_its_sessions() -> None:
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
    assert made.pattern.title == "Follow what users keep saying about `ledger`"
    assert "- “use the ledger, not the cache”" in made.pattern.guidance
    assert made.log_fields == ["title", "problem", "applies", "guidance", "subject"]
    assert [one for one in made.origin if one.field == "guidance"] == [
        ("guidance", "codex:0002", "always through the ledger"),
        ("guidance", "claude:0000", "use the ledger, not the cache"),
    ]
    assert made.pattern.provenance.guidance == "log"


def test_without_excerpts_the_quotation_is_that_of_the_title() -> None:
    title = "user on ledger: “use the ledger”"
    one = candidate("user-correction-l-11223344", signal="user_correction", title=title)
    assert drafted(one).origin == [("guidance", "claude:0000", "use the ledger")]


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
        made = drafted(ranked(one, remedy=Remedy("cure", "", verb, f"$ x {verb} y", 3)))
        check_whole(made)
        if not subject:
            assert made.log_fields == (["title", "problem"] if is_open(error_class) else [])
        else:
            assert "subject" in made.log_fields
        cure = candidate(
            kind="success",
            signal="recovery",
            error_class=error_class,
            subject=subject,
            title=f"{title} → {verb}, then it works",
            ways={verb: 3},
            remedy_text="$ pytest -p no:xdist",
        )
        check_whole(drafted(cure))
    check_page(drafted(cure))


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
        ways={verb: 3},
        remedy_text=said,
    )
    check_page(drafted(one, {0: f"user: {said}", 1: said}))


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
    assert len(made) > 30
    for one in made:
        check_page(one)
    titles = [one.pattern.title for one in made]
    assert len(set(titles)) == len(titles)
