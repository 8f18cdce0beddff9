"""A workbench with verdicts, and a hub that is to hear of them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from helix_tui.curate.hub.queue import QueueRow
from helix_tui.curate.journal.journal import Journal
from helix_tui.engine.hub.decisions import audit
from helix_tui.schema.review import JournalLine
from tests.conftest import Workbench
from tests.curate.hub_server import HubServer

TOKEN = "t0p-s3cret-of-the-hub"


def configure(bench: Workbench, text: str) -> Path:
    """A configuration where Helix looks for one by itself."""
    place = bench.home / ".config" / "helix" / "config.toml"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text)
    return place


def use_hub(bench: Workbench, server: HubServer, timeout_seconds: int = 5, url: str = "") -> None:
    """Names a hub, or another address in its stead, and gives a token."""
    authority = server.settings().ca_file
    configure(
        bench,
        f'[hub]\nurl = "{url or server.url}"\nca_file = "{authority}"\n'
        f"timeout_seconds = {timeout_seconds}\n",
    )
    bench.variables["HELIX_HUB_TOKEN"] = TOKEN


def decide(bench: Workbench, *lines: JournalLine) -> None:
    """Puts lines into the journal, as verdicts would."""
    journal = Journal(bench.engine().config.curate.review_log)
    with journal.locked():
        journal.append(*lines)


def rows(bench: Workbench) -> list[QueueRow]:
    return audit(bench.engine().config).rows


def states(bench: Workbench) -> list[str]:
    return [row.state for row in rows(bench)]


def start(bench: Workbench, *arguments: str) -> subprocess.Popen[str]:
    """The real command, left running."""
    return subprocess.Popen(
        [sys.executable, "-m", "helix_tui", *arguments, "--store", str(bench.store)],
        env={"PATH": os.environ["PATH"], **bench.environ},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
