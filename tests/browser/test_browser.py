"""The workstation and a report in Chromium: opened, decided in, resized; nothing asked elsewhere.

Run by `make browser`, which installs what drives the browser; skipped otherwise.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Workbench

pytestmark = pytest.mark.skipif("HELIX_BROWSER" not in os.environ, reason="run by `make browser`")

# A busy machine may take long over a page.
_PATIENCE = 120.0
_CONNECTS = """address => new Promise(done => {
    const socket = new WebSocket(address);
    socket.onopen = () => done("open"); socket.onerror = () => done("refused"); })"""
_HAS_KEYS = "document.activeElement.classList.contains('xterm-helper-textarea')"
# Of the footers: what keys do.
_IN_EDITOR, _IN_LIST = "^g approve", "r reject"
_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    path = (
        shutil.which("chromium")
        or shutil.which("chromium-browser")
        or shutil.which("google-chrome")
    )
    assert path, "Chromium is not installed: apt-get install chromium"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def sample(bench: Workbench) -> Workbench:
    bench.helix("--demo", "--sweep", check=False)
    return bench


@pytest.fixture
def address(sample: Workbench, tmp_path: Path) -> Iterator[str]:
    """The workstation on the sample, served to this machine."""
    from aiohttp.test_utils import unused_port

    port = str(unused_port())
    environ = {"PATH": os.environ["PATH"], **sample.environ}
    command = [sys.executable, "-m", "helix_tui", "serve", "--port", port]
    process = subprocess.Popen(
        [*command, "--store", str(sample.store)], env=environ, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    found = re.search(r"http://\S+", process.stdout.readline())
    assert found
    try:
        yield found[0]
    finally:
        process.terminate()
        process.wait(10)


class Tab:
    """A page of the browser: what it asked for, and what the workstation sent to it."""

    def __init__(self, chromium: Any, size: tuple[int, int] = (1280, 800)) -> None:
        self.page = chromium.new_page(viewport={"width": size[0], "height": size[1]})
        self.asked: list[str] = []
        self.sent: list[bytes] = []
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("websocket", self._on_socket)

    def _on_socket(self, socket: Any) -> None:
        self.asked.append(socket.url)
        socket.on("framereceived", self._on_frame)

    def _on_frame(self, payload: str | bytes) -> None:
        self.sent.append(payload if isinstance(payload, bytes) else payload.encode())

    @property
    def text(self) -> str:
        # A frame may end in the middle of a sign, or of what places it.
        return _CONTROL.sub("", b"".join(self.sent).decode("utf-8", "replace"))

    def until(self, is_so: Callable[[], object], seconds: float = _PATIENCE) -> bool:
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            if is_so():
                return True
            self.page.wait_for_timeout(100)
        return False

    def open(self, address: str) -> None:
        self.page.goto(address)
        assert self.until(lambda: "3 Candidates" in self.text and "why here" in self.text), (
            self.text
        )
        self.page.click("#terminal")
        self.page.wait_for_function(_HAS_KEYS)


def decided(bench: Workbench) -> int:
    """How many verdicts the journal has; the sample has some of its own."""
    return (bench.store / "review" / "journal.jsonl").read_bytes().count(b"\n")


def decide(tab: Tab, bench: Workbench, key: str, wanted: int) -> None:
    """Decides by a key, and in the editor where that shows words of a log first."""
    tab.sent.clear()
    tab.page.keyboard.press(key)
    assert tab.until(lambda: _IN_EDITOR in tab.text or decided(bench) >= wanted), tab.text[-3000:]
    if _IN_EDITOR in tab.text:
        tab.sent.clear()
        tab.page.keyboard.press("Control+g")
        # The line is in the journal before the list is back: a key in between is the editor's.
        assert tab.until(lambda: _IN_LIST in tab.text), tab.text[-3000:]
    assert tab.until(lambda: decided(bench) >= wanted), tab.text[-3000:]


def test_ten_candidates_are_decided(chromium: Any, address: str, sample: Workbench) -> None:
    tab = Tab(chromium)
    tab.open(address)
    before = decided(sample)
    for number in range(10):
        decide(tab, sample, "r" if number % 2 else "a", before + number + 1)
    assert decided(sample) == before + 10
    assert all(re.match(r"(http|ws)://127\.0\.0\.1:", url) for url in tab.asked)


def test_a_page_that_changes_its_size_is_drawn_anew(chromium: Any, address: str) -> None:
    tab = Tab(chromium)
    tab.open(address)
    tab.sent.clear()
    tab.page.set_viewport_size({"width": 720, "height": 420})
    assert tab.until(lambda: "3 Candidates" in tab.text), tab.text
    tab.sent.clear()
    tab.page.keyboard.press("F9")
    assert tab.until(lambda: "Cost by week" in tab.text), tab.text


def test_leaving_the_workstation_is_said(chromium: Any, address: str) -> None:
    tab = Tab(chromium)
    tab.open(address)
    tab.page.keyboard.press("q")
    tab.page.wait_for_selector("body.-closed .closed", state="visible", timeout=20_000)


def test_without_the_token_nothing_is_shown(chromium: Any, address: str) -> None:
    tab = Tab(chromium)
    root = address.rstrip("/").rpartition("/")[0]
    for place in (f"{root}/", f"{root}/{'x' * 32}/"):
        answer = tab.page.goto(place)
        assert answer.status == 403
        assert tab.page.inner_text("body").startswith("Open the whole address")
    socket = root.replace("http", "ws", 1)
    assert tab.page.evaluate(_CONNECTS, f"{socket}/{'x' * 32}/ws?width=80&height=24") == "refused"
    other = chromium.new_page()
    other.goto("about:blank")
    whole = f"{address.replace('http', 'ws', 1)}ws?width=80&height=24"
    assert other.evaluate(_CONNECTS, whole) == "refused", "it has the token, and is no page of ours"


def test_a_report_asks_nothing_of_anybody(chromium: Any, sample: Workbench, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text(sample.helix("report", "--format", "html", "--evidence").out)
    tab = Tab(chromium)
    errors: list[str] = []
    tab.page.on("console", lambda message: errors.append(message.text))
    tab.page.goto(path.as_uri())
    assert tab.asked == [path.as_uri()]
    assert errors == []
    assert "Helix report" in tab.page.title()
    assert tab.page.locator("svg.plot rect").count() > 4
    assert tab.page.locator("h2").count() >= 10
