"""A file of one's own in one's own editor, at a line."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.app import SuspendNotSupported

from helix_tui.environment import outside_environment
from helix_tui.errors import HelixError
from helix_tui.text.safe import safe_line

if TYPE_CHECKING:
    from textual.screen import Screen

# Editors that take `+12` for a line.
_PLUS_LINE = frozenset({"vi", "vim", "nvim", "nano", "emacs", "micro", "kak", "ne", "joe", "mg"})


def at_line(command: list[str], path: str, line: int) -> list[str]:
    """The command that opens a file at a line, as far as the editor is known."""
    name = Path(command[0]).name
    if name in _PLUS_LINE:
        return [*command, f"+{line}", path]
    if name in ("code", "codium", "cursor"):
        return [*command, "--goto", f"{path}:{line}"]
    if name in ("hx", "subl", "zed"):
        return [*command, f"{path}:{line}"]
    return [*command, path]


def open_in_editor(screen: Screen[Any], path: str, line: int) -> None:
    """Lend the terminal to $VISUAL or $EDITOR for a file that is there."""
    from helix_tui.engine.review.external_editor import editor_command

    if not Path(path).is_file():
        screen.notify(f"{safe_line(path, 200)} is no file here.", severity="error", markup=False)
        return
    try:
        command = at_line(editor_command(), path, line)
        with screen.app.suspend():
            subprocess.run(command, env=outside_environment(), check=False)
    except SuspendNotSupported:
        screen.notify("This terminal cannot be lent to an editor.", severity="error")
    except (HelixError, OSError) as error:
        screen.notify(safe_line(str(error), 400), severity="error", timeout=8, markup=False)
