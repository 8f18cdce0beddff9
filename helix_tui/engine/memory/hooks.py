"""Install and remove the hooks of agents, and test which ones work."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from helix_tui.config import Config
from helix_tui.engine.memory import grok_rules
from helix_tui.errors import HelixError, StoreError, UsageError
from helix_tui.files.durable import make_folder, told
from helix_tui.invocation import helix_command
from helix_tui.memory.hooks import install
from helix_tui.memory.hooks.agents import AGENTS, Agent
from helix_tui.memory.hooks.command import CONTEXT_BY_HOOK, hook_command
from helix_tui.memory.hooks.command import has_context as command_has_context
from helix_tui.memory.hooks.entries import HookEntry
from helix_tui.memory.hooks.probe import what_hands_out_nothing, what_is_wrong
from helix_tui.memory.hooks.spool import Spool
from helix_tui.memory.hooks.switches import switched_off
from helix_tui.memory.places import MemoryPlaces
from helix_tui.memory.recall import prepared
from helix_tui.schema import DoctorCheck
from helix_tui.schema.hooks import HookStatus
from helix_tui.text.human import plural


def install_hook(config: Config, flavor: str, is_context: bool | None = None) -> bool:
    """Make an agent report to this store; return whether anything changed.

    `is_context` says whether its sessions begin with what earlier ones taught; None leaves that as
    it is.
    """
    agent = _agent(flavor)
    if is_context is None:
        is_context = has_context(config, flavor)
    command = _command(config, flavor, is_context)
    with told(config.store):
        make_folder(config.store)
    is_changed = install.install(_path(config, agent), command, _events(agent, is_context))
    return _set_context(config, flavor, is_context) or is_changed


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
    is_removed = install.uninstall(path, _events(agent, has_context(config, flavor)))
    _set_context(config, flavor, False)
    if is_removed and flavor == "grok" and not path.exists():
        with contextlib.suppress(OSError):
            path.parent.rmdir()  # left alone where anything else is in it
    return is_removed


def advice_for(flavor: str) -> str:
    """Return what a person has to know once an agent's hook is installed."""
    return _agent(flavor).advice


def hook_statuses(config: Config, flavor: str | None = None) -> list[HookStatus]:
    """Return the state of an agent's hooks, or of all; test each that is installed."""
    agents = AGENTS.values() if flavor is None else [_agent(flavor)]
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
            detail = f"alive for {', '.join(status.events)}; {waits}"
            is_handing = not any(note.startswith("But a session") for note in status.notes)
            if status.has_context:
                detail = f"{detail}. {notes}"
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


def _root(config: Config, agent: Agent) -> Path:
    """Return the first of an agent's roots that exists."""
    roots = config.sources[agent.flavor].roots
    return next((root for root in roots if root.is_dir()), roots[0])


def _command(config: Config, flavor: str, is_context: bool) -> str:
    """Return the command for this store, with the flush that it starts if configured."""
    store = Path(os.path.abspath(config.store))  # noqa: PTH100 - a link in it is meant
    flush: list[str] = []
    if config.memory.flush_on_hook:
        flush = helix_command("flush", "--spooled", config=config.file, store=store)
    return hook_command(store, flavor, flush, has_context=is_context and flavor in CONTEXT_BY_HOOK)


def _status(config: Config, agent: Agent, waiting: int) -> HookStatus:
    path = _path(config, agent)
    try:
        entries = install.entries_in(path)
    except HelixError as error:
        notes = [error.what]
        return HookStatus(
            agent.flavor, False, False, str(path), [], waiting, False, notes, error.todo
        )
    commands = sorted({entry.command for entry in entries})
    wrong = [reason for command in commands if (reason := what_is_wrong(command))]
    is_context = bool(entries) and has_context(config, agent.flavor)
    is_current = not entries or _is_current(config, agent, entries)
    notes = [f"It is dead: {reason}." for reason in wrong]
    if is_context:
        notes += _context_notes(config, agent.flavor, commands)
    todo = f"Run `helix hooks install {agent.flavor}`."
    if not is_current and not wrong:
        notes.append("It is of another Helix, or for another store or setting.")
    setting = switched_off(agent.flavor, _root(config, agent)) if entries else ""
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
        [entry.event for entry in entries],
        waiting,
        is_current,
        notes,
        todo if entries and not (is_alive and is_current) else "",
        is_context,
    )


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
    try:
        is_context = any(command_has_context(entry.command) for entry in entries)
        wanted = _command(config, agent.flavor, is_context)
    except UsageError:
        return False  # no command is possible for this store, so the installed one is another's
    return {(entry.event, entry.command) for entry in entries} == {
        (event, wanted) for event in _events(agent, is_context)
    }


def _is_in_claude(config: Config) -> bool:
    try:
        return bool(install.entries_in(_path(config, AGENTS["claude"])))
    except HelixError:
        return False  # reported with the status of Claude Code's own hook
