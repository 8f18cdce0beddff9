"""What the agents themselves were seen to do: Codex 0.169.0, Grok 1.0.41, Claude Code 2.1.327."""

from __future__ import annotations

import json

import pytest

from helix_tui.context.gather import Asked
from helix_tui.context.globs import is_ignored, is_ignored_nearest
from helix_tui.context.markdown import imports, scoped_paths, without_comments
from helix_tui.context.simulate import files_below
from helix_tui.schema.context import AgentName
from tests.context.tree import HOME, Link, Tree, context_of, loaded_paths, place


def trust(folder: str, level: str) -> dict[str, str]:
    return {"~/.codex/config.toml": f'[projects."{place(folder)}"]\ntrust_level = "{level}"'}


CODEX = {"r/.git/": "", "r/AGENTS.md": "R", "r/p/AGENTS.md": "P"}
BOTH = ["/work/r/AGENTS.md", "/work/r/p/AGENTS.md"]


@pytest.mark.parametrize(
    ("folder", "expected"), [("r", []), ("r/p", []), (".", BOTH), ("elsewhere", BOTH)]
)
def test_codex_looks_up_trust_by_folder_and_by_repository(folder: str, expected: list[str]) -> None:
    context = context_of("codex", {**CODEX, **trust(folder, "untrusted")}, "r/p")
    assert loaded_paths(context) == expected


def test_codex_looks_up_trust_of_a_worktree_by_the_first_one() -> None:
    files = {**CODEX, "r/.git": "gitdir: /work/main/.git/worktrees/r\n"}
    del files["r/.git/"]
    assert loaded_paths(context_of("codex", {**files, **trust("main", "untrusted")}, "r/p")) == []
    assert loaded_paths(context_of("codex", {**files, **trust("r", "untrusted")}, "r/p")) == BOTH


def test_codex_takes_settings_of_a_project_only_where_it_is_trusted() -> None:
    files = {**CODEX, "r/.codex/config.toml": "project_doc_max_bytes = 1"}
    assert context_of("codex", files, "r/p").cap == 32_768
    assert context_of("codex", {**files, **trust("r", "trusted")}, "r/p").cap == 1


def test_codex_loads_nothing_of_a_project_with_a_loop_of_links() -> None:
    files: dict[str, str | bytes | Link] = {**CODEX, "r/p/AGENTS.md": Link("r/p/AGENTS.md")}
    context = context_of("codex", files, "r/p")
    assert loaded_paths(context) == []
    assert {warning.kind for warning in context.warnings} == {"unreadable"}


GROK = {"r/.git/": "", "r/AGENTS.md": "R", "~/.grok/AGENTS.md": "own"}
OWN = f"{HOME}/.grok/AGENTS.md"
ANSWERED = '[folders."/work/r"]\ntrusted = true\n'


@pytest.mark.parametrize(
    ("version", "store", "environ", "is_loaded"),
    [
        ("1.0.41", "", {}, False),
        ("1.0.41", ANSWERED, {}, True),
        ("1.0.41", ANSWERED.replace("true", "false"), {}, False),
        ("1.0.41", ANSWERED.replace("/work/r", "/work"), {}, False),
        ("1.0.41", "no toml =", {}, False),
        ("1.0.41", "", {"GROK_FOLDER_TRUST": "0"}, True),
        ("1.0.5", "", {}, True),
        ("", "", {}, True),
        ("", "x = 1", {}, False),
    ],
)
def test_grok_loads_a_project_where_its_folder_is_trusted(
    version: str, store: str, environ: dict[str, str], is_loaded: bool
) -> None:
    files = {**GROK, "~/.grok/trusted_folders.toml": store} if store else GROK
    context = context_of("grok", files, "r/p", version=version, environ=environ)
    assert loaded_paths(context) == ([OWN, "/work/r/AGENTS.md"] if is_loaded else [OWN])
    assert ("untrusted" in {one.kind for one in context.warnings}) is not is_loaded


def test_grok_trust_can_be_switched_off_by_settings() -> None:
    off = {"~/.grok/config.toml": "[folder_trust]\nenabled = false"}
    context = context_of("grok", {**GROK, **off}, "r", version="1.0.41")
    assert loaded_paths(context) == [OWN, "/work/r/AGENTS.md"]


def test_grok_takes_further_folders_of_rules_and_settings_by_the_environment() -> None:
    files = {
        **GROK,
        "~/.grok/config.toml": '[paths]\nextra_rule_dirs = ["~/team", "relative", 3]\n'
        "[compat.claude]\nrules = true\n",
        "~/team/t.md": "---\ndescription: x\n---\nteam",
        "~/team/s/u.md": "no",
        "r/.claude/rules/a.md": "off",
        "~/.cursor/.claude/CLAUDE.md": "of Cursor's home",
        "~/.grok/.claude/CLAUDE.md": "off",
    }
    off = {"GROK_CLAUDE_RULES_ENABLED": "0", "GROK_CLAUDE_AGENTS_ENABLED": "false"}
    context = context_of("grok", files, "r", environ=off)
    assert loaded_paths(context) == [
        *(OWN, f"{HOME}/.cursor/.claude/CLAUDE.md", f"{HOME}/team/t.md", "/work/r/AGENTS.md"),
    ]
    assert context.loaded[2].text == "team"


def test_a_file_that_is_named_again_comes_back_from_an_ignored_folder_in_grok_alone() -> None:
    lines = ["p/", "!AGENTS.md"]
    assert is_ignored(lines, "p/AGENTS.md")
    assert not is_ignored_nearest(lines, "p/AGENTS.md")
    assert is_ignored_nearest(lines, "p/CLAUDE.md")


OUTSIDE = {
    "r/.git/": "",
    "r/CLAUDE.md": "@AGENTS.md @../up.md @p/in.md",
    "r/AGENTS.md": "A",
    "up.md": "U",
    "r/p/in.md": "I",
}


def answers(project: str, is_allowed: bool) -> dict[str, str]:
    told = {"projects": {project: {"hasClaudeMdExternalIncludesApproved": is_allowed}}}
    return {"~/.claude.json": json.dumps(told)}


@pytest.mark.parametrize(
    ("extra", "expected"),
    [
        (answers("/work/r", True), ["r/AGENTS.md", "up.md", "r/p/in.md"]),
        (answers("/work/r", False), ["r/p/in.md"]),
        (answers("/work/r/p", True), ["r/p/in.md"]),
        ({"~/.claude.json": "[]"}, ["r/p/in.md"]),
        ({}, ["r/AGENTS.md", "up.md", "r/p/in.md"]),
    ],
)
def test_claude_imports_from_outside_of_the_folder_where_that_was_allowed(
    extra: dict[str, str], expected: list[str]
) -> None:
    context = context_of("claude", {**OUTSIDE, **extra}, "r/p")
    assert loaded_paths(context) == [place(name) for name in ("r/CLAUDE.md", *expected)]


def test_claude_imports_anything_into_ones_own_file() -> None:
    files = {"~/.claude/CLAUDE.md": "@~/own.md", "~/own.md": "own", **answers("/work/r", False)}
    assert loaded_paths(context_of("claude", files, "r"))[1:] == [f"{HOME}/own.md"]


@pytest.mark.parametrize("text", ["", " \n", "<!-- later -->\n", "---\na: b\n---\n"])
def test_a_claude_file_without_words_switches_nothing_off(text: str) -> None:
    context = context_of("claude", {"r/CLAUDE.md": text, "r/AGENTS.md": "rule"}, "r")
    assert "/work/r/AGENTS.md" in loaded_paths(context)


def test_a_link_to_ones_own_claude_file_switches_nothing_off() -> None:
    files: dict[str, str | bytes | Link] = {
        "~/.claude/CLAUDE.md": "own",
        "r/CLAUDE.md": Link("~/.claude/CLAUDE.md"),
        "r/AGENTS.md": "rule",
    }
    assert loaded_paths(context_of("claude", files, "r"))[-1] == "/work/r/AGENTS.md"


def test_claude_loads_what_a_scoped_rule_imports_at_the_start() -> None:
    files = {
        "r/.claude/rules/a.md": "---\npaths: x/**\n---\n@b.txt",
        "r/.claude/rules/b.txt": "B",
    }
    assert loaded_paths(context_of("claude", files, "r")) == ["/work/r/.claude/rules/b.txt"]


@pytest.mark.parametrize(
    ("head", "globs"),
    [
        ("paths: {a,b}/*.ts", ["{a,b}/*.ts"]),
        ("paths: {a,b}/*.ts, *.py", ["{a,b}/*.ts", "*.py"]),
        ("paths: *.ts", ["*.ts"]),
        ("paths: []", []),
        ("paths: '**'", []),
        ("paths:\n - '**/*.ts'", ["**/*.ts"]),
        ("paths: [", ["["]),
    ],
)
def test_paths_of_rules_that_are_no_yaml_are_read_all_the_same(head: str, globs: list[str]) -> None:
    assert scoped_paths(head) == globs


def test_all_comments_of_a_block_are_taken_out() -> None:
    text = (
        "a\n<!-- x --> <!-- y -->\nb\n\n<!-- x --> keep <!-- y -->\n<!-- p\nq --> r <!-- s\nt -->"
    )
    assert without_comments(text) == "a\nb\n\n keep \n r <!-- s\nt -->"


def test_an_import_may_be_emphasised_or_stand_behind_a_mark() -> None:
    assert imports("a \ufeff@b.md\ufeff") == ["b.md"]
    assert imports("See **@a.md** and *@b.md*, not (@c.md) nor x@d.md.") == ["a.md", "b.md"]


@pytest.mark.parametrize(
    ("agent", "expected"),
    [
        (
            "claude",
            {
                "r/p/CLAUDE.md": "lazy",
                "r/p/more.md": "lazy",
                "r/q/AGENTS.md": "lazy",
                "r/q/.claude/rules/a.md": "lazy",
            },
        ),
        ("codex", {"r/p/AGENTS.md": "off", "r/q/AGENTS.md": "off"}),
        ("grok", {"r/p/CLAUDE.md": "lazy", "r/p/AGENTS.md": "lazy", "r/q/AGENTS.md": "lazy"}),
    ],
)
def test_what_stands_further_down_is_told(agent: AgentName, expected: dict[str, str]) -> None:
    files = {
        "r/.git/": "",
        "r/p/CLAUDE.md": "@more.md",
        "r/p/more.md": "M",
        "r/p/AGENTS.md": "A",
        "r/q/AGENTS.md": "Q",
        "r/q/.claude/rules/a.md": "---\npaths: x/**\n---\nrule",
    }
    asked = Asked(agent, place("r"), HOME)
    found = files_below(asked, Tree(files), [place("r/p"), place("r/q")])
    assert {file.path: file.state for file in found} == {
        place(name): state for name, state in expected.items()
    }
    assert not any(file.is_loaded for file in found)
