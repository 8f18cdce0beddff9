"""`helix context`: what an agent loads in a folder, in order, and what it does not."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from helix_tui.cli.options import (
    AgentOption,
    ConfigOption,
    JsonOption,
    StoreOption,
    VerboseOption,
    load_config,
)
from helix_tui.cli.output import print_json, print_table
from helix_tui.errors import ExitCode, UsageError
from helix_tui.text.human import human_bytes, plural
from helix_tui.text.safe import safe, safe_line

if TYPE_CHECKING:
    from helix_tui.engine.context.verify import Verified
    from helix_tui.schema.context import Context, ContextFile


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "context",
        help="Show what an agent loads in a folder, in order, and what it does not.\n\n"
        "Warnings come first: a rule beyond the cap, a file that another one switches off, the "
        "same text twice, an import that leads nowhere. Without --agent all agents are shown that "
        "have a home here. --verify asks an installed agent whether it is so, and exits 3 where "
        "it is not.",
    )(_context)


def _context(
    context: typer.Context,
    folder: Annotated[
        Path, typer.Argument(metavar="[DIR]", help="The folder; this one if none is named.")
    ] = Path(),
    agent: AgentOption = None,
    version: Annotated[
        str,
        typer.Option("--agent-version", metavar="V", help="Its version, where that decides."),
    ] = "",
    has_text: Annotated[
        bool, typer.Option("--text", help="Also print the text it is sent.")
    ] = False,
    is_verified: Annotated[
        bool, typer.Option("--verify", help="Ask the agent itself, where it is installed.")
    ] = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    from helix_tui.engine.context.effective import agents_here, contexts_with_below

    load_config(context, config, store, verbose, keeps_log=False)
    if not folder.is_dir():
        raise UsageError(f"{folder} is no folder.", "Name one that is there.")
    agents = agents_here() if agent is None else [agent]
    verified: dict[str, Verified] = {}
    versions = dict.fromkeys(agents, version)
    if is_verified and not version:
        from helix_tui.engine.context.verify import version_here

        # The rules of the very version that is asked.
        versions = {one: version_here(one) for one in agents}
    contexts = [
        context
        for one in dict.fromkeys(versions.values())
        for context in contexts_with_below(folder, [a for a in agents if versions[a] == one], one)
    ]
    if is_verified:
        from helix_tui.engine.context.verify import verify

        verified = {one.agent: verify(one) for one in contexts}
    if as_json:
        first, *others = [_json(one, verified.get(one.agent), has_text) for one in contexts]
        print_json("context", {**first, "others": others})
    else:
        for number, one in enumerate(contexts):
            _print(one, verified.get(one.agent), has_text, is_first=not number)
    if any(one.state == "disagrees" for one in verified.values()):
        raise typer.Exit(ExitCode.FINDINGS)


def _json(context: Context, verified: Verified | None, has_text: bool) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "agent": context.agent,
        "version": context.version or None,
        "cwd": context.cwd,
        "files": [
            {
                "path": file.path,
                "scope": file.scope,
                "bytes": file.bytes,
                "lines": file.lines,
                "tokens": file.tokens,
                "loaded": file.is_loaded,
                "reason": file.reason,
                "cut_at": file.cut_at,
                "managed": file.scope == "managed",
                "state": file.state,
                "imported_by": file.imported_by,
            }
            for file in context.files
        ],
        "warnings": [warning._asdict() for warning in context.warnings],
        "cap": context.cap,
        "used": context.used,
        "tokens": sum(file.tokens for file in context.loaded),
        "skills": [skill._asdict() for skill in context.skills],
        "verified": verified._asdict() if verified else None,
    }
    return {**fields, "text": context.text} if has_text else fields


def _print(context: Context, verified: Verified | None, has_text: bool, *, is_first: bool) -> None:
    if not is_first:
        print()
    loaded = context.loaded
    tokens = sum(file.tokens for file in loaded)
    cap = f", {context.used:,} of {context.cap:,} bytes" if context.cap is not None else ""
    size = f"{plural(len(loaded), 'file')}, about {tokens:,} tokens{cap}"
    print(safe_line(f"{context.agent} in {context.cwd}: {size}"))
    for warning in context.warnings:
        print(f"  ! {safe_line(warning.path)} {safe_line(warning.message)}")
    if context.files:
        print_table(
            (
                ("", "right"),
                ("scope", "left"),
                ("file", "flex"),
                ("size", "right"),
                ("why", "flex"),
            ),
            [_row(file, number) for number, file in enumerate(context.files, 1)],
        )
    if context.skills:
        names = ", ".join(skill.name for skill in context.skills)
        print(f"  {plural(len(context.skills), 'skill')}: {safe_line(names)}")
    if verified is not None:
        print(f"  {verified.state}: {safe_line(verified.message)}")
        for line in verified.differences:
            print(f"    {safe_line(line)}")
    if has_text:
        print(f"\n{safe(context.text)}")


def _row(file: ContextFile, number: int) -> tuple[str, str, str, str, str]:
    mark = str(number) if file.is_loaded else "~" if file.state == "lazy" else "-"
    is_plain = file.is_loaded or file.state == "lazy"
    why = file.reason if is_plain else f"not loaded: {file.reason}"
    return mark, file.scope, file.path, human_bytes(file.bytes), why
