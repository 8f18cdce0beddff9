"""Runs the `helix` command in forks of one process that has loaded it: most of a start is saved.

A command takes a third of a second to load and a tenth to run, and there are hundreds in the
tests. Whoever needs a process that really starts calls for one; HELIX_REAL=1 makes all of them.
"""

from __future__ import annotations

import atexit
import fcntl
import gc
import importlib
import io
import json
import logging
import os
import pkgutil
import subprocess
import sys
import tempfile
import termios
import time
import traceback
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from tests.rehearsal import rehearse

IS_REAL = bool(os.environ.get("HELIX_REAL"))
# What a start depends on before any code of ours runs; where modules are found can be told later.
_OF_THE_INTERPRETER = ("PYTHON", "LC_", "LANG", "MALLOC_")
_PATH = "PYTHONPATH"
_NOT_LOADED = (
    *("helix_tui.tui", "helix_tui.__main__", "helix_tui.hook"),
    *("helix_tui.mcp", "helix_tui.serve", "helix_tui.hub_server"),
)


class Done(NamedTuple):
    """How a command ended, and what it said."""

    code: int
    out: str
    err: str


def run_helix(
    arguments: Sequence[str], environ: Mapping[str, str], given: str | bytes = b""
) -> Done:
    """Runs the command with just these variables."""
    given = given.encode() if isinstance(given, str) else given
    if IS_REAL or any(name.startswith(_OF_THE_INTERPRETER) for name in {*environ} - {_PATH}):
        done = subprocess.run(
            [sys.executable, "-m", "helix_tui", *arguments],
            input=given,
            capture_output=True,
            env=dict(environ),
            check=False,
        )
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode())
    return _server().run(arguments, environ, given)


def start_helix(
    arguments: Sequence[str], environ: Mapping[str, str], terminal: int, out: Path | None = None
) -> Running | subprocess.Popen[bytes]:
    """Starts the command on a terminal that nobody else has; its output may go to a file."""
    if not IS_REAL:
        return _server().start(arguments, environ, os.ttyname(terminal), out)
    with out.open("wb") if out else nullcontext() as file:
        return subprocess.Popen(
            [sys.executable, "-m", "helix_tui", *arguments],
            stdin=terminal,
            stdout=file or terminal,
            stderr=terminal,
            env=dict(environ),
            preexec_fn=lambda: _own_terminal(0),
            start_new_session=True,
        )


@cache
def _server() -> _Server:
    server = _Server()
    atexit.register(server.close)
    return server


class _Server:
    """The loaded process, one for each process of tests."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="helix-forked-")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.forked"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[1],
        )

    def run(self, arguments: Sequence[str], environ: Mapping[str, str], given: bytes) -> Done:
        folder = Path(self._folder.name)
        streams = {name: str(folder / name) for name in ("in", "out", "err")}
        Path(streams["in"]).write_bytes(given)
        code = self.ended(self._begun(arguments, environ, streams))
        assert code is not None
        out, err = (Path(streams[name]).read_bytes() for name in ("out", "err"))
        return Done(code, out.decode(), err.decode())

    def start(
        self,
        arguments: Sequence[str],
        environ: Mapping[str, str],
        terminal: str,
        out: Path | None,
    ) -> Running:
        streams = {"in": terminal, "out": str(out or terminal), "err": terminal}
        return Running(self, self._begun(arguments, environ, streams))

    def ended(self, pid: int, *, is_awaited: bool = True) -> int | None:
        """With which code a command ended, for which it may wait."""
        found = self._asked({"wait": pid, "options": 0 if is_awaited else os.WNOHANG})
        return found if found is None else int(found)

    def _begun(
        self, arguments: Sequence[str], environ: Mapping[str, str], streams: Mapping[str, str]
    ) -> int:
        request = {
            "arguments": list(arguments),
            "environ": dict(environ),
            "cwd": str(Path.cwd()),
            "streams": dict(streams),
        }
        return int(self._asked(request))

    def _asked(self, request: dict[str, Any]) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(30)
        self._folder.cleanup()


class Running:
    """A command that runs in a fork, as `subprocess.Popen` has them."""

    def __init__(self, server: _Server, pid: int) -> None:
        self._server = server
        self._pid = pid
        self.returncode: int | None = None

    def poll(self) -> int | None:
        if self.returncode is None:
            self.returncode = self._server.ended(self._pid, is_awaited=False)
        return self.returncode

    def wait(self, timeout: float) -> int:
        ends = time.monotonic() + timeout
        while (code := self.poll()) is None:
            assert time.monotonic() < ends, "it does not end"
            time.sleep(0.002)
        return code

    def send_signal(self, number: int) -> None:
        assert self.poll() is None, "it has ended"
        os.kill(self._pid, number)


def _serve() -> None:
    """Answers requests until nobody asks any more."""
    warm_up()
    for line in sys.stdin:
        request = json.loads(line)
        answer = _ended(request) if "wait" in request else _forked(request)
        print(json.dumps(answer), flush=True)


def _ended(request: dict[str, Any]) -> int | None:
    pid, status = os.waitpid(request["wait"], request["options"])
    return os.waitstatus_to_exitcode(status) if pid else None


def _forked(request: dict[str, Any]) -> int:
    """Opens the streams first: whoever asked may then close a terminal."""
    streams = request["streams"]
    opened = [os.open(streams["in"], os.O_RDONLY | os.O_NOCTTY)]
    for name in ("out", "err"):
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOCTTY
        opened.append(os.open(streams[name], flags, 0o600))
    pid = os.fork()
    if not pid:
        _become(request, opened)
    for number in opened:
        os.close(number)
    return pid


def load_all() -> None:
    """Loads every module of the command line and what it stands on, but for servers.

    These stand on packages that nothing else needs, and which double what each fork takes over.
    """
    import helix_tui

    for module in pkgutil.walk_packages(helix_tui.__path__, "helix_tui."):
        if not module.name.startswith(_NOT_LOADED):
            importlib.import_module(module.name)


def reserve_little() -> None:
    """Has each store reserve what it does on a disk of four megabytes.

    A fresh store in memory, and each copy of it, cost more by the usual reserve than by all the
    rest.
    """
    if not IS_REAL:
        from helix_tui.store.packs import space

        space.LARGEST_RESERVE = 256 << 10


def warm_up() -> None:
    """Does once what every start does before it looks at what it was given."""
    load_all()
    reserve_little()
    import typer

    from helix_tui.cli import main
    from helix_tui.cli.registry import Commands
    from helix_tui.config import load

    load(None, None, {"HOME": "/nowhere"})
    commands = typer.main.get_command(main.app)
    assert isinstance(commands, Commands)
    commands.list_commands(None)
    vars(main)["app"] = commands
    rehearse()
    gc.collect()
    gc.freeze()


def _own_terminal(number: int) -> None:
    """Ctrl+c reaches this process and nobody else."""
    fcntl.ioctl(number, termios.TIOCSCTTY, 0)


def _become(request: dict[str, Any], streams: Sequence[int]) -> None:
    """Becomes the command, and ends with it."""
    code = 1
    try:
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
            os.close(stream)
        if os.isatty(0):
            os.setsid()
            _own_terminal(0)
        # As a start in the C locale makes them.
        sys.stdin = io.TextIOWrapper(
            io.BufferedReader(io.FileIO(0, "r")), "utf-8", "surrogateescape"
        )
        sys.stdout = io.TextIOWrapper(
            io.BufferedWriter(io.FileIO(1, "w")),
            "utf-8",
            "surrogateescape",
            line_buffering=os.isatty(1),
        )
        sys.stderr = io.TextIOWrapper(
            io.FileIO(2, "w"), "utf-8", "backslashreplace", line_buffering=True
        )
        sys.argv = ["helix", *request["arguments"]]
        os.environ.clear()
        os.environ.update(request["environ"])
        time.tzset()
        os.chdir(request["cwd"])
        sys.path[1:1] = filter(None, os.environ.get(_PATH, "").split(os.pathsep))
        from helix_tui.cli.main import main

        try:
            main()
            code = 0
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
        logging.shutdown()
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:  # noqa: BLE001 - told as a start would, and never answered for the server
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(code)


if __name__ == "__main__":
    _serve()
