"""`helix flush`: what is new of a session to the daily log; `helix compile`: logs to knowledge."""

from __future__ import annotations

import sys
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from helix_tui.cli.interrupts import stop_on_signal
from helix_tui.cli.options import (
    ConfigOption,
    JsonOption,
    OptionalSession,
    StoreOption,
    VerboseOption,
    load_engine,
)
from helix_tui.cli.output import print_json
from helix_tui.errors import ExitCode
from helix_tui.text.human import plural
from helix_tui.text.safe import safe_line

if TYPE_CHECKING:
    from helix_tui.schema.memory import Compiled, Flushed

_SAID = {
    "written": "written to",
    "noop": "nothing worth keeping, noted in",
    "nothing_new": "nothing new since it was last flushed",
    "busy": "not now:",
    "failed": "failed, kept and tried again later:",
    "capped": "kept for tomorrow:",
}


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    app.command(
        "flush",
        help="Bring what is new of a session into the daily log.\n\n"
        "With --spooled it sweeps, then flushes all that hooks asked for. What fails is kept "
        "and tried again; the exit code is 1 then.",
    )(_flush)
    app.command(
        "compile",
        help="Compile daily logs that changed into the knowledge base.\n\n"
        "They become or update articles, each line citing its entries.",
    )(_compile)


def _flush(
    context: typer.Context,
    session: OptionalSession = None,
    is_spooled: Annotated[
        bool,
        typer.Option("--spooled", help="Sweep, then flush all that hooks asked for."),
    ] = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    if (session is None) == (not is_spooled):
        raise typer.BadParameter("name a session, or say --spooled")
    engine = load_engine(context, config, store, verbose)
    if session is not None:
        flushed = [engine.flush(session)]
    else:
        with stop_on_signal() as stop:
            flushed = engine.flush_spooled(stop.is_asked)
        stop.exit_if_asked()
    if as_json:
        print_json("flush", {"flushed": [_as_json(one) for one in flushed]})
    else:
        _print(flushed)
    if any(one.action == "failed" for one in flushed):
        raise typer.Exit(ExitCode.PROBLEMS)


def _as_json(one: Flushed) -> dict[str, object]:
    return {
        "session": one.session,
        "action": one.action,
        "daily": one.daily,
        "reason": one.reason or None,
    }


def _print(flushed: list[Flushed]) -> None:
    if not flushed:
        print("Nothing is waiting to be flushed.")
    for one in flushed:
        rest = one.daily or one.reason
        line = f"{one.session}: {_SAID[one.action]} {rest}".rstrip()
        print(safe_line(line), file=sys.stderr if one.action == "failed" else sys.stdout)


def _compile(
    context: typer.Context,
    is_now: Annotated[
        bool, typer.Option("--now", help="Also logs that were compiled within the interval.")
    ] = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    done = load_engine(context, config, store, verbose).memory.compile(is_now=is_now)
    if as_json:
        print_json("compile", _compiled_json(done))
    else:
        _print_compiled(done)


def _compiled_json(done: Compiled) -> dict[str, object]:
    from helix_tui.text.times import iso

    return {
        "compiled": done.days,
        "waiting": [{"day": one.day, "due_at": iso(one.due_at)} for one in done.waiting],
        "articles": [
            {"title": one.title, "path": one.path, "lines": one.lines, "action": one.action}
            for one in done.articles
        ],
    }


def _print_compiled(done: Compiled) -> None:
    if not done.days and not done.waiting:
        print("Nothing changed since the daily logs were last compiled.")
    if done.days:
        print(f"Compiled {plural(len(done.days), 'daily log')}: {', '.join(done.days)}.")
    for article in done.articles:
        if article.action != "unchanged":
            print(safe_line(f"{article.action} {article.path}: {plural(article.lines, 'line')}"))
    for one in done.waiting:
        due = datetime.fromtimestamp(one.due_at / 1000).astimezone()
        print(f"{one.day} changed and is compiled again from {due:%H:%M} on; --now does not wait.")
