"""How a command ends: with an exit code, and where something failed with a sentence about it."""

from __future__ import annotations

import errno
import io
import sys
from collections.abc import Callable
from typing import NoReturn

from helix_tui.cli.output import discard_output
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
    except BrokenPipeError:
        # Who reads has seen enough: `helix sessions | head`.
        discard_output()
        sys.exit(ExitCode.DONE)
    except OSError as error:
        if error.errno not in _OUTPUT_TROUBLE:
            _tell_bug(error)
        discard_output()
        print(f"helix: the output cannot be written: {error.strerror}.", file=sys.stderr)
        sys.exit(ExitCode.UNWRITABLE)
    except Exception as error:  # noqa: BLE001 - the last resort: a bug, told as such
        _tell_bug(error)


def _prepare_streams() -> None:
    """A closed or narrow stream must not keep a command from doing its work."""
    if sys.stdout is None:
        discard_output()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _tell_bug(error: Exception) -> NoReturn:
    import logging

    log = logging.getLogger("helix_tui")
    if log.handlers:
        log.error("a bug", exc_info=error)
    print(
        f"helix: this is a bug in Helix: {safe_line(f'{type(error).__name__}: {error}')}. "
        "The log file has the details; the store is as the last commit left it.",
        file=sys.stderr,
    )
    sys.exit(ExitCode.BUG)
