"""Logs of the further agents that grow, cut anywhere, end as if read at once, as counted."""

from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.more_agents import LOGS, Log, assert_counted_alike
from tests.properties.outcomes import fresh, outcome

EXAMPLES = int(os.environ.get("HELIX_EXAMPLES", "3"))
WORDS = st.sampled_from(("fix it", "drei Äpfel 🍎", "go on", "why?\u2028so"))


@st.composite
def logs(draw: st.DrawFn, flavor: str) -> Log:
    """A session of some turns, with calls that fail and what its agent alone does."""
    log: Log = LOGS[flavor]()
    for number in range(draw(st.integers(1, 3))):
        row = log.prompt(f"{draw(WORDS)} {number}")
        for _ in range(draw(st.integers(0, 2))):
            if draw(st.booleans()):
                log.think(f"think {number}")
            log.step(draw(WORDS), draw(st.sampled_from((0, 0, 1, 127))))
        if draw(st.booleans()):
            log.result(log.call(given={"command": "x"}), error=draw(WORDS))
        log.reply(f"{draw(WORDS)} answer {number}")
        if draw(st.booleans()):
            log.spend(draw(st.integers(0, 50)), draw(st.integers(0, 9)), draw(st.integers(5, 9)), 4)
        if draw(st.integers(0, 3)) == 0:
            if flavor == "gemini":
                LOGS[flavor].rewind(log, row)
            elif flavor == "copilot":
                LOGS[flavor].compact(log)
    return log


@pytest.mark.parametrize("flavor", LOGS)
@settings(max_examples=EXAMPLES, deadline=None)
@given(data=st.data())
def test_grown_as_at_once(
    tmp_path_factory: pytest.TempPathFactory, flavor: str, data: st.DataObject
) -> None:
    log = data.draw(logs(flavor))
    folder = tmp_path_factory.mktemp("growth")
    at_once, growing = fresh(folder), fresh(folder)
    log.write(at_once.home)
    at_once.sweep()
    path = log.write(growing.home)
    whole, bytes_read = path.read_bytes(), 0
    for cut in sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=3))):
        path.write_bytes(whole[:cut])
        bytes_read += growing.sweep().bytes_read
    path.write_bytes(whole)
    bytes_read += growing.sweep().bytes_read
    assert outcome(growing) == outcome(at_once)
    beside = sum(file.stat().st_size for file in path.parent.iterdir() if file != path)
    assert bytes_read == len(whole) + beside
    assert_counted_alike(growing, flavor)
