"""The line at the end of a run that says how many points were tried."""

from __future__ import annotations

import pytest

KILLED = "kill points"
FAILED = "failing calls"
_IS_TOLD = pytest.StashKey[bool]()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Sums up what the tests recorded; xdist hands the records of its processes over.

    A conftest above may name this, too, since it is the one that xdist's own process loads.
    """
    if terminalreporter.config.stash.get(_IS_TOLD, False):
        return
    terminalreporter.config.stash[_IS_TOLD] = True
    reports = [report for kind in terminalreporter.stats.values() for report in kind]
    for title in (KILLED, FAILED):
        records = [
            str(value)
            for report in reports
            if getattr(report, "when", "") == "call"
            for name, value in report.user_properties
            if name == title
        ]
        if records:
            tried, there = (
                sum(int(record.split()[place]) for record in records) for place in (-3, -1)
            )
            terminalreporter.write_line(
                f"{title}: {tried:,} of {there:,} tried ({'; '.join(sorted(records))})"
            )
