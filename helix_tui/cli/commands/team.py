"""`helix team`: a store that many machines share, in PostgreSQL."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from helix_tui.cli.configured import configured
from helix_tui.cli.interrupts import stop_on_signal
from helix_tui.cli.options import (
    JsonOption,
    OriginOption,
    RepoOption,
    named,
)
from helix_tui.cli.output import print_json, print_json_stream
from helix_tui.errors import ExitCode, UsageError
from helix_tui.text.human import human_bytes, plural
from helix_tui.text.safe import safe_line

if TYPE_CHECKING:
    from helix_tui.config import Config
    from helix_tui.engine.team.pushing import Pushed

_SHOWN_HELD = 10

app = typer.Typer(
    help="Share what recurs with a team, never a transcript.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

AddressArgument = Annotated[
    str,
    typer.Argument(
        metavar="URL", parser=named, help="postgresql://you@host/name, without a password."
    ),
]


@app.command(
    "join",
    help="Make this data folder one of a team's.\n\n"
    "Its origin is random and says nothing about the machine. The secret comes from "
    "$HELIX_TEAM_SECRET, a file of mode 0600 or the keyring, never from the command line. "
    "Nothing leaves before [team] repos names a repository.",
)
@configured
def join(
    config: Config,
    address: AddressArgument,
    origin: OriginOption = "",
    as_json: JsonOption = False,
) -> None:
    """Enrol this data folder."""
    from helix_tui.engine.team.joining import join as enrol

    joined = enrol(config, address, origin)
    if as_json:
        print_json("team", {"role": joined.role, "origin": joined.origin, "url": joined.address})
        return
    print(safe_line(f"Joined as {joined.role}; this data folder is {joined.origin}."))
    repos = config.team.repos
    print(
        safe_line(f"Pushed are sessions of {', '.join(repos)}: {config.team.share}.")
        if repos
        else "Nothing leaves yet: [team] repos names the repositories that are shared."
    )
    print("Look first at what would leave: helix team push --preview")


@app.command(
    "push",
    help="Send what changed to the team.\n\n"
    "Only sessions of [team] repos leave; what they hold is redacted once more, and what does not "
    "pass is held back and told. It can be stopped and called again: nothing is sent twice in "
    "effect. --preview prints exactly what would leave, a line of JSON for each session. Without a "
    "network --to writes it to a file, which --from sends from elsewhere.",
)
@configured
def push(
    config: Config,
    is_preview: Annotated[
        bool, typer.Option("--preview", help="Print what would leave, and send nothing.")
    ] = False,
    to_file: Annotated[
        Path | None, typer.Option("--to", metavar="FILE", help="Write all rows to a file.")
    ] = None,
    from_file: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="Send the rows of such a file.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Push, or show what would be pushed."""
    if sum((is_preview, to_file is not None, from_file is not None)) > 1:
        raise UsageError("--preview, --to and --from are three things.", "Say one of them.")
    if is_preview:
        _preview(config)
        return
    with stop_on_signal() as stop:
        done = _pushed(config, to_file, from_file, stop.is_asked)
    stop.exit_if_asked()
    if as_json:
        print_json("team", _pushed_json(done))
    else:
        _tell_pushed(done, to_file)
    if done.problem:
        print(f"helix: {safe_line(done.problem)}", file=sys.stderr)
    elif to_file is None:
        from helix_tui.engine.team.exchange import exchange_behind

        for message in exchange_behind(config):
            print(f"helix: {safe_line(message)}", file=sys.stderr)
    if done.problem or done.held:
        raise typer.Exit(ExitCode.PROBLEMS)


def _pushed(
    config: Config,
    to_file: Path | None,
    from_file: Path | None,
    cancelled: Callable[[], bool],
) -> Pushed:
    if to_file is not None or from_file is not None:
        from helix_tui.engine.team import row_files

        if to_file is not None:
            return row_files.write_rows(config, to_file)
        assert from_file is not None
        return row_files.push_file(config, from_file)
    from helix_tui.engine.team.pushing import push as send

    return send(config, cancelled=cancelled)


def _pushed_json(done: Pushed) -> dict[str, object]:
    return {
        "pushed": done.pushed,
        "held": [one._asdict() for one in done.held],
        "pending": done.pending,
        "bytes": done.size,
        "problem": done.problem,
    }


def _tell_pushed(done: Pushed, to_file: Path | None) -> None:
    verb = f"Wrote to {to_file}:" if to_file else "Pushed:"
    sessions = plural(done.pushed, "session")
    print(safe_line(f"{verb} {sessions}, {human_bytes(done.size)}. {done.pending:,} wait."))
    for one in done.held[:_SHOWN_HELD]:
        print(safe_line(f"  held back: {one.what}: {one.why}"))
    if len(done.held) > _SHOWN_HELD:
        print(f"  and {len(done.held) - _SHOWN_HELD:,} more: `helix team status --json` lists all")


def _preview(config: Config) -> None:
    """Print the rows as they would leave, byte for byte, and on stderr how many bytes that is."""
    from helix_tui.engine.team.row_files import preview

    rows = size = 0
    for data in preview(config):
        sys.stdout.write(data.decode() + "\n")
        rows, size = rows + 1, size + len(data)
    sys.stdout.flush()
    print(
        f"helix: {plural(rows, 'session')} would leave, {size:,} bytes; nothing was sent.",
        file=sys.stderr,
    )


@app.command("status", help="How this data folder stands with its team: sent, waiting, held back.")
@configured
def status(
    config: Config,
    as_json: JsonOption = False,
) -> None:
    """Print the state of the outbox."""
    from helix_tui.engine.team.standing import standing

    found = standing(config)
    if as_json:
        from msgspec import to_builtins

        membership = found.membership
        print_json(
            "team",
            {
                **found._asdict(),
                "membership": membership and to_builtins(membership),
                "held": [one._asdict() for one in found.held],
            },
        )
        return
    if found.membership is None:
        print("This data folder belongs to no team. Join one: helix team join URL")
        return
    member = found.membership
    print(safe_line(f"{member.role} at {member.address}, origin {member.origin}."))
    repos = ", ".join(found.repos) or "none, so that nothing leaves"
    print(safe_line(f"Shared: {found.share} of {repos}."))
    print(
        f"Sessions: {found.sent:,} sent, {found.pending:,} wait, {len(found.held):,} held back, "
        f"{found.forgotten:,} forgotten."
    )
    for one in found.held[:_SHOWN_HELD]:
        print(safe_line(f"  held back: {one.what}: {one.why}"))
    if found.tombstones_waiting:
        print(f"{found.tombstones_waiting:,} to be forgotten, which the team has not heard yet.")
    if found.error:
        print(safe_line(f"Last try: {found.error} Tried again from {found.next_at} on."))
    print(
        "The team's store answers."
        if found.is_reachable
        else safe_line(f"The team's store does not answer: {found.problem}")
    )


@app.command(
    "forget",
    help="Have the team forget a session, a repository, or all that is yours.\n\n"
    "It is gone from the team's store, and stays out whatever is pushed later. What is on this "
    "machine stays; `helix forget` drops a session here, and the next push has the team forget it.",
)
@configured
def forget(
    config: Config,
    session: Annotated[str, typer.Option("--session", parser=named, help="One session.")] = "",
    repo: RepoOption = None,
    me: Annotated[
        bool, typer.Option("--me", help="All sessions of all your machines, and leave the team.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Forget for good."""
    if sum((bool(session), bool(repo), me)) != 1:
        raise UsageError("Say what is to be forgotten.", "--session ID, --repo NAME or --me")
    from helix_tui.engine.team.forgetting import forget as bury

    done = bury(config, session=session, repo=repo or "", is_everything=me)
    if as_json:
        print_json("team", done._asdict())
    elif done.is_told:
        print("The team's store has forgotten it, for good.")
    if not done.is_told:
        print(
            safe_line(
                f"helix: the team has not heard it yet, the next push tells it: {done.problem}"
            ),
            file=sys.stderr,
        )
        raise typer.Exit(ExitCode.PROBLEMS)


@app.command("export", help="Print all that the team's store has of you, a line of JSON a row.")
@configured
def export(
    config: Config,
    as_json: JsonOption = False,
) -> None:
    """Print one's own rows."""
    from helix_tui.engine.team.exporting import export as own

    rows: Iterator[dict[str, object]] = own(config)
    if as_json:
        print_json_stream("team", {}, "rows", rows)
        return
    for row in rows:
        print(json.dumps(row, ensure_ascii=True))
