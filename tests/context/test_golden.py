"""Every golden tree of the three agents comes out as their sources say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from helix_tui.context.gather import Asked
from helix_tui.context.simulate import added_by_read, effective_context
from helix_tui.schema.context import AGENTS
from tests.context.tree import HOME, Tree, place


def _asked(case: dict[str, Any]) -> tuple[Asked, Tree]:
    files = dict(case["tree"])
    settings = [f"{name} = {json.dumps(value)}" for name, value in case.get("config", {}).items()]
    if "trust" in case:
        settings.append(f'[projects."{place(case["cwd"])}"]\ntrust_level = "{case["trust"]}"')
    if settings:
        files["~/.codex/config.toml"] = "\n".join(settings)
    version, subagent = case.get("min_version", ""), case.get("subagent", "")
    asked = Asked(case["agent"], place(case["cwd"]), HOME, version, subagent=subagent)
    return asked, Tree(files)


def _wrong(case: dict[str, Any]) -> list[str]:
    asked, tree = _asked(case)
    context = effective_context(asked, tree)
    paths = [file.path for file in context.loaded]
    wrong = []
    if "expect" in case and paths != [place(name) for name in case["expect"]]:
        wrong.append(f"{case['id']}: {paths}")
    if "text" in case and context.text != case["text"]:
        wrong.append(f"{case['id']}: {context.text!r}")
    missing = {place(name) for name in case.get("expect_contains", ())} - set(paths)
    present = {place(name) for name in case.get("expect_absent", ())} & set(paths)
    wrong += [f"{case['id']}: {path}" for path in (*missing, *present)]
    reads = dict(case.get("after_read", {}))
    if "touch" in case:
        reads[case["touch"]] = case["reminded_paths"]
    for path, expected in reads.items():
        added = added_by_read(asked, tree, place(path))
        if added != [place(name) for name in expected]:
            wrong.append(f"{case['id']}: a read adds {added}")
    return wrong


def test_every_golden_tree_comes_out_right(shared: Path) -> None:
    cases = json.loads((shared / "labels" / "context" / "golden.json").read_text())
    ours = [case for case in cases if case["agent"] in AGENTS]
    assert len(ours) >= 19
    assert [line for case in ours for line in _wrong(case)] == []
