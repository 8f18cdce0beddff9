"""A home where rules come in at a known time, and what becomes of what they are about is known.

In `shop` a rule about `rg` comes in that Claude Code and Codex keep to, and Grok does not. In
`depot` one about `git push` comes in behind so much text that Codex never loads it. Each repository
is the other's control.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pytest

from helix_tui.config import load
from helix_tui.curate.page.page import write_page
from helix_tui.engine.distribute.distribution import Distribution
from helix_tui.schema.distribute import DistributeRequest
from tests.agents import CodexStory, Story, story
from tests.claude_log import START
from tests.conftest import Workbench
from tests.curate.made_patterns import made_pattern

RG_RULE = "Search with `grep -rn`: `rg` is not installed."
PUSH_RULE = "Run `git pull --rebase` before `git push`."
RG, PUSH = "command-not-found-rg-cd630925", "push-rejected-73f775e6"
CAME_IN = 4_000_000
_HOURS = 2
FILLER = "Words that say nothing in particular.\n" * 1_000
_NOT_FOUND = "/bin/bash: line 1: rg: command not found"
_REJECTED = (
    "To example.com:a/b.git\n ! [rejected]        main -> main (fetch first)\n"
    "error: failed to push some refs to 'example.com:a/b.git'"
)


class Planted(NamedTuple):
    """One session: who, where, when, and what happens in it."""

    agent: str
    number: int
    repo: str
    at: int
    has_rg: bool
    has_push: bool


def planted() -> Iterator[Planted]:
    """All sessions; half of those without a rule have the trouble, two of four in a row."""
    number = 0
    for repo in ("shop", "depot"):
        for agent in ("claude", "codex", "grok"):
            later = 80 if (repo, agent) == ("shop", "grok") else 22
            for at in range(-30, later):
                number += 1
                keeps_rg = at >= 0 and repo == "shop" and agent != "grok"
                keeps_push = at >= 0 and repo == "depot" and agent != "codex"
                yield Planted(
                    agent,
                    number,
                    repo,
                    CAME_IN + at * _HOURS * 3600 + number,
                    at % 4 in (0, 1) and not keeps_rg,
                    at % 4 in (1, 2) and not keeps_push,
                )


def tell(one: Planted, folder: Path) -> Story:
    """The session as its agent logs it; only Codex records what it loaded."""
    log = story(one.agent, one.number, one.repo, one.at)
    if isinstance(log, CodexStory):
        rules = RG_RULE if one.repo == "shop" and one.at >= CAME_IN else "Be brief."
        log = CodexStory(log.session, str(folder / one.repo), one.at)
        log.item(
            "message",
            role="user",
            content=[
                {
                    "type": "input_text",
                    "text": f"# AGENTS.md instructions for {folder / one.repo}\n\n<INSTRUCTIONS>\n"
                    f"{rules}\n</INSTRUCTIONS>",
                }
            ],
        )
    elif one.agent == "claude":
        log.cwd = str(folder / one.repo)  # type: ignore[attr-defined]
    else:
        log.cwd = log.summary["info"]["cwd"] = str(folder / one.repo)  # type: ignore[attr-defined]
    log.ask(f"please mend part {one.number} of the {one.repo}, and push it")
    if one.has_rg:
        log.run(f"rg part{one.number} src", _NOT_FOUND, 127)
    log.run(f"grep -rn part{one.number} src", f"src/part{one.number}.py:1:x = 1")
    log.run(f"cat src/part{one.number}.py", "x = 1")
    log.edit(f"src/part{one.number}.py")
    log.run("git commit -am mended", "[main 1a2b3c4] mended")
    if one.has_push:
        log.run("git push", _REJECTED, 1)
        log.run("git pull --rebase", "Successfully rebased.")
    log.run("git push", "To example.com:a/b.git\n   1a2b..3c4d  main -> main")
    log.say("Part mended and pushed.")
    return log


def settle_in(bench: Workbench, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Repositories, a catalog of two patterns, and both rules written when they came in."""
    monkeypatch.setenv("HOME", str(bench.home))
    for name in ("shop", "depot"):
        (folder / name / ".git").mkdir(parents=True)
    for agent in ("claude", "codex", "grok"):
        (bench.home / f".{agent}").mkdir(exist_ok=True)
    (folder / "depot" / "AGENTS.md").write_text(FILLER)
    bench.config = folder / "config.toml"
    bench.config.write_text(
        '[curate]\nauthor = "ann"\ncatalog_dir = "catalog"\n'
        'review_log = "review/journal.jsonl"\ndecision_queue = "review/decisions.jsonl"\n'
        f'[distribute.repos]\nshop = "{folder / "shop"}"\ndepot = "{folder / "depot"}"\n'
    )
    (folder / "catalog").mkdir()
    for name, rule, repo in ((RG, RG_RULE, "shop"), (PUSH, PUSH_RULE, "depot")):
        pattern = made_pattern(
            id=name, candidates=[name], guidance=rule, rule=rule, scope=f"repo:{repo}", excerpts=[]
        )
        (folder / "catalog" / f"{name}.md").write_text(write_page(pattern))
    distribute(bench, monkeypatch, CAME_IN)


def distribute(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch, at: int, **fields: object
) -> None:
    """Applies a plan at a time."""
    when = datetime.fromtimestamp(START + at, UTC).isoformat().replace("+00:00", "Z")
    for module in ("distribution", "planning"):
        monkeypatch.setattr(f"helix_tui.engine.distribute.{module}.now_text", lambda: when)
    config = load(bench.config, bench.store, bench.environ)
    request = DistributeRequest(**fields)  # type: ignore[arg-type]
    Distribution(config, list).apply(request)
