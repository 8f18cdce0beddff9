"""The command that agents run, which is silent whatever happens."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from helix_tui import hook
from helix_tui.errors import UsageError

# The shell's name for the script, by which our entries are recognized.
MARK = "helix-hook"
GUARD_MARK = "helix-guard"
_SHELL = "/bin/sh -c "
# Agents that run one another's hooks; the event itself says which agent it is from.
_SHARED = ("claude", "grok")
# Agents whose model gets what a hook prints when a session starts.
CONTEXT_BY_HOOK = ("claude", "codex")


def hook_command(
    store: Path, flavor: str, flush: Sequence[str] = (), *, has_context: bool = False
) -> str:
    """The command line for an agent's hook, with the program that it starts afterwards.

    Agents hand a command to `sh`, or to a person's own shell, whichever that is: so it is one
    program with quoted arguments. Grok runs a command of two files once if it is the same text.
    Where Python is gone, its input is still read, nothing is printed, and it exits with 0. With
    `has_context` it may print what is kept ready for a repository.
    """
    words = _words(Path(hook.__file__), store, flavor)
    if has_context:
        words += ["--context", "on"]
    if flush:
        words += ["--flush", *flush]
    silence = "2>/dev/null" if has_context else ">/dev/null 2>&1"
    script = f"{_joined(words)} {silence} || cat >/dev/null 2>&1 || :"
    return f"{_SHELL}{shlex.quote(script)} {MARK}"


def guard_command(store: Path, flavor: str) -> str:
    """The command line that answers before a call, or says nothing; it too exits with 0.

    The script lies beside the hook's and is never loaded here; where it finds what it needs to read
    a command line is written down, since it is run without site-packages.
    """
    words = _words(Path(hook.__file__).with_name("guard.py"), store, flavor)
    words += ["--library", str(Path(msgspec.__file__).parent.parent)]
    script = f"{_joined(words)} 2>/dev/null || cat >/dev/null 2>&1 || :"
    return f"{_SHELL}{shlex.quote(script)} {GUARD_MARK}"


def is_ours(command: str) -> bool:
    """Whether Helix put a command there, whichever version and for whichever store."""
    return command.startswith(_SHELL) and command.endswith((f" {MARK}", f" {GUARD_MARK}"))


def is_guard(command: str) -> bool:
    """Whether a command of ours is the guard."""
    return command.endswith(f" {GUARD_MARK}")


def _words(script: Path, store: Path, flavor: str) -> list[str]:
    otherwise = [] if flavor in _SHARED else ["--otherwise", flavor]
    return [sys.executable, "-I", "-S", str(script), "--store", str(store), *otherwise]


def _joined(words: Sequence[str]) -> str:
    for word in words:
        if "$" in word or not word.isprintable():
            raise UsageError(
                f"{word!r} cannot stand in an agent's hook: it has a $ or a hidden sign in it.",
                "Choose another folder.",
            )
    return shlex.join(words)


def hands_out(command: str) -> bool:
    """Whether a command of ours hands out what is kept ready."""
    return " --context on " in command


def flushes(command: str) -> bool:
    """Whether a command of ours starts a flush."""
    return " --flush " in command


def store_of(command: str) -> Path | None:
    """The store to which a command of ours reports."""
    try:
        words = shlex.split(shlex.split(command)[2])
        return Path(words[words.index("--store") + 1])
    except (ValueError, IndexError):
        return None
