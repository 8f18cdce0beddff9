"""`helix memory`: read what is remembered, and which of it has a source."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any

import typer

from helix_tui.cli.options import (
    ConfigOption,
    JsonOption,
    StoreOption,
    VerboseOption,
    load_engine,
)
from helix_tui.cli.output import print_json, print_table
from helix_tui.errors import ExitCode, NotFoundError
from helix_tui.text.human import plural
from helix_tui.text.safe import safe, safe_line
from helix_tui.text.times import iso

if TYPE_CHECKING:
    from helix_tui.engine.facade import Engine
    from helix_tui.engine.memory.checking import CheckedEntry
    from helix_tui.memory.recall.sources import LineSource

app = typer.Typer(
    help="Read what is remembered, and see which of it has a source.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_MARK = re.compile(r" ?<!-- helix (?:[0-9a-f]{16}|holds \{[^\n]*\}) -->")


@app.command("show", help="Print the log of a day, or what is known of a repository; else a list.")
def show(
    context: typer.Context,
    which: Annotated[
        str | None, typer.Argument(metavar="[DAY|REPO]", help="2026-11-18, or a repository.")
    ] = None,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Print a page; lines that a model wrote say what they come from."""
    engine = load_engine(context, config, store, verbose, keeps_log=False)
    if which is None:
        _show_list(engine, as_json)
        return
    path, text = _page(engine, which)
    checked = list(engine.checked_memory(which)) if _DAY.fullmatch(which) else []
    if as_json:
        fields = {"path": path, "text": text, "checked": [_checked_json(one) for one in checked]}
        print_json("memory", fields)
        return
    print(safe(_MARK.sub("", _with_sources(text, checked))).rstrip("\n"))


@app.command("check", help="Name lines by a model that have no source in their session.")
def check(
    context: typer.Context,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Exit with 3 where a line has none."""
    engine = load_engine(context, config, store, verbose, keeps_log=False)
    checked = list(engine.checked_memory())
    without = sum(len(one.without) for one in checked)
    if as_json:
        fields = {"entries": [_checked_json(one) for one in checked], "without_source": without}
        print_json("memory", fields)
    else:
        _print_checked(checked, without)
    if without:
        raise typer.Exit(ExitCode.FINDINGS)


def _show_list(engine: Engine, as_json: bool) -> None:
    overview = engine.memory.overview()
    if as_json:
        print_json(
            "memory",
            {
                "days": [
                    {"day": one.day, "path": one.path, "entries": one.entries}
                    for one in overview.days
                ],
                "articles": [
                    {"title": one.title, "path": one.path, "lines": one.lines}
                    for one in overview.articles
                ],
                "troubles": overview.troubles,
            },
        )
        return
    rows = [(one.day, plural(one.entries, "entry", "entries"), one.path) for one in overview.days]
    rows += [(one.title, plural(one.lines, "line"), one.path) for one in overview.articles]
    if rows:
        print_table((("day or repository", "left"), ("holds", "right"), ("file", "flex")), rows)
        print("`helix memory show DAY` or `REPO` prints one.")
    else:
        print("Nothing is remembered yet: `helix flush SESSION` remembers a session, and")
        print("`helix hooks install claude` (codex, grok) each one as it ends.")
    for trouble in overview.troubles:
        print(safe_line(trouble))


def _page(engine: Engine, which: str) -> tuple[str, str]:
    overview = engine.memory.overview()
    by_name = {one.day: one.path for one in overview.days}
    by_name |= {one.title: one.path for one in overview.articles}
    if which not in by_name:
        known = ", ".join(list(by_name)[:8])
        todo = f"There is {known}." if known else "Nothing is remembered yet: see `helix flush`."
        raise NotFoundError(f"Nothing is remembered of {which!r}.", todo)
    return by_name[which], engine.memory.page(by_name[which])


def _with_sources(text: str, checked: list[CheckedEntry]) -> str:
    """The page with what each line of a model's entry comes from."""
    told: dict[tuple[str, str], str] = {}
    for one in checked:
        told.update({(one.mark, line.line): _source(line) for line in one.lines})
    rows, mark = [], ""
    for row in text.split("\n"):
        match = _MARK.search(row)
        mark = match[0][-20:-4] if match else mark
        rows.append(row + told.get((mark, row[2:].strip()), "") if row[:2] == "- " else row)
    return "\n".join(rows)


def _source(line: LineSource) -> str:
    if line.source is None:
        return "  [no source found]"
    when = (iso(line.source.ts) or "")[:16].replace("T", " ")
    return f"  [source: {line.source.kind} {when}".rstrip() + "]"


def _print_checked(checked: list[CheckedEntry], without: int) -> None:
    if not checked:
        print("No entry was written by a model: what is extracted stands in the session word by")
        print("word, and needs no check.")
        return
    for one in checked:
        where = f"{one.day} {one.time} {safe_line(one.session)}"
        if one.trouble:
            print(f"{where}: not checked, {safe_line(one.trouble)}".lstrip())
        for line in one.without:
            print(f"{where}: no source for: {safe_line(line.line)}")
    lines = sum(len(one.lines) for one in checked)
    entries = plural(len(checked), "entry", "entries")
    print(f"{entries} by a model, {plural(lines, 'line')}: {without:,} without a source.")
    if without:
        print("`ctrl+e` on f6 in the workstation, or any editor, takes such a line out.")


def _checked_json(one: CheckedEntry) -> dict[str, Any]:
    return {
        "day": one.day,
        "time": one.time,
        "session": one.session,
        "by": one.by,
        "trouble": one.trouble or None,
        "lines": [
            {
                "section": line.section,
                "text": line.line,
                "source": None
                if line.source is None
                else {"kind": line.source.kind, "at": iso(line.source.ts)},
            }
            for line in one.lines
        ],
    }
