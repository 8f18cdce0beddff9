"""`helix hooks`: agents report what ends or is compacted, so that nobody has to look for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from helix_tui.cli.agent_settings import (
    AgentArgument,
    OneAgentArgument,
    print_notes,
    print_taken_out,
)
from helix_tui.cli.options import (
    ConfigOption,
    JsonOption,
    StoreOption,
    VerboseOption,
    load_config,
)
from helix_tui.cli.output import print_json, print_table
from helix_tui.text.human import plural
from helix_tui.text.safe import safe_line

if TYPE_CHECKING:
    from helix_tui.config import Config
    from helix_tui.schema.hooks import HookStatus

app = typer.Typer(
    help="Let agents report what happens, by their own hooks.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


_CONTEXT = (
    "Sessions begin with what earlier ones in the same repository left open and found out, as "
    "notes, 4 KB at most. `helix recall` shows what there is; --no-context ends it.",
    "What Grok's hooks print never reaches its model: sweeps keep `.grok/rules/helix-recall.md` in "
    "each repository in which Grok worked, and git is told not to see it. --no-context ends it.",
)


@app.command(
    "install",
    help="Put Helix among the hooks of an agent; all else in its file stays.\n\n"
    "It says what will happen first. Behind a session's end the hook starts a flush in the "
    "background, so that what was learned is written while it is fresh; --no-flush leaves that to "
    "the next sweep.",
)
def install(
    context: typer.Context,
    flavor: AgentArgument,
    is_quiet: Annotated[
        bool, typer.Option("--no-flush", help="Only report; the next sweep flushes.")
    ] = False,
    guards: Annotated[
        bool,
        typer.Option("--guard", help="Also answer before commands that a pattern guards against."),
    ] = False,
    is_context: Annotated[
        bool | None,
        typer.Option(
            "--context/--no-context",
            help="Let sessions begin with what earlier ones in the repository taught, 4 KB at "
            "most; or no longer. Else it stays as it is, at first off.",
            show_default=False,
        ),
    ] = None,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Install, and say what the person has to do in the agent."""
    from helix_tui.engine import Engine
    from helix_tui.engine.memory.hook_status import hook_statuses
    from helix_tui.engine.memory.hooks import advice_for, forecast, install_hook

    loaded = load_config(context, config, store, verbose)
    lines = forecast(loaded, flavor, flushes=not is_quiet)
    if not as_json:
        for line in lines:
            print(safe_line(line))
    is_changed = install_hook(loaded, flavor, is_context, guards=guards, flushes=not is_quiet)
    engine = Engine(loaded)
    messages = engine.prepare_recall() if engine.has_store() else []
    (status,) = hook_statuses(loaded, flavor)
    if as_json:
        fields = {"hooks": [_as_json(status)], "changed": is_changed, "will": lines}
        print_json("hooks", fields)
        return
    verb = "Installed in" if is_changed else "It was installed in"
    print(f"{verb} {safe_line(status.path)}, for {', '.join(status.events)}.")
    if status.has_guard:
        rules = plural(status.guards, "rule")
        print(f"Before it runs a command it asks Helix, which answers by {rules}.")
        if not status.guards:
            print(
                "No pattern has a guard yet: `helix catalog set ID --guard deny` switches one on."
            )
    print(advice_for(flavor))
    if status.has_context:
        print(_CONTEXT[flavor == "grok"])
    print_notes([status])
    for message in messages:
        print(safe_line(message))


@app.command("uninstall", help="Take Helix out of an agent's hooks again; the file is as before.")
def uninstall(
    context: typer.Context,
    flavor: AgentArgument,
    guards: Annotated[
        bool, typer.Option("--guard", help="Only the guard; what it reports goes on.")
    ] = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Uninstall; that there was nothing to do is fine."""
    from helix_tui.engine.memory.hooks import uninstall_guard, uninstall_hook

    loaded = load_config(context, config, store, verbose, keeps_log=False)
    is_changed = (uninstall_guard if guards else uninstall_hook)(loaded, flavor)
    (status,) = _statuses(loaded, flavor)
    if as_json:
        print_json("hooks", {"hooks": [_as_json(status)], "changed": is_changed})
        return
    print_taken_out(status.path, is_changed=is_changed)
    print_notes([status])


@app.command("status", help="Show which hooks are installed, and prove which of them are alive.")
def show(
    context: typer.Context,
    flavor: OneAgentArgument = None,
    as_json: JsonOption = False,
    config: ConfigOption = None,
    store: StoreOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Try each hook that is installed, without a trace in the store."""
    loaded = load_config(context, config, store, verbose, keeps_log=False)
    statuses = _statuses(loaded, flavor)
    if as_json:
        print_json("hooks", {"hooks": [_as_json(status) for status in statuses]})
        return
    print_table(
        (
            ("agent", "left"),
            ("hook", "left"),
            ("guard", "left"),
            ("waiting", "right"),
            ("events", "left"),
            ("file", "flex"),
        ),
        [
            (
                status.flavor,
                _state(status),
                _guard_state(status),
                f"{status.spooled:,}",
                ", ".join(status.events) or "-",
                status.path,
            )
            for status in statuses
        ],
    )
    print_notes(statuses)


def _statuses(config: Config, flavor: str | None) -> list[HookStatus]:
    from helix_tui.engine.memory.hook_status import hook_statuses

    return hook_statuses(config, flavor)


def _state(status: HookStatus) -> str:
    return ("alive" if status.alive else "dead") if status.installed else "none"


def _guard_state(status: HookStatus) -> str:
    if not status.has_guard:
        return "none"
    return plural(status.guards, "rule") if status.is_guarding else "dead"


def _as_json(status: HookStatus) -> dict[str, Any]:
    return {
        "flavor": status.flavor,
        "installed": status.installed,
        "alive": status.alive,
        "path": status.path,
        "events": status.events,
        "spooled": status.spooled,
        "current": status.is_current,
        "notes": status.notes,
        "todo": status.todo,
        "flushes": status.flushes,
        "guard": {
            "installed": status.has_guard,
            "alive": status.is_guarding,
            "rules": status.guards,
        },
        "context": status.has_context,
    }
