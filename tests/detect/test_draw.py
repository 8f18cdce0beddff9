"""Of very many conversations some say what they have in common; figures are of all."""

from __future__ import annotations

import random

import msgspec
import pytest

from helix_tui.detect.group import group
from helix_tui.detect.rank import brief_of
from helix_tui.schema import quality
from helix_tui.schema.candidate import Candidate, Counted, Sighting
from helix_tui.text.came_of_it import came_of_it
from tests.detect.made import missing, session, sightings, signal

_ALL = 30
_PAST = {
    **{"error_class": "command_not_found", "subject": "jq", "verb": "run with npx"},
    **{"change": "+wrapper npx", "failed": "$ jq .", "passed": "$ npx jq .", "text": "$ npx jq ."},
}


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quality, "MOST_DRAWN", 5)


def only(some: list[Sighting]) -> Candidate:
    (found,) = group(some, lambda _: True)
    return found


def many(number: int = _ALL) -> list[Sighting]:
    return [
        Sighting(session(n, repo=f"repo{n % 4}"), [missing(n, count=1 + n % 3, chars=400 + n)])
        for n in range(1, number + 1)
    ]


def test_figures_are_of_all_and_evidence_of_those_drawn() -> None:
    found = only(many())
    brief = brief_of(found)
    assert (brief.sessions, len(found.members)) == (_ALL, _ALL)
    assert brief.frequency == sum(1 + n % 3 for n in range(1, _ALL + 1))
    assert sum(brief.repos.values()) == len(brief.weeks) == _ALL
    assert brief.first_ts == min(one.first_ts or 0 for one in found.members.values())
    assert brief.last_ts == max(one.last_ts or 0 for one in found.members.values())
    # Five by hash, and the earliest, by which an id may be made.
    assert len(found.drawn) in (5, 6)
    assert session(1).root in found.drawn
    assert {cited.session for cited in found.evidence} <= {*found.drawn}


def test_cost_is_that_of_those_drawn_for_each_character_of_all() -> None:
    found = only([Sighting(session(n), [missing(n, chars=4000)]) for n in range(1, _ALL + 1)])
    assert brief_of(found).cost_impact == 1000 * _ALL
    assert brief_of(found).median_tokens == 1000


def test_the_order_of_sessions_makes_no_difference() -> None:
    some = many()
    random.Random(3).shuffle(some)
    assert msgspec.msgpack.encode(only(some)) == msgspec.msgpack.encode(only(many()))


def test_a_later_one_mostly_changes_nothing_but_figures() -> None:
    changed = 0
    for number in range(_ALL, 2 * _ALL):
        before, now = only(many(number)), only(many(number + 1))
        assert brief_of(now).sessions == brief_of(before).sessions + 1
        changed += before.drawn != now.drawn
    assert changed < _ALL / 2


def test_those_that_got_past_it_are_drawn_by_themselves() -> None:
    cured = [
        Sighting(
            session(n, repo="app"),
            [
                missing(n),
                signal("recovery", n, **_PAST),
            ],
        )
        for n in range(_ALL + 1, _ALL + 4)
    ]
    found = only(many() + cured)
    assert found.cure is not None
    assert found.cure.of == len(cured)


def test_a_way_past_it_is_counted_among_those_that_were_read() -> None:
    cured = [
        Sighting(session(n, repo="app"), [missing(n), signal("recovery", n, **_PAST)])
        for n in range(1, _ALL + 1)
    ]
    found = only(cured)
    assert found.cure is not None
    assert found.cure.text.endswith(
        f"of the {found.cure.of} conversations that got past it and were read"
    )
    assert next(came_of_it(found)).endswith(f"is read from {len(found.drawn)} of them")


def test_all_are_read_where_those_drawn_show_several_things() -> None:
    alike = [
        signal(
            "tool_error",
            n,
            template=words,
            text=words,
        )
        for n, words in enumerate(
            ["the gate <n> of the east is shut again"] * 15
            + ["the gate <n> of the east was never built by anybody here"] * 15,
            1,
        )
    ]
    found = group(sightings(*alike), lambda _: True)
    assert len(found) == 2
    assert [one.drawn for one in found] == [[], []]


def test_copies_of_an_event_are_no_more_conversations() -> None:
    def copy(n: int) -> Counted:
        return session(100 + n)

    copies = [Sighting(copy(n), [missing(n)]) for n in range(1, 11)]
    assert brief_of(only(many() + copies)).sessions == _ALL
