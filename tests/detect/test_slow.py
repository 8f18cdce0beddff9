"""Slow runs: over a minute, and longer than nearly all in that repository."""

from __future__ import annotations

from helix_tui.detect.assemble import SessionSignal
from helix_tui.detect.group import group
from helix_tui.detect.slow import slow_runs
from helix_tui.schema.candidate import Sighting
from tests.detect.made import session, signal


def seen(number: int, *seconds: int, repo: str = "app") -> SessionSignal:
    """A session in which a command took so long."""
    values = [1000 * second for second in seconds]
    made = signal("slow_command", number, subject="make", values=values, ms=max(values))
    return SessionSignal(session(number, repo=repo), made)


def usual(count: int, seconds: int, start: int = 0, repo: str = "app") -> list[SessionSignal]:
    return [seen(start + number, seconds, repo=repo) for number in range(1, count + 1)]


def test_longer_than_nearly_always() -> None:
    some = [*usual(30, 30), seen(99, 200)]
    assert slow_runs(some) == [False] * 30 + [True]


def test_less_than_a_minute_is_never_slow() -> None:
    assert not any(slow_runs([*usual(30, 10), seen(99, 59)]))


def test_what_always_takes_long_is_not_slow() -> None:
    assert not any(slow_runs(usual(30, 600)))


def test_another_repository_is_another_matter() -> None:
    some = [*usual(30, 30), *usual(30, 300, start=100, repo="big"), seen(999, 300, repo="app")]
    assert slow_runs(some) == [False] * 60 + [True]


def test_what_mostly_answers_at_once_waited_for_an_approval() -> None:
    assert not any(slow_runs([*usual(30, 1), seen(99, 1, 1, 900)]))


def test_few_runs_tell_nothing() -> None:
    assert not any(slow_runs([seen(1, 30), seen(2, 30), seen(3, 900)]))


def test_only_slow_sessions_are_members() -> None:
    some = [*usual(60, 30), *(seen(90 + number, 200 + number) for number in range(3))]
    found = group([Sighting(one.session, [one.signal]) for one in some], lambda _: True)
    assert [list(one.members) for one in found] == [["claude:0090", "claude:0091", "claude:0092"]]
    assert found[0].title == "shell: `make` takes unusually long"
