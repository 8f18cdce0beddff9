"""What OpenCode loads, by its own source."""

from __future__ import annotations

from helix_tui.context.gather import Asked
from helix_tui.context.simulate import added_by_read, files_below
from tests.context.tree import HOME, Tree, context_of, loaded_paths

REPO = {"r/.git/": "", "r/AGENTS.md": "root", "r/p/AGENTS.md": "here"}


def test_one_name_is_loaded_at_every_level_the_nearest_first() -> None:
    files = {**REPO, "r/CLAUDE.md": "other", "AGENTS.md": "above the repository"}
    context = context_of("opencode", files, "r/p")
    assert loaded_paths(context) == ["/work/r/p/AGENTS.md", "/work/r/AGENTS.md"]
    assert context.text.startswith("Instructions from: /work/r/p/AGENTS.md\nhere")
    (hidden,) = (file for file in context.files if file.state == "off")
    assert hidden.path == "/work/r/CLAUDE.md"


def test_a_file_of_ones_own_goes_before_that_of_claude() -> None:
    both = {"~/.config/opencode/AGENTS.md": "own", "~/.claude/CLAUDE.md": "claude's"}
    assert loaded_paths(context_of("opencode", both, "r")) == [f"{HOME}/.config/opencode/AGENTS.md"]
    only = {"~/.claude/CLAUDE.md": "claude's", "r/.git/": "", "r/CLAUDE.md": "x"}
    paths = [f"{HOME}/.claude/CLAUDE.md"]
    assert loaded_paths(context_of("opencode", only, "r")) == ["/work/r/CLAUDE.md", *paths]
    off = {"OPENCODE_DISABLE_CLAUDE_CODE_PROMPT": "1"}
    assert loaded_paths(context_of("opencode", only, "r", environ=off)) == []


def test_settings_name_further_files() -> None:
    settings = '{ // more\n "instructions": ["docs/*.md", "~/all.md", "https://x.test/a.md",], }'
    files = {
        **REPO,
        "r/opencode.jsonc": settings,
        "r/docs/one.md": "1",
        "r/docs/two.txt": "2",
        "~/all.md": "all",
    }
    context = context_of("opencode", files, "r/p")
    assert loaded_paths(context)[2:] == ["/work/r/docs/one.md", f"{HOME}/all.md"]
    assert [file.path for file in context.files if file.state == "lazy"] == ["https://x.test/a.md"]


def test_files_below_come_when_something_there_is_read() -> None:
    files = {**REPO, "r/p/q/AGENTS.md": "below", "r/p/q/CLAUDE.md": "not"}
    tree = Tree(files)
    asked = Asked("opencode", "/work/r/p", HOME)
    assert added_by_read(asked, tree, "/work/r/p/q/deep/a.py") == ["/work/r/p/q/AGENTS.md"]
    (lazy,) = files_below(asked, tree, ["/work/r/p/q"])
    assert (lazy.path, lazy.state) == ("/work/r/p/q/AGENTS.md", "lazy")
