"""A home of sessions in a language that no table knows, and a model that reads it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from tests.claude_log import ClaudeLog
from tests.conftest import Workbench

WISH = "zorp blik nuvva krel"
LABEL = {"kind": "correction", "topic": "keep old names", "rule": "Keep the old names."}
PUBLISHED = "gesht umbra"
REPORT = {"kind": "report", "topic": "login still fails", "rule": "Check the login."}


def session(number: int, *said: str) -> ClaudeLog:
    """A session of work in which a person says something in between."""
    name = f"{number:08d}-1111-4111-8111-111111111111"
    log = ClaudeLog(session=name, start=number * 10_000)
    log.prompt("please make the import work and run the tests")
    for part in range(3):
        log.step(f"grep -rn import{part} src", f"src/a{part}.py:1:import os")
    log.reply("All done, the names are new.")
    for words in said:
        log.prompt(words)
        log.step("make test", "ok")
        log.reply("So be it.")
    return log


def write_home(bench: Workbench, count: int = 3) -> None:
    """Sessions in which people wish for the same."""
    for number in range(1, count + 1):
        session(number, f"{WISH} {number}", f"{PUBLISHED} {number}").write(bench.home)


def use_model(bench: Workbench, body: str = "", reader: str = "model", **settings: Any) -> Path:
    """Has a program read turns; what it is asked stands in the file that is returned, line by line.

    `turn` is the turn that it is asked about, `LABELS` what it says to the words above.
    """
    asked = bench.home / "asked"
    program = bench.home / "model.py"
    program.write_text(
        "import json, os, sys, time\n"
        "text = sys.stdin.read()\n"
        "turn = text.partition('TO BE LABELLED')[2].partition('\\n')[2].partition('\\n')[0]\n"
        f"open({str(asked)!r}, 'a').write(turn + '\\n')\n"
        f"LABELS = {{{WISH!r}: {LABEL!r}, {PUBLISHED!r}: {REPORT!r}}}\n"
        f"{body}\n"
        "label = next((LABELS[words] for words in LABELS if turn.startswith(words)), None)\n"
        "print('```json\\n' + json.dumps(label or {'kind': 'none'}) + '\\n```')\n"
    )
    values = {"preset": "command", "command": [sys.executable, str(program)], **settings}
    rows = [f"{key} = {json.dumps(value)}" for key, value in values.items()]
    bench.config = bench.home / "config.toml"
    bench.config.write_text("\n".join(["[detect]", f'reader = "{reader}"', "[model]", *rows, ""]))
    bench.variables = {"HELIX_CONFIG": str(bench.config)}
    return asked


def questions(asked: Path) -> list[str]:
    """The turns that were asked about, in order."""
    return asked.read_text().splitlines() if asked.exists() else []


def turns(bench: Workbench, number: int) -> list[dict[str, Any]]:
    """The turns of a session as `show` tells them."""
    name = f"claude:{number:08d}-1111-4111-8111-111111111111"
    found: list[dict[str, Any]] = bench.helix("show", name, "--json").json["digest"]["turns"]
    return found
