"""`helix catalog`: the patterns, their versions, and whether all is well with them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from helix_tui.cli.options import (
    ConfigOption,
    JsonOption,
    PatternArgument,
    StoreOption,
    VerboseOption,
    load_config,
    named,
)
from helix_tui.cli.output import print_json, print_table
from helix_tui.errors import ExitCode
from helix_tui.text.human import plural
from helix_tui.text.safe import safe, safe_line

if TYPE_CHECKING:
    from helix_tui.curate.catalog.folder import BadFile
    from helix_tui.curate.page.pattern import Pattern
    from helix_tui.engine.catalog.catalog_reader import CatalogReader, Soundness

app = typer.Typer(help="The Pattern Catalog: what was approved.", rich_markup_mode=None)

_DIFFERENCES = (
    ("edited", "edited by hand; the next verdict takes it over"),
    ("unknown", "not in the journal; the next verdict counts it as approved"),
    ("removed", "removed by hand; `helix catalog restore` writes it again"),
    ("unfinished", "not written yet; the next verdict does"),
)


@app.command("list")
def list_patterns(
    context: typer.Context,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """List the patterns of the catalog."""
    reader = _reader(context, config, store, verbose)
    found = reader.listing()
    if as_json:
        rows = [_row_json(reader, one) for one in found.patterns.values()]
        print_json("catalog", {"path": str(reader.root), "patterns": rows, "bad": _bad(found.bad)})
        return
    for path, line, reason in found.bad:
        print(f"helix: {safe_line(f'{path}:{line}: {reason}')}", file=sys.stderr)
    if not found.patterns:
        print(f"No pattern is in {safe_line(str(reader.root))}; `helix curate` makes some.")
        return
    print_table(
        (
            *(("pattern", "flex"), ("version", "left"), ("status", "left")),
            *(("sessions", "right"), ("title", "flex")),
        ),
        [
            (one.id, one.version, _standing(one), f"{one.evidence.sessions:,}", one.title)
            for one in found.patterns.values()
        ],
    )
    print(f"{plural(len(found.patterns), 'pattern')} in {safe_line(str(reader.root))}")


@app.command("show")
def show_pattern(
    context: typer.Context,
    pattern: PatternArgument,
    flavor: Annotated[
        str,
        typer.Option(
            "--for",
            metavar="AGENT",
            parser=named,
            help="What this agent would receive: claude, codex or grok.",
        ),
    ] = "",
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Show one pattern, or what an agent would receive of it."""
    from helix_tui.engine.catalog.catalog_reader import CatalogReader, pattern_json, render

    loaded = load_config(context, config, store, verbose, keeps_log=False)
    if flavor and flavor not in loaded.sources:
        raise typer.BadParameter(f"--for takes one of {', '.join(loaded.sources)}")
    reader = CatalogReader(loaded)
    found, page = reader.pattern(pattern)
    rendered = render(found, flavor) if flavor else ""
    if as_json:
        fields: dict[str, Any] = {
            "pattern": pattern_json(found),
            "path": str(reader.path_of(found.id)),
        }
        print_json("catalog", fields | ({"for": flavor, "text": rendered} if flavor else {}))
    elif not flavor:
        print(safe(page), end="")
    elif rendered:
        print(safe(rendered), end="")
    else:
        print(f"helix: {found.id} is {found.status} and not handed out.", file=sys.stderr)


@app.command("history")
def show_history(
    context: typer.Context,
    pattern: PatternArgument,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """List the versions of a pattern, the oldest first."""
    editions = _reader(context, config, store, verbose).editions(pattern)
    if as_json:
        rows = [
            {
                "version": one.version,
                "at": one.at,
                "author": one.author,
                "current": one.is_current,
                "text": one.text,
            }
            for one in editions
        ]
        print_json("catalog", {"versions": rows})
        return
    print_table(
        (("version", "left"), ("since", "left"), ("by", "flex"), ("", "left")),
        [
            (
                one.version,
                (one.at or "-")[:16],
                one.author or "-",
                "current" if one.is_current else "",
            )
            for one in editions
        ],
    )


@app.command("diff")
def show_diff(
    context: typer.Context,
    pattern: PatternArgument,
    before: Annotated[
        str, typer.Argument(metavar="[FROM]", parser=named, help="A version; the one before TO.")
    ] = "",
    after: Annotated[
        str, typer.Argument(metavar="[TO]", parser=named, help="A version; the last one.")
    ] = "",
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Show what changed between two versions of a pattern."""
    found = _reader(context, config, store, verbose).compared(pattern, before, after)
    if as_json:
        fields = {"pattern": found.pattern, "from": found.before, "to": found.after}
        print_json("catalog", {**fields, "diff": found.diff})
    elif found.before is None:
        print(f"{found.pattern} has one version, {safe_line(found.after)}.")
    elif found.diff:
        print(safe(found.diff), end="")
    else:
        print(f"{safe_line(found.before)} and {safe_line(found.after)} are the same.")


@app.command("check")
def check_catalog(
    context: typer.Context,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Check every file of the catalog and every line of the journal; nothing is changed."""
    reader = _reader(context, config, store, verbose)
    found = reader.soundness()
    if as_json:
        _print_check_json(reader, found)
    else:
        _print_check(reader, found)
    if found.has_errors():
        raise typer.Exit(ExitCode.FINDINGS)


@app.command("restore")
def restore_catalog(
    context: typer.Context,
    folder: Annotated[
        Path | None,
        typer.Option("--to", metavar="DIR", help="Write all of it into this empty folder instead."),
    ] = None,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Write what is missing again, as the journal has it."""
    reader = _reader(context, config, store, verbose)
    written = reader.restore() if folder is None else reader.restore_to(folder)
    if as_json:
        print_json("catalog", {"written": [str(path) for path in written]})
        return
    for path in written:
        print(safe_line(str(path)))
    print(f"{plural(len(written), 'file')} written." if written else "Nothing was missing.")


def _reader(
    context: typer.Context, config: Path | None, store: Path | None, verbose: bool
) -> CatalogReader:
    from helix_tui.engine.catalog.catalog_reader import CatalogReader

    # A store that is not there is not made by looking at the catalog.
    return CatalogReader(load_config(context, config, store, verbose, keeps_log=False))


def _standing(pattern: Pattern) -> str:
    return f"{pattern.status}, ready" if pattern.distribution_ready else pattern.status


def _row_json(reader: CatalogReader, pattern: Pattern) -> dict[str, Any]:
    evidence = pattern.evidence
    return {
        "id": pattern.id,
        "candidate": pattern.candidates[0],
        "candidates": pattern.candidates,
        "version": pattern.version,
        "status": pattern.status,
        "distribution_ready": pattern.distribution_ready,
        "path": str(reader.path_of(pattern.id)),
        "title": pattern.title,
        "kind": pattern.kind,
        "sessions": evidence.sessions,
        "flavors": sorted(evidence.flavors),
        "superseded_by": pattern.superseded_by or None,
    }


def _bad(found: list[BadFile]) -> list[dict[str, Any]]:
    return [{"path": str(path), "line": line, "reason": reason} for path, line, reason in found]


def _print_check_json(reader: CatalogReader, found: Soundness) -> None:
    levels = [one.level for one in found.findings]
    findings = [{**one._asdict(), "path": str(one.path)} for one in found.findings]
    lines = [(one, "error") for one in found.damaged] + [(one, "warning") for one in found.newer]
    print_json(
        "catalog",
        {
            "path": str(reader.root),
            "errors": levels.count("error") + len(found.damaged),
            "warnings": levels.count("warning") + len(found.newer),
            "findings": findings,
            **{name: getattr(found, name) for name, _ in _DIFFERENCES},
            "journal": [
                {"line": one.number, "reason": one.reason, "level": level} for one, level in lines
            ],
        },
    )


def _print_check(reader: CatalogReader, found: Soundness) -> None:
    for one in found.findings:
        print(safe_line(f"{one.level}: {one.path}:{one.line}: {one.reason}"))
    for line in found.damaged:
        print(f"error: line {line.number} of the journal: {safe_line(line.reason)}")
    for line in found.newer:
        print(f"warning: line {line.number} of the journal: {safe_line(line.reason)}")
    for name, meaning in _DIFFERENCES:
        for pattern in getattr(found, name):
            print(f"note: {safe_line(pattern)}: {meaning}")
    if not found.findings and not found.damaged:
        count = len(reader.listing().patterns)
        print(f"{plural(count, 'pattern')} in {safe_line(str(reader.root))}: all is well.")
