"""`helix` on its own: open the workstation, on the bundled sample where there are no logs."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from helix_tui.cli.logs import start_log
from helix_tui.config import load
from helix_tui.errors import ConfigError, ExitCode
from helix_tui.places import sample_store

if TYPE_CHECKING:
    from helix_tui.config import Config
    from helix_tui.tui.jobs import Connection

_NO_TERMINAL = (
    "helix: the workstation needs a terminal. Use `helix --sweep` to take in logs, `helix status`, "
    "`helix sessions` and `helix detect` to look at them, `helix approve` and its like to decide, "
    "`helix --help` for the rest."
)
_DEMO = "This is the bundled sample, not your own logs; nothing of yours is touched."


def run(
    config: Path | None, store: Path | None, *, is_demo: bool = False, is_team: bool = False
) -> None:
    """Open the workstation and return when it is left."""
    if not _has_terminal():
        print(_NO_TERMINAL, file=sys.stderr)
        sys.exit(ExitCode.USAGE)
    place = _sample_place(store) if is_demo else store
    loaded = load(config, place)
    start_log(loaded, is_verbose=False, has_file=True)
    refuse_keys(loaded)
    if is_team:
        from helix_tui.team.membership import require_membership

        require_membership(loaded.store)

    # What takes time is loaded and looked for behind the first frame.
    def open_source() -> Connection:
        if is_team:
            return _open_team(loaded, config)
        return _open_sample(config, place, _DEMO) if is_demo else _open(loaded, config)

    from helix_tui.places import xdg_folder
    from helix_tui.tui.app import HelixApp
    from helix_tui.tui.key_priority import spare_collector
    from helix_tui.tui.preferences import Preferences

    remembered = Preferences(xdg_folder("state") / "workstation.json")
    app = HelixApp(open_source, loaded.keys, preferences=remembered)
    spare_collector()
    try:
        app.run()
    finally:
        app.jobs.close()
    if app.return_code:
        sys.exit(app.return_code)


def refuse_keys(config: Config) -> None:
    """Raise every mistake in a person's own keys at once."""
    if not config.keys:
        return
    from helix_tui.tui.keymap import keymap_mistakes

    if mistakes := keymap_mistakes(config.keys):
        raise ConfigError([f"{config.file}: {mistake}." for mistake in mistakes])


def _has_terminal() -> bool:
    if "TEXTUAL_DRIVER" in os.environ:
        return True  # a browser, by `helix serve`
    streams = (sys.stdin, sys.stdout, sys.stderr)  # it is drawn on the last of these
    is_there = all(stream is not None and stream.isatty() for stream in streams)
    return is_there and os.environ.get("TERM") != "dumb"


def _sample_place(store: Path | None) -> Path:
    return store or sample_store()


def _open(config: Config, named: Path | None) -> Connection:
    """The store of a person's own logs; without any, the sample."""
    from helix_tui.engine import Engine
    from helix_tui.engine.hub import process
    from helix_tui.engine.sample import has_logs
    from helix_tui.engine.sweep.process import command_for
    from helix_tui.store.layout import StoreLayout
    from helix_tui.tui.jobs import Connection

    if not StoreLayout(config.store).database.exists() and not has_logs(config):
        file = config.file or "config.toml"
        # Nobody asked for the sample: a catalog that a named file sets is not for made-up patterns.
        return _open_sample(
            None,
            sample_store(),
            "No agent has left logs on this machine: this is the bundled sample. "
            f"Point Helix at logs with `roots` under [sources.claude] in {file}.",
        )
    notice = _DEMO if config.is_sample else ""
    command = command_for(named, config.store)
    # What is tried out on the sample is nobody's decision: a sweep or a sync sends it, if one is
    # asked for.
    is_sending = config.hub.url and not config.is_sample
    return Connection(
        Engine(config),
        command,
        notice,
        config.is_sample,
        process.command_for(named, config.store) if is_sending else (),
    )


def _open_team(config: Config, named: Path | None) -> Connection:
    """The team's list as it last came here; a run of verdicts has it brought up to date."""
    from helix_tui.engine.sweep.process import command_for
    from helix_tui.engine.team import process
    from helix_tui.engine.team.engine import TeamEngine
    from helix_tui.tui.jobs import Connection

    engine = TeamEngine(config)
    return Connection(
        engine,
        command_for(named, config.store),
        engine.told_of_list(),
        send_command=process.command_for(named, config.store),
    )


def _open_sample(named: Path | None, place: Path | None, notice: str) -> Connection:
    from helix_tui.engine import Engine
    from helix_tui.engine.sample import keep_sample
    from helix_tui.engine.sample_history import tell_history
    from helix_tui.engine.sweep.process import command_for
    from helix_tui.tui.jobs import Connection

    assert place is not None, "the sample has a place of its own"
    keep_sample(place)
    config = load(named, place)
    tell_history(config)
    return Connection(Engine(config), command_for(named, config.store), notice, is_sample=True)
