"""The effective contexts of a folder of this machine."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from helix_tui.agent_homes import FLAVORS
from helix_tui.context.files import Disk, Files
from helix_tui.context.gather import Asked
from helix_tui.context.opencode import config_home
from helix_tui.context.simulate import effective_context, files_below
from helix_tui.engine.context.below import folders_below
from helix_tui.places import home_of
from helix_tui.schema.context import AGENTS, AgentName, Context, ContextFile, ContextWarning

_VARIABLES = (
    *("CODEX_HOME", "CLAUDE_CONFIG_DIR", "GROK_HOME", "GROK_FOLDER_TRUST"),
    *("GROK_CLAUDE_AGENTS_ENABLED", "GROK_CLAUDE_RULES_ENABLED"),
    *("GROK_CURSOR_AGENTS_ENABLED", "GROK_CURSOR_RULES_ENABLED"),
    *("COPILOT_HOME", "COPILOT_CUSTOM_INSTRUCTIONS_DIRS", "GEMINI_CLI_HOME", "QWEN_HOME"),
    *("XDG_CONFIG_HOME", "OPENCODE_CONFIG_DIR", "OPENCODE_DISABLE_CLAUDE_CODE"),
    *("OPENCODE_DISABLE_CLAUDE_CODE_PROMPT", "OPENCODE_DISABLE_PROJECT_CONFIG"),
    *("PI_CODING_AGENT_DIR", "FACTORY_DIR"),
)


def asked_here(
    agent: AgentName,
    folder: Path,
    version: str = "",
    environ: Mapping[str, str] = os.environ,
) -> Asked:
    """For an agent in a folder, as this machine and its environment are."""
    kept = {name: environ[name] for name in _VARIABLES if environ.get(name)}
    home = str(home_of(environ))
    # Links stay: an agent sees the folder as it was entered.
    return Asked(agent, os.path.normpath(folder.absolute()), home, version, kept, sys.platform)


def contexts_of(
    folder: Path, agents: Sequence[AgentName], version: str = "", files: Files | None = None
) -> list[Context]:
    """What agents load in a folder; the disk is read once for all."""
    view = files or Disk()
    return [effective_context(asked_here(agent, folder, version), view) for agent in agents]


def contexts_with_below(
    folder: Path, agents: Sequence[AgentName], version: str = ""
) -> list[Context]:
    """What agents load in a folder, and behind it what stands further down."""
    view = Disk()
    top = os.path.normpath(folder.absolute())
    below = folders_below(top)
    contexts = []
    for agent in agents:
        asked = asked_here(agent, folder, version)
        context = effective_context(asked, view)
        known = {file.path for file in context.files}
        further = [one for one in files_below(asked, view, below.folders) if one.path not in known]
        warnings = context.warnings
        if not below.is_whole:
            why = "has more below it than is looked at: files further down may be missing here"
            warnings = [*warnings, ContextWarning("large", top, why)]
        files = [*context.files, *further]
        contexts.append(msgspec.structs.replace(context, files=files, warnings=warnings))
    return contexts


def below_here(agent: AgentName, folder: Path) -> list[ContextFile]:
    """The instruction files of folders below one, none of which an agent loads at the start."""
    folders = folders_below(os.path.normpath(folder.absolute())).folders
    return files_below(asked_here(agent, folder), Disk(), folders)


def agents_here(environ: Mapping[str, str] = os.environ) -> list[AgentName]:
    """The agents that somebody uses on this machine, by their homes; three where there are none."""
    homes = agent_homes(environ)
    return [agent for agent in AGENTS if Path(homes[agent]).is_dir()] or list(AGENTS[:3])


def agent_homes(environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The folders of agents' own files."""
    home = str(home_of(environ))
    homes: dict[str, str] = {
        agent: FLAVORS[agent].named(environ)[0] or FLAVORS[agent].roots[0].replace("~", home, 1)
        for agent in AGENTS
    }
    # Its instructions are with its settings, not with its data.
    apart: tuple[AgentName, ...] = ("opencode", "kilo")
    return homes | {one: config_home(Asked(one, "/", home, environ=environ)) for one in apart}
