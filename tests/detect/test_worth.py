"""Which candidates of a tier can be written down, and come first."""

from __future__ import annotations

from typing import Any

from helix_tui.detect.group import group
from helix_tui.detect.list_order import place_in
from helix_tui.detect.rank import brief_of
from helix_tui.detect.tiers import tier_of
from helix_tui.detect.worth import is_laid_down, is_to_be_mended, worth_of
from helix_tui.schema.candidate import Candidate, Remedy
from tests.detect.made import candidate, missing, sightings, signal


def made(**fields: Any) -> Candidate:
    """A candidate with only what the worth depends on."""
    one = candidate("x", 2, tier="know")
    for name, value in fields.items():
        setattr(one, name, value)
    return one


def a_cure(verb: str) -> Remedy:
    """A remedy that held in two conversations."""
    return Remedy("cure", verb, verb, "", "$ a", "$ b", 2, 1.0, None, ["claude:1", "claude:2"])


def test_what_people_say_for_every_time_is_a_line_and_their_news_is_not() -> None:
    def asked(text: str) -> str:
        return worth_of(made(sort="instruction", title=f"user asks: “{text}”"))

    assert asked("commit when a task is done") == "line"
    assert asked("lets get back to main") == "look"
    assert asked("There is a comment on the PR. Address it if you can") == "look"
    assert worth_of(made(sort="workflow", shape="pytest", check="test")) == "line"
    assert worth_of(made(sort="workflow", shape="ls")) == "look"


def test_a_hint_in_a_repository_is_a_line_and_what_nobody_got_past_elsewhere_is_known() -> None:
    said = {"Use 'fix' instead": 2}
    assert worth_of(made(scope="repo", hints=said)) == "line"
    assert worth_of(made(scope="repo", hints={"Use 'fix' instead": 1})) == "look"
    assert worth_of(made(scope="machine")) == "look"
    assert worth_of(made(scope="everyone", hints=said)) == "known"


def test_a_script_that_is_broken_and_a_sandbox_without_network_are_looked_at_from_two() -> None:
    script: dict[str, Any] = {"scope": "repo", "shape": "new-feature.sh --json", "sort": "error"}
    assert is_to_be_mended(made(**script))
    assert not is_to_be_mended(made(**{**script, "shape": "npm run check"}))
    assert not is_to_be_mended(made(**{**script, "scope": "everyone"}))
    assert not is_to_be_mended(made(**script, has_common_action=False))
    assert not is_to_be_mended(made(**script, tier="rest"))
    assert is_to_be_mended(made(scope="agent", sort="error", error_class="host_unresolved"))
    assert not is_to_be_mended(made(scope="everyone", sort="error", error_class="host_unresolved"))
    assert not is_to_be_mended(made(scope="agent", error_class="operation_not_permitted"))


def test_a_program_that_two_agents_miss_is_looked_at_from_two() -> None:
    missed: dict[str, Any] = {"scope": "machine", "sort": "error"}
    one = made(**missed, error_class="command_not_found", subject="jq", shape="jq -r {file}")
    assert not is_to_be_mended(one)
    first, *_ = one.members.values()
    first.flavor = "another"
    assert is_to_be_mended(one)
    one.shape = "pnpm run lint"
    assert not is_to_be_mended(one)
    one.shape, one.error_class = "jq", "no_glob_match"
    assert not is_to_be_mended(one)


def test_what_people_lay_down_in_one_repository_is_looked_at_from_two() -> None:
    said: dict[str, Any] = {"tier": "fix", "sort": "instruction", "scope": "repo"}
    assert is_laid_down(made(**said))
    assert brief_of(made(**said)).is_sure_fix
    assert is_laid_down(made(**{**said, "sort": "correction"}))
    assert is_laid_down(made(**{**said, "sort": "report", "scope": "everyone"}))
    assert is_laid_down(made(**{**said, "sort": "workflow"}))
    for other in ({"tier": "know"}, {"tier": "rest"}, {"scope": "everyone"}):
        assert not is_laid_down(made(**{**said, **other}))


def test_corrections_behind_which_one_file_is_edited_each_time_are_looked_at_from_two() -> None:
    objected: dict[str, Any] = {"tier": "know", "sort": "correction", "scope": "repo"}
    assert is_laid_down(made(**objected, reworked="first.sql"))
    assert not is_laid_down(made(**objected))
    assert not is_laid_down(made(**{**objected, "tier": "rest"}, reworked="first.sql"))


def test_what_a_machine_lacks_and_nobody_got_past_comes_behind_one_repository() -> None:
    here = brief_of(made(scope="repo", sort="error"))
    machine = brief_of(made(scope="machine", sort="error"))
    assert place_in("tier", here, 1.0) < place_in("tier", machine, 9.0)


def test_within_a_tier_a_line_comes_before_a_higher_score() -> None:
    line = brief_of(made(scope="repo", hints={"Use 'fix' instead": 2}))
    known = brief_of(made(scope="everyone"))
    for order in ("tier", "band"):
        assert place_in(order, line, 1.0) < place_in(order, known, 9.0)
    assert place_in("score", known, 9.0) < place_in("score", line, 1.0)


def test_of_what_is_worth_the_same_what_failed_comes_before_wishes_and_a_place_before_all() -> None:
    said = {"Use 'fix' instead": 2}
    here = brief_of(made(scope="repo", hints=said))
    asked = brief_of(made(scope="repo", sort="instruction", title="“commit when a task is done”"))
    fixed = brief_of(made(scope="everyone", tier="fix", sort="report"))
    own = brief_of(made(scope="repo", tier="fix", sort="correction"))
    assert place_in("tier", here, 1.0) < place_in("tier", asked, 9.0)
    assert place_in("tier", own, 1.0) < place_in("tier", fixed, 9.0)
    assert place_in("band", own, 1.0) < place_in("band", fixed, 9.0)


def test_what_the_sandbox_of_one_agent_refuses_is_worth_a_look() -> None:
    assert worth_of(made(scope="agent", error_class="operation_not_permitted")) == "look"
    assert worth_of(made(scope="everyone", error_class="operation_not_permitted")) == "known"


def test_what_an_agents_own_tool_refuses_is_known_whatever_overcomes_it() -> None:
    patch = made(scope="agent", error_class="invalid_patch", cure=a_cure("begin every line"))
    assert worth_of(patch) == "known"
    assert tier_of(patch).tier == "know"
    assert worth_of(made(scope="agent", cure=a_cure("set TZ"))) == "line"
    first = next(iter(patch.members.values()))
    first.count, first.chars = 12, 12 * first.chars
    assert patch.mostly_once == 12
    assert tier_of(patch).tier == "rest"


def test_what_one_agents_sandbox_does_not_give_teaches_nothing_unless_it_costs_more() -> None:
    cut_off = made(scope="agent", error_class="host_unresolved")
    for member in cut_off.members.values():
        member.chars = 100 * member.count
    assert tier_of(cut_off).tier == "rest"
    for member in cut_off.members.values():
        member.chars = 90_000 * member.count
    assert tier_of(cut_off).tier == "know"


def test_a_hint_that_gives_up_a_safeguard_is_left_out() -> None:
    some = [missing(n, hint="use --break-system-packages") for n in (1, 2)]
    (found,) = group(sightings(*some), lambda _: True)
    assert found.hints == {}
    some = [missing(n, hint="Did you mean `jqx`?") for n in (1, 2)]
    (found,) = group(sightings(*some), lambda _: True)
    assert (found.hints, found.hint) == ({"Did you mean `jqx`?": 2}, "Did you mean `jqx`?")


def test_most_of_it_in_one_conversation_is_told() -> None:
    some = [missing(1, count=7), missing(2), missing(3)]
    (found,) = group(sightings(*some), lambda _: True)
    assert found.mostly_once == 7
    (found,) = group(
        sightings(*[signal(number=n, error_class="timeout", shape="make") for n in (1, 2)]),
        lambda _: True,
    )
    assert found.mostly_once == 0
