"""`helix` without a command: the workstation on a real terminal, and what is said without one."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.conftest import Workbench
from tests.sample_list import LISTED, OPEN


class Terminal:
    """A command on a terminal of its own."""

    def __init__(self, bench: Workbench, arguments: Sequence[str], size: tuple[int, int]) -> None:
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "helix_tui", *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            # Its controlling terminal, as that of a shell: closing it is told by a signal.
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
            env={"PATH": os.environ["PATH"], "TERM": "xterm-256color", **bench.environ},
        )
        os.close(slave)
        self._master = master
        self.said = ""

    def until(self, wanted: str, seconds: float = 30) -> None:
        """Reads until something was on the screen."""
        end = time.monotonic() + seconds
        while wanted not in self.plain:
            assert time.monotonic() < end, self.plain[-3000:]
            if select.select([self._master], [], [], 0.2)[0]:
                try:
                    self.said += os.read(self._master, 65536).decode(errors="replace")
                except OSError:
                    assert wanted in self.plain, self.plain[-3000:]

    @property
    def plain(self) -> str:
        return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", self.said)

    def press(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def close(self) -> None:
        """As a window that is closed: the terminal is gone."""
        os.close(self._master)

    def end(self, seconds: float = 10) -> int:
        end = time.monotonic() + seconds
        while self._process.poll() is None and time.monotonic() < end:
            if select.select([self._master], [], [], 0.05)[0]:
                try:
                    os.read(self._master, 65536)
                except OSError:
                    time.sleep(0.05)
        code = self._process.wait(timeout=1)
        os.close(self._master)
        return code

    def wait(self) -> int:
        return self._process.wait(timeout=10)


def test_without_a_terminal_it_says_what_to_use(bench: Workbench) -> None:
    for arguments in ((), ("--demo",)):
        done = bench.helix(*arguments, check=False)
        assert done.code == 2
        assert "helix --sweep" in done.err
        assert "needs a terminal" in done.err
        assert done.out == ""
    assert not bench.store.exists()


def test_options_of_a_sweep_are_refused_without_one(bench: Workbench) -> None:
    done = bench.helix("--dry-run", check=False)
    assert done.code == 2
    assert "--dry-run" in done.err


@pytest.mark.parametrize("size", [(120, 40), (80, 24)], ids=["120x40", "80x24"])
def test_without_logs_it_opens_on_the_sample_and_says_so(
    bench: Workbench, size: tuple[int, int]
) -> None:
    terminal = Terminal(bench, [], size)
    terminal.until("3 Candidates")
    terminal.until("No agent has left logs on this machine")
    # Beside all the names of screens there is room for half of it.
    terminal.until("bundled sample, not your logs" if size == (80, 24) else "bundled sample ")
    terminal.until(f"{OPEN} of {LISTED}")
    terminal.press("r")
    terminal.until(f"{OPEN - 1} of {LISTED}")
    terminal.press("q")
    assert terminal.end() == 0
    journal = bench.home / ".local" / "share" / "helix-sample" / "review" / "journal.jsonl"
    assert '"action":"reject"' in journal.read_text()
    assert not (bench.home / ".local" / "share" / "helix" / "store.db").exists()


def test_made_up_patterns_stay_out_of_a_catalog_that_a_named_file_sets(
    bench: Workbench, tmp_path: Path
) -> None:
    config = tmp_path / "config.toml"
    config.write_text('[curate]\ncatalog_dir = "catalog"\n')
    terminal = Terminal(bench, ["--config", str(config)], (120, 40))
    terminal.until(f"{OPEN} of {LISTED}")
    terminal.press("j")
    terminal.press("e")  # by `a` it is approved at once where the draft was on the screen
    terminal.until("Approving  makes")
    terminal.press("\x07")
    terminal.until(f"{OPEN - 1} of {LISTED}")
    terminal.until("Approved")
    terminal.press("q")
    assert terminal.end() == 0
    assert [path.name for path in tmp_path.rglob("catalog") if path.parent == tmp_path] == []
    assert [*(bench.home / ".local" / "share" / "helix-sample" / "catalog").glob("*.md")]


def test_closing_the_terminal_loses_no_verdict_and_leaves_no_process(bench: Workbench) -> None:
    terminal = Terminal(bench, ["--demo", "--store", str(bench.store)], (80, 24))
    terminal.until(f"{OPEN} of {LISTED}")
    terminal.press("r")
    terminal.until(f"{OPEN - 1} of {LISTED}")
    terminal.close()
    terminal.wait()
    assert '"action":"reject"' in (bench.store / "review" / "journal.jsonl").read_text()


def test_wrong_keys_are_told_before_anything_is_drawn(bench: Workbench, tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text('[keys]\n"candidate.aprove" = "a"\n"candidate.approve" = "ctrl+s"\n')
    done = bench.helix("config", "check", "--config", str(config), check=False)
    assert done.code == 78
    assert "ctrl+s" in done.err
    config.write_text('[keys]\n"candidate.aprove" = "f12"\n"candidate.approve" = "x"\n')
    done = bench.helix("config", "check", "--config", str(config), check=False)
    assert done.code == 78
    assert "keys.candidate.aprove: unknown action" in done.err
    assert "keys.candidate.approve: x is the key of candidate.reject" in done.err
    config.write_text('[keys]\n"candidate.approve" = ["f12", "/"]\n"list.filter" = "f11"\n')
    done = bench.helix("config", "check", "--config", str(config))
    assert "no mistakes" in done.out
