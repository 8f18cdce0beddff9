"""`helix show`: one session, and with --events its transcript."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from helix_tui.cli.commands.digest_json import digest_json
from helix_tui.cli.commands.sessions import session_json
from helix_tui.cli.commands.show_digest import print_digest
from helix_tui.cli.options import (
    ConfigOption,
    JsonOption,
    SessionArgument,
    StoreOption,
    VerboseOption,
    load_engine,
)
from helix_tui.cli.output import console, print_json, print_json_stream
from helix_tui.text.human import plural
from helix_tui.text.safe import safe, safe_line
from helix_tui.text.times import iso

if TYPE_CHECKING:
    from helix_tui.engine.context.session_exposure import SessionExposure
    from helix_tui.engine.transcripts.recall import Recalled
    from helix_tui.schema import Session, SessionEvent

_TEXT_LINES = 12
_TEXT_WIDTH = 2000
_WRAP = (1 << 64) - 1
_STYLES = {"prompt": "bold cyan", "reply": "green", "tool_call": "yellow", "compaction": "magenta"}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "show",
        help="Show one session, or its whole transcript.\n\n"
        "Where the stored copy was evicted, the transcript is read from the agent's own log, "
        "and it is said what is missing.",
    )(_show)


def _show(
    context: typer.Context,
    session: SessionArgument,
    events: Annotated[bool, typer.Option("--events", help="With its transcript.")] = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    engine = load_engine(context, config, store, verbose)
    listed = engine.session(session)
    recalled, items = None, None
    if events:
        listed, recalled, items = engine.transcript(listed)
    digest = engine.digest(listed)
    exposure = engine.exposure(listed)
    if as_json:
        fields: dict[str, Any] = {
            "session": session_json(engine, listed),
            "digest": digest_json(listed, digest),
            "exposure": _exposure_json(exposure),
        }
        if recalled is not None and items is not None:
            fields["events_from"] = _source(listed, recalled)
            fields["events_missing"] = recalled.missing
            print_json_stream("show", fields, "events", map(_event_json, items))
        else:
            print_json("show", fields)
        return
    print_digest(listed, digest, engine.domain_of(listed.repo), exposure)
    if recalled is not None and items is not None:
        _print_source(listed, recalled)
        _print_events(items)


def _exposure_json(exposure: SessionExposure) -> dict[str, Any]:
    """The records of instructions, and what the session saw of lines about what happened in it."""
    return {
        "records": [
            {
                "source": record.source,
                "ts": iso(record.ts),
                "hash": f"{record.hash & _WRAP:016x}" if record.hash else None,
                "cut": record.cut,
            }
            for record in exposure.records
        ],
        "lines": [
            {
                "candidate": seen.candidate,
                "file": seen.line.file,
                "line": seen.line.line,
                "text": seen.line.text,
                "exposure": seen.exposure.state,
                "proof": seen.exposure.proof,
            }
            for seen in exposure.lines
        ],
    }


def _source(session: Session, recalled: Recalled) -> str:
    """Where a transcript comes from."""
    if session.raw == "full":
        return "store"
    if not recalled.events:
        return "store" if session.raw == "partial" else "nowhere"
    return "log" if session.raw == "evicted" else "store and log"


def _print_source(session: Session, recalled: Recalled) -> None:
    if session.raw == "full":
        return
    sources = {
        "log": "The stored copy was evicted; this is read from the agent's own log.",
        "store and log": "Part of the stored copy was evicted; that part is read from the agent's "
        "own log.",
        "store": "Part of the stored copy was evicted, and the agent's own log is gone.",
        "nowhere": "The stored copy was evicted, and the agent's own log is gone.",
    }
    missing = f" {plural(recalled.missing, 'event')} cannot be shown." if recalled.missing else ""
    print(f"\n{sources[_source(session, recalled)]}{missing}")


def _event_json(event: SessionEvent) -> dict[str, Any]:
    import msgspec  # `helix --help` must not load it

    return {**msgspec.structs.asdict(event), "ts": iso(event.ts)}


def _print_events(events: Iterator[SessionEvent]) -> None:
    from rich.padding import Padding
    from rich.text import Text

    screen = console()
    for event in events:
        tool = safe_line(event.tool) if event.tool else ""
        failed = ""
        if event.is_error:
            failed = " failed" if event.exit_code is None else f" failed with {event.exit_code}"
        moment = (iso(event.ts) or "-")[:19].replace("T", " ")
        head = f"\n{moment}  {event.kind} {tool}{failed}"
        text = _bounded(_words(event))
        if screen.is_terminal:
            style = "red" if event.is_error else _STYLES.get(event.kind, "dim")
            screen.print(Text(head, style=style))
            screen.print(Padding(Text(text), (0, 0, 0, 2)))
        else:
            # Another program gets lines as they are, neither wrapped nor filled up; to have Rich
            # lay out a million of them would take half an hour.
            body = "".join(f"  {line}\n" for line in text.split("\n"))
            sys.stdout.write(f"{head}\n{body}")


def _bounded(text: str) -> str:
    """The beginning of a long text, with what is left out said."""
    lines = safe(text[: _TEXT_LINES * _TEXT_WIDTH]).split("\n")
    cut_lines = [_cut(line) for line in lines[:_TEXT_LINES]]
    left_out = text.count("\n") + 1 - len(cut_lines)
    if left_out > 0:
        cut_lines.append(f"… {left_out:,} more lines; --json has them all")
    return "\n".join(cut_lines)


def _cut(line: str) -> str:
    left_out = len(line) - _TEXT_WIDTH
    if left_out <= 0:
        return line
    return f"{line[:_TEXT_WIDTH]}… {left_out:,} more characters; --json has them all"


def _words(event: SessionEvent) -> str:
    """What an event says: a shell call its command, everything else its text."""
    if event.kind != "tool_call" or event.tool_class != "shell":
        return event.text
    from helix_tui.digest.actions import command_of

    command = command_of(event.text)
    return event.text if command is None else f"$ {command}"
