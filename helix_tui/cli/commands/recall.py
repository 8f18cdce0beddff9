"""`helix recall`: what earlier sessions taught, on one page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from helix_tui.cli.options import (
    ConfigOption,
    JsonOption,
    RepoOption,
    SinceOption,
    StoreOption,
    VerboseOption,
    load_engine,
    parse_since,
    tell_unknown,
)
from helix_tui.cli.output import console, print_json
from helix_tui.text.safe import safe_line

if TYPE_CHECKING:
    from helix_tui.engine.facade import Engine
    from helix_tui.schema.recall import RecallItem, RecallPage

_HEADINGS = {
    "open": "Left open",
    "patterns": "Approved patterns",
    "entries": "Last sessions",
    "lines": "Seen and decided",
}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "recall",
        help="Show what earlier sessions taught, on one page.\n\n"
        "What is left open, the last sessions, what was seen and decided, approved patterns: each "
        "with its source and day. Without --repo it is about the repository you are in, else about "
        "all. Left out is what speaks of files that are gone, and patterns that are retired.",
    )(_recall)


def _recall(
    context: typer.Context,
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[WORDS]", help="Only what fits these words.")
    ] = None,
    repo: RepoOption = None,
    since: SinceOption = None,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    from helix_tui.engine.memory.recall import Recalling

    engine = load_engine(context, config, store, verbose)
    tell_unknown(engine, None, repo)
    asked = Recalling(" ".join(words or []), repo, since_ts=parse_since(since) if since else None)
    if repo is None:
        asked = asked._replace(place=engine.place_of(Path.cwd()))
    page = engine.recall.page(asked)
    if as_json:
        print_json("recall", _as_json(page))
    else:
        _print(engine, page, asked.words)


def _as_json(page: RecallPage) -> dict[str, Any]:
    return {
        "repo": page.repo or None,
        **{name: [_item_json(item) for item in getattr(page, name)] for name in _HEADINGS},
        "notes": page.notes,
    }


def _item_json(item: RecallItem) -> dict[str, Any]:
    return {
        "text": item.text,
        "source": item.source,
        "at": item.at or None,
        "sessions": list(item.sessions),
        "pattern": item.pattern or None,
    }


def _print(engine: Engine, page: RecallPage, words: str) -> None:
    from rich.padding import Padding
    from rich.text import Text

    from helix_tui.memory.recall.page import clipped, unquoted

    screen = console()
    where = f" in {safe_line(page.repo)}" if page.repo else ""
    if page.is_empty:
        _print_nothing(engine, where, words)
    else:
        screen.print(Text(f"From earlier sessions{where}", style="bold"))
    for name, heading in _HEADINGS.items():
        items: list[RecallItem] = getattr(page, name)
        if not items:
            continue
        screen.print(Text(f"\n{heading}", style="bold"))
        for item in items:
            line = Text(safe_line(unquoted(clipped(item.text))))
            day = item.at[:10]
            source = item.source if day in item.source else f"{item.source}, {day}"
            line.append(f"  {safe_line(source)}", style="dim")
            screen.print(Padding(line, (0, 0, 0, 2), expand=False))
    for note in page.notes:
        screen.print(Text(f"\n{safe_line(note)}", style="dim"))


def _print_nothing(engine: Engine, where: str, words: str) -> None:
    if words:
        print(f"Nothing{where} fits: {safe_line(words)}.")
        print("Try fewer words, or `helix search` over all that was said and run.")
        return
    print(f"Nothing is remembered{where} yet.")
    overview = engine.memory.overview()
    if not overview.days:
        print(
            "`helix flush SESSION` remembers a session; with `helix hooks install claude` (codex,"
        )
        print("grok) each is remembered as it ends. `helix sessions` lists them.")
    else:
        print("`helix recall --repo NAME` shows another repository, `helix memory show` the days.")
