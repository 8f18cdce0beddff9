"""A page in the reviewer's own editor, on the terminal of a plain review."""

from __future__ import annotations

import subprocess
from typing import TextIO

from helix_tui.cli.review.keys import KeySource, LineKeys
from helix_tui.engine.review import external_editor
from helix_tui.environment import outside_environment


def edited(text: str, name: str, keys: KeySource, screen: TextIO) -> str:
    """The text as somebody saved it; what goes wrong with it is told and changes nothing."""

    def run(command: list[str]) -> int:
        with keys.lent() as source:
            # What it shows goes where the previews go: the output may be a script's.
            env = outside_environment()
            process = subprocess.run(command, stdin=source, stdout=screen, env=env, check=False)
        return process.returncode

    command = external_editor.editor_command("" if isinstance(keys, LineKeys) else "vi")
    screen.flush()
    return external_editor.edited(text, name, command, run)
