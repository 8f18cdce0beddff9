"""How a command ends: with an exit code, and where something failed with a sentence about it."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from helix_tui import __version__
from helix_tui.cli.output import discard_output, has_no_reader
from helix_tui.errors import ExitCode, HelixError
from helix_tui.text.safe import safe_line

_OUTPUT_TROUBLE = (errno.ENOSPC, errno.EIO)


def run_to_end(act: Callable[[], object]) -> None:
    """Run a command; an error is a sentence and an exit code, never a traceback."""
    _prepare_streams()
    try:
        try:
            act()
        finally:
            sys.stdout.flush()
    except HelixError as error:
        for line in str(error).split("\n"):
            print(f"helix: {safe_line(line)}", file=sys.stderr)
        sys.exit(error.exit_code)
    except OSError as error:
        if isinstance(error, BrokenPipeError) and has_no_reader():
            # Who reads has seen enough: `helix sessions | head`.
            discard_output()
            sys.exit(ExitCode.DONE)
        # What fails on a file has its name; the output has none.
        if error.errno not in _OUTPUT_TROUBLE or error.filename is not None:
            _tell_bug(error)
        discard_output()
        print(f"helix: the output cannot be written: {error.strerror}.", file=sys.stderr)
        sys.exit(ExitCode.UNWRITABLE)
    except Exception as error:  # noqa: BLE001 - nobody expected it, so it is told as a bug
        _tell_bug(error)


def _prepare_streams() -> None:
    """A closed or narrow stream must not keep a command from doing its work."""
    if sys.stdout is None:
        discard_output()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _tell_bug(error: Exception) -> NoReturn:
    """Say what happened and where the traceback is: in a file, or here where none can be made."""
    import traceback

    from helix_tui.text.redact import redact

    lines = "".join(traceback.format_exception(error)).splitlines()
    report = "\n".join([_circumstances(), *(safe_line(redact(line)) for line in lines), ""])
    what = safe_line(redact(f"{type(error).__name__}: {error}"))
    try:
        where = f"The traceback is in {safe_line(str(_written(report)))}"
    except OSError as unwritable:
        print(report, file=sys.stderr)
        where = f"The traceback is above, as no file can be made for it ({unwritable.strerror})"
    print(
        f"helix: this is a bug in Helix: {what}. {where}; please report it. "
        "The store is as the last commit left it.",
        file=sys.stderr,
    )
    sys.exit(ExitCode.BUG)


def _circumstances() -> str:
    return f"helix {__version__}, Python {sys.version.split()[0]} on {sys.platform}"


def _written(report: str) -> Path:
    """Write a report beside the log, for the user alone."""
    from datetime import UTC, datetime

    from helix_tui.places import xdg_folder

    folder = xdg_folder("state") / "log"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / f"bug-{datetime.now(UTC):%Y%m%dT%H%M%S}-{os.getpid()}.txt"
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(report)
    return path
