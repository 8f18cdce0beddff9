"""`helix catalog`: the patterns, their versions, and whether all is well with them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from helix_tui.cli.commands.told_json import told_json
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
    from helix_tui.engine.guard.proposal import GuardChoice, GuardProposal
    from helix_tui.schema.context import Told

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
    from helix_tui.engine.context.told_patterns import told_patterns

    reader = _reader(context, config, store, verbose)
    listing = reader.listing()
    told = told_patterns(reader.config, listing.patterns.values())
    if as_json:
        rows = [
            _row_json(reader, listed, told.get(listed.id)) for listed in listing.patterns.values()
        ]
        print_json(
            "catalog", {"path": str(reader.root), "patterns": rows, "bad": _bad(listing.bad)}
        )
        return
    for path, line, reason in listing.bad:
        print(f"helix: {safe_line(f'{path}:{line}: {reason}')}", file=sys.stderr)
    if not listing.patterns:
        print(f"No pattern is in {safe_line(str(reader.root))}; `helix curate` makes some.")
        return
    print_table(
        (
            *(("pattern", "flex"), ("version", "left"), ("status", "left")),
            *(("sessions", "right"), ("told", "left"), ("title", "flex")),
        ),
        [
            (
                listed.id,
                listed.version,
                _standing(listed),
                f"{listed.evidence.sessions:,}",
                told[listed.id].state if listed.id in told else "-",
                listed.title,
            )
            for listed in listing.patterns.values()
        ],
    )
    print(f"{plural(len(listing.patterns), 'pattern')} in {safe_line(str(reader.root))}")


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
    from helix_tui.engine.catalog.catalog_reader import CatalogReader, pattern_json
    from helix_tui.engine.context.told_patterns import told_patterns
    from helix_tui.engine.distribute.taught_text import taught_text
    from helix_tui.engine.distribute.teachings import distributable_of, rule_of
    from helix_tui.engine.guard.proposal import proposals

    loaded = load_config(context, config, store, verbose, keeps_log=False)
    if flavor and flavor not in loaded.sources:
        raise typer.BadParameter(f"--for takes one of {', '.join(loaded.sources)}")
    reader = CatalogReader(loaded)
    stored, page = reader.pattern(pattern)
    told = None if flavor else told_patterns(loaded, [stored]).get(stored.id)
    guard = proposals(loaded, [stored], {stored.id: told}).get(stored.id) if told else None
    taught = taught_text(stored, flavor) if flavor else []
    if as_json:
        fields: dict[str, Any] = {
            "pattern": pattern_json(stored),
            "path": str(reader.path_of(stored.id)),
            **({} if flavor else {"told": told_json(told) if told else None}),
            **({} if flavor else {"proposed_guard": _proposed_json(guard) if guard else None}),
            "rule": rule_of(stored),
            "distributable": distributable_of(stored, loaded.distribute.floors)._asdict(),
        }
        if flavor:
            places = [one._asdict() for one in taught]
            fields |= {"for": flavor, "text": "\n".join(one.text for one in taught)}
            fields["places"] = places
        print_json("catalog", fields)
    elif not flavor:
        print(safe(page), end="")
        if told is not None and told.state != "no":
            _print_told(told)
        if guard is not None:
            todo = f"`helix catalog set {guard.pattern} --guard {guard.answer}`"
            sentence = f"A guard on `{guard.shape}` fits ({guard.why}): {todo} switches it on."
            print(f"helix: {safe_line(sentence)}", file=sys.stderr)
    elif taught:
        for one in taught:
            print(f"{safe_line(one.place)}:")
            print(safe(one.text), end="")
    else:
        why = f"{stored.id} is {stored.status}: nothing is written for {flavor}"
        if stored.scope == "agent" and flavor not in stored.evidence.flavors:
            met = ", ".join(sorted(stored.evidence.flavors))
            why = f"{stored.id} concerns {met} alone: nothing is written for {flavor}"
        print(f"helix: {safe_line(why)}.", file=sys.stderr)


@app.command("set")
def set_teaching(
    context: typer.Context,
    pattern: PatternArgument,
    scope: Annotated[
        str | None,
        typer.Option(
            "--scope",
            metavar="SCOPE",
            parser=named,
            help="Where it applies: user, or repo:NAME and path:GLOB with commas between them.",
        ),
    ] = None,
    rung: Annotated[
        str | None,
        typer.Option(
            "--rung",
            metavar="RUNG",
            parser=named,
            help="How it is taught: line, rule, skill, guard or environment.",
        ),
    ] = None,
    rule: Annotated[
        str | None,
        typer.Option(
            "--rule",
            metavar="TEXT",
            parser=named,
            help="The words for agents, one line or two; empty, drafted from what to do.",
        ),
    ] = None,
    allowed: Annotated[
        str | None,
        typer.Option(
            "--allow",
            metavar="WHY",
            parser=named,
            help="Why it may go to agents below the floors; empty, no longer.",
        ),
    ] = None,
    guard: Annotated[
        str | None,
        typer.Option(
            "--guard",
            metavar="ANSWER",
            parser=named,
            help="What agents are answered before a command of its shape: deny, ask, or off.",
        ),
    ] = None,
    shape: Annotated[
        str | None,
        typer.Option(
            "--shape",
            metavar="COMMAND",
            parser=named,
            help="The command that the guard is about, instead of the one that was seen to fail.",
        ),
    ] = None,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Say where a pattern applies, how and in which words it is taught."""
    from helix_tui.distribute.words import tokens_of_rule
    from helix_tui.engine.catalog.catalog_reader import CatalogReader, pattern_json
    from helix_tui.engine.distribute.teachings import distributable_of, rule_of
    from helix_tui.engine.guard.proposal import chosen_guard
    from helix_tui.engine.review.page_changes import teach_page

    loaded = load_config(context, config, store, verbose)
    stored, _ = CatalogReader(loaded).pattern(pattern)
    if shape is not None and guard is None:
        raise typer.BadParameter("--shape needs --guard deny or --guard ask")
    chosen = None if guard is None else chosen_guard(loaded, stored, guard, shape)
    taught = {"scope": scope, "rung": rung, "rule": rule, "allowed": allowed}
    if chosen is not None:
        taught |= {"guard": chosen.guard, "shape": chosen.shape, "rung": rung or chosen.rung}
    made = teach_page(loaded, stored.id, **taught)
    words, may = rule_of(made), distributable_of(made, loaded.distribute.floors)
    if as_json:
        fields = {"pattern": pattern_json(made), "rule": words, "distributable": may._asdict()}
        print_json("catalog", fields)
        return
    print(safe_line(f"{made.id} {made.version}: {made.scope or 'user'}, {made.rung or 'as fits'}"))
    print(safe(words))
    print(f"{len(words):,} characters, about {tokens_of_rule(words):,} tokens in every session")
    where = [name for name, is_so in (("one repository", may.repo), ("user", may.user)) if is_so]
    print(safe_line(f"may go to: {', '.join(where) or 'nobody yet'} ({may.reason})"))
    if chosen is not None:
        _print_guard(made, chosen)


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
                "version": edition.version,
                "at": edition.at,
                "author": edition.author,
                "current": edition.is_current,
                "text": edition.text,
            }
            for edition in editions
        ]
        print_json("catalog", {"versions": rows})
        return
    print_table(
        (("version", "left"), ("since", "left"), ("by", "flex"), ("", "left")),
        [
            (
                edition.version,
                (edition.at or "-")[:16],
                edition.author or "-",
                "current" if edition.is_current else "",
            )
            for edition in editions
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
    compared = _reader(context, config, store, verbose).compared(pattern, before, after)
    if as_json:
        fields = {"pattern": compared.pattern, "from": compared.before, "to": compared.after}
        print_json("catalog", {**fields, "diff": compared.diff})
    elif compared.before is None:
        print(f"{compared.pattern} has one version, {safe_line(compared.after)}.")
    elif compared.diff:
        print(safe(compared.diff), end="")
    else:
        print(f"{safe_line(compared.before)} and {safe_line(compared.after)} are the same.")


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
    soundness = reader.soundness()
    if as_json:
        _print_check_json(reader, soundness)
    else:
        _print_check(reader, soundness)
    if soundness.has_errors():
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


def _print_told(told: Told) -> None:
    """Say which lines of instructions say it already, beside the page, which may be kept."""
    from helix_tui.text.told import next_step, told_words

    lines = [told_words(told)]
    lines += [f"  {line.file}:{line.line}: {line.text}" for line in told.lines]
    lines += [step] if (step := next_step(told)) else []
    for line in lines:
        print(f"helix: {safe_line(line)}", file=sys.stderr)


def _print_guard(pattern: Pattern, chosen: GuardChoice) -> None:
    """Say what the guard does from now on, and whom it will stop."""
    from helix_tui.engine.guard.proposal import record_words

    if not pattern.guard:
        print("guard: off")
        return
    print(safe_line(f"guard: {pattern.guard} `{pattern.shape}`"))
    if chosen.record is not None and chosen.record.runs:
        print(f"{record_words(chosen.record)[0].upper()}{record_words(chosen.record)[1:]}.")
    print("Agents are answered where `helix hooks install FLAVOR --guard` was run.")


def _standing(pattern: Pattern) -> str:
    return f"{pattern.status}, ready" if pattern.distribution_ready else pattern.status


def _row_json(reader: CatalogReader, pattern: Pattern, told: Told | None) -> dict[str, Any]:
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
        "told": told_json(told) if told else None,
    }


def _proposed_json(guard: GuardProposal) -> dict[str, Any]:
    fields = guard.record._asdict()
    return {"answer": guard.answer, "shape": guard.shape, "record": fields, "why": guard.why}


def _bad(files: list[BadFile]) -> list[dict[str, Any]]:
    return [{"path": str(path), "line": line, "reason": reason} for path, line, reason in files]


def _print_check_json(reader: CatalogReader, soundness: Soundness) -> None:
    levels = [finding.level for finding in soundness.findings]
    findings = [{**finding._asdict(), "path": str(finding.path)} for finding in soundness.findings]
    lines = [(finding, "error") for finding in soundness.damaged] + [
        (finding, "warning") for finding in soundness.newer
    ]
    print_json(
        "catalog",
        {
            "path": str(reader.root),
            "errors": levels.count("error") + len(soundness.damaged),
            "warnings": levels.count("warning") + len(soundness.newer),
            "findings": findings,
            **{name: getattr(soundness, name) for name, _ in _DIFFERENCES},
            "journal": [
                {"line": finding.number, "reason": finding.reason, "level": level}
                for finding, level in lines
            ],
        },
    )


def _print_check(reader: CatalogReader, soundness: Soundness) -> None:
    for finding in soundness.findings:
        print(safe_line(f"{finding.level}: {finding.path}:{finding.line}: {finding.reason}"))
    for line in soundness.damaged:
        print(f"error: line {line.number} of the journal: {safe_line(line.reason)}")
    for line in soundness.newer:
        print(f"warning: line {line.number} of the journal: {safe_line(line.reason)}")
    for name, meaning in _DIFFERENCES:
        for pattern in getattr(soundness, name):
            print(f"note: {safe_line(pattern)}: {meaning}")
    if not soundness.findings and not soundness.damaged:
        count = len(reader.listing().patterns)
        print(f"{plural(count, 'pattern')} in {safe_line(str(reader.root))}: all is well.")
