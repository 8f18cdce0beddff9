"""Exactly what would be written for an agent of one pattern."""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from helix_tui.curate.page.pattern import Pattern
from helix_tui.distribute.blocks import entry_of
from helix_tui.distribute.wanted import wanted_at
from helix_tui.engine.distribute.teachings import teaching_of
from helix_tui.schema.context import AGENTS, AgentName
from helix_tui.schema.curation import DistributeFloors
from helix_tui.schema.distribute import USER, Distributable, Site, Target

_FILES: dict[AgentName, str] = {
    "claude": "CLAUDE.md",
    "codex": "AGENTS.md",
    "grok": "AGENTS.md",
    "copilot": "AGENTS.md",
    "gemini": "GEMINI.md",
    "qwen": "QWEN.md",
    "opencode": "AGENTS.md",
    "kilo": "AGENTS.md",
    "pi": "AGENTS.md",
    "droid": "AGENTS.md",
    "cursor": "AGENTS.md",
}
_HOMES = {
    "opencode": ".config/opencode",
    "kilo": ".config/kilo",
    "pi": ".pi/agent",
    "droid": ".factory",
}
_OWN = {"copilot": "copilot-instructions.md"}


class Taught(NamedTuple):
    """A file, told from the repository's root or the agent's home, and what stands in it."""

    place: str
    text: str


def taught_text(pattern: Pattern, agent: str) -> list[Taught]:
    """What an agent gets of a pattern, whatever the floors say; nothing of one that is retired."""
    known = next((name for name in AGENTS if name == agent), None)
    if known is None or pattern.status == "deprecated" or pattern.superseded_by:
        return []
    anywhere = Distributable(repo=True, user=True, reason="")
    teaching = teaching_of(pattern, DistributeFloors())
    is_user = teaching.scope.is_user
    scope = teaching.scope._replace(repos=() if is_user else ("",), is_user=is_user)
    home = _HOMES.get(known, f".{known}")
    own = _OWN.get(known, _FILES[known])
    file = f"{home}/{own}" if is_user else _FILES[known]
    name = USER if is_user else ""
    homes: dict[str, str] = {one: f".{one}" for one in AGENTS}
    site = Site(name, "", (known,), (Target(file, (known,)),), homes=homes)
    taught = replace(teaching, scope=scope, allowed=anywhere, trouble="")
    wants, _ = wanted_at(site, [taught])
    return [
        Taught(
            want.file.lstrip("/"),
            want.text if want.kind == "file" else "\n".join(entry_of(want.text).raw) + "\n",
        )
        for want in wants
    ]
