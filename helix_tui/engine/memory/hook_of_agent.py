"""An agent's hook in this store: its file, its command, and what is installed of it."""

from __future__ import annotations

import os
from pathlib import Path

from helix_tui.config import Config
from helix_tui.engine.memory import grok_rules
from helix_tui.errors import HelixError, UsageError
from helix_tui.invocation import helix_command
from helix_tui.memory.hooks import install
from helix_tui.memory.hooks.agents import AGENTS, Agent
from helix_tui.memory.hooks.command import CONTEXT_BY_HOOK, hands_out, hook_command
from helix_tui.memory.places import MemoryPlaces


def agent_of(flavor: str) -> Agent:
    """Return an agent whose hooks are known."""
    if flavor not in AGENTS:
        raise UsageError(
            f"There is no agent {flavor!r} whose hooks could be used.",
            f"Choose one of {', '.join(AGENTS)}.",
        )
    return AGENTS[flavor]


def hook_file(config: Config, agent: Agent) -> Path:
    """Return the file of an agent's hooks."""
    return agent.path(root_of(config, agent))


def root_of(config: Config, agent: Agent) -> Path:
    """Return the first of an agent's roots that exists."""
    source = config.sources.get(agent.flavor)
    if source is None:
        raise UsageError(f"The bundled sample has no sessions of {agent.flavor}.", "Name a store.")
    roots = source.roots
    return next((root for root in roots if root.is_dir()), roots[0])


def store_of(config: Config) -> Path:
    """Return the store as a command names it."""
    return Path(os.path.abspath(config.store))  # noqa: PTH100 - a link in it is meant


def memory_places(config: Config) -> MemoryPlaces:
    """Return where the store keeps its memory."""
    return MemoryPlaces(config.store.absolute())


def events_of(agent: Agent, is_context: bool) -> tuple[str, ...]:
    """The events of an agent's hook; what Grok's hooks print at a start never reaches its model."""
    starts = is_context and agent.flavor != "grok"
    return (*agent.events, "SessionStart") if starts else agent.events


def command_of(config: Config, flavor: str, is_context: bool, *, flushes: bool) -> str:
    """Return the command for this store, with the flush that it starts, if it does."""
    store = store_of(config)
    flush: list[str] = []
    if flushes:
        flush = helix_command("flush", "--spooled", config=config.file, store=store)
    return hook_command(store, flavor, flush, has_context=is_context and flavor in CONTEXT_BY_HOOK)


def has_guard(path: Path) -> bool:
    """Whether a file of hooks has a guard of ours."""
    return any(entry.is_guard for entry in install.entries_in(path))


def has_context(config: Config, flavor: str) -> bool:
    """Whether an agent is handed what earlier sessions taught."""
    if flavor == "grok":
        return grok_rules.is_on(memory_places(config))
    try:
        entries = install.entries_in(hook_file(config, agent_of(flavor)))
    except HelixError:
        return False  # reported with the status of the hook
    return any(hands_out(entry.command) for entry in entries)
