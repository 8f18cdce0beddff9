"""Takes the rows that a configuration adds into the table of runners."""

from __future__ import annotations

from pathlib import Path

import msgspec

from helix_tui.digest.runs.table import RowsError, add_rows, check_rows
from helix_tui.errors import ConfigError
from helix_tui.schema import UnitTask


def use_runners(paths: tuple[str, ...]) -> None:
    """Adds files of rows, or raises every mistake in them."""
    mistakes: list[str] = []
    for path in paths:
        try:
            check_rows(Path(path))
        except RowsError as error:
            mistakes.append(f"[digest] runners: {error}")
    if mistakes:
        raise ConfigError(mistakes)
    add_rows(paths)


def with_runners(tasks: list[UnitTask], paths: tuple[str, ...]) -> list[UnitTask]:
    """The same tasks, naming the files of rows: a worker has a table of its own."""
    if not paths:
        return tasks
    return [msgspec.structs.replace(task, runners=paths) for task in tasks]
