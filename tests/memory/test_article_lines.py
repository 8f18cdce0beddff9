"""What an article tells as open: no end that later sessions have left behind."""

from __future__ import annotations

from helix_tui.memory.flush.entry import DailyEntry
from helix_tui.memory.knowledge.holds import Held, holds


def held(day: int, *actions: str) -> Held:
    text = f"## 10:00 · claude · `app` · s{day}: `part {day}` <!-- helix {day:016x} -->"
    lines = {"actions": list(actions), "context": ["1 prompt; 2 tool calls."]}
    return Held(
        f"2026-01-{day:02d}",
        DailyEntry(f"{day:016x}", "10:00", "claude", "app", f"s{day}", lines, text),
    )


def test_what_broke_off_long_ago_is_not_open_where_work_went_on() -> None:
    end = "Broke off in the middle of: `1 - yes, 2 - no, go on`"
    first = holds([held(1, end)])
    assert any(end in one.text for one in first)
    later = holds([held(1, end), *(held(day) for day in range(2, 6))])
    assert not any(end in one.text for one in later)
