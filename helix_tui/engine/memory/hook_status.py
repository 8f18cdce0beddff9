"""How the hooks of agents stand: installed, alive, current, and what a person should know."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from helix_tui.config import Config
from helix_tui.engine.guard.rules_file import catalog_guards, rules_trouble
from helix_tui.engine.memory import grok_rules
from helix_tui.engine.memory.hook_of_agent import (
    agent_of,
    command_of,
    events_of,
    has_context,
    hook_file,
    memory_places,
    root_of,
    store_of,
)
from helix_tui.errors import HelixError, UsageError
from helix_tui.memory.hooks import install
from helix_tui.memory.hooks.agents import AGENTS, Agent
from helix_tui.memory.hooks.command import flushes, guard_command, hands_out
from helix_tui.memory.hooks.entries import HookEntry, wanted_entries
from helix_tui.memory.hooks.probe import (
    what_hands_out_nothing,
    what_is_wrong,
    what_is_wrong_with_guard,
)
from helix_tui.memory.hooks.spool import Spool
from helix_tui.memory.hooks.switches import switched_off
from helix_tui.memory.recall import prepared
from helix_tui.schema import DoctorCheck
from helix_tui.schema.hooks import HookStatus
from helix_tui.text.human import plural

# Told of also where they are not there; of the others only who has them wants to hear.
_USUAL = ("claude", "codex", "grok")


def hook_statuses(config: Config, flavor: str | None = None) -> list[HookStatus]:
    """Return the state of an agent's hooks, or of all; test each that is installed."""
    here = [one for one in AGENTS.values() if one.flavor in _USUAL or _is_here(config, one)]
    agents = here if flavor is None else [agent_of(flavor)]
    waiting = [line.flavor for line in Spool(memory_places(config).spool).read()]
    return [_status(config, agent, waiting.count(agent.flavor)) for agent in agents]


def check_hooks(config: Config) -> Iterator[DoctorCheck]:
    """Check hooks for doctor: having none is fine, an installed one must work."""
    try:
        statuses = hook_statuses(config)
    except HelixError as error:
        yield DoctorCheck("hooks", False, error.what, error.todo)
        return
    for status in statuses:
        name, notes = f"hooks {status.flavor}", " ".join(status.notes)
        if status.todo:
            yield DoctorCheck(name, False, notes, status.todo)
        elif not status.installed:
            command = f"`helix hooks install {status.flavor}`"
            detail = f"not installed; {command} would report sessions as they end. {notes}"
            yield DoctorCheck(name, True, detail.rstrip())
        else:
            waits = f"{status.spooled:,} waiting"
            guard = f"; guarding by {plural(status.guards, 'rule')}" if status.has_guard else ""
            detail = f"alive for {', '.join(status.events)}; {waits}{guard}. {notes}".rstrip(" .")
            is_handing = not any(note.startswith("But a session") for note in status.notes)
            todo = "" if is_handing else f"Run `helix hooks install {status.flavor} --context`."
            yield DoctorCheck(name, is_handing, detail, todo)


def _is_here(config: Config, agent: Agent) -> bool:
    source = config.sources.get(agent.flavor)
    return source is not None and any(root.is_dir() for root in source.roots)


def _status(config: Config, agent: Agent, waiting: int) -> HookStatus:
    path = hook_file(config, agent)
    try:
        entries = install.entries_in(path)
    except HelixError as error:
        notes = [error.what]
        return HookStatus(
            agent.flavor, False, False, str(path), [], waiting, False, notes, error.todo
        )
    setting = switched_off(agent.flavor, root_of(config, agent)) if entries else ""
    commands = sorted({entry.command for entry in entries if not entry.is_guard})
    wrong = [reason for command in commands if (reason := what_is_wrong(command))]
    guard = _guard_state(config, agent, entries, bool(setting))
    is_context = bool(entries) and has_context(config, agent.flavor)
    is_current = not entries or _is_current(config, agent, entries)
    notes = [f"It is dead: {reason}." for reason in wrong]
    if is_context:
        notes += _context_notes(config, agent.flavor, commands)
    todo = f"Run `helix hooks install {agent.flavor}`."
    notes += guard.notes
    if not is_current and not wrong and not guard.trouble:
        notes.append("It is of another Helix, or for another store or setting.")
    if setting:
        notes.append(f"It is never run: {setting}.")
        todo = f"Take that setting out, or run `helix hooks uninstall {agent.flavor}`."
    if agent.flavor == "grok" and _is_in_claude(config):
        notes.append("Grok also runs the hook in Claude Code's settings, the same one only once.")
    is_alive = bool(entries) and not wrong and not setting
    return HookStatus(
        agent.flavor,
        bool(entries),
        is_alive,
        str(path),
        [entry.event for entry in entries if not entry.is_guard],
        waiting,
        is_current,
        notes,
        todo if entries and not (is_alive and is_current and not guard.trouble) else "",
        guard.is_installed,
        guard.is_installed and not guard.trouble,
        guard.rules,
        is_context,
        any(flushes(entry.command) for entry in entries),
    )


def _context_notes(config: Config, flavor: str, commands: list[str]) -> list[str]:
    """What is kept ready, and whether a session would get it."""
    places = memory_places(config)
    ready = prepared.all_prepared(places)
    if flavor == "grok":
        files = grok_rules.files(places)
        return [f"Its rules file stands in {plural(len(files), 'repository', 'repositories')}."]
    if not ready:
        return ["Nothing is ready to be handed out yet: the next sweep makes it."]
    newest = f"{datetime.fromtimestamp(ready[0].made_at / 1000).astimezone():%Y-%m-%d %H:%M}"
    notes = [f"Ready for {plural(len(ready), 'repository', 'repositories')}, as of {newest}."]
    wrong = next(
        filter(None, (what_hands_out_nothing(one, flavor, ready[0]) for one in commands)), ""
    )
    return [*notes, f"But a session would get nothing: {wrong}."] if wrong else notes


def _is_current(config: Config, agent: Agent, entries: list[HookEntry]) -> bool:
    """Whether installing once more would change nothing."""
    has_guard = any(entry.is_guard for entry in entries)
    try:
        is_context = any(hands_out(entry.command) for entry in entries)
        # Without a flush it is as a person chose to install it.
        is_flushing = config.memory.flush_on_hook and any(
            flushes(entry.command) for entry in entries
        )
        command = command_of(config, agent.flavor, is_context, flushes=is_flushing)
        guard = guard_command(store_of(config), agent.flavor) if has_guard else ""
    except UsageError:
        return False  # no command is possible for this store, so the installed one is another's
    return {(entry.event, entry.command) for entry in entries} == set(
        wanted_entries(command, events_of(agent, is_context), guard)
    )


class _Guard(NamedTuple):
    """An agent's guard: what is wrong with it, and what a person should know."""

    is_installed: bool = False
    trouble: str = ""
    rules: int = 0
    notes: Sequence[str] = ()


def _guard_state(
    config: Config, agent: Agent, entries: list[HookEntry], is_switched_off: bool
) -> _Guard:
    """Try an installed guard; without one, say whose guards nobody asks."""
    command = next((entry.command for entry in entries if entry.is_guard), "")
    guards = catalog_guards(config)
    if not command:
        waiting = plural(len(guards.rules), "pattern has a guard", "patterns have guards")
        asks = f"`helix hooks install {agent.flavor} --guard` has {agent.flavor} ask"
        return _Guard(notes=[f"{waiting}: {asks}."] if guards.rules and entries else [])
    trouble = what_is_wrong_with_guard(command) or rules_trouble(config)
    notes = [f"Its guard lets every call pass: {trouble}."] if trouble else []
    if is_switched_off and not trouble:
        trouble = "it is never run"
    notes += [f"The guard of {one.pattern} does not hold: {one.reason}." for one in guards.troubles]
    asking = sum(rule.answer == "ask" for rule in guards.rules)
    if asking and not agent.can_ask:
        which = plural(asking, "guard that asks lets", "guards that ask let")
        notes.append(f"{agent.flavor} cannot ask: {which} the call pass here.")
    return _Guard(True, trouble, len(guards.rules), notes)


def _is_in_claude(config: Config) -> bool:
    try:
        return bool(install.entries_in(hook_file(config, AGENTS["claude"])))
    except HelixError:
        return False  # reported with the status of Claude Code's own hook
