"""`helix approve`, `reject`, `discuss`, `snooze`, `merge`, `split`, `undo`: one verdict each."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from helix_tui.cli.options import (
    CandidateArgument,
    ConfigOption,
    JsonOption,
    NoteOption,
    StoreOption,
    TeamOption,
    VerboseOption,
    YesOption,
    load_engine,
    named,
)
from helix_tui.cli.output import print_json, print_table
from helix_tui.cli.review.confirm_log_words import looked_at
from helix_tui.errors import ExitCode
from helix_tui.text.safe import safe_line

if TYPE_CHECKING:
    from helix_tui.engine.facade import Engine
    from helix_tui.schema.board import Outcome, PatternOutcome
    from helix_tui.schema.review import JournalLine

_LISTED = 10


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(
        "approve",
        help="Make a candidate a pattern of the catalog.\n\n"
        "What would bring words of a log along is shown, and asked about; without a terminal "
        "that ends with 3, unless --yes says that somebody has read them.",
    )(_approve)
    app.command(
        "reject",
        help="Decide that a candidate is not worth teaching.\n\n"
        "`helix status --verdicts` counts the reasons.",
    )(_reject)
    app.command("discuss", help="Add a note to a candidate and keep it open.")(_of_one("discuss"))
    app.command("snooze", help="Put a candidate off until a day, or until there is more.")(_snooze)
    app.command(
        "merge",
        help="Count candidates as one: the first is kept.\n\n"
        "All that they will show counts, too; `helix split` takes them apart again.",
    )(_merge)
    app.command("split", help="Take merged candidates apart again.")(_of_one("split"))
    app.command(
        "undo",
        help="Take back the last verdict, or a named one.\n\n"
        "The files that it wrote go with it, or are as before. Nothing left to take back: "
        "exit code 1.",
    )(_undo)


def _approve(
    context: typer.Context,
    candidate: CandidateArgument,
    note: NoteOption = "",
    is_new: Annotated[
        bool, typer.Option("--new", help="A pattern of its own, also where one resembles it.")
    ] = False,
    into: Annotated[
        str,
        typer.Option(
            "--into", metavar="PATTERN", parser=named, help="Add its evidence to this pattern."
        ),
    ] = "",
    guidance: Annotated[
        str,
        typer.Option(
            "--guidance", metavar="TEXT", parser=named, help="What to do about it, in your words."
        ),
    ] = "",
    is_sure: YesOption = False,
    is_team: TeamOption = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    if is_new and into:
        raise typer.BadParameter("--new makes a pattern, --into takes one that is there")
    engine = load_engine(context, config, store, verbose, is_team=is_team)
    verdicts = engine.verdicts
    outcome = looked_at(
        is_sure,
        lambda look: verdicts.approve(
            candidate, note=note, is_new=is_new, into=into, guidance=guidance, look=look
        ),
    )
    _tell(engine, "approve", outcome, as_json)


def _reject(
    context: typer.Context,
    candidate: CandidateArgument,
    reason: Annotated[
        str,
        typer.Option(
            "--reason",
            parser=named,
            help="too-generic, wrong-guidance, one-off, noise, or words of your own.",
        ),
    ] = "",
    note: NoteOption = "",
    is_team: TeamOption = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    from helix_tui.curate.journal.reasons import reason_of

    kind, words = reason_of(reason) if reason else ("", "")
    engine = load_engine(context, config, store, verbose, is_team=is_team)
    verdicts = engine.verdicts
    noted = "; ".join(filter(None, (words, note)))
    _tell(engine, "reject", verdicts.reject(candidate, note=noted, reason=kind), as_json)


def _of_one(name: Literal["discuss", "split"]) -> Callable[..., None]:
    """A command that gives one candidate a verdict, with a note and nothing else."""

    def command(
        context: typer.Context,
        candidate: CandidateArgument,
        note: NoteOption = "",
        is_team: TeamOption = False,
        as_json: JsonOption = False,
        config: ConfigOption = None,
        store: StoreOption = None,
        verbose: VerboseOption = False,
    ) -> None:
        engine = load_engine(context, config, store, verbose, is_team=is_team)
        verdicts = engine.verdicts
        give = {"discuss": verdicts.discuss, "split": verdicts.split}
        _tell(engine, name, give[name](candidate, note=note), as_json)

    return command


def _snooze(
    context: typer.Context,
    candidate: CandidateArgument,
    until: Annotated[
        str,
        typer.Option(
            "--until",
            parser=named,
            help="A day (2026-12-01, 2w), sessions in all (12) or more (+3), or `flavor`.",
        ),
    ],
    note: NoteOption = "",
    is_team: TeamOption = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    engine = load_engine(context, config, store, verbose, is_team=is_team)
    verdicts = engine.verdicts
    _tell(engine, "snooze", verdicts.snooze(candidate, until, note=note), as_json)


def _merge(
    context: typer.Context,
    candidates: Annotated[
        list[str],
        typer.Argument(metavar="ID ID…", parser=named, help="The one to keep, then the others."),
    ],
    note: NoteOption = "",
    is_sure: YesOption = False,
    is_team: TeamOption = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    engine = load_engine(context, config, store, verbose, is_team=is_team)
    verdicts = engine.verdicts
    outcome = looked_at(
        is_sure,
        lambda look: verdicts.merge(candidates[0], candidates[1:], note=note, look=look),
    )
    _tell(engine, "merge", outcome, as_json)


def _undo(
    context: typer.Context,
    verdict: Annotated[
        str,
        typer.Argument(metavar="[VERDICT]", parser=named, help="A verdict's id, as --list has it."),
    ] = "",
    is_list: Annotated[
        bool, typer.Option("--list", help="Show the last verdicts instead, newest first.")
    ] = False,
    is_team: TeamOption = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    engine = load_engine(context, config, store, verbose, is_team=is_team)
    verdicts = engine.verdicts
    if is_list:
        _list(verdicts.undoable(_LISTED), as_json)
        return
    outcome = verdicts.undo(verdict)
    if outcome is None:
        print("helix: there is no verdict left to take back.", file=sys.stderr)
        raise typer.Exit(ExitCode.PROBLEMS)
    _tell(engine, "undo", outcome, as_json)


def _list(lines: list[JournalLine], as_json: bool) -> None:
    if as_json:
        print_json("undo", {"verdicts": [_line_json(line) for line in lines]})
        return
    print_table(
        (("at", "left"), ("verdict", "left"), ("candidate", "flex"), ("id", "left")),
        [(line.at[:16], line.action, line.candidate, line.id[:8]) for line in lines],
    )


def _tell(engine: Engine, command: str, outcome: Outcome, as_json: bool) -> None:
    for notice in (*outcome.notices, *engine.prepare_recall()):
        print(f"helix: {safe_line(notice)}", file=sys.stderr)
    if as_json:
        print_json(
            command,
            {
                "verdict": _line_json(outcome.line) if outcome.line else None,
                "patterns": [pattern_json(pattern) for pattern in outcome.patterns],
                "notices": outcome.notices,
            },
        )
        return
    print(_said(outcome))
    for pattern in outcome.patterns:
        print(f"  {pattern.action}: {safe_line(pattern.path)} ({pattern.pattern.version})")


def _said(outcome: Outcome) -> str:
    """What was done, in one line."""
    line = outcome.line
    if line is None:
        return "Unchanged: it stands so already."
    verb = {
        "approve": "Approved",
        "reject": "Rejected",
        "discuss": "Under discussion:",
        "snooze": "Snoozed",
        "merge": f"Merged {', '.join(line.others)} into",
        "split": f"Split {', '.join(line.others)} from",
        "undo": "Taken back: the verdict on",
    }[line.action]
    return f"{verb} {line.candidate}."


def _line_json(line: JournalLine) -> dict[str, Any]:
    return {
        "id": line.id,
        "at": line.at,
        "author": line.author,
        "action": line.action,
        "candidate": line.candidate,
        "others": line.others,
        "note": line.note,
        "reason": line.reason or None,
        "undoes": line.undoes or None,
    }


def pattern_json(written: PatternOutcome) -> dict[str, Any]:
    """What became of a pattern, as scripts see it."""
    return {
        "id": written.pattern.id,
        "version": written.pattern.version,
        "status": written.pattern.status,
        "distribution_ready": written.pattern.distribution_ready,
        "path": written.path,
        "title": written.title,
        "action": written.action,
        "candidates": written.candidates,
    }
