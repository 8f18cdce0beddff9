"""Names of what makes a candidate possible in a session: `run git`, `use edit`, `edit test`."""

from __future__ import annotations

from collections.abc import Iterable

# Goes up when sessions are given other triggers; they are made again from the digests then.
TRIGGERS = 2
# Somebody asked for work.
ASKED = "asked"


def run(program: str) -> str:
    """A program was run, with whatever sub-command."""
    return f"run {program}"


def passed(script: str) -> str:
    """A script of the repository passed as it is, with no variable set for it."""
    return f"passed {script}"


def passed_again(script: str) -> str:
    """It did so twice and more in one session."""
    return f"passed again {script}"


def use(tool: str) -> str:
    """A kind of tool was used, or a tool that is of no kind."""
    return f"use {tool}"


def edit(kind: str) -> str:
    """A kind of file was edited."""
    return f"edit {kind}"


def in_words(triggers: Iterable[str]) -> str:
    """Triggers of which any one will do, as a person reads them."""
    names = sorted(triggers)
    said = {
        "ran": [f"`{name}`" for name in _behind(names, "run ")],
        "used": [_TOOLS.get(name, name) for name in _behind(names, "use ")],
        "edited": [_FILES.get(name, f"{name} files") for name in _behind(names, "edit ")],
    }
    parts = [f"{verb} {_any(objects)}" for verb, objects in said.items() if objects]
    if ASKED in names or not parts:
        parts = ["were asked for work"]
    return f"sessions that {' or '.join(parts)}"


_TOOLS = {
    "shell": "a shell",
    "read": "a tool that reads",
    "edit": "a tool that edits",
    "search": "a tool that searches",
    "web": "the web",
    "agent": "sub-agents",
    "plan": "a list of tasks",
    "mcp": "a tool of an MCP server",
}
_FILES = {"test": "tests", "source": "sources", "config": "settings", "docs": "documents"}


def _behind(names: list[str], verb: str) -> list[str]:
    return [name.removeprefix(verb) for name in names if name.startswith(verb)]


def _any(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
