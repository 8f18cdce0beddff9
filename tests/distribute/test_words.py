"""The words of a rule, and where a pattern belongs."""

from __future__ import annotations

import pytest

from helix_tui.distribute.scope import distributable, read_scope
from helix_tui.distribute.words import (
    LONGEST_LINE,
    draft_rule,
    proposed_rung,
    rule_faults,
    scoped_rule_text,
    skill_name,
    skill_text,
    with_condition,
)
from helix_tui.schema.curation import DistributeFloors
from helix_tui.schema.distribute import Scope


@pytest.mark.parametrize(
    ("guidance", "rule"),
    [
        ("Call `.venv/bin/python`, never `python`.", "Call `.venv/bin/python`, never `python`."),
        ("- Use pnpm\n- Never npm", "Use pnpm; Never npm"),
        ("Run:\n\n```sh\nmake\n```\nThen commit.", "Run: Then commit."),
        ("", ""),
        (f"{'a' * 140}.\n{'b' * 140}.\n{'c' * 140}.", f"{'a' * 140}.\n{'b' * 140}."),
    ],
)
def test_a_rule_is_drafted_of_whole_sentences(guidance: str, rule: str) -> None:
    drafted = draft_rule(guidance)
    assert drafted.startswith(rule)
    assert len(drafted.split("\n")) <= 2


@pytest.mark.parametrize(
    ("rule", "word"),
    [
        ("", "no words"),
        ("a\nb\nc", "lines"),
        ("a" * (LONGEST_LINE + 1), "characters"),
        ("Use <!-- x --> it", "comment"),
        ("Read @~/.ssh/id_rsa first", "import"),
        ("Say \x1b[31m it", "control character"),
        ("Say \u202e it", "direction"),
        ("Log in with ghp_" + "a1B2" * 9, "key"),
    ],
)
def test_what_may_not_be_written_is_refused(rule: str, word: str) -> None:
    assert word in " ".join(rule_faults(rule))


def test_ordinary_words_are_fine() -> None:
    assert rule_faults("Use `@types/node`, never npm.\nMail a@b.") == []


def test_a_procedure_is_a_skill_and_files_make_a_rule() -> None:
    assert proposed_rung("Use pnpm.", ()) == "line"
    assert proposed_rung("Use types.", ("src/**",)) == "rule"
    assert proposed_rung("1. a\n2. b\n3. c\n4. d", ()) == "skill"


def test_files_that_are_ours() -> None:
    assert skill_name("Missing_Module.yaml-0a1b") == "helix-missing-module-yaml-0a1b"
    assert len(skill_name("a" * 100)) <= 64
    assert skill_text("x", 'Say "a": b', "Do.") == (
        '---\nname: x\ndescription: "Say \\"a\\": b"\n---\n\nDo.\n'
    )
    assert scoped_rule_text(["src/**"], "Do.") == '---\npaths:\n  - "src/**"\n---\n\nDo.\n'


@pytest.mark.parametrize(
    ("text", "names", "scope"),
    [
        ("user", [], Scope(is_user=True)),
        ("", [], Scope(is_user=True)),
        ("machine", ["a"], Scope(is_user=True)),
        ("repo:a", [], Scope(("a",))),
        ("repo:a, repo:b, path:src/**", [], Scope(("a", "b"), ("src/**",))),
        ("repo", ["a"], Scope(("a",))),
        ("path:*.py", ["a"], Scope(("a",), ("*.py",))),
        ("user, path:*.py", ["a"], Scope((), ("*.py",), is_user=True)),
    ],
)
def test_a_scope_is_read(text: str, names: list[str], scope: Scope) -> None:
    assert read_scope(text, names) == (scope, "")


@pytest.mark.parametrize("text", ["repo", "path:*.py", "repo:", "elsewhere", "user, repo:a"])
def test_a_scope_that_says_too_little_or_too_much_is_told(text: str) -> None:
    assert read_scope(text, ["a", "b"])[1]


def may(**fields: object) -> tuple[bool, bool]:
    usual: dict[str, object] = {
        "is_retired": False, "is_ready": False, "has_words": True, "word": "",
        "figures": DistributeFloors(3, 2, 0), "floors": DistributeFloors(3, 2, 0),
    }  # fmt: skip
    found = distributable(**{**usual, **fields})  # type: ignore[arg-type]
    assert found.reason
    return found.repo, found.user


def test_floors_of_a_repository_and_of_all_work_are_apart() -> None:
    assert may() == (True, False)
    assert may(is_ready=True, figures=DistributeFloors(0, 0, 0)) == (True, True)
    assert may(figures=DistributeFloors(3, 1, 0)) == (False, False)
    assert may(figures=DistributeFloors(0, 0, 0), word="I know") == (True, True)
    assert may(is_retired=True, word="I know") == (False, False)
    assert may(has_words=False, is_ready=True) == (False, False)


@pytest.mark.parametrize(
    ("rule", "applies", "told"),
    [
        ("Read it again.", "When an edit fails.", "When an edit fails: read it again."),
        ("Where it is missing, use `x`.", "When it is missing.", "Where it is missing, use `x`."),
        ("Use `x`.", "In `app`.", "Use `x`."),
        ("A.\nB.", "When c.", "When c: a.\nB."),
        ("a" * LONGEST_LINE, "When c.", "a" * LONGEST_LINE),
        ("", "When c.", ""),
    ],
)
def test_a_rule_says_when_it_applies(rule: str, applies: str, told: str) -> None:
    assert with_condition(rule, applies) == told
