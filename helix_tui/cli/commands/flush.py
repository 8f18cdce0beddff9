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
    SinceOption,
    StoreOption,
    VerboseOption,
    load_engine,
    parse_since,
)
from helix_tui.cli.output import print_json
from helix_tui.errors import ExitCode
from helix_tui.text.human import plural
from helix_tui.text.safe import safe_line

if TYPE_CHECKING:
    from helix_tui.engine import Engine
    from helix_tui.schema.memory import Compiled, Flushed

_SAID = {
    "written": "written to",
    "noop": "nothing worth keeping, noted in",
    "nothing_new": "nothing new since it was last flushed",
    "busy": "not now:",
    "failed": "failed, kept and tried again later:",
    "capped": "kept for tomorrow:",
    "fell_back": "written without the model to",
}


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(
        "flush",
        help="Bring what is new of a session into the daily log.\n\n"
        "With --spooled it sweeps, then flushes all that hooks asked for. --since and --all flush "
        "what was before, the oldest first; run again, they go on where they were stopped. What "
        "fails is kept and tried again; the exit code is 1 then.",
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
    since: SinceOption = None,
    is_all: Annotated[
        bool, typer.Option("--all", help="All sessions that ever were and run no more.")
    ] = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    if sum((session is not None, is_spooled, since is not None, is_all)) != 1:
        raise typer.BadParameter("name a session, or say --spooled, --since or --all")
    engine = load_engine(context, config, store, verbose)
    if session is not None:
        flushed = [engine.flush(session)]
    elif since is not None or is_all:
        _flush_many(engine, parse_since(since) if since else None, as_json)
        return
    else:
        with stop_on_signal() as stop:
            flushed = engine.flush_spooled(stop.is_asked)
        stop.exit_if_asked()
    if as_json:
        print_json("flush", {"flushed": [_as_json(flush) for flush in flushed]})
    else:
        _print(flushed)
    if any(flush.action == "failed" for flush in flushed):
        raise typer.Exit(ExitCode.PROBLEMS)


def _flush_many(engine: Engine, since_ts: int | None, as_json: bool) -> None:
    """Flush what was before, telling each outcome that wrote something as it comes."""
    from helix_tui.memory.remembered import remembered_of

    flushed: list[Flushed] = []
    with stop_on_signal() as stop:
        total, outcomes = engine.flush_since(since_ts, stop.is_asked)
        for flush in outcomes:
            flushed.append(flush)
            if not as_json and flush.action != "nothing_new":
                _print_one(flush, f"[{len(flushed):,}/{total:,}] ")
            elif sys.stderr.isatty():
                print(f"\r{len(flushed):,}/{total:,}", end="", file=sys.stderr, flush=True)
    is_out = bool(flushed) and flushed[-1].is_model_out
    if as_json:
        fields = {"flushed": [_as_json(flush) for flush in flushed], "sessions": total}
        print_json("flush", fields)
    else:
        print(safe_line(f"remembered: {remembered_of(flushed)}"))
        if is_out:
            print("The model cannot be asked any more; run it again when it can, and it goes on.")
    stop.exit_if_asked()
    if is_out or any(flush.action == "failed" for flush in flushed):
        raise typer.Exit(ExitCode.PROBLEMS)


def _as_json(flush: Flushed) -> dict[str, object]:
    return {
        "session": flush.session,
        "action": flush.action,
        "daily": flush.daily,
        "reason": flush.reason or None,
        "by": flush.by,
        "tokens": flush.tokens,
    }


def _print(flushed: list[Flushed]) -> None:
    if not flushed:
        print("Nothing is waiting to be flushed.")
    for flush in flushed:
        _print_one(flush)


def _print_one(flush: Flushed, before: str = "") -> None:
    rest = flush.daily or flush.reason
    if flush.action == "fell_back":
        rest = f"{flush.daily}: {flush.reason}"
    took = f" ({flush.tokens:,} tokens)" if flush.tokens else ""
    line = f"{before}{flush.session}: {_SAID[flush.action]} {rest}".rstrip() + took
    out = sys.stderr if flush.action == "failed" else sys.stdout
    print(safe_line(line), file=out, flush=True)


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
    compiled = load_engine(context, config, store, verbose).memory.compile(is_now=is_now)
    if as_json:
        print_json("compile", _compiled_json(compiled))
    else:
        _print_compiled(compiled)


def _compiled_json(compiled: Compiled) -> dict[str, object]:
    from helix_tui.text.times import iso

    return {
        "compiled": compiled.days,
        "waiting": [{"day": log.day, "due_at": iso(log.due_at)} for log in compiled.waiting],
        "articles": [
            {
                "title": article.title,
                "path": article.path,
                "lines": article.lines,
                "action": article.action,
                "by": article.by,
                "reason": article.reason or None,
            }
            for article in compiled.articles
        ],
    }


def _print_compiled(compiled: Compiled) -> None:
    if not compiled.days and not compiled.waiting:
        print("Nothing changed since the daily logs were last compiled.")
    if compiled.days:
        print(f"Compiled {plural(len(compiled.days), 'daily log')}: {', '.join(compiled.days)}.")
    for article in compiled.articles:
        if article.action != "unchanged":
            print(safe_line(f"{article.action} {article.path}: {plural(article.lines, 'line')}"))
    if reason := next((article.reason for article in compiled.articles if article.reason), ""):
        print(safe_line(f"Lines were compared without the model: {reason}"))
    for log in compiled.waiting:
        due = datetime.fromtimestamp(log.due_at / 1000).astimezone()
        print(f"{log.day} changed and is compiled again from {due:%H:%M} on; --now does not wait.")
