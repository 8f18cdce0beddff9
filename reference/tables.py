"""The pages that are one table: keys and exit codes."""

from __future__ import annotations

from helix_tui.errors import ExitCode
from helix_tui.tui.actions import ACTIONS, EVERYWHERE, Action, shown_key
from reference.markdown import page, table

_KEYS = """
`?` shows what a key does where you are. Every key can be remapped by its action's name under
`[keys]` in config.toml: `"candidate.approve" = "ctrl+a"`, or a list of keys. `helix config check`
tells of a key that would do two things on one screen. An action without a key is in the palette
(`ctrl+p`), like all others.
"""
_EXIT_CODES = """
Every command ends with one of these. Errors go to stderr in plain words: what happened, where,
what to do.
"""


def keys_page() -> str:
    """Every key of the workstation, those of each screen together."""
    parts = [_KEYS]
    scopes = dict.fromkeys(scope for action in ACTIONS for scope in action.scope)
    for scope in [EVERYWHERE, *(scope for scope in scopes if scope != EVERYWHERE)]:
        title = "Everywhere" if scope == EVERYWHERE else f"On {scope}"
        own = [action for action in ACTIONS if scope in action.scope]
        rows = [_action_row(action, scope) for action in own]
        parts.append(f"## {title}\n\n{table(('key', 'action', 'does'), rows)}")
    return page("Keys of the workstation", "the registry of actions", *parts)


def _action_row(action: Action, scope: str) -> tuple[str, str, str]:
    keys = " ".join(f"`{shown_key(key)}`" for key in action.keys) or "palette"
    return keys, f"`{action.id}`", action.help_on(scope)


def exit_codes_page() -> str:
    """Every exit code with its meaning."""
    rows = [(str(int(code)), code.meaning) for code in ExitCode]
    return page("Exit codes", "`ExitCode`", _EXIT_CODES, table(("code", "meaning"), rows))
