"""Install and remove the hooks of agents, and test which ones work."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from helix_tui.agent_homes import agent_name
from helix_tui.config import Config
from helix_tui.engine.guard.rules_file import catalog_guards, rules_trouble, write_rules
from helix_tui.engine.memory import grok_rules
from helix_tui.errors import HelixError, StoreError, UsageError
from helix_tui.files.durable import make_folder, told
from helix_tui.invocation import helix_command
from helix_tui.memory.hooks import install
from helix_tui.memory.hooks.agents import AGENTS, Agent
from helix_tui.memory.hooks.command import CONTEXT_BY_HOOK, guard_command, hook_command
from helix_tui.memory.hooks.command import has_context as command_has_context
from helix_tui.memory.hooks.entries import HookEntry, wanted_entries
from helix_tui.memory.hooks.probe import (
    what_hands_out_nothing,
    what_is_wrong,
    what_is_wrong_with_guard,
)
from helix_tui.memory.hooks.spool import Spool
from helix_tui.memory.hooks.switches import switched_off
from helix_tui.memory.places import MemoryPlaces
from helix_tui.memory.recall import prepared
from helix_tui.schema import DoctorCheck
from helix_tui.schema.hooks import HookStatus
from helix_tui.text.human import plural

# Told of also where they are not there; of the others only who has them wants to hear.
_USUAL = ("claude", "codex", "grok")
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
    agent = _agent(flavor)
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
    path = _path(config, agent)
    if is_context is None:
        is_context = has_context(config, flavor)
    is_flushing = flushes and config.memory.flush_on_hook
    command = _command(config, flavor, is_context, flushes=is_flushing)
    guard = guard_command(_store(config), flavor) if guards or _has_guard(path) else ""
    with told(config.store):
        make_folder(config.store)
    is_written = bool(guard) and write_rules(config, catalog_guards(config))
    events = _events(agent, is_context)
    is_changed = install.install(path, command, events, guard, agent.timeout)
    return _set_context(config, flavor, is_context) or is_changed or is_written


def uninstall_guard(config: Config, flavor: str) -> bool:
    """Take the guard out of an agent's hooks and leave the rest; return whether it was there."""
    agent = _agent(flavor)
    path = _path(config, agent)
    if not _has_guard(path):
        return False
    is_context = has_context(config, flavor)
    is_flushing = any(map(_flushes, install.entries_in(path)))
    command = _command(config, flavor, is_context, flushes=is_flushing)
    return install.install(path, command, _events(agent, is_context), timeout=agent.timeout)


def _has_guard(path: Path) -> bool:
    return any(entry.is_guard for entry in install.entries_in(path))


def has_context(config: Config, flavor: str) -> bool:
    """Whether an agent is handed what earlier sessions taught."""
    if flavor == "grok":
        return grok_rules.is_on(_places(config))
    try:
        entries = install.entries_in(_path(config, _agent(flavor)))
    except HelixError:
        return False  # reported with the status of the hook
    return any(command_has_context(entry.command) for entry in entries)


def _set_context(config: Config, flavor: str, is_context: bool) -> bool:
    """Begin or end what is kept ready; return whether anything changed."""
    places = _places(config)
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


def _events(agent: Agent, is_context: bool) -> tuple[str, ...]:
    """The events of an agent's hook; what Grok's hooks print at a start never reaches its model."""
    starts = is_context and agent.flavor != "grok"
    return (*agent.events, "SessionStart") if starts else agent.events


def _places(config: Config) -> MemoryPlaces:
    return MemoryPlaces(config.store.absolute())


def uninstall_hook(config: Config, flavor: str) -> bool:
    """Remove Helix from an agent's hooks; return whether it was among them."""
    agent = _agent(flavor)
    path = _path(config, agent)
    events = _events(agent, has_context(config, flavor))
    is_removed = install.uninstall(path, events, agent.timeout)
    _set_context(config, flavor, False)
    if is_removed and flavor == "grok" and not path.exists():
        with contextlib.suppress(OSError):
            path.parent.rmdir()  # left alone where anything else is in it
    return is_removed


def forecast(config: Config, flavor: str, *, flushes: bool = True) -> list[str]:
    """Say what an agent's hook will do, in sentences."""
    agent = _agent(flavor)
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
    return _agent(flavor).advice


def hook_statuses(config: Config, flavor: str | None = None) -> list[HookStatus]:
    """Return the state of an agent's hooks, or of all; test each that is installed."""
    here = [one for one in AGENTS.values() if one.flavor in _USUAL or _is_here(config, one)]
    agents = here if flavor is None else [_agent(flavor)]
    waiting = [line.flavor for line in Spool(MemoryPlaces(config.store).spool).read()]
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


def _agent(flavor: str) -> Agent:
    if flavor not in AGENTS:
        raise UsageError(
            f"There is no agent {flavor!r} whose hooks could be used.",
            f"Choose one of {', '.join(AGENTS)}.",
        )
    return AGENTS[flavor]


def _path(config: Config, agent: Agent) -> Path:
    """Return the file of an agent's hooks."""
    return agent.path(_root(config, agent))


def _is_here(config: Config, agent: Agent) -> bool:
    source = config.sources.get(agent.flavor)
    return source is not None and any(root.is_dir() for root in source.roots)


def _root(config: Config, agent: Agent) -> Path:
    """Return the first of an agent's roots that exists."""
    source = config.sources.get(agent.flavor)
    if source is None:
        raise UsageError(f"The bundled sample has no sessions of {agent.flavor}.", "Name a store.")
    roots = source.roots
    return next((root for root in roots if root.is_dir()), roots[0])


def _command(config: Config, flavor: str, is_context: bool, *, flushes: bool) -> str:
    """Return the command for this store, with the flush that it starts, if it does."""
    store = _store(config)
    flush: list[str] = []
    if flushes:
        flush = helix_command("flush", "--spooled", config=config.file, store=store)
    return hook_command(store, flavor, flush, has_context=is_context and flavor in CONTEXT_BY_HOOK)


def _store(config: Config) -> Path:
    return Path(os.path.abspath(config.store))  # noqa: PTH100 - a link in it is meant


def _status(config: Config, agent: Agent, waiting: int) -> HookStatus:
    path = _path(config, agent)
    try:
        entries = install.entries_in(path)
    except HelixError as error:
        notes = [error.what]
        return HookStatus(
            agent.flavor, False, False, str(path), [], waiting, False, notes, error.todo
        )
    setting = switched_off(agent.flavor, _root(config, agent)) if entries else ""
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
        any(map(_flushes, entries)),
    )


def _flushes(entry: HookEntry) -> bool:
    return " --flush " in entry.command


def _context_notes(config: Config, flavor: str, commands: list[str]) -> list[str]:
    """What is kept ready, and whether a session would get it."""
    places = _places(config)
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
        is_context = any(command_has_context(entry.command) for entry in entries)
        # Without a flush it is as a person chose to install it.
        is_flushing = config.memory.flush_on_hook and any(map(_flushes, entries))
        command = _command(config, agent.flavor, is_context, flushes=is_flushing)
        guard = guard_command(_store(config), agent.flavor) if has_guard else ""
    except UsageError:
        return False  # no command is possible for this store, so the installed one is another's
    return {(entry.event, entry.command) for entry in entries} == set(
        wanted_entries(command, _events(agent, is_context), guard)
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
        return bool(install.entries_in(_path(config, AGENTS["claude"])))
    except HelixError:
        return False  # reported with the status of Claude Code's own hook
