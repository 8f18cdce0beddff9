"""What tests of signals share: a story is told, swept, and its signals are looked at."""

from __future__ import annotations

from helix_tui.digest.signals import signals_of
from helix_tui.schema import Facts
from helix_tui.schema.signal import Signal
from tests.agents import Story
from tests.conftest import Workbench


def facts_in(bench: Workbench, log: Story) -> Facts:
    """The facts of the one session that a home has."""
    log.save(bench.home)
    bench.sweep()
    digest = bench.engine().digest(bench.session())
    assert digest is not None
    return digest.facts


def signals_in(bench: Workbench, log: Story) -> dict[str, list[Signal]]:
    """What the one session of a home signals, by name."""
    found: dict[str, list[Signal]] = {}
    for signal in signals_of(facts_in(bench, log)):
        found.setdefault(signal.name, []).append(signal)
    return found
