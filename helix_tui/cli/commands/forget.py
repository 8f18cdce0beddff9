"""`helix forget`: drop everything of a session, keep it out, and say what still quotes it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from helix_tui.cli.options import (
    ConfigOption,
    JsonOption,
    SessionArgument,
    StoreOption,
    VerboseOption,
    load_engine,
)
from helix_tui.cli.output import print_json
from helix_tui.errors import NotFoundError
from helix_tui.text.human import plural
from helix_tui.text.safe import safe_line

if TYPE_CHECKING:
    from helix_tui.engine.catalog.forgetting import Cited, TakenOut
    from helix_tui.engine.facade import Engine

ExcerptsOption = Annotated[
    bool | None,
    typer.Option(
        "--excerpts/--keep-excerpts",
        help="Also take its excerpts out of catalog and journal, or leave them; else it is asked.",
    ),
]
_GIT = (
    "Git still has what was committed before: rewriting its history (`git filter-repo`) is yours "
    "to do, as are copies and backups."
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "forget",
        help="Drop everything of a session, and keep it out.\n\n"
        "Its sub-agents go with it. The agent's own log is not touched. What the catalog and the "
        "journal still quote of it is named, and taken out if you say so.",
    )(_forget)


def _forget(
    context: typer.Context,
    session: SessionArgument,
    excerpts: ExcerptsOption = None,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    engine = load_engine(context, config, store, verbose)
    ids, count = _dropped(engine, session)
    name = safe_line(ids[0])
    if not as_json:
        children = f" and {plural(count - 1, 'sub-agent')} of it" if count > 1 else ""
        message = f"Forgot {name}{children}" if count else f"{name} was forgotten before"
        print(f"{message}; its log is untouched and stays out.")
    cited = engine.where_cited(ids)
    if not as_json:
        _tell(cited)
    is_wanted = excerpts if excerpts is not None else not as_json and _is_agreed(cited)
    removed = engine.take_out(ids) if is_wanted and cited.is_any else None
    if as_json:
        print_json("forget", _as_json(ids[0], count, cited, removed))
    elif removed is not None:
        _tell_taken(removed, cited)
    elif cited.is_any:
        print(f"`helix forget {name} --excerpts` takes them out.")
    for notice in removed.notices if removed else ():
        print(notice, file=sys.stderr)


def _dropped(engine: Engine, name: str) -> tuple[list[str], int]:
    """The ids of a session and its sub-agents, and how many were dropped."""
    try:
        session, count = engine.forget(name)
    except NotFoundError:
        ids = engine.forgotten(name)
        if not ids:
            raise
        return ids, 0
    return engine.forgotten(session.id), count


def _tell(cited: Cited) -> None:
    if not cited.is_any:
        return
    where = [plural(len(cited.pages), "page") + " of the catalog"] if cited.pages else []
    where += [plural(cited.lines, "line") + " of the journal"] if cited.lines else []
    print(f"Its words are still quoted in {' and '.join(where)}.")
    for page in cited.pages:
        before = f"; {', '.join(page.versions)} before" if page.versions else ""
        print(f"  {page.id} {page.version}: {plural(page.excerpts, 'excerpt')}{before}")


def _is_agreed(cited: Cited) -> bool:
    if not cited.is_any or not (sys.stdin and sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    question = "Take these excerpts out? Each page gets a new version, the journal says so. [y/N] "
    try:
        return input(question).strip().lower() in ("y", "yes")
    except EOFError:
        return False


def _tell_taken(removed: TakenOut, cited: Cited) -> None:
    print(
        f"Took its excerpts out of {plural(len(removed.versions), 'page')}, of versions before, "
        f"and of {plural(removed.lines, 'line')} of the journal, which says so."
    )
    for name, version in removed.versions.items():
        print(f"  {name} {version}")
    if cited.is_in_git:
        print(_GIT)


def _as_json(name: str, count: int, cited: Cited, removed: TakenOut | None) -> dict[str, object]:
    return {
        "session": name,
        "dropped": count,
        "cited": [page._asdict() for page in cited.pages],
        "journal_lines": cited.lines,
        "in_git": cited.is_in_git,
        "taken_out": None
        if removed is None
        else {"pages": removed.versions, "lines": removed.lines},
    }
