"""The options that several commands share, and the configuration and engine they load."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from helix_tui.cli.completion import (
    complete_candidate,
    complete_flavor,
    complete_pattern,
    complete_repo,
    complete_session,
)
from helix_tui.text.moments import parse_moment

if TYPE_CHECKING:
    from helix_tui.config import Config
    from helix_tui.engine import Engine


def _named_path(text: str) -> Path:
    """A path that is not empty: an unset variable of a script must not mean this folder."""
    if not text:
        raise typer.BadParameter("it is empty")
    return Path(text)


def named(text: str) -> str:
    """A name as the store keeps it; what is not valid Unicode is replaced."""
    from helix_tui.text.valid import valid

    return valid(text)


# So many names are told where one is unknown, those that look like it first.
_NAMED, _NAMED_ALIKE = 8, 3


class OutcomeName(StrEnum):
    """How a session probably went."""

    success = "success"
    partial = "partial"
    failed = "failed"
    abandoned = "abandoned"
    unknown = "unknown"


ConfigOption = Annotated[
    Path | None,
    typer.Option(
        "--config", metavar="PATH", parser=_named_path, help="The configuration file to use."
    ),
]
StoreOption = Annotated[
    Path | None,
    typer.Option("--store", metavar="PATH", parser=_named_path, help="The data folder to use."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
VerboseOption = Annotated[
    bool, typer.Option("-v", "--verbose", help="Say on stderr what is being done.")
]
SessionArgument = Annotated[
    str,
    typer.Argument(
        metavar="SESSION",
        parser=named,
        autocompletion=complete_session,
        help="A session's id, or the beginning of it.",
    ),
]
OptionalSession = Annotated[
    str | None,
    typer.Argument(
        metavar="[SESSION]",
        parser=named,
        autocompletion=complete_session,
        help="A session's id, or the beginning of it.",
    ),
]
CandidateArgument = Annotated[
    str,
    typer.Argument(
        metavar="ID",
        parser=named,
        autocompletion=complete_candidate,
        help="A candidate's id, or the beginning of it.",
    ),
]
NoteOption = Annotated[str, typer.Option("--note", parser=named, help="Why, for the record.")]
PatternArgument = Annotated[
    str,
    typer.Argument(
        metavar="ID",
        parser=named,
        autocompletion=complete_pattern,
        help="A pattern's id, or the beginning of it.",
    ),
]
FlavorOption = Annotated[
    str | None,
    typer.Option(
        "--flavor",
        metavar="TEXT",
        parser=named,
        autocompletion=complete_flavor,
        help="Only this agent's.",
    ),
]
# As in the schema, which `helix --help` must not load.
AgentChoice = Literal[
    "claude",
    "codex",
    "grok",
    "copilot",
    "gemini",
    "qwen",
    "opencode",
    "kilo",
    "pi",
    "droid",
    "cursor",
]
AgentOption = Annotated[
    AgentChoice | None, typer.Option("--agent", help="Only what this agent loads.")
]
RepoOption = Annotated[
    str | None,
    typer.Option(
        "--repo",
        metavar="TEXT",
        parser=named,
        autocompletion=complete_repo,
        help="Only of this repository.",
    ),
]
TeamOption = Annotated[
    bool, typer.Option("--team", help="The team's list instead of this machine's own.")
]
OutcomeOption = Annotated[
    OutcomeName | None, typer.Option("--outcome", help="Only those that probably went so.")
]
SinceOption = Annotated[
    str | None,
    typer.Option("--since", metavar="WHEN", help="Only since a date, or 7d, 12h, monday."),
]
UntilOption = Annotated[
    str | None,
    typer.Option(
        "--until", metavar="WHEN", help="Only until a date or weekday, that day included."
    ),
]
SinceDayOption = Annotated[
    str | None,
    typer.Option("--since", metavar="WHEN", help="Only of the days since a date, 7d, or monday."),
]
UntilDayOption = Annotated[
    str | None,
    typer.Option("--until", metavar="WHEN", help="Only of the days until one, that included."),
]
PushOption = Annotated[
    bool, typer.Option("--push", help="Push to the team behind the sweep, also what is not due.")
]
OriginOption = Annotated[
    str,
    typer.Option(
        "--origin",
        metavar="ci:NAME",
        parser=named,
        help="Push as this origin, from a store that is thrown away.",
    ),
]
YesOption = Annotated[
    bool,
    typer.Option("--yes", help="You have read the words of a log that it brings along, if any."),
]


def parse_since(text: str) -> int:
    """A date, a time, a weekday, or an age such as 7d, 12h or 30m, as a stored time."""
    return parse_moment(text, datetime.now(UTC)).first


def parse_until(text: str) -> int:
    """The same as the last moment that is meant: a day ends when the next begins."""
    return parse_moment(text, datetime.now(UTC)).last


def parse_days(since: str | None, until: str | None) -> tuple[int | None, int | None]:
    """The first and the last day that are meant, counted from 1970 UTC."""
    from helix_tui.schema import day_of

    return (
        day_of(parse_since(since)) if since else None,
        day_of(parse_until(until)) if until else None,
    )


def tell_unknown(engine: Engine, flavor: str | None, repo: str | None) -> None:
    """Say on stderr that no session is of an agent or a repository, and which ones there are."""
    if flavor is None and repo is None:
        return
    from difflib import get_close_matches

    from helix_tui.text.safe import safe_line

    agents, repos = engine.known_names()
    for noun, name, known in (("agent", flavor, agents), ("repository", repo, repos)):
        if name is None or name in known:
            continue
        alike = get_close_matches(name, known, _NAMED_ALIKE)
        rest = [one for one in known if one not in alike]
        shown = [*alike, *rest][:_NAMED]
        more = f" and {len(known) - _NAMED:,} more" if len(known) > _NAMED else ""
        there = f"there are {', '.join(shown)}{more}" if known else "there is none"
        text = safe_line(f"no session is of the {noun} {name}; {there}.")
        print(f"helix: {text}", file=sys.stderr)


def load_config(
    context: typer.Context,
    config: Path | None,
    store: Path | None,
    verbose: bool = False,
    *,
    keeps_log: bool = True,
) -> Config:
    """The configuration in force, and the log that goes with it; a dry run keeps none."""
    from helix_tui.cli.logs import start_log
    from helix_tui.config import load

    outer: dict[str, Any] = context.obj or {}
    loaded = load(config or outer.get("config"), store or outer.get("store"))
    start_log(loaded, verbose or bool(outer.get("verbose")), has_file=keeps_log)
    return loaded


def load_engine(
    context: typer.Context,
    config: Path | None,
    store: Path | None,
    verbose: bool = False,
    *,
    keeps_log: bool = True,
    is_team: bool = False,
) -> Engine:
    """The engine for a command's options, which win over those given before the command."""
    from helix_tui.engine import Engine

    loaded = load_config(context, config, store, verbose, keeps_log=keeps_log)
    if is_team:
        from helix_tui.engine.team.engine import TeamEngine

        return TeamEngine(loaded)
    return Engine(loaded)
