"""A month of made-up sessions, for a first look at Helix without logs of one's own.

`stories.py` plans which sessions there are and what happens in them, `work.py` has the products
(read from `products/`) and the ordinary work on them, `trouble.py` what goes wrong, `steps.py` the
steps that a session is made of. `session.py` is the part that all writers share; `claude.py`,
`codex.py` and `grok.py` write a session as that agent would. Callers use `write_sample`: one seed
gives the same files on every machine.
"""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path
from random import Random

from helix_tui.sample.claude import ClaudeLog
from helix_tui.sample.codex import CodexLog
from helix_tui.sample.grok import GrokLog
from helix_tui.sample.session import SampleSession
from helix_tui.sample.stories import sessions

VERSION = 1  # goes up whenever the same seed may give other files
SEED = 20261115
UNTIL = date(2026, 11, 15)


def write_sample(home: Path, seed: int = SEED, until: date = UNTIL) -> None:
    """Write each agent's logs below a home folder; the same seed gives the same files."""
    random = random_of(seed, until)
    for session in sessions(random, until):
        log = _log(session, random)
        for name, content in log.files().items():
            path = home / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            # As old as its last record: what counts by age must not take it for new.
            os.utime(path, (log.now, log.now))


def random_of(seed: int, until: date) -> Random:
    """The one source of chance of a sample."""
    return Random(f"{VERSION}:{seed}:{until}")


def _log(session: SampleSession, random: Random) -> ClaudeLog | CodexLog | GrokLog:
    if session.flavor == "claude":
        return ClaudeLog(session, random)
    return CodexLog(session, random) if session.flavor == "codex" else GrokLog(session, random)
