"""The command that agents run, which is silent whatever happens."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from helix_tui import hook
from helix_tui.errors import UsageError

# The name that the shell gives its script; by it our entries are known again.
MARK = "helix-hook"
_SHELL = "/bin/sh -c "
# Agents that run one another's hooks, and tell themselves apart by what they say.
_SHARED = ("claude", "grok")


def hook_command(store: Path, flavor: str, flush: Sequence[str] = ()) -> str:
    """What an agent is to run for an event, with what it starts behind it.

    Agents hand a command to `sh`, or to a person's own shell, whichever that is: so it is one
    program with quoted arguments. Grok runs a command of two files once if it is the same text.
    Where Python is gone, the agent's words are still read, nothing is printed, and it ends well.
    """
    words = [sys.executable, "-I", "-S", hook.__file__, "--store", str(store)]
    if flavor not in _SHARED:
        words += ["--otherwise", flavor]
    if flush:
        words += ["--flush", *flush]
    for word in words:
        if "$" in word or not word.isprintable():
            raise UsageError(
                f"{word!r} cannot stand in an agent's hook: it has a $ or a hidden sign in it.",
                "Choose another folder.",
            )
    script = f"{shlex.join(words)} >/dev/null 2>&1 || cat >/dev/null 2>&1 || :"
    return f"{_SHELL}{shlex.quote(script)} {MARK}"


def is_ours(command: str) -> bool:
    """Whether a command is one that Helix put there, whichever version and for whichever store."""
    return command.startswith(_SHELL) and command.endswith(f" {MARK}")


def store_of(command: str) -> Path | None:
    """The store that a command of ours spools to."""
    try:
        words = shlex.split(shlex.split(command)[2])
        return Path(words[words.index("--store") + 1])
    except (ValueError, IndexError):
        return None
