"""A fold of which nobody reads the turns: everything else is the same."""

from __future__ import annotations

from msgspec.structs import replace

from helix_tui.digest.fold import Folder
from helix_tui.digest.state import new_fold
from helix_tui.schema import PROMPT, REPLY, TOOL_CALL, TOOL_RESULT, EventTuple, Facts


def event(
    number: int, kind: int, text: str, *, is_error: bool = False, call: str | None = None
) -> EventTuple:
    role = "user" if kind in (PROMPT, TOOL_RESULT) else "assistant"
    tool = "Bash" if kind == TOOL_CALL else None
    return number, number, 1000 * number, kind, is_error, role, tool, call, None, None, text, None


REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected. The user said:"
    "\nuse the script instead"
)
EVENTS = [
    event(1, PROMPT, "fix the parser, then run the tests"),
    event(2, TOOL_CALL, '{"command": "pytest -q"}', call="a"),
    event(3, TOOL_RESULT, "1 failed\nE   KeyError: 'x'", is_error=True, call="a"),
    event(4, REPLY, "Done, all tests pass."),
    event(5, PROMPT, "no, that is still failing, run pytest again"),
    event(6, TOOL_CALL, '{"command": "git push --force"}', call="b"),
    event(7, TOOL_RESULT, REFUSED, is_error=True, call="b"),
    event(8, REPLY, "Shall I go on?"),
]


def folded(*, has_turns: bool) -> Facts:
    folder = Folder("claude", new_fold(), has_turns=has_turns)
    folder.step_all(EVENTS[:4])
    folder.step_all(EVENTS[4:])
    return folder.fold.facts


def test_only_turns_are_missing() -> None:
    whole, without = folded(has_turns=True), folded(has_turns=False)
    assert len(whole.turns) == 3
    assert without == replace(whole, turns=[])
