"""Plug-ins that do what no adapter should: each costs its unit, or while listing its flavor."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.capture.plugins import EXAMPLE, install, thread
from tests.claude_log import ClaudeLog
from tests.conftest import Ran, Workbench

# What each does when it meets `bad.json`, and what is told of it.
READING = {
    "exits": ("raise SystemExit(3)", "SystemExit: 3"),
    "interrupts": ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    "leaves": ("raise GeneratorExit", "GeneratorExit"),
    "dies": ("print('out of memory', file=sys.stderr, flush=True); os._exit(7)", "ended with code"),
    "killed": ("os.kill(os.getpid(), signal.SIGKILL)", "ended by signal 9"),
    "nan": ("draft.session('n').put(0, float('nan'), 0, 'x')", "milliseconds, not nan"),
    "inf": ("draft.session('n').saw_time(float('inf'))", "milliseconds, not inf"),
    "late": ("draft.session('n').saw_time(1 << 62)", "a time is a whole number"),
    "kinds": ("draft.session('n').put(0, 1, 99, 'x')", "Expected `int` <= 7"),
    "texts": ("draft.session('n').put(0, 1, 0, 'x', tool=3)", "got `int`"),
}
LISTING = {
    "list_exits": ("raise SystemExit(3)", "SystemExit: 3"),
    "list_interrupts": ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    "list_dies": ("os._exit(7)", "ended with code 7"),
    "list_lies": ("return [PartFile('other.json')]", "it names 'other.json', which is not there"),
    "list_mixes": ("return [3]", "of another kind"),
}
# Enough for a plug-in that answers, on the busiest machine.
_SECONDS = 60
HEAD = """
import os, signal, sys, time
from helix_amp import AmpAdapter, AmpReader
from helix_tui.capture.adapters import PartFile
"""
READER = """
class {name}Reader(AmpReader):
    def read_document(self, part, content, draft):
        print("{{ this is no JSON", flush=True)
        os.write(1, b"nor this")
        sys.stdin.read()
        if b"BAD" in content:
            {does}
        else:
            super().read_document(part, content, draft)

class {name}(AmpAdapter):
    flavor = "{name}"
    def reader(self, unit, paths, state):
        return {name}Reader()
"""
LISTER = """
class {name}(AmpAdapter):
    flavor = "{name}"
    def parts(self, path, names):
        {does}
"""


@pytest.fixture
def others(bench: Workbench, tmp_path: Path) -> Workbench:
    """A machine on which somebody worked with Claude Code, too."""
    log = ClaudeLog()
    log.prompt()
    log.write(bench.home)
    bench.variables |= {
        "PYTHONPATH": str(tmp_path / "site"),
        "HELIX_CONFIG": str(tmp_path / "config.toml"),
    }
    return bench


def put(bench: Workbench, source: str, flavors: dict[str, str], seconds: int) -> None:
    """Installs adapters, each with a folder that holds a log it cannot bear and one it can."""
    folder = bench.home.parent
    module = folder / "misbehaving.py"
    module.write_text(HEAD + source)
    entries = "\n".join(f"{name} = {place}" for name, place in flavors.items())
    install(folder / "site", module, entries)
    (folder / "site" / EXAMPLE.name).write_bytes(EXAMPLE.read_bytes())
    settings = f"[sweep]\nplugin_timeout_seconds = {seconds}\n"
    for name in flavors:
        exports = bench.home / name
        exports.mkdir()
        (exports / "bad.json").write_text("BAD")
        (exports / "good.json").write_text(json.dumps(thread()))
        settings += f'[sources.{name}]\nroots = ["{exports}"]\n'
    (folder / "config.toml").write_text(settings)


def adapters(form: str, misdeeds: dict[str, tuple[str, str]]) -> str:
    """The source of an adapter for each."""
    return "".join(form.format(name=name, does=does) for name, (does, _) in misdeeds.items())


def reasons(swept: Ran) -> dict[str, str]:
    """What is told, by the place it is told of."""
    return {one["path"]: one["reason"] for one in swept.json["problems"]["list"]}


def test_what_a_plug_in_does_while_reading_costs_its_unit(others: Workbench) -> None:
    flavors = {name: f"misbehaving:{name}" for name in READING}
    put(others, adapters(READER, READING), flavors, _SECONDS)
    swept = others.helix("--sweep", "--json", check=False)
    assert swept.code == 1
    assert "no JSON" not in swept.err
    told = reasons(swept)
    assert told.keys() == {str(others.home / name / "bad.json") for name in READING}
    for name, (_, expected) in READING.items():
        reason = told[str(others.home / name / "bad.json")]
        assert reason.startswith(f"the {name} adapter failed: ")
        assert expected in reason
    assert "out of memory" in told[str(others.home / "dies" / "bad.json")]
    found = [one["flavor"] for one in others.helix("sessions", "--json").json["sessions"]]
    assert sorted(found) == sorted(["claude", *READING])


def test_what_a_plug_in_does_while_listing_costs_its_flavor(
    others: Workbench, tmp_path: Path
) -> None:
    flavors = {name: f"misbehaving:{name}" for name in LISTING}
    loading = {"load_exits": "sys.exit(4)", "load_dies": "os._exit(5)"}
    flavors |= {name: f"{name}:Adapter" for name in loading}
    put(others, adapters(LISTER, LISTING), flavors, _SECONDS)
    for name, does in loading.items():
        (tmp_path / "site" / f"{name}.py").write_text(f"import os, sys\n{does}\n")
    swept = others.helix("--sweep", "--json", check=False)
    assert swept.code == 1
    expected = {name: words for name, (_, words) in LISTING.items()}
    expected |= {"load_exits": "SystemExit: 4", "load_dies": "ended with code 5"}
    told = reasons(swept)
    assert told.keys() == {str(others.home / name) for name in expected}
    for name, words in expected.items():
        assert words in told[str(others.home / name)]
    (session,) = others.helix("sessions", "--json").json["sessions"]
    assert session["flavor"] == "claude"
    looked = others.helix("doctor", "--json", check=False)
    wrong = {one["name"]: one["detail"] for one in looked.json["checks"] if not one["ok"]}
    assert "SystemExit: 4" in wrong["source load_exits"]
    assert others.helix("status", "--json").code == 0


def test_a_plug_in_that_never_answers_is_given_up(others: Workbench) -> None:
    source = READER.format(name="sleeps", does="time.sleep(3600)")
    source += LISTER.format(name="list_spins", does="while True: pass")
    put(others, source, {name: f"misbehaving:{name}" for name in ("sleeps", "list_spins")}, 2)
    swept = others.helix("--sweep", "--json", check=False)
    assert swept.code == 1
    told = reasons(swept)
    assert told.keys() == {
        str(others.home / "sleeps" / "bad.json"),
        str(others.home / "list_spins"),
    }
    assert all("adapter failed: no answer within" in reason for reason in told.values())
    flavors = [one["flavor"] for one in others.helix("sessions", "--json").json["sessions"]]
    assert sorted(flavors) == ["claude", "sleeps"]
    assert others.helix("doctor", "--json", check=False).json["checks"]
    assert others.helix("status", "--json").code == 0


HANGING = {
    "reading": READER.format(name="hangs", does="hang()"),
    "listing": LISTER.format(name="hangs", does="hang()"),
}
HANG = """
def hang():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    with open(os.environ["HANGING"], "w") as file:
        file.write(str(os.getpid()))
    while True:
        try:
            time.sleep(3600)
        except BaseException:
            pass
"""


@pytest.fixture(params=sorted(HANGING))
def hanging(others: Workbench, request: pytest.FixtureRequest) -> Workbench:
    """A machine with a plug-in that would take ten minutes before it is given up."""
    put(others, HANG + HANGING[request.param], {"hangs": "misbehaving:hangs"}, 600)
    others.variables["HANGING"] = str(others.home / "hanging")
    return others


def its_process(bench: Workbench) -> int:
    """The process of the plug-in, once it hangs."""
    file = bench.home / "hanging"
    for _ in range(1200):
        if file.exists() and (found := file.read_text()):
            return int(found)
        time.sleep(0.05)
    raise AssertionError("the plug-in was not asked")


def is_gone(pid: int) -> bool:
    """Whether a process has ended, or is about to be taken away."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def command(bench: Workbench) -> tuple[list[str], dict[str, str]]:
    """A sweep as a person starts it."""
    words = [sys.executable, "-m", "helix_tui", "--sweep", "--store", str(bench.store)]
    return words, {"PATH": os.environ["PATH"], "TERM": "xterm", **bench.environ}


@contextmanager
def begun(words: list[str], **how: Any) -> Iterator[subprocess.Popen[str]]:
    """A process that is gone behind the test, whatever came of it."""
    with subprocess.Popen(words, text=True, **how) as process:
        try:
            yield process
        finally:
            process.kill()


def test_one_interrupt_ends_a_sweep_that_waits_for_a_plug_in(hanging: Workbench) -> None:
    words, environ = command(hanging)
    master, slave = pty.openpty()
    streams = {"stdin": slave, "stdout": slave, "stderr": slave}
    with begun(
        words, env=environ, start_new_session=True, preexec_fn=take_terminal, **streams
    ) as sweep:
        os.close(slave)
        pid = its_process(hanging)
        os.write(master, b"\x03")
        assert sweep.wait(60) == 130
        assert is_gone(pid)
    os.close(master)


def take_terminal() -> None:
    """Makes stdin the terminal that Ctrl-C is pressed in."""
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def test_a_workstation_that_closes_ends_its_sweep(hanging: Workbench) -> None:
    _, environ = command(hanging)
    words = [sys.executable, "-m", "helix_tui.engine.sweep.process", str(hanging.store)]
    with begun(words, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as sweep:
        pid = its_process(hanging)
        out, _ = sweep.communicate(timeout=60)
        assert sweep.returncode == 130
        assert is_gone(pid)
    assert [json.loads(line)["event"] for line in out.splitlines()][-1] == "SweepFinished"


def test_a_plug_in_does_not_outlive_a_killed_sweep(hanging: Workbench) -> None:
    words, environ = command(hanging)
    with begun(words, env=environ) as sweep:
        pid = its_process(hanging)
        sweep.send_signal(signal.SIGKILL)
    for _ in range(1200):
        if is_gone(pid):
            return
        time.sleep(0.05)
    raise AssertionError("the plug-in's process is still there")
