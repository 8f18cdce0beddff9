"""Which adapters are installed: ours, and those that other packages name as entry points."""

from __future__ import annotations

import os
import sys
import time
from functools import lru_cache
from importlib.machinery import PathFinder

from helix_tui.config import ADAPTER_GROUP

# For so long, in seconds, a package may still be coming in after its folder came.
_SETTLED_SECONDS = 60
OURS = (
    "claude=helix_tui.capture.adapters.claude:ClaudeAdapter",
    "codex=helix_tui.capture.adapters.codex:CodexAdapter",
    "grok=helix_tui.capture.adapters.grok:GrokAdapter",
    "copilot=helix_tui.capture.adapters.copilot:CopilotAdapter",
    "gemini=helix_tui.capture.adapters.gemini:GeminiAdapter",
    "qwen=helix_tui.capture.adapters.qwen:QwenAdapter",
    "pi=helix_tui.capture.adapters.pi:PiAdapter",
    "droid=helix_tui.capture.adapters.droid:DroidAdapter",
    "opencode=helix_tui.capture.adapters.opencode:OpenCodeAdapter",
    "cursor=helix_tui.capture.adapters.cursor:CursorAdapter",
    "kilo=helix_tui.capture.adapters.opencode:KiloAdapter",
)


def adapter_targets() -> list[str]:
    """Where every installed adapter is, as `flavor=module:class`, ours before all others."""
    if not _may_have_plugins():
        return [*OURS]
    from importlib.metadata import entry_points

    targets = {f"{entry.name}={entry.value}" for entry in entry_points(group=ADAPTER_GROUP)}
    # No plug-in takes the place of an adapter of ours.
    return [*OURS, *sorted(targets.difference(OURS))]


def _may_have_plugins() -> bool:
    """Whether looking for entry points may find any: importing the lookup is most of its cost."""
    return any(map(_finds_packages, sys.meta_path)) or any(map(_names_adapters, sys.path))


def _finds_packages(finder: object) -> bool:
    """Whether packages may lie elsewhere than in the folders of `sys.path`."""
    return finder is not PathFinder and hasattr(finder, "find_distributions")


def _names_adapters(place: str) -> bool:
    """Whether a package in a folder names adapters; an archive may always."""
    folder = os.path.abspath(place)  # noqa: PTH100 - as `sys.path` has it
    try:
        changed = os.stat(folder).st_mtime  # noqa: PTH116
    except OSError:
        return False
    is_settled = time.time() - changed > _SETTLED_SECONDS
    return (_named_in if is_settled else _named_in.__wrapped__)(folder, changed)


@lru_cache(maxsize=64)
def _named_in(place: str, changed: float) -> bool:
    """Look at it once for each time at which packages came or went."""
    try:
        names = os.listdir(place)
    except OSError:
        return os.path.isfile(place)  # noqa: PTH113 - as `sys.path` has it
    return any(
        _names_group(os.path.join(place, name, "entry_points.txt"))
        for name in names
        if name.lower().endswith("-info") and not name.startswith("helix_tui-")
    )


def _names_group(file: str) -> bool:
    try:
        with open(file, "rb") as text:
            return ADAPTER_GROUP.encode() in text.read()
    except OSError:
        return False  # most packages have no entry points
