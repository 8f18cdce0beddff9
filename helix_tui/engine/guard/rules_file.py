"""The rules of all guards as a file, which follows from the catalog."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import msgspec

from helix_tui.config import Config
from helix_tui.curate.catalog.catalog import Catalog
from helix_tui.curate.page.mistakes import BadFileError
from helix_tui.curate.page.page import read_page
from helix_tui.curate.page.pattern import Pattern
from helix_tui.digest.runs.table import shape_rows
from helix_tui.digest.shape.guarded import guarded_shape
from helix_tui.distribute.guards import guard_rules
from helix_tui.engine.distribute.teachings import teachings_of
from helix_tui.engine.guard.places import rules_path
from helix_tui.files.durable import FILE_MODE, make_folder, remove_durably, told, write_atomically
from helix_tui.files.regular import read_regular
from helix_tui.schema.guard import GuardRule, GuardRules, GuardTrouble


class Guards(NamedTuple):
    """The rules that hold, and the guards that cannot."""

    rules: list[GuardRule]
    troubles: list[GuardTrouble]


def guards_of(config: Config, patterns: Iterable[Pattern]) -> Guards:
    """The guards that a person switched on."""
    return Guards(*guard_rules(teachings_of(patterns, config.distribute.floors), guarded_shape))


def catalog_guards(config: Config) -> Guards:
    """The guards of the catalog as it is now."""
    return guards_of(config, Catalog(config.curate.catalog_dir).read().patterns.values())


def write_rules(config: Config, guards: Guards) -> bool:
    """Have the file say what the catalog says; return whether it did not.

    Without a guard there is no file: its script then has nothing to read.
    """
    path = rules_path(config.store)
    data = _encoded(guards) if guards.rules else None
    if _known(path) == data:
        return False
    with told(path):
        if data is None:
            remove_durably(path)
        else:
            make_folder(path.parent)
            write_atomically(path, data, FILE_MODE)
    return True


def follow(config: Config, pages: Iterable[tuple[str, str]]) -> None:
    """Write the rules again behind a change of the catalog; `pages` are those with a guard."""
    patterns = []
    for name, text in pages:
        try:
            patterns.append(read_page(text, name))
        except BadFileError:
            continue  # a page that cannot be read is told of with the catalog
    write_rules(config, guards_of(config, patterns))


def rules_trouble(config: Config) -> str:
    """What is wrong with the file, as the script would find it; empty where it is right."""
    path = rules_path(config.store)
    guards = catalog_guards(config)
    data = _known(path)
    if data is None:
        return f"{path} is missing" if guards.rules else ""
    try:
        msgspec.json.decode(data, type=GuardRules)
    except msgspec.MsgspecError as error:
        return f"{path} cannot be read: {error}"
    is_so = guards.rules and data == _encoded(guards)
    return "" if is_so else f"{path} is not what the catalog says"


def _encoded(guards: Guards) -> bytes:
    rows = msgspec.to_builtins(shape_rows())
    return msgspec.json.encode(GuardRules(guards.rules, rows)) + b"\n"


def _known(path: Path) -> bytes | None:
    try:
        return read_regular(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        return f"{error}".encode()
