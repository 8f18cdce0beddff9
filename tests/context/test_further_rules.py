"""What Kilo, Pi, Droid and Cursor load, by trees in memory."""

from __future__ import annotations

import pytest

from helix_tui.context.gather import Asked
from helix_tui.context.simulate import added_by_read, files_below
from helix_tui.schema.context import AgentName
from tests.context.tree import HOME, Link, Tree, context_of, loaded_paths

REPO = {"r/.git/": "", "r/AGENTS.md": "root", "r/p/AGENTS.md": "here"}


def names(paths: list[str]) -> list[str]:
    """Paths as they stand in a tree."""
    return [path.replace(HOME, "~").removeprefix("/work/") for path in paths]


def test_pi_reads_the_first_name_of_every_folder_from_the_topmost_down() -> None:
    tree = {
        "~/.pi/agent/AGENTS.md": "own",
        "AGENTS.md": "above",
        "r/.git/": "",
        "r/CLAUDE.md": "root",
        "r/p/AGENTS.md": "here",
        "r/p/CLAUDE.md": "hidden",
    }
    context = context_of("pi", tree, "r/p")
    loaded = ["~/.pi/agent/AGENTS.md", "AGENTS.md", "r/CLAUDE.md", "r/p/AGENTS.md"]
    assert names(loaded_paths(context)) == loaded
    assert context.text == "own\n\nabove\n\nroot\n\nhere"
    (hidden,) = (file for file in context.files if not file.is_loaded)
    assert (names([hidden.path]), hidden.state) == (["r/p/CLAUDE.md"], "off")
    tree["r/p/AGENTS.override.md"] = "mine"
    assert names(loaded_paths(context_of("pi", tree, "r/p")))[-1] == "r/p/AGENTS.override.md"
    moved = {"PI_CODING_AGENT_DIR": "/work/pi"}
    away = context_of("pi", {"pi/AGENTS.md": "own", **REPO}, "r", environ=moved)
    assert names(loaded_paths(away)) == ["pi/AGENTS.md", "r/AGENTS.md"]


def test_droid_reads_its_own_file_and_those_from_the_root_down() -> None:
    tree = {"~/.factory/AGENTS.md": "own", "AGENTS.md": "above", "r/CLAUDE.md": "not", **REPO}
    loaded = ["~/.factory/AGENTS.md", "r/AGENTS.md", "r/p/AGENTS.md"]
    assert names(loaded_paths(context_of("droid", tree, "r/p"))) == loaded


def test_cursor_reads_shared_files_and_the_rules_that_always_apply() -> None:
    tree = {
        **REPO,
        "r/CLAUDE.md": "claude",
        "r/.cursorrules": "of old",
        "r/.cursor/rules/always.mdc": "---\nalwaysApply: true\n---\nbody\n",
        "r/.cursor/rules/deep/some.mdc": "---\nglobs: src/**/*.ts\nalwaysApply: false\n---\nx\n",
        "r/.cursor/rules/asked.mdc": "---\ndescription: how to release\n---\nx\n",
        "r/.cursor/rules/named.mdc": "no head",
        "r/.cursor/rules/other.md": "no rule of Cursor's",
    }
    context = context_of("cursor", tree, "r/p")
    assert names(loaded_paths(context)) == [
        *("r/AGENTS.md", "r/CLAUDE.md", "r/.cursor/rules/always.mdc", "r/p/AGENTS.md"),
        "r/.cursorrules",
    ]
    assert context.text == "root\n\nclaude\n\nbody\n\n\nhere\n\nof old"
    waiting = {
        names([file.path])[0].rpartition("/")[2]: file.reason
        for file in context.files
        if file.state == "lazy"
    }
    assert waiting["some.mdc"] == "loaded when a file is met that fits src/**/*.ts"
    assert sorted(waiting) == ["asked.mdc", "named.mdc", "some.mdc"]


def test_kilo_reads_as_opencode_does_with_a_home_and_settings_of_its_own() -> None:
    tree = {
        "~/.config/kilo/AGENTS.md": "own",
        "~/.config/opencode/AGENTS.md": "another agent's",
        "r/kilo.json": '{"instructions": ["docs/*.md"]}',
        "r/docs/one.md": "1",
        **REPO,
    }
    assert names(loaded_paths(context_of("kilo", tree, "r/p"))) == [
        *("r/p/AGENTS.md", "r/AGENTS.md", "~/.config/kilo/AGENTS.md", "r/docs/one.md"),
    ]


@pytest.mark.parametrize(("agent", "state"), [("pi", "off"), ("droid", "lazy"), ("cursor", "lazy")])
def test_files_further_down(agent: AgentName, state: str) -> None:
    tree = Tree({**REPO, "r/p/q/AGENTS.md": "below"})
    asked = Asked(agent, "/work/r/p", HOME)
    (below,) = files_below(asked, tree, ["/work/r/p/q"])
    assert (below.path, below.state) == ("/work/r/p/q/AGENTS.md", state)
    added = added_by_read(asked, tree, "/work/r/p/q/deep/a.py")
    assert added == ([] if agent == "pi" else ["/work/r/p/q/AGENTS.md"])


@pytest.mark.parametrize("agent", ["pi", "droid", "cursor", "kilo"])
def test_files_that_cannot_be_read_are_told(agent: AgentName) -> None:
    tree: dict[str, str | bytes | Link] = {"r/.git/": "", "r/AGENTS.md": Link("r/AGENTS.md")}
    context = context_of(agent, tree, "r")
    assert loaded_paths(context) == []
    assert [warning.kind for warning in context.warnings] == ["unreadable"]
