"""Where each agent keeps its data: the usual folders, and the variables that name others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class AgentHome(NamedTuple):
    """The usual folders of an agent, and what may name another one in their place.

    A variable stands as its name, or as `NAME/below` where it names a folder above. The first that
    is set counts. `files` are variables that name a file beside the data, whose folder is read
    too.
    """

    roots: tuple[str, ...]
    variables: tuple[str, ...]
    files: tuple[str, ...] = ()

    def named(self, environ: Mapping[str, str]) -> tuple[str, str]:
        """The folder that a variable names, and the variable; both empty where none is set."""
        for variable in self.variables:
            name, _, below = variable.partition("/")
            if environ.get(name):
                return (f"{environ[name].rstrip('/')}/{below}" if below else environ[name]), name
        return "", ""

    def beside(self, environ: Mapping[str, str]) -> list[str]:
        """The folders of files that variables name by their whole path."""
        paths = [environ.get(name, "") for name in self.files]
        return [path.rpartition("/")[0] or "/" for path in paths if path.startswith(("/", "~/"))]

    def all_variables(self) -> list[str]:
        """The names of all variables that say where the data is."""
        return [*(variable.partition("/")[0] for variable in self.variables), *self.files]


FLAVORS: dict[str, AgentHome] = {
    "claude": AgentHome(("~/.claude", "~/.config/claude"), ("CLAUDE_CONFIG_DIR",)),
    "codex": AgentHome(("~/.codex",), ("CODEX_HOME",)),
    "grok": AgentHome(("~/.grok",), ("GROK_HOME",)),
    "copilot": AgentHome(("~/.copilot",), ("COPILOT_HOME",)),
    "gemini": AgentHome(("~/.gemini",), ("GEMINI_CLI_HOME/.gemini",)),
    "qwen": AgentHome(("~/.qwen",), ("QWEN_RUNTIME_DIR", "QWEN_HOME")),
    "pi": AgentHome(("~/.pi/agent", "~/.omp/agent", "~/.prime/agent"), ("PI_CODING_AGENT_DIR",)),
    "droid": AgentHome(("~/.factory",), ("FACTORY_DIR",)),
    "opencode": AgentHome(
        ("~/.local/share/opencode",), ("XDG_DATA_HOME/opencode",), ("OPENCODE_DB",)
    ),
    "kilo": AgentHome(("~/.local/share/kilo",), ("XDG_DATA_HOME/kilo",)),
    "cursor": AgentHome(
        (
            "~/.cursor",
            "~/.config/Cursor/User/globalStorage",
            "~/Library/Application Support/Cursor/User/globalStorage",
        ),
        (),
    ),
}
# Those that the bundled sample has sessions of.
SAMPLED = ("claude", "codex", "grok", "opencode", "gemini")
# What people call them.
_NAMES = {
    "claude": "Claude Code",
    "codex": "Codex",
    "grok": "Grok",
    "opencode": "OpenCode",
    "kilo": "Kilo",
    "cursor": "Cursor",
    "copilot": "Copilot",
    "gemini": "Gemini",
    "qwen": "Qwen",
    "pi": "Pi",
    "droid": "Droid",
}


def agent_name(flavor: str) -> str:
    """What people call an agent; a plug-in's by its flavor."""
    return _NAMES.get(flavor, flavor)
