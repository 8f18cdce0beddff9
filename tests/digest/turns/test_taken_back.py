"""An edit that puts back what one from before a person spoke had replaced."""

from __future__ import annotations

from helix_tui.digest.turns.traits import names_of
from helix_tui.schema import TurnFact
from tests.digest.told_session import Told

FIRST, NEW = "/w/app/migrations/first.sql", "CREATE UNIQUE INDEX a"


def _exchange(told: Told, old: str, new: str, file: str = FIRST) -> Told:
    return told.edit(file=file, old_string=old, new_string=new)


def _last(told: Told) -> TurnFact:
    return told.facts().turns[-1]


def test_an_edit_that_is_put_back_behind_a_turn_takes_work_back() -> None:
    told = _exchange(Told().ask(), "CREATE INDEX a", NEW).ask()
    assert _last(told).taken_back == ""
    _exchange(told, "-- end", "-- the end")
    assert _last(told).taken_back == ""
    back = _last(_exchange(told, NEW, "CREATE INDEX a"))
    assert back.taken_back == "migrations/first.sql"
    assert "reverts" in names_of(back.traits)


def test_what_an_agent_only_tried_out_or_changed_again_is_not_taken_back() -> None:
    tried = _exchange(_exchange(Told().ask().ask(), "a", "b"), "b", "a")
    assert _last(tried).taken_back == ""
    again = _exchange(_exchange(Told().ask(), "a", "b").ask(), "b", "c")
    assert _last(again).taken_back == ""
    other = _exchange(_exchange(Told().ask(), "a", "b").ask(), "b", "a", file="/w/other.sql")
    assert _last(other).taken_back == ""


def test_a_patch_is_taken_back_by_the_one_that_swaps_its_lines() -> None:
    def patched(told: Told, gone: str, come: str) -> Told:
        text = f"*** Begin Patch\n*** Update File: a.py\n@@\n x\n-{gone}\n+{come}\n*** End Patch"
        return told.use("apply_patch", {"input": text})

    told = patched(Told("codex").ask(), "a = 1", "a = 2").ask()
    assert _last(patched(told, "a = 2", "a = 3")).taken_back == ""
    assert _last(patched(told, "a = 2", "a = 1")).taken_back == "/a.py"
