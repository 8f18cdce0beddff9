"""Logs of a known size, an hour apart, and the caps under which they are kept."""

from __future__ import annotations

import os

from tests.claude_log import ClaudeLog
from tests.conftest import Workbench


def name_of(number: int) -> str:
    return f"{number:08d}-0000-4000-8000-000000000000"


def write_log(bench: Workbench, number: int, steps: int = 20) -> ClaudeLog:
    """A session that began so many hours after the tests' first."""
    log = ClaudeLog(session=name_of(number), start=number * 3600)
    log.prompt(f"task {number}")
    for step in range(steps):
        log.step(f"run {number} {step}", os.urandom(400).hex())
    log.reply("Done.")
    log.write(bench.home)
    return log


def set_caps(bench: Workbench, soft: int, hard: int | None = None, days: int = 0) -> None:
    bench.config = bench.home / "helix.toml"
    bench.config.write_text(
        f"[retention]\nraw_soft_cap_bytes = {soft}\nraw_hard_cap_bytes = {hard or soft}\n"
        f"raw_max_age_days = {days}\n"
    )
