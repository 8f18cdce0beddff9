"""What a check finds is one candidate of the step that runs it."""

from __future__ import annotations

from typing import Any

from helix_tui.curate.draft.difference import difference_of
from helix_tui.detect.group import group
from helix_tui.detect.keys import bucket, is_on_check
from helix_tui.schema.candidate import Candidate, Sighting
from helix_tui.schema.signal import Signal
from tests.detect.made import missing, session, signal


def found(number: int, rule: str, **fields: Any) -> Signal:
    """A fault that a linter found."""
    known: dict[str, Any] = {"error_class": "lint_error", "check": "lint", "step": "mise run lint"}
    text = f"a.go:1: a fault ({rule})"
    return signal("tool_error", number, **{**known, "subject": rule, "template": text, **fields})


def mended(number: int, change: str = "edit first", verb: str = "", **fields: Any) -> Signal:
    """The same step green again."""
    known: dict[str, Any] = {"error_class": "lint_error", "check": "lint", "step": "mise run lint"}
    known |= {"template": "x", "change": change, "verb": verb, **fields}
    return signal("recovery", number, **known)


def grouped(*several: list[Signal], **fields: Any) -> list[Candidate]:
    sightings = [Sighting(session(n, **fields), some) for n, some in enumerate(several, 1)]
    return group(sightings, lambda _: True)


def test_rules_of_one_linter_meet_in_one_bucket() -> None:
    assert bucket(found(1, "goconst")) == bucket(found(2, "errcheck"))
    assert bucket(found(1, "goconst")) != bucket(found(1, "goconst", step="make lint"))
    assert not is_on_check(missing(1, check="lint", step="mise run lint"))


def test_one_candidate_with_its_kinds_inside() -> None:
    (one,) = grouped(
        [found(1, "goconst"), mended(1)], [found(2, "errcheck"), mended(2)], [found(3, "goconst")]
    )
    assert one.kinds == {"goconst": 2, "errcheck": 1}
    assert (one.error_class, one.shape, len(one.members)) == ("lint_error", "mise run lint", 3)
    assert one.cure is not None
    assert "mise run lint" in one.cure.text
    assert (one.cure.sessions, one.cure.of) == (2, 2)
    # That agents ran it themselves and mended what it named teaches nothing.
    assert one.tier == "rest"


def test_a_script_that_is_named_a_check_is_one_step_whatever_it_says() -> None:
    known: dict[str, Any] = {"error_class": "", "check": "check", "step": "npm run check"}
    says = ["The attributes are not sorted.", "Async function without await.", "Unused names."]
    red = [
        signal("tool_error", n, template=text, text=text, **known)
        for n, text in enumerate([*says, says[0]], 1)
    ]
    assert len({bucket(one) for one in red}) == 1
    rule = found(5, "noVar", **{**known, "error_class": "lint_error"})
    cured = [mended(n, **known) for n in (1, 2)]
    (one,) = grouped([red[0], cured[0]], [red[1], cured[1]], [red[2]], [red[3]], [rule])
    assert one.kinds == {says[0]: 2, says[1]: 1, says[2]: 1, "noVar": 1}
    assert one.title == "`npm run check` is red in app"  # no kind is most of it
    assert (one.tier, len(one.members)) == ("rest", 5)
    assert one.cure is not None
    assert one.cure.verb == "mend what it names"


def test_a_formatter_that_is_run_before_mends_too() -> None:
    by_hand, formatted = mended(1), mended(2, "before: format", "format")
    (one,) = grouped([found(1, "goconst"), by_hand], [found(2, "gofmt"), formatted])
    assert one.cure is not None
    assert (one.cure.verb, one.cure.sessions) == ("mend what it names", 2)
    started = mended(2, "before: docker compose up", "docker compose up")
    (other,) = grouped([found(1, "gofmt"), by_hand], [found(2, "gofmt"), started])
    assert other.cure is None


def test_fixers_are_named_and_formatting_is_one_of_the_kinds() -> None:
    known: dict[str, Any] = {"check": "check", "step": "npm run check"}
    red = [found(1, "useAwait", **known), found(2, "useAwait", **known)]
    unformatted = signal("tool_error", 3, error_class="not_formatted", **known)
    assert bucket(unformatted) == bucket(red[0])
    fix = {"change": "before: npm run fix", "verb": "npm run fix", "fixer": "npm run fix"}
    fixed = [mended(n, **fix, **known) for n in (1, 2, 3)]
    (one,) = grouped([red[0], fixed[0]], [red[1], fixed[1]], [unformatted, fixed[2]])
    assert one.kinds == {"useAwait": 2, "formatting": 1}
    assert one.cure is not None
    assert "npm run fix" in one.cure.text
    assert not any(name.startswith("not-formatted") for name in one.aliases)


def test_a_title_names_one_kind_only_where_that_is_most_of_it() -> None:
    known: dict[str, Any] = {"check": "check", "step": "npm run check"}

    def red(number: int, rule: str, **fields: Any) -> list[Signal]:
        return [found(number, rule, **known, **fields), mended(number, **known)]

    both = [red(1, "noVar"), red(2, "noVar")]
    (one,) = grouped(*both, red(3, "useAwait"))
    assert one.title == "`npm run check` is red in app: noVar and others"
    (one,) = grouped(*both, red(3, "useAwait", count=5))
    assert one.title == "`npm run check` is red in app"
    (one,) = grouped(*both, red(3, "useAwait"), red(4, "useAwait"))
    assert one.title == "`npm run check` is red in app: noVar, useAwait"


def fixed(number: int, fixer: str, **fields: Any) -> list[Signal]:
    """A check that was red for what is not formatted, and passed behind a formatter or fixer."""
    known: dict[str, Any] = {"check": "check", "step": "npm run check", **fields}
    verb = fixer if fixer.startswith("npm run ") else "format"
    told = {
        "verb": verb,
        "change": f"before: {verb}",
        "fixer": fixer,
        "text": f"$ npx {fixer} a.md",
    }
    return [found(number, "noVar", **known), mended(number, **{**told, **known})]


def test_a_check_that_is_red_behind_finished_work_is_to_be_run_before() -> None:
    def tier(*late: int) -> Candidate:
        several = [[found(n, "goconst", late=is_late), mended(n)] for n, is_late in enumerate(late)]
        (one,) = grouped(*several)
        return one

    assert tier(1, 0, 0).tier == "rest"
    one = tier(1, 1, 0)
    assert (one.tier, one.late) == ("fix", 2)
    assert one.cure is not None
    assert one.cure.text.startswith(
        "run `mise run lint` before you say that you are done or commit"
    )
    (line,) = difference_of(one, one.cure)
    assert line.startswith("Run `mise run lint` before you commit or say that you are done")


def test_what_its_own_output_names_is_worth_knowing() -> None:
    hint = "2 problems potentially fixable with the `--fix` option."
    (one,) = grouped(*([found(n, "goconst", hint=hint), mended(n)] for n in (1, 2)))
    assert (one.tier, one.hint) == ("know", hint)


def test_a_fixer_that_was_enough_in_two_conversations_is_the_remedy() -> None:
    (one,) = grouped(fixed(1, "black"), fixed(2, "npm run fix"), fixed(3, "npm run format"))
    assert one.cure is not None
    assert (one.cure.verb, one.tier) == ("npm run fix", "fix")
    assert one.cure.text.startswith("a fixer, such as `npm run fix` (in 1), then `npm run check`")
    assert one.title.endswith("; what works: its formatter")
    known: dict[str, Any] = {"check": "check", "step": "npm run check"}
    by_hand = [[found(n, "noVar", **known), mended(n, **known)] for n in range(3, 9)]
    (one,) = grouped(fixed(1, "black"), fixed(2, "npm run fix"), *by_hand)
    assert one.cure is not None
    assert (one.cure.verb, one.cure.sessions, one.cure.of) == ("npm run fix", 2, 8)
    # What one conversation ran is named only where it is the repository's own.
    (one,) = grouped(fixed(1, "black"), fixed(2, "isort"))
    assert one.cure is not None
    assert one.cure.text.startswith("run its formatter, then `npm run check` passed, in 2 of the 2")
    (one,) = grouped(fixed(1, "black"), fixed(2, "black"), fixed(3, "isort"))
    assert one.cure is not None
    assert one.cure.text.startswith("a fixer, such as `black` (in 2), then `npm run check` passed")
    (line,) = difference_of(one, one.cure)
    assert line == "Run a fixer, such as `npx black`, first, then `npm run check`."


def test_one_conversation_with_a_fixer_is_none() -> None:
    known: dict[str, Any] = {"check": "check", "step": "npm run check"}
    (one,) = grouped(fixed(1, "npm run fix"), [found(2, "noVar", **known), mended(2, **known)])
    assert one.cure is not None
    assert (one.cure.verb, one.tier) == ("mend what it names", "rest")


def test_of_several_fixers_the_script_of_the_repository_is_named() -> None:
    raw = [fixed(n, "black") for n in (1, 2, 3)]
    (one,) = grouped(*raw, fixed(4, "npm run fix"), fixed(5, "npm run fix"), fixed(6, "isort"))
    assert one.cure is not None
    assert (one.cure.verb, one.cure.sessions, one.cure.of) == ("npm run fix", 6, 6)
    assert one.cure.text.startswith("a fixer, such as `npm run fix` (in 2), then")


def test_a_formatter_before_a_commit_is_named_by_its_kind_where_each_used_another() -> None:
    of_hook = {"check": "hook", "step": "git commit"}
    several = [fixed(n, name, **of_hook) for n, name in ((1, "black"), (2, "isort"))]
    apart = [one for one in grouped(*several) if one.cure is not None]
    (one,) = apart
    assert one.cure is not None
    assert one.cure.text.startswith("run its formatter, then `git commit` passed, in 2 of the 2")
    (line,) = difference_of(one, one.cure)
    assert line == "Run its formatter first, then `git commit`."


def test_tests_that_are_red_are_the_work_itself() -> None:
    known: dict[str, Any] = {"error_class": "test_failure", "check": "test", "step": "go test"}
    red = [signal("tool_error", n, template=f"--- FAIL: Test{n}", **known) for n in (1, 2)]
    (one,) = grouped([red[0], mended(1, **known)], [red[1], mended(2, **known)])
    assert (one.cure, one.tier) == (None, "rest")


def test_what_one_change_overcame_is_apart() -> None:
    known: dict[str, Any] = {"error_class": "test_failure", "check": "test", "step": "go test"}
    flaky = [
        [
            signal("tool_error", n, template="--- FAIL: TestSame", **known),
            mended(n, "+flag -p", "add -p", **known),
        ]
        for n in (1, 2)
    ]
    other = [signal("tool_error", 3, template="--- FAIL: TestOther", **known)]
    specific, rest = sorted(grouped(*flaky, other), key=lambda one: one.tier)
    assert (specific.tier, len(specific.members)) == ("fix", 2)
    assert "what works: add -p" in specific.title
    assert (rest.tier, list(rest.members), rest.is_remainder) == ("rest", ["claude:0003"], True)
