"""`helix search`: sessions by what was asked, said, run and failed in them, the best first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from helix_tui.cli.options import (
    ConfigOption,
    FlavorOption,
    JsonOption,
    OutcomeOption,
    RepoOption,
    SinceOption,
    StoreOption,
    TeamOption,
    UntilOption,
    VerboseOption,
    load_config,
    load_engine,
    parse_since,
    parse_until,
    tell_unknown,
)
from helix_tui.cli.output import console, print_json, print_table
from helix_tui.errors import UsageError
from helix_tui.text.human import plural
from helix_tui.text.safe import safe_line
from helix_tui.text.times import iso

if TYPE_CHECKING:
    from helix_tui.config import Config
    from helix_tui.engine.facade import Engine
    from helix_tui.schema import SearchHit, SearchResult, Snippet

_DEFAULT_HITS = 20
_SHOWN_SNIPPETS = 2
_KIND_WIDTH = 9


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "search",
        cls=_SearchCommand,
        help="Find sessions by prompts, replies, commands and errors.\n\n"
        'The best first, with the places. Words are all wanted; `"a phrase"`, `-without`, '
        "`begin*`; every other sign is text. Found is what stays when raw bytes are evicted, "
        "with secrets taken out.",
        context_settings={"ignore_unknown_options": True},
    )(_search)


class _SearchCommand(TyperCommand):
    """A command that reads `-word` as an excluded word, and unknown options as words."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put such words behind the options: their letters may be options themselves."""
        before_dashes = args[: args.index("--")] if "--" in args else args
        words = [word for word in before_dashes if len(word) > 2 and word[0] == "-" != word[1]]
        options = [word for word in before_dashes if word not in words]
        return super().parse_args(ctx, [*options, "--", *words, *args[len(before_dashes) + 1 :]])


def _search(
    context: typer.Context,
    query: Annotated[
        list[str],
        typer.Argument(metavar="QUERY", help='Words, "a phrase", -without, begin*.'),
    ],
    flavor: FlavorOption = None,
    repo: RepoOption = None,
    outcome: OutcomeOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    limit: Annotated[int, typer.Option(min=1, help="At most so many sessions.")] = _DEFAULT_HITS,
    is_memory: Annotated[
        bool,
        typer.Option("--memory", help="Look in entries, articles and notes, not in sessions."),
    ] = False,
    is_team: TeamOption = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    from helix_tui.schema import SessionFilter

    text = " ".join(query)
    if is_team:
        if flavor or repo or outcome or since or until or is_memory:
            raise UsageError(
                "A team's sessions are searched by words alone.", "Leave the rest out."
            )
        _search_team(load_config(context, config, store, verbose), text, limit, as_json)
        return
    engine = load_engine(context, config, store, verbose)
    tell_unknown(engine, flavor, repo)
    if is_memory:
        if flavor or outcome or until:
            raise typer.BadParameter("--memory goes with --repo, --since and --limit alone")
        _search_memory(engine, text, repo, since, limit, as_json)
        return
    session_filter = SessionFilter(
        flavor,
        repo,
        parse_since(since) if since else None,
        outcome,
        until_ts=parse_until(until) if until else None,
    )
    result = engine.search(text, session_filter, limit)
    if as_json:
        print_json("search", _as_json(text, result))
    else:
        _print(result)


def _search_memory(
    engine: Engine, text: str, repo: str | None, since: str | None, limit: int, as_json: bool
) -> None:
    since_day = (iso(parse_since(since)) or "")[:10] if since else ""
    hits, total, troubles = engine.search_memory(text, repo, since_day, limit)
    if as_json:
        rows = [{**hit._asdict(), "snippet": _snippet_json(hit.snippet)} for hit in hits]
        print_json("search", {"query": text, "memory": rows, "total": total, "troubles": troubles})
        return
    from rich.padding import Padding
    from rich.text import Text

    screen = console()
    for hit in hits:
        where = f" in {safe_line(hit.repo, 40)}" if hit.repo else ""
        moment = hit.at[:16].replace("T", " ")
        screen.print(Text(f"{moment}  {hit.kind}{where}, {safe_line(hit.source)}", style="bold"))
        line = Text(safe_line(hit.snippet.text))
        for start, end in hit.snippet.marks:
            line.stylize("bold yellow", start, end)
        screen.print(Padding(line, (0, 0, 0, 2), expand=False))
    if not hits:
        print("Nothing found in memory. `helix search` without --memory looks in all sessions.")
    elif len(hits) < total:
        print(f"{len(hits):,} of {plural(total, 'place')}; --limit shows more.")
    for trouble in troubles:
        print(safe_line(trouble))


def _as_json(text: str, result: SearchResult) -> dict[str, Any]:
    return {
        "query": text,
        "hits": [_hit_json(hit) for hit in result.hits],
        "total": result.total,
        "pending": result.pending,
    }


def _hit_json(hit: SearchHit) -> dict[str, Any]:
    best = hit.snippets[0] if hit.snippets else None
    return {
        "session": hit.session,
        "title": hit.title or None,
        "flavor": hit.flavor,
        "repo": hit.repo,
        "outcome": hit.outcome,
        "started_at": iso(hit.first_ts),
        "ended_at": iso(hit.last_ts),
        "score": hit.score,
        "matches": hit.matches,
        "kind": best.kind if best else None,
        "ts": iso(best.ts) if best else None,
        "snippet": best.text if best else "",
        "snippets": [_snippet_json(snippet) for snippet in hit.snippets],
    }


def _snippet_json(snippet: Snippet) -> dict[str, Any]:
    return {
        "kind": snippet.kind,
        "ts": iso(snippet.ts),
        "text": snippet.text,
        "marks": [list(mark) for mark in snippet.marks],
    }


def _print(result: SearchResult) -> None:
    from rich.padding import Padding
    from rich.text import Text

    screen = console()
    for hit in result.hits:
        moment = (iso(hit.last_ts) or "-")[:16].replace("T", " ")
        head = Text(f"{moment}  {safe_line(hit.session)}", no_wrap=True, overflow="ellipsis")
        head.stylize("bold", len(moment))
        screen.print(head)
        if hit.title:
            screen.print(Text(f"  {safe_line(hit.title)}", no_wrap=True, overflow="ellipsis"))
        for snippet in hit.snippets[:_SHOWN_SNIPPETS]:
            # One sign for each, so that the marks stay where they are.
            line = Text(f"{snippet.kind:<{_KIND_WIDTH}}{safe_line(snippet.text)}")
            for start, end in snippet.marks:
                line.stylize("bold yellow", _KIND_WIDTH + start, _KIND_WIDTH + end)
            screen.print(Padding(line, (0, 0, 0, 2), expand=False))
        more = f"{plural(hit.matches, 'match', 'matches')}, {hit.outcome}"
        where = f", {safe_line(hit.repo, 40)}" if hit.repo else ""
        screen.print(Text(f"  {more}{where}\n", style="dim"))
    if not result.hits:
        print("Nothing found.")
    elif len(result.hits) < result.total:
        print(f"{len(result.hits):,} of {plural(result.total, 'session')}; --limit shows more.")
    if result.pending:
        waiting = plural(result.pending, "session is", "sessions are")
        print(f"{waiting} not indexed as they are now; the next sweep goes on with that.")


def _search_team(config: Config, text: str, limit: int, as_json: bool) -> None:
    """Sessions of all members by the words that they share, the newest first."""
    from helix_tui.engine.team.ways import asking
    from helix_tui.team.searching import search_team

    with asking(config) as asker:
        hits = search_team(asker, text, limit)
    if as_json:
        rows = [hit._asdict() | {"last_ts": iso(hit.last_ts)} for hit in hits]
        print_json("search", {"query": text, "team": rows})
        return
    if not hits:
        print("No session of the team has all these words, of those whose words are shared.")
        return
    print_table(
        (
            ("last", "left"),
            ("member", "left"),
            ("repo", "left"),
            ("outcome", "left"),
            ("title", "flex"),
        ),
        [
            (
                (iso(hit.last_ts) or "")[:16],
                safe_line(hit.member),
                safe_line(hit.repo),
                safe_line(hit.outcome),
                safe_line(hit.title),
            )
            for hit in hits
        ],
    )
    print(f"{plural(len(hits), 'session')}; a transcript opens on the machine that it lies on.")
