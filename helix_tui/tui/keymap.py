"""Keys that a person set for actions: what of them clashes or names nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from helix_tui.tui.actions import ACTIONS, BY_ID, Action, keys_of, shown_key


def clashes(
    keymap: Mapping[str, tuple[str, ...]], actions: Iterable[Action] = ACTIONS
) -> list[tuple[str, str, str]]:
    """Keys that would do two things on one screen: (key, id, id)."""
    actions = list(actions)
    clashing: list[tuple[str, str, str]] = []
    scopes = {scope for action in actions for scope in action.scope}
    for scope in sorted(scopes):
        owners: dict[str, str] = {}
        for action in actions:
            if not action.is_in(scope):
                continue
            for key in keys_of(action, keymap):
                owner = owners.setdefault(key, action.id)
                if owner != action.id and (key, owner, action.id) not in clashing:
                    clashing.append((key, owner, action.id))
    return clashing


def keymap_mistakes(keymap: Mapping[str, tuple[str, ...]]) -> list[str]:
    """What is wrong with a person's own keys, each with the key of the configuration."""
    mistakes = [
        f"keys.{name}: unknown action; `helix` shows all of them under ?"
        for name in keymap
        if name not in BY_ID
    ]
    known_keymap = {name: keys for name, keys in keymap.items() if name in BY_ID}
    for key, first, second in clashes(known_keymap):
        named = second if second in known_keymap else first
        rival = first if named == second else second
        mistakes.append(f"keys.{named}: {shown_key(key)} is the key of {rival}")
    return mistakes
