"""The workstation: everything that is drawn on a full screen, and the only code on Textual.

`app.py` builds the screens and tells what happened in toasts. `actions.py` is the one registry of
what a person can do: keys, footer, help, palette and configuration follow it; `keymap.py` checks
the keys that a person set. `ports.py` says what is asked of the engine, `jobs.py` runs that beside
the screen, `messages.py` are the answers that several screens hear. `sweep_process.py` and
`hub_process.py` run a sweep and the hub's sending in processes of their own, `key_priority.py`
lets keys go first, `themes.py` has the colours, `preferences.py` remembers the theme, `palette.py`
lists actions by name.

A folder a screen: `review/`, `evidence/`, `editor/`, `undo/`, `sessions/`, `transcript/`,
`catalog/`, `memory/`, `budget/`, `context/`, `problems/`, `help/`, `jump/`. `screens.py` finds them
by name. They share `base/` and `kit/` and know nothing of one another; callers use `app.HelixApp`
alone.
"""
