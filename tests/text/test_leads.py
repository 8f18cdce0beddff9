"""Ways past a problem that one conversation showed."""

from __future__ import annotations

from msgspec.structs import replace

from helix_tui.schema.candidate import Candidate, Remedy
from helix_tui.text.leads import exact_lead, is_plain_way, seen_words
from tests.detect.made import candidate


def way(verb: str = "set DB_NAME", works: str = "$ DB_NAME=dev mix ecto.migrate") -> Remedy:
    return Remedy("", "", verb, "", "$ mix ecto.migrate", works, 1, 1.0, None, ["claude:0001"])


def of_place(*leads: Remedy) -> Candidate:
    return replace(candidate(), scope="repo", leads=list(leads))


def test_a_plain_way_of_one_place_is_told() -> None:
    assert exact_lead(of_place(way())) == way()
    assert exact_lead(replace(of_place(way()), scope="everyone")) is None
    assert exact_lead(of_place()) is None


def test_nothing_that_gives_up_a_safeguard_is() -> None:
    assert exact_lead(of_place(way(), way("add --no-verify", "$ git push --no-verify"))) is None


def test_what_its_own_output_says_goes_before() -> None:
    assert exact_lead(replace(of_place(way()), hints={"run `mix ecto.create`": 2})) is None


def test_another_program_for_a_missing_one_is_no_news() -> None:
    missing = replace(of_place(way("use grep", "$ grep x")), error_class="command_not_found")
    assert exact_lead(missing) is None


def test_what_hides_something_from_a_program_is_no_plain_way_however_often_it_passed() -> None:
    hidden = way("set GIT_DIR, set TREE", "$ GIT_DIR=/dev/null TREE=/ ./make.sh")
    assert seen_words(replace(hidden, again=2)).endswith("which ran it so 3 times")
    assert not is_plain_way(replace(hidden, again=5))
