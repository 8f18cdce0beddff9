"""What screens are built on: classes that know the app, its jobs and its keys, but no screen.

`screen.py` has `HelixScreen`, the base of all: top line, footer, keys by the registry, the running
sweep. `list_screen.py` has `ListScreen` and `PageListScreen` for a list over a page: filter,
order, cursor, title, the page on the whole screen. `transcript_view.py` shows a session's events,
for the transcript and evidence screens. `verdict_keys.py` has the keys that decide on a
candidate, `verdicts_and_undo.py` sends verdicts to the journal in order and takes them back,
`verdict_prompts.py` words what verdicts ask for, and threads of notes. `dialogs.py` asks questions
that y or n answers, `pinning.py` keeps the raw bytes of a session.

Screens subclass these; nothing here imports a screen, which `screens.py` finds by name.
"""
