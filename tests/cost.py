"""The line at the end of a run that says what it took of the processor, and which files most."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Generator

import pytest

# What two cores give in five minutes, but for what they wait.
MOST_SECONDS = 550
_FILES = 5
_NAME = "cpu"
_BEGAN = pytest.StashKey[float]()


def _used() -> float:
    """Seconds of this process and of its children that ended."""
    took = os.times()
    return took.user + took.system + took.children_user + took.children_system


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Counts from before a test's fixtures are made, without what runs in forks of others."""
    item.stash[_BEGAN] = _used()
    return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, object, object]:
    """Tells what the test took so far, its own end left out."""
    item.user_properties.append((_NAME, round(_used() - item.stash[_BEGAN], 3)))
    return (yield)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Seconds of the whole run, all processes and their children, then the dearest files."""
    took = os.times()
    user, system = took.user + took.children_user, took.system + took.children_system
    over = f", more than the {MOST_SECONDS} there are" if user + system > MOST_SECONDS else ""
    files: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            for name, seconds in getattr(report, "user_properties", ()):
                if name == _NAME and report.when == "teardown":
                    files[report.nodeid.partition("::")[0]] += seconds
    dearest = "; ".join(f"{file} {seconds:.1f}" for file, seconds in files.most_common(_FILES))
    terminalreporter.write_line(
        f"processor: {user + system:,.0f} s ({user:,.0f} user, {system:,.0f} system){over}; "
        f"in their own processes {dearest}"
    )
