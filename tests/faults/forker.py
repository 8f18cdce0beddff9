"""Runs `helix`, or the driver, again and again in forks of one process that has loaded it all.

A command takes half a second to load and a hundredth to write: so every fault costs little. One
request a line comes in, one answer a line goes out. A fork stops before it does anything, so that
a tracer can be attached.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import io
import json
import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from helix_tui.cli.main import main
from tests.faults import driver, hasty
from tests.forked import warm_up

_PR_SET_PTRACER = 0x59616D61
_ANYBODY = ctypes.c_ulong(-1)
PROGRAMS: dict[str, Callable[[], None]] = {
    "helix": main,
    "driver": lambda: sys.exit(driver.main(sys.argv[1:])),
}


def serve() -> None:
    """Answers requests until nobody asks any more."""
    for line in sys.stdin:
        print(json.dumps(_answer(json.loads(line))), flush=True)


def _answer(request: dict[str, Any]) -> dict[str, int]:
    if "wait" in request:
        return _ended(request["wait"])
    if "load" in request:
        return load(request["load"])
    return _begun(PROGRAMS[request["program"]], request)


def _begun(program: Callable[[], None], request: dict[str, Any]) -> dict[str, int]:
    pid = os.fork()
    if not pid:
        _run(program, request)
    os.waitpid(pid, os.WUNTRACED)
    return {"pid": pid}


def _ended(pid: int) -> dict[str, int]:
    _, status = os.waitpid(pid, 0)
    return {"code": os.waitstatus_to_exitcode(status)}


def _run(program: Callable[[], None], request: dict[str, Any]) -> None:
    """Becomes the command, and ends with it."""
    code = 70
    try:
        descriptor = os.open(request["said"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        said = io.TextIOWrapper(io.FileIO(descriptor, "w"), write_through=True)
        sys.stdout = sys.stderr = said
        sys.argv = ["helix", *request["arguments"]]
        os.environ.clear()
        os.environ.update(request["environ"])
        for change in request["changes"]:
            hasty.CHANGES[change]()
        # Where only a parent may trace, it says that others may, too.
        ctypes.CDLL(None).prctl(_PR_SET_PTRACER, _ANYBODY, 0, 0, 0)
        os.kill(os.getpid(), signal.SIGSTOP)
        try:
            program()
            code = 0
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
        if request["modules"]:
            print(json.dumps(sorted(sys.modules)))
    finally:
        os._exit(code)


def load(names: Sequence[str]) -> dict[str, int]:
    """Loads what a command had loaded when it ended."""
    before = len(sys.modules)
    for name in names:
        with suppress(ImportError):
            importlib.import_module(name)
    gc.collect()
    gc.freeze()
    return {"more": len(sys.modules) - before}


if __name__ == "__main__":
    warm_up()
    serve()
