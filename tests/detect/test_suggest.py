"""What looks alike is said to, and stays apart."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from helix_tui.detect.group import group
from helix_tui.detect.suggest import suggestions
from helix_tui.schema.candidate import Candidate
from helix_tui.schema.signal import Signal
from tests.detect.made import candidate, missing, said, sightings, signal


def candidates(*signals: Signal) -> list[Candidate]:
    """A candidate of each signal alone."""
    return [one for some in signals for one in group(sightings(some), lambda _: True)]


def error(number: int, template: str) -> Signal:
    return signal(number=number, template=template, text=template)


def test_templates_of_nearly_the_same_words_are_alike() -> None:
    one, two, three = candidates(
        error(1, "cannot open the ledger of accounts today"),
        error(2, "the ledger of accounts cannot be opened"),
        error(3, "no route to the moon"),
    )
    found = suggestions([one, two, three])
    assert found == {one.id: [two.id], two.id: [one.id]}


def test_known_failures_are_alike_only_in_the_same_thing() -> None:
    one, two, three = candidates(
        missing(1, "yaml"),
        missing(2, "yaml", error_class="module_not_found"),
        missing(3, "jq"),
    )
    assert suggestions([one, two, three]) == {one.id: [two.id], two.id: [one.id]}


def test_a_problem_is_never_like_a_success_nor_like_what_a_user_says() -> None:
    texts = [said(number, "don't commit the ledger") for number in (1, 2, 3)]
    (word,) = group(sightings(*texts), lambda _: True)
    (problem,) = candidates(error(4, "don't commit the ledger"))
    assert suggestions([word, problem]) == {}


def test_each_check_is_one_of_its_own() -> None:
    some = candidates(*(signal("first_pass", subject=name) for name in ("pytest", "vitest")))
    assert suggestions(some) == {}


def test_a_check_and_what_else_fails_in_it_belong_together() -> None:
    def of(repo: str, name: str, **fields: Any) -> Candidate:
        return replace(candidate(name, each={"repo": repo}, scope="repo"), **fields)

    red = of("app", "red", check="check", shape="npm run check", error_class="lint_error")
    option = of("app", "option", error_class="unknown_option", actions=["npm run check"])
    elsewhere = of("web", "elsewhere", error_class="unknown_option", actions=["npm run check"])
    assert suggestions([red, option, elsewhere]) == {"red": ["option"], "option": ["red"]}
