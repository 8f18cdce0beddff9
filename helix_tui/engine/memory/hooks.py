"""Install and remove the hooks of agents, and say what they will do."""

from __future__ import annotations

import contextlib

from helix_tui.agent_homes import agent_name
from helix_tui.config import Config
from helix_tui.engine.guard.rules_file import catalog_guards, write_rules
from helix_tui.engine.memory import grok_rules
from helix_tui.engine.memory.hook_of_agent import (
    agent_of,
    command_of,
    events_of,
    has_context,
    has_guard,
    hook_file,
    memory_places,
    store_of,
)
from helix_tui.errors import StoreError, UsageError
from helix_tui.files.durable import make_folder, told
from helix_tui.memory.hooks import install
from helix_tui.memory.hooks.agents import AGENTS
from helix_tui.memory.hooks.command import CONTEXT_BY_HOOK, flushes, guard_command
from helix_tui.memory.recall import prepared

# Grok is handed a rules file.
_HANDED_TO = (*CONTEXT_BY_HOOK, "grok")


def install_hook(
    config: Config,
    flavor: str,
    is_context: bool | None = None,
    *,
    guards: bool = False,
    flushes: bool = True,
) -> bool:
    """Make an agent report to this store; return whether anything changed.

    `is_context` says whether its sessions begin with what earlier ones taught; None leaves that as
    it is. With `guards` it also asks before it runs a command; a guard that is there stays.
    """
    agent = agent_of(flavor)
    if guards and not agent.can_guard:
        able = ", ".join(one.flavor for one in AGENTS.values() if one.can_guard)
        raise UsageError(
            f"No guard is known for {agent_name(flavor)}.", f"There is one for {able}."
        )
    if is_context and flavor not in _HANDED_TO:
        raise UsageError(
            f"{agent_name(flavor)} takes nothing from a hook when a session begins.",
            f"Choose one of {', '.join(_HANDED_TO)}.",
        )
    path = hook_file(config, agent)
    if is_context is None:
        is_context = has_context(config, flavor)
    is_flushing = flushes and config.memory.flush_on_hook
    command = command_of(config, flavor, is_context, flushes=is_flushing)
    guard = guard_command(store_of(config), flavor) if guards or has_guard(path) else ""
    with told(config.store):
        make_folder(config.store)
    is_written = bool(guard) and write_rules(config, catalog_guards(config))
    events = events_of(agent, is_context)
    is_changed = install.install(path, command, events, guard, agent.timeout)
    return _set_context(config, flavor, is_context) or is_changed or is_written


def uninstall_guard(config: Config, flavor: str) -> bool:
    """Take the guard out of an agent's hooks and leave the rest; return whether it was there."""
    agent = agent_of(flavor)
    path = hook_file(config, agent)
    if not has_guard(path):
        return False
    is_context = has_context(config, flavor)
    is_flushing = any(flushes(entry.command) for entry in install.entries_in(path))
    command = command_of(config, flavor, is_context, flushes=is_flushing)
    return install.install(path, command, events_of(agent, is_context), timeout=agent.timeout)


def uninstall_hook(config: Config, flavor: str) -> bool:
    """Remove Helix from an agent's hooks; return whether it was among them."""
    agent = agent_of(flavor)
    path = hook_file(config, agent)
    events = events_of(agent, has_context(config, flavor))
    is_removed = install.uninstall(path, events, agent.timeout)
    _set_context(config, flavor, False)
    if is_removed and flavor == "grok" and not path.exists():
        with contextlib.suppress(OSError):
            path.parent.rmdir()  # left alone where anything else is in it
    return is_removed


def _set_context(config: Config, flavor: str, is_context: bool) -> bool:
    """Begin or end what is kept ready; return whether anything changed."""
    places = memory_places(config)
    is_begun = is_context and not prepared.is_on(places)
    if is_context:
        prepared.begin(places)
    was_on = flavor == "grok" and grok_rules.is_on(places)
    if flavor == "grok" and is_context:
        grok_rules.begin(places)
    elif was_on:
        left = grok_rules.end(places)
        if left:
            raise StoreError("Not all rules files could be taken out.", " ".join(left))
    if not is_context and not any(has_context(config, one) for one in AGENTS):
        prepared.end(places)
    return is_begun or (flavor == "grok" and was_on != is_context)


def forecast(config: Config, flavor: str, *, flushes: bool = True) -> list[str]:
    """Say what an agent's hook will do, in sentences."""
    agent = agent_of(flavor)
    store = config.store
    lines = [
        f"When a session of {agent.flavor} ends, is compacted or ends a turn, it leaves one line "
        f"in {store / 'spool.jsonl'}: which session, when, and where its log is."
    ]
    if not (flushes and config.memory.flush_on_hook):
        lines.append("Nothing is started by it: the next sweep writes what these sessions taught.")
    else:
        lines.append(
            "When a session ends or is compacted, it then starts `helix flush --spooled` in the "
            "background, which takes in what is new and writes what these sessions taught to "
            f"{store / 'memory' / 'daily'}; `--no-flush` leaves that to the next sweep."
        )
    lines.append(_asked(config))
    return lines


def _asked(config: Config) -> str:
    """Say who distills, and what leaves the machine by that."""
    settings, model = config.memory, config.model
    cap = f"{settings.daily_token_cap:,} tokens a day" if settings.daily_token_cap else "no cap"
    if settings.distiller == "command":
        return f"Your program `{' '.join(settings.command)}` gets the redacted session ({cap})."
    if settings.distiller == "model" and model.preset:
        cap = f"{model.daily_token_cap:,} tokens a day" if model.daily_token_cap else "no cap"
        return f"The model of [model] ({model.preset}) gets the redacted session ({cap})."
    return "No model is asked, and nothing leaves this machine."


def advice_for(flavor: str) -> str:
    """Return what a person has to know once an agent's hook is installed."""
    return agent_of(flavor).advice
