"""`helix distribute`: approved patterns into the files that agents load, and out again."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from helix_tui.cli.completion import complete_pattern
from helix_tui.cli.options import (
    AgentChoice,
    AgentOption,
    ConfigOption,
    JsonOption,
    RepoOption,
    StoreOption,
    VerboseOption,
    load_engine,
    named,
)
from helix_tui.cli.output import print_json, print_table
from helix_tui.errors import ExitCode, HelixError, UsageError
from helix_tui.text.human import plural
from helix_tui.text.safe import safe, safe_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from helix_tui.engine.distribute.distribution import Carried
    from helix_tui.schema.distribute import DistributeRequest, Plan, Planned, TargetStatus

app = typer.Typer(
    help="Bring approved patterns into the files that agents load, and out again.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

_User = Annotated[bool, typer.Option("--user", help="Only what is for all of your work.")]
_Pattern = Annotated[
    list[str] | None,
    typer.Option(
        "--pattern",
        metavar="ID",
        autocompletion=complete_pattern,
        help="Only this pattern; again for more. One that was retracted comes back by its name.",
    ),
]
_Restore = Annotated[
    bool,
    typer.Option("--restore", help="Write again what somebody edited or took out by hand."),
]
_Sure = Annotated[bool, typer.Option("--yes", help="Carry it out without asking.")]


@app.command("plan")
def plan(
    context: typer.Context,
    repo: RepoOption = None,
    is_user: _User = False,
    pattern: _Pattern = None,
    agent: AgentOption = None,
    restores: _Restore = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Show what would be written into whose files, and what would not, with the reasons."""
    distribution = load_engine(context, config, store, verbose, keeps_log=False).distribution
    request = _request(repo, is_user, pattern, agent, restores=restores)
    _show_plan(distribution.plan(request), as_json)


@app.command("apply")
def apply(
    context: typer.Context,
    repo: RepoOption = None,
    is_user: _User = False,
    pattern: _Pattern = None,
    agent: AgentOption = None,
    restores: _Restore = False,
    branch: Annotated[
        str,
        typer.Option(
            "--commit",
            metavar="BRANCH",
            parser=named,
            help="Commit what is written on this branch of each repository, which is begun where "
            "it is new. Its hooks run; nothing is pushed.",
        ),
    ] = "",
    is_sure: _Sure = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Show the plan, ask, and carry it out."""
    distribution = load_engine(context, config, store, verbose).distribution
    request = _request(repo, is_user, pattern, agent, restores=restores)
    shown = distribution.plan(request)
    _tell_hooks(shown, branch)
    _carry_out(
        shown, is_sure, as_json, lambda seen: distribution.apply(request, seen, branch), "apply"
    )


@app.command("check")
def check(
    context: typer.Context,
    repo: RepoOption = None,
    is_user: _User = False,
    pattern: _Pattern = None,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Exit with 3 where files differ from what catalog and ledger say; nothing is changed."""
    distribution = load_engine(context, config, store, verbose, keeps_log=False).distribution
    plan = distribution.plan(_request(repo, is_user, pattern, None))
    damaged = distribution.damaged()
    is_clean = plan.is_clean and not damaged
    if as_json:
        print_json(
            "distribute",
            {**plan_json(plan), **_status_json(plan.targets), "clean": is_clean,
             "damaged": [{"line": one.number, "reason": one.reason} for one in damaged]},
        )  # fmt: skip
    else:
        for one in damaged:
            print(f"line {one.number} of {safe_line(str(distribution.ledger.path))}: {one.reason}")
        for status in plan.targets:
            if status.state != "clean":
                print(safe_line(f"{status.state}: {status.pattern} in {status.file}"))
        for write in plan.writes:
            if write.is_write:
                print(safe_line(f"to be written ({write.action}): {write.file}"))
        for proposal in plan.proposals:
            if not proposal.pattern:
                print(safe_line(f"a line of nobody's in the block of {proposal.file}"))
        print("All is as it should be." if is_clean else "`helix distribute plan` says more.")
    if not is_clean:
        raise typer.Exit(ExitCode.FINDINGS)


@app.command("status")
def status(
    context: typer.Context,
    repo: RepoOption = None,
    is_user: _User = False,
    pattern: _Pattern = None,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Show each pattern that was distributed: where, since when, which version, and how it is."""
    distribution = load_engine(context, config, store, verbose, keeps_log=False).distribution
    targets = distribution.plan(_request(repo, is_user, pattern, None)).targets
    targets = [one for one in targets if not pattern or one.pattern in pattern]
    if as_json:
        print_json("distribute", _status_json(targets))
        return
    if not targets:
        print("Nothing is distributed; `helix distribute plan` shows what could be.")
        return
    print_table(
        (
            *(("pattern", "flex"), ("version", "left"), ("where", "left"), ("since", "left")),
            *(("agents", "left"), ("state", "left"), ("file", "flex")),
        ),
        [
            (
                *(one.pattern, one.version, one.site, one.since[:16]),
                *(", ".join(one.agents), one.state, one.file),
            )
            for one in targets
        ],
    )


@app.command("retract")
def retract(
    context: typer.Context,
    patterns: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ID]...", autocompletion=complete_pattern, help="Patterns; none named: all."
        ),
    ] = None,
    repo: RepoOption = None,
    is_user: _User = False,
    pattern: _Pattern = None,
    is_sure: _Sure = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Take patterns out of agents' files again; they stay out until they are asked for by name."""
    distribution = load_engine(context, config, store, verbose).distribution
    request = _request(repo, is_user, [*(patterns or ()), *(pattern or ())], None)
    request = request._replace(is_retract=True)
    shown = distribution.plan(request)
    _carry_out(shown, is_sure, as_json, lambda seen: distribution.apply(request, seen), "retract")


@app.command("undo")
def undo(
    context: typer.Context,
    is_sure: _Sure = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Take the last apply or retract back; exit code 1 where there is none."""
    distribution = load_engine(context, config, store, verbose).distribution
    shown = distribution.undo_plan()
    if not shown.writes and not shown.refusals:
        if as_json:
            print_json("distribute", plan_json(shown))
        else:
            print("There is nothing to take back.", file=sys.stderr)
        raise typer.Exit(ExitCode.PROBLEMS)
    _carry_out(shown, is_sure, as_json, distribution.undo, "undo")


@app.command("accept")
def accept(
    context: typer.Context,
    patterns: Annotated[
        list[str] | None,
        typer.Argument(metavar="[ID]...", help="Patterns; none named: all that were edited."),
    ] = None,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Take over what somebody changed in a rule's line by hand: it becomes the pattern's rule."""
    distribution = load_engine(context, config, store, verbose).distribution
    taken = distribution.accept(tuple(patterns or ()))
    if as_json:
        rows = [{"pattern": one.pattern, "file": one.file, "text": one.text} for one in taken]
        print_json("distribute", {"accepted": rows})
        return
    for one in taken:
        print(safe_line(f"{one.pattern}: {one.text}"))
    print(f"{plural(len(taken), 'rule')} taken over." if taken else "Nothing was edited.")


def _request(
    repo: str | None,
    is_user: bool,
    patterns: list[str] | None,
    agent: AgentChoice | None,
    *,
    restores: bool = False,
) -> DistributeRequest:
    from helix_tui.schema.distribute import DistributeRequest

    if repo and is_user:
        raise UsageError("--repo and --user exclude one another.", "Name one of them.")
    return DistributeRequest(repo or "", is_user, tuple(patterns or ()), agent, restores=restores)


def _tell_hooks(shown: Plan, branch: str) -> None:
    """Say whose hooks will run before anybody agrees."""
    if not branch:
        return
    from helix_tui.engine.distribute.git import hooks_of

    for root in dict.fromkeys(one.root for one in shown.writes if one.is_write):
        if hooks := hooks_of(root):
            print(safe_line(f"{root}: the commit will run {', '.join(hooks)}."), file=sys.stderr)


def _carry_out(
    shown: Plan,
    is_sure: bool,
    as_json: bool,
    carry: Callable[[Plan | None], Carried],
    verb: str,
) -> None:
    """Show a plan, ask, carry it out, and say what was done."""
    has_work = any(one.is_write or one.is_noted for one in shown.writes)
    if not as_json:
        _show_plan(shown, as_json=False)
    if has_work and not is_sure and any(one.is_write for one in shown.writes):
        is_asked = all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr))
        if not is_asked:
            raise _UnaskedError(
                f"Nothing was written: nobody could be asked whether to {verb}.",
                "Read the plan, then say --yes.",
            )
        print("Write this? y or n: ", end="", file=sys.stderr, flush=True)
        if sys.stdin.readline().strip().lower() not in ("y", "yes"):
            print("Nothing was written.", file=sys.stderr)
            raise typer.Exit(ExitCode.FINDINGS)
    done = carry(None if is_sure else shown)
    if as_json:
        print_json("distribute", {**plan_json(done.plan), "notices": done.notices})
        return
    for notice in done.notices:
        print(safe_line(notice))
    if done.written:
        print(f"{plural(len(done.written), 'file')} written.")


class _UnaskedError(HelixError):
    """Nobody is there who could be asked."""

    exit_code = ExitCode.FINDINGS


def _show_plan(found: Plan, as_json: bool) -> None:
    if as_json:
        print_json("distribute", plan_json(found))
        return
    from helix_tui.distribute.plan import diff_of

    writes = [one for one in found.writes if one.is_write]
    for one in writes:
        print(safe_line(f"{one.action} {one.file}"))
        print(safe(diff_of(one)), end="")
    for warning in found.warnings:
        print(safe_line(f"warning: {warning.pattern}: {warning.message}"))
    for refusal in found.refusals:
        where = f" in {refusal.file}" if refusal.file else ""
        text = f"not written ({refusal.kind}): {refusal.pattern}{where}: {refusal.message}"
        print(safe_line(text.replace(" ID", f" {refusal.pattern}")))
    for proposal in found.proposals:
        if proposal.pattern:
            print(safe_line(f"edited by hand: {proposal.pattern} in {proposal.file}:"))
            print(safe_line(f"  it says: {proposal.text}"))
            command = f"`helix distribute accept {proposal.pattern}`"
            print(f"  {command} takes that over, `apply --restore` writes ours again.")
        else:
            print(safe_line(f"a line of nobody's in the block of {proposal.file}: {proposal.text}"))
    if not writes:
        print("Nothing is to be written.")


def plan_json(found: Plan) -> dict[str, Any]:
    """A plan as scripts see it."""
    return {
        "writes": [_write_json(one) for one in found.writes],
        "refusals": [one._asdict() for one in found.refusals],
        "proposals": [one._asdict() for one in found.proposals],
        "warnings": [one._asdict() for one in found.warnings],
    }


def _write_json(one: Planned) -> dict[str, Any]:
    from helix_tui.distribute.plan import diff_of

    return {
        "file": one.file,
        "action": one.action,
        "site": one.site,
        "kind": one.kind,
        "patterns": [
            {
                "id": rule.pattern,
                "version": rule.version,
                "rule": rule.text,
                "agents": rule.agents,
            }
            for rule in one.rules
        ],
        "bytes_before": len(one.before or b""),
        "bytes_after": len(one.after or b""),
        "diff": diff_of(one),
    }


def _status_json(targets: list[TargetStatus]) -> dict[str, Any]:
    rows: dict[str, dict[str, Any]] = {}
    for one in targets:
        row = rows.setdefault(
            one.pattern, {"id": one.pattern, "version": one.version, "targets": []}
        )
        row["targets"] += [
            {
                "file": one.file,
                "agent": agent,
                "site": one.site,
                "version": one.version,
                "since": one.since,
                "state": one.state,
            }
            for agent in one.agents
        ]
    return {"patterns": list(rows.values())}
