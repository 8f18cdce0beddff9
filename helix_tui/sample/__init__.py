"""A month of sessions that never took place, for those who want to look before they use Helix."""

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
    """Writes the logs into a home, each agent's where and as it would; a seed gives one sample."""
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
    """What all of a sample is drawn from."""
    return Random(f"{VERSION}:{seed}:{until}")


def _log(session: SampleSession, random: Random) -> ClaudeLog | CodexLog | GrokLog:
    if session.flavor == "claude":
        return ClaudeLog(session, random)
    return CodexLog(session, random) if session.flavor == "codex" else GrokLog(session, random)
