"""The whole way in a real terminal multiplexer: sweep, drill, approve, edit, undo, quit."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from helix_tui.curate.journal.journal import Journal
from helix_tui.sample.loop import TAUGHT
from tests.conftest import Workbench
from tests.sample_list import LISTED, OPEN
from tests.tui.sitting import both_sizes

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")


class Tmux:
    """A server of its own with one window."""

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        self._name = f"helix-{uuid.uuid4().hex[:8]}"

    def _do(self, *arguments: str) -> str:
        done = subprocess.run(
            ["tmux", "-L", self._name, "-f", "/dev/null", *arguments],
            capture_output=True,
            text=True,
            check=False,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", **self._bench.environ},
        )
        return done.stdout

    def start(self, size: tuple[int, int], *arguments: str) -> None:
        width, height = map(str, size)
        command = [sys.executable, "-m", "helix_tui", *arguments]
        self._do("-u", "new-session", "-d", "-x", width, "-y", height, *command)

    @property
    def screen(self) -> str:
        return self._do("capture-pane", "-p")

    @property
    def is_running(self) -> bool:
        return bool(self._do("list-sessions"))

    def press(self, *keys: str) -> None:
        for key in keys:
            self._do("send-keys", key)

    def type(self, text: str) -> None:
        self._do("send-keys", "-l", "--", text)

    def resize(self, size: tuple[int, int]) -> None:
        self._do("resize-window", "-x", str(size[0]), "-y", str(size[1]))

    def resize_at_once(self, *sizes: tuple[int, int]) -> None:
        steps = [("resize-window", "-x", str(x), "-y", str(y), ";") for x, y in sizes]
        self._do(*[word for step in steps for word in step][:-1])

    def until(self, *wanted: str, seconds: float = 30) -> str:
        end = time.monotonic() + seconds
        while True:
            screen = self.screen
            if all(one in screen for one in wanted):
                return screen
            assert time.monotonic() < end, f"{wanted} never came:\n{screen}"
            time.sleep(0.05)

    def until_gone(self, unwanted: str, seconds: float) -> None:
        end = time.monotonic() + seconds
        while unwanted in self.screen:
            assert time.monotonic() < end, f"{unwanted!r} is still there:\n{self.screen}"
            time.sleep(0.05)

    def sweep_again(self, wanted: str) -> None:
        """Asks for a sweep until one is done: while the first one runs, a second is refused."""
        end = time.monotonic() + 60
        while wanted not in self.screen:
            assert time.monotonic() < end, self.screen
            self.press("s")
            with suppress(AssertionError):
                self.until(wanted, seconds=4)

    def until_left(self, seconds: float = 10) -> None:
        end = time.monotonic() + seconds
        while self.is_running:
            assert time.monotonic() < end, self.screen
            time.sleep(0.05)

    def end(self) -> None:
        self._do("kill-server")


@pytest.fixture
def tmux(bench: Workbench) -> Iterator[Tmux]:
    made = Tmux(bench)
    yield made
    made.end()


def verdicts(store: Path) -> list[str]:
    """What was decided here, behind what the sample brings along."""
    lines = Journal(store / "review" / "journal.jsonl").lines().lines
    return [line.action for line in lines[len(TAUGHT) :]]


def pages(store: Path) -> list[str]:
    known = {one.candidate for one in TAUGHT}
    found = sorted((store / "catalog").glob("*-*.md"))
    return [path.read_text() for path in found if path.stem not in known]


def eventually(is_so: Callable[[], bool], seconds: float = 10) -> None:
    """Waits for files, which follow the line of the journal that a screen shows."""
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.05)


@both_sizes
def test_sweep_drill_approve_edit_undo_quit(
    tmux: Tmux, bench: Workbench, size: tuple[int, int]
) -> None:
    store = bench.store
    tmux.start(size, "--demo", "--store", str(store))
    tmux.until(f"{OPEN} of {LISTED}", "4 Evidence  1 of 20", "taught, and more frequent since")
    tmux.sweep_again("Swept: 0 of 208")
    tmux.press("j")
    tmux.until("4 Evidence  1 of 10")
    tmux.press("Enter")
    tmux.until("Evidence  1 of 10", "from the store", "◆")
    tmux.press("n")
    tmux.until("Evidence  2 of 10")
    tmux.press("a")
    tmux.until("Words of a log", "^g approve")
    tmux.press("C-g")
    tmux.until(f"{OPEN - 1} of {LISTED}", "Approved: user corrects")
    assert verdicts(store) == ["approve"]
    eventually(lambda: len(pages(store)) == 1)
    tmux.press("e")
    tmux.until("user-correction-comment", "## Problem")
    tmux.press("NPage", "NPage", "NPage", "End", "Enter")
    tmux.type("- Say which port it was.")
    tmux.press("C-g")
    tmux.until(f"{OPEN - 2} of {LISTED}", "Approved: user corrects")
    assert verdicts(store) == ["approve", "approve"]
    eventually(lambda: any("- Say which port it was." in page for page in pages(store)))
    tmux.press("u")
    tmux.until(f"{OPEN - 1} of {LISTED}", "Taken back: user corrects")
    assert verdicts(store) == ["approve", "approve", "undo"]
    eventually(lambda: len(pages(store)) == 1)
    tmux.press("q")
    tmux.until_left()
    told = bench.helix("doctor", "--store", str(store))
    assert "Everything is fine" in told.out


def test_resizing_keeps_cursor_and_focus(tmux: Tmux, bench: Workbench) -> None:
    tmux.start((120, 40), "--demo", "--store", str(bench.store))
    tmux.until(f"{OPEN} of {LISTED}", "why here")
    tmux.press("G", "k", "k", "2")
    tmux.until(f"> {LISTED - 2:>3}", "enter budget")
    tmux.resize((80, 24))
    tmux.until(f"> {LISTED - 2:>3}", "enter budget", "2 Budget raw")
    tmux.resize((160, 40))
    screen = tmux.until(f"> {LISTED - 2:>3}", "enter budget", "├ 2 Budget")
    assert max(map(len, screen.split("\n"))) == 160
    for size in [(79, 23), (200, 60), (40, 12), (20, 5), (160, 40)] * 4:
        tmux.resize(size)
    tmux.until(f"> {LISTED - 2:>3}", "enter budget", "├ 2 Budget")
    for size in [(40, 12), (20, 5), (79, 23)] * 3:
        # Back before it was drawn: the terminal has cut off what the screen believes to be there.
        tmux.resize_at_once(size, (160, 40))
        tmux.until(f"> {LISTED - 2:>3}", "enter budget", "├ 2 Budget", "why here")


def test_killed_in_the_middle_it_has_every_verdict(tmux: Tmux, bench: Workbench) -> None:
    tmux.start((80, 24), "--demo", "--store", str(bench.store))
    tmux.until(f"{OPEN} of {LISTED}", "why here")
    tmux.press("r", "r", "r", "r", "a")
    tmux.until(f"{OPEN - 5} of {LISTED}", "Approved")
    pid = tmux._do("display-message", "-p", "#{pane_pid}").strip()
    os.kill(int(pid), 9)
    tmux.until_left()
    assert verdicts(bench.store) == ["reject", "reject", "reject", "reject", "approve"]
    assert "Everything is fine" in bench.helix("doctor", "--store", str(bench.store)).out
    tmux.start((80, 24), "--demo", "--store", str(bench.store))
    tmux.until(f"{OPEN - 5} of {LISTED}")
    tmux.press("u")
    tmux.until(f"{OPEN - 4} of {LISTED}", "Taken back")
    tmux.press("q")
    tmux.until_left()


def test_a_filter_that_was_left_is_gone_from_the_terminal(tmux: Tmux, bench: Workbench) -> None:
    tmux.start((80, 24), "--demo", "--store", str(bench.store))
    tmux.until(f"{OPEN} of {LISTED}", "why here")
    tmux.press("F4")
    tmux.until("Catalog  3 of 3")
    for _ in range(3):
        tmux.press("y")
        tmux.until("▌")
        tmux.press("/")
        tmux.until("\n/")
        tmux.press("Escape")
        # Before the toast goes, with which everything would be drawn anew.
        tmux.until_gone("\n/", seconds=3)
