"""Agents that would read a rule more than once, since it stands in several of their files."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from helix_tui.context.files import Disk
from helix_tui.context.overlay import Overlay
from helix_tui.engine.distribute.target_files import contexts_at
from helix_tui.schema.distribute import DistributeWarning, Planned, Site


def doubles(
    writes: Sequence[Planned], sites: Sequence[Site], disk: Disk
) -> Iterator[DistributeWarning]:
    """Each rule with each agent that reads it twice once this is written, and in which files."""
    for site in sites:
        own = [one for one in writes if one.site == site.name]
        files: dict[tuple[str, str], list[str]] = {}
        for one in own:
            for rule in one.rules if one.kind == "block" else ():
                files.setdefault((rule.pattern, rule.text.split("\n")[0]), []).append(one.file)
        if not files:
            continue
        changed = {os.path.realpath(one.file): one.after for one in own if one.is_write}
        contexts = contexts_at(site, Overlay(disk, changed))
        for (pattern, words), places in files.items():
            for agent, context in contexts.items():
                times = context.text.count(words)
                if times > 1:
                    yield DistributeWarning(
                        places[0], pattern, _said(agent, times, places, site), agent
                    )


def _said(agent: str, times: int, places: Sequence[str], site: Site) -> str:
    often = "twice" if times == 2 else f"{times} times"
    named = " and ".join(os.path.relpath(path, site.root) for path in places)
    todo = ""
    if len(places) > 1 and any(path.endswith("CLAUDE.md") for path in places):
        todo = "; with a line `@AGENTS.md` in CLAUDE.md one of them would do"
    return f"{agent} reads it {often}, in {named}{todo}"
