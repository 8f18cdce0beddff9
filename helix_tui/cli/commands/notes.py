"""`helix notes`: the notes of running sessions, listed, shown, or brought up to date at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from helix_tui.cli.options import (
    ConfigOption,
    JsonOption,
    OptionalSession,
    StoreOption,
    VerboseOption,
    load_engine,
)
from helix_tui.cli.output import print_json, print_table
from helix_tui.errors import UsageError
from helix_tui.text.safe import safe, safe_line
from helix_tui.text.times import iso

if TYPE_CHECKING:
    from helix_tui.engine import Engine
    from helix_tui.schema.memory import NotesFile, NotesOutcome


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "notes",
        help="List the notes of sessions, show some, or write them now.\n\n"
        "Sweeps keep a notes file current for each session that is running and long enough. "
        "--now writes it at once, whatever the thresholds say, also for a session that is "
        "over.",
    )(_notes)


def _notes(
    context: typer.Context,
    session: OptionalSession = None,
    now: Annotated[
        bool, typer.Option("--now", help="Write them now, whatever the thresholds say.")
    ] = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    engine = load_engine(context, config, store, verbose)
    if session is None:
        if now:
            raise UsageError("--now needs a session.", "`helix notes SESSION --now`.")
        _list(engine, as_json)
    elif now:
        _write(engine, session, as_json)
    else:
        _show(engine, session, as_json)


def _list(engine: Engine, as_json: bool) -> None:
    from helix_tui.engine.memory.notes import list_notes

    notes = list_notes(engine.config)
    if as_json:
        print_json("notes", {"notes": [_file_json(file) for file in notes]})
        return
    if not notes:
        print("There are no notes yet; a sweep writes them for long sessions that are running.")
        return
    print_table(
        (("SESSION", "left"), ("UPDATED", "left"), ("TOKENS", "right"), ("TITLE", "flex")),
        [
            (
                file.session or f"(cannot be read) {file.path}",
                (iso(file.updated_at) or "-")[:16],
                f"{file.context_tokens:,}",
                file.title,
            )
            for file in notes
        ],
    )


def _write(engine: Engine, name: str, as_json: bool) -> None:
    (outcome,) = engine.notes().update([name], is_forced=True)
    if as_json:
        print_json("notes", {"notes": [_outcome_json(outcome)]})
    else:
        print(f"{safe_line(outcome.session)}: {outcome.action} ({safe_line(outcome.reason)})")
        if outcome.action in ("written", "unchanged") and outcome.updated_at is not None:
            print(safe_line(outcome.path))
        if outcome.fell_back:
            print(safe_line(f"Written without the model: {outcome.fell_back}"))


def _show(engine: Engine, name: str, as_json: bool) -> None:
    from helix_tui.engine.memory.notes import read_notes

    session = engine.session(name)
    outcome = engine.notes().expect(session)
    text = read_notes(engine.config, session.id)
    if as_json:
        print_json("notes", {"notes": [{**_outcome_json(outcome), "text": text}]})
    elif text:
        print(safe(text), end="")
    else:
        print(f"{safe_line(session.id)} has no notes yet: {safe_line(outcome.reason)}.")
        print("`--now` writes them at once.")


def _outcome_json(outcome: NotesOutcome) -> dict[str, Any]:
    return {
        "session": outcome.session,
        "path": outcome.path,
        "action": outcome.action,
        "reason": outcome.reason,
        "context_tokens": outcome.context_tokens,
        "updated_at": iso(outcome.updated_at),
        "by": outcome.by,
        "fell_back": outcome.fell_back or None,
        "tokens": outcome.tokens,
    }


def _file_json(file: NotesFile) -> dict[str, Any]:
    return {
        "session": file.session,
        "path": file.path,
        "action": "unchanged",
        "reason": "" if file.session else "its state cannot be read",
        "context_tokens": file.context_tokens,
        "updated_at": iso(file.updated_at),
        "title": file.title,
        "bytes": file.size,
        "kept_sections": file.kept,
    }
