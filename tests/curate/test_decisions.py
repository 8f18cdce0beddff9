"""Decisions: what leaves the machine of a verdict, and what never does."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from helix_tui.curate.hub.decisions import body_of, decisions_of, objection, outward_body
from helix_tui.curate.hub.outward import outward
from helix_tui.schema.review import JournalLine, PatternRef, Snapshot, Write
from helix_tui.text.redact import redact
from helix_tui.text.refuse import check_id
from tests.curate.decision_lines import PATTERN, SNAPSHOT, approve, name, reject, undo

SECRETS = (
    "sk-ant-api03-abcdefghij0123456789",
    "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
    "AKIAIOSFODNN7EXAMPLQ",
    "xoxb-123456789012-abcdefghijkl",
)


def test_every_approve_and_reject_is_a_decision() -> None:
    lines = [approve(1), reject(2), replace(approve(3), action="discuss")]
    found = decisions_of(lines)
    assert [(one.id, one.verdict, one.seq) for one in found] == [
        (name(1), "approved", 1),
        (name(2), "rejected", 2),
    ]


@pytest.mark.parametrize("action", ["discuss", "snooze", "merge", "split", "edit", "rename"])
def test_nothing_else_is_a_decision(action: str) -> None:
    line = JournalLine(id=name(1), seq=1, at="", author="", action=action, candidate="a")  # type: ignore[arg-type]
    assert decisions_of([line, undo(2, 1)]) == []


def test_undoing_a_decision_is_one_that_names_it() -> None:
    _, retraction = decisions_of([approve(1, "some-candidate"), undo(2, 1)])
    assert retraction.verdict == "retracted"
    assert (retraction.id, retraction.retracts) == (name(2), name(1))
    assert retraction.candidate == "some-candidate"


def test_what_was_taken_back_is_not_retracted_twice() -> None:
    found = decisions_of([approve(1), undo(2, 1), undo(3, 1), undo(4, 2), undo(5, 77)])
    assert [one.id for one in found] == [name(1), name(2)]


def test_a_body_sums_the_evidence_up_in_numbers() -> None:
    (decision,) = decisions_of([approve(4)])
    assert json.loads(body_of(decision)) == {
        "schema": "helix.decision/1",
        "id": name(4),
        "candidate": "module-not-found-pytest-1a2b3c4d",
        "verdict": "approved",
        "at": "2026-03-01T00:00:04.000Z",
        "seq": 4,
        "author": "kim",
        "evidence": {
            "sessions": 7,
            "frequency": 19,
            "flavors": ["claude", "codex"],
            "repos": 3,
            "cost_impact": 4200,
            "score": 12.25,
            "state": "ongoing",
            "first_seen": "2026-01-02T03:04:05.000Z",
            "last_seen": "2026-02-02T03:04:05.000Z",
        },
        "pattern": {
            "id": "module-not-found-pytest-1a2b3c4d",
            "version": "1.0.0",
            "status": "approved",
            "distribution_ready": True,
        },
    }


def test_only_an_approval_names_a_pattern() -> None:
    (rejected,) = decisions_of([replace(reject(1), pattern=PATTERN)])
    assert "pattern" not in json.loads(body_of(rejected))


def test_a_retraction_says_what_it_retracts_and_nothing_of_evidence() -> None:
    body = json.loads(body_of(decisions_of([approve(1), undo(2, 1)])[1]))
    assert set(body) == {
        "schema",
        "id",
        "candidate",
        "verdict",
        "at",
        "seq",
        "author",
        "retracts",
    }


@settings(max_examples=60, deadline=None)
@given(note=st.text(), text=st.text(), author=st.text(max_size=200), others=st.lists(st.text()))
def test_no_note_path_or_text_of_a_line_reaches_a_body(
    note: str, text: str, author: str, others: list[str]
) -> None:
    plain = replace(approve(1), author=author)
    told = replace(
        plain, note=note, others=others, writes=[Write("a", text, text), Write("b", None)]
    )
    (bare,), (full,) = decisions_of([plain]), decisions_of([told])
    assert body_of(bare) == body_of(full)
    assert body_of(full).isascii()
    assert "\n" not in body_of(full)
    json.loads(body_of(full))


def test_an_author_is_told_without_mail_address_and_control_characters() -> None:
    (decision,) = decisions_of([replace(approve(1), author="Kim <kim@example.com>\x1b[2J\u202e")])
    author = json.loads(body_of(decision))["author"]
    assert author.startswith("Kim <[mail]>")
    assert "\x1b" not in author
    assert "\u202e" not in author
    assert objection(decision) == ""


@pytest.mark.parametrize("secret", SECRETS)
def test_a_secret_in_an_id_keeps_a_decision_here(secret: str) -> None:
    (decision,) = decisions_of([approve(1, secret)])
    assert objection(decision)
    assert secret not in objection(decision)


@pytest.mark.parametrize("secret", SECRETS)
def test_a_secret_as_author_or_agent_never_leaves(secret: str) -> None:
    (decision,) = decisions_of([replace(approve(1), author=secret)])
    assert secret not in body_of(decision)
    seen = replace(SNAPSHOT, flavors=[secret])
    (decision,) = decisions_of([replace(approve(1), snapshot=seen)])
    assert objection(decision)


def _with_snapshot(snapshot: Snapshot) -> JournalLine:
    return replace(approve(1), snapshot=snapshot)


def _with_pattern(pattern: PatternRef) -> JournalLine:
    return replace(approve(1), pattern=pattern)


@pytest.mark.parametrize(
    "line",
    [
        approve(1, "../../etc/passwd"),
        approve(1, ""),
        approve(1, "a b"),
        approve(1, "a" * 122),
        approve(1, "a\n"),
        approve(1, "ä"),
        replace(approve(1), id="x y"),
        replace(approve(1), at="yesterday, in /srv/work"),
        _with_snapshot(replace(SNAPSHOT, flavors=["claude said: hello"])),
        _with_snapshot(replace(SNAPSHOT, first_seen="when it was said")),
        _with_snapshot(replace(SNAPSHOT, score=float("nan"))),
        _with_pattern(PatternRef("no id", "1.0.0", "approved", True)),
        _with_pattern(PatternRef("id", "one", "approved", True)),
        _with_pattern(PatternRef("id", "1.0.0", "Said So", True)),
    ],
)
def test_what_is_no_id_time_or_number_keeps_a_decision_here(line: JournalLine) -> None:
    (decision,) = decisions_of([line])
    assert objection(decision)


@pytest.mark.parametrize(
    "candidate",
    [
        "missing-token-0a1b2c3d",
        "auth_error-password-deadbeef",
        "module_not_found-secret-key-12345678",
        "command_not_found-api-key-99999999",
        "retry_loop-git-credentials-aaaaaaaa",
    ],
)
def test_an_ordinary_id_that_speaks_of_secrets_is_none(candidate: str) -> None:
    (decision,) = decisions_of([approve(1, candidate)])
    assert objection(decision) == ""
    assert redact(body_of(decision)) == body_of(decision)


@pytest.mark.parametrize(
    "name",
    [
        *("command-not-found-rg-cd630925", "module-not-found-google-cloud-storage-11223344"),
        *("file-not-found-4585cc93", "recovery-type-error-b9dc2563", "first-pass-go-test-573721df"),
        "http-error-404-1bf29cec",
    ],
)
def test_an_id_of_a_program_or_module_is_sent_as_it_is(name: str) -> None:
    assert outward(name) == name


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        ("user-correction-salaries-1b06cec4", "user-correction-1b06cec4"),
        ("env-var-missing-acme-merger-key-00112233", "env-var-missing-00112233"),
        ("make-target-missing-deploy-acme-00112233", "make-target-missing-00112233"),
        ("header-not-found-acme-secret-h-00112233", "header-not-found-00112233"),
        ("undefined-name-strings-9a3c1a26", "undefined-name-9a3c1a26"),
        ("module-not-found-ignore-all-previous-rules-1a2b3c4d", "module-not-found-1a2b3c4d"),
        (f"command-not-found-{'x' * 38}-1a2b3c4d", "command-not-found-1a2b3c4d"),
    ],
)
def test_any_other_word_of_a_log_is_left_out_of_an_id(name: str, sent: str) -> None:
    assert outward(name) == sent
    line = approve(1, name)
    assert line.pattern is not None
    line = replace(line, pattern=replace(line.pattern, id=name))
    (decision,) = decisions_of([line])
    said = json.loads(body_of(decision))
    assert (said["candidate"], said["pattern"]["id"]) == (sent, sent)
    assert (said["id"], decision.candidate) == (line.id, name)


@given(st.from_regex(r"[a-zA-Z0-9][a-zA-Z0-9._-]{0,60}", fullmatch=True))
def test_an_id_stays_one_and_is_made_so_once(name: str) -> None:
    sent = outward(name)
    assert check_id(sent)
    assert outward(sent) == sent


def test_a_page_that_a_person_named_is_sent_as_a_hash() -> None:
    assert re.fullmatch("id-[0-9a-f]{16}", outward("how-we-pay-kim"))
    assert outward("how-we-pay-kim") != outward("how-we-pay-bob")


def test_what_waits_since_an_older_version_is_sent_without_the_words() -> None:
    (decision,) = decisions_of([approve(1)])
    fine = body_of(decision)
    assert outward_body(fine) == fine
    old = fine.replace("module-not-found-pytest-1a2b3c4d", "user-correction-salaries-1b06cec4")
    assert "salaries" not in outward_body(old)
    assert json.loads(outward_body(old))["id"] == decision.id
