"""A session told in calls, for tests of what overcame an error."""

from __future__ import annotations

import json
from itertools import count
from typing import Any

from helix_tui.digest.codec import pack_fold, unpack_fold
from helix_tui.digest.fold import Folder
from helix_tui.digest.merge import NamedFold, digest_of
from helix_tui.digest.state import new_fold
from helix_tui.schema import PROMPT, TOOL_CALL, TOOL_RESULT, EventTuple, Facts, Recovery


class Told:
    """A session told in calls, folded as it goes."""

    def __init__(self, flavor: str = "claude") -> None:
        self._numbers = count(1)
        self.events: list[EventTuple] = []
        self.flavor = flavor

    def _add(self, kind: int, text: str, **of: Any) -> None:
        number = next(self._numbers)
        event = (number, number, number * 1000, kind, of.get("is_error", False), None)
        result = (of.get("tool"), of.get("call"), of.get("code"), None, text, None)
        self.events.append((*event, *result))

    def ask(self) -> Told:
        """Says something."""
        self._add(PROMPT, "go on, please")
        return self

    def use(self, tool: str, given: object, output: str = "ok", code: int = 0) -> Told:
        """Uses a tool."""
        call = f"c{next(self._numbers)}"
        self._add(TOOL_CALL, json.dumps(given), tool=tool, call=call)
        self._add(TOOL_RESULT, output, call=call, is_error=code != 0, code=code)
        return self

    def run(self, command: str, output: str = "ok", code: int = 0, **more: object) -> Told:
        """Runs a command."""
        tool = "Bash" if self.flavor == "claude" else "shell"
        return self.use(tool, {"command": command, **more}, output, code)

    def edit(self, error: str = "", file: str = "/w/a.py", **more: object) -> Told:
        """Edits a file."""
        return self.use("Edit", {"file_path": file, **more}, error or "ok", 1 if error else 0)

    def facts(self) -> Facts:
        """What was folded, stored in between after every event."""
        fold = new_fold()
        for event in self.events:
            folder = Folder(self.flavor, unpack_fold(pack_fold(fold)))
            folder.step_all([event])
            fold = folder.fold
        return digest_of([NamedFold("a", fold)], True).facts

    def recoveries(self) -> list[Recovery]:
        """What was overcome, and how."""
        return self.facts().recoveries

    def change(self) -> str:
        """How the one error was overcome."""
        (found,) = self.recoveries()
        return found.change
