"""The hooks of each agent: in which file, for which events, and what a person has to know."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class Agent(NamedTuple):
    """Where an agent's hooks are below its root, and for which events they run."""

    flavor: str
    file: str
    events: tuple[str, ...]
    advice: str
    # Whether a guard may have it ask the person; where not, such a call passes.
    can_ask: bool = True
    # Whether it asks a hook before it runs a command, in a form that is known.
    can_guard: bool = True
    # What five seconds are in the agent's own unit: its timeouts are longer, and one agent ends a
    # session only after its hooks.
    timeout: int = 5

    def path(self, root: Path) -> Path:
        """The file of its hooks."""
        return root / self.file


# A guard is asked before a call of the tool that runs commands; Codex and Grok take Claude's name.
GUARD_EVENT, GUARD_TOOL = "PreToolUse", "Bash"
# docs/hooks.md names the source of each of these.
AGENTS = {
    agent.flavor: agent
    for agent in (
        Agent(
            "claude",
            "settings.json",
            ("SessionEnd", "PreCompact", "Stop"),
            "Claude Code takes it up in sessions that begin from now on; `/hooks` there lists it.",
        ),
        Agent(
            "codex",
            "hooks.json",
            # Before 0.145 Codex ignores SessionEnd.
            ("SessionEnd", "PreCompact", "Stop"),
            "Codex runs it only once you trust it: start `codex`, open `/hooks`, and trust it "
            "there, again after each change. A `notify` program of yours stays as it is.",
            can_ask=False,
        ),
        Agent(
            "grok",
            "hooks/helix.json",
            ("SessionEnd", "PreCompact", "Stop"),
            "Grok takes it up in sessions that begin from now on; it also runs the hooks of Claude "
            "Code's settings, and the same command only once.",
        ),
        Agent(
            "gemini",
            "settings.json",
            ("SessionEnd", "PreCompress", "AfterAgent"),
            "Gemini CLI takes it up in sessions that begin from now on; `/hooks panel` there lists "
            "it.",
            can_guard=False,
            timeout=5000,
        ),
        Agent(
            "droid",
            "settings.json",
            ("SessionEnd", "PreCompact", "Stop"),
            "Droid takes it up in sessions that begin from now on; `/hooks` there lists it.",
            can_guard=False,
        ),
    )
}
