"""Rules of each agent that the golden trees leave open."""

from __future__ import annotations

import json

import pytest

from helix_tui.context.gather import Asked
from helix_tui.context.simulate import added_by_read
from helix_tui.schema.context import Context
from tests.context.tree import HOME, Link, Tree, context_of, loaded_paths, place

RULE = "Run the tests with `make test` and never by hand, please."


def kinds(context: Context) -> list[str]:
    return [warning.kind for warning in context.warnings]


def states(context: Context) -> dict[str, str]:
    return {file.path: file.state for file in context.files}


def test_codex_says_where_it_cuts_and_what_is_lost() -> None:
    files = {"r/.git/": "", "r/AGENTS.md": "a\n" * 20_000, "r/p/AGENTS.md": "lost"}
    context = context_of("codex", files, "r/p")
    assert states(context) == {"/work/r/AGENTS.md": "cut", "/work/r/p/AGENTS.md": "beyond"}
    assert context.files[0].cut_at == 32_768
    assert "line 16,385" in context.warnings[0].message
    assert kinds(context) == ["cut", "beyond"]
    assert (context.cap, context.used) == (32_768, 40_004)


def test_codex_counts_bytes_and_not_characters() -> None:
    files = {
        "~/.codex/config.toml": "project_doc_max_bytes = 5",
        "r/.git/": "",
        "r/AGENTS.md": "ééé",
    }
    context = context_of("codex", files, "r")
    assert context.text == "éé\ufffd"


def test_codex_blank_files_cost_nothing_and_a_blank_home_override_falls_through() -> None:
    files = {
        "~/.codex/AGENTS.override.md": " \n",
        "~/.codex/AGENTS.md": "  mine  \n",
        "~/.codex/config.toml": "project_doc_max_bytes = 4",
        "r/.git/": "",
        "r/AGENTS.md": "   \n   \n",
        "r/p/AGENTS.md": "abcd",
    }
    assert context_of("codex", files, "r/p").text == "mine\n\n--- project-doc ---\n\nabcd"


@pytest.mark.parametrize(
    ("settings", "cwd", "expected"),
    [
        ('project_root_markers = ["WORKSPACE"]', "w/r/p", ["w", "w/r"]),
        ("project_root_markers = []", "w/r", ["w/r"]),
        ('project_root_markers = "wrong"', "w/r/p", ["w/r"]),
        ("no toml at all", "w/r/p", ["w/r"]),
    ],
)
def test_codex_root_markers(settings: str, cwd: str, expected: list[str]) -> None:
    files = {
        "~/.codex/config.toml": settings,
        "w/WORKSPACE": "",
        "w/AGENTS.md": "W",
        "w/r/.git/": "",
        "w/r/AGENTS.md": "R",
        "w/r/p/": "",
    }
    found = loaded_paths(context_of("codex", files, cwd))
    assert found == [place(f"{folder}/AGENTS.md") for folder in expected]


def test_codex_home_and_settings_of_the_project() -> None:
    files = {
        "/elsewhere/AGENTS.md": "mine",
        "r/.git/": "",
        "r/.codex/config.toml": 'project_doc_fallback_filenames = ["TEAM.md"]',
        "r/TEAM.md": "team",
    }
    elsewhere = {"CODEX_HOME": "/elsewhere"}
    context = context_of("codex", files, "r", environ=elsewhere)
    assert loaded_paths(context) == ["/elsewhere/AGENTS.md"]
    files["/elsewhere/config.toml"] = '[projects."/work/r"]\ntrust_level = "trusted"'
    context = context_of("codex", files, "r", environ=elsewhere)
    assert loaded_paths(context) == ["/elsewhere/AGENTS.md", "/work/r/TEAM.md"]


def test_codex_untrusted_projects_settings_do_not_count() -> None:
    files = {
        "~/.codex/config.toml": '[projects."/work/r"]\ntrust_level = "untrusted"',
        "r/.git/": "",
        "r/.codex/config.toml": "project_doc_max_bytes = 1",
        "r/AGENTS.md": "abc",
    }
    context = context_of("codex", files, "r/p")
    assert states(context) == {"/work/r/AGENTS.md": "off"}
    assert kinds(context) == ["untrusted"]
    assert context.cap == 32_768


def test_codex_finds_skills() -> None:
    files = {
        "r/.git/": "",
        "r/.agents/skills/one/SKILL.md": "",
        "~/.agents/skills/two/SKILL.md": "",
        "~/.codex/skills/three/SKILL.md": "",
        "r/.agents/skills/none/README.md": "",
    }
    skills = context_of("codex", files, "r").skills
    assert [skill.name for skill in skills] == ["one", "three", "two"]


def test_grok_takes_all_names_in_its_order_and_ignores_what_git_does() -> None:
    names = ("AGENTS.md", "Agents.md", "CLAUDE.local.md", ".claude/CLAUDE.md", "Claude.md")
    files = {f"r/{name}": name for name in names} | {
        "r/.git/": "",
        "r/.gitignore": "# local\n*.local.md\n/secret/\n!keep.md\n",
        "r/secret/AGENTS.md": "no",
        "r/.grok/rules/deep/x.md": "flat only",
    }
    context = context_of("grok", files, "r/secret")
    assert loaded_paths(context) == [
        *("/work/r/Agents.md", "/work/r/Claude.md", "/work/r/AGENTS.md"),
        "/work/r/.claude/CLAUDE.md",
    ]
    assert kinds(context).count("ignored") == 2


def test_grok_loads_a_link_once_and_invalid_text_never() -> None:
    files: dict[str, str | bytes | Link] = {
        "r/.git/": "",
        "r/AGENTS.md": RULE,
        "r/CLAUDE.md": Link("r/AGENTS.md"),
        "r/AGENT.md": b"\xff\xfe broken",
    }
    context = context_of("grok", files, "r")
    assert loaded_paths(context) == ["/work/r/CLAUDE.md"]
    assert states(context)["/work/r/AGENTS.md"] == "doubled"
    assert states(context)["/work/r/AGENT.md"] == "unreadable"


def test_grok_settings_leave_other_agents_out() -> None:
    files = {
        "~/.grok/config.toml": "[compat.claude]\nagents = false\nrules = false",
        "~/.claude/CLAUDE.md": "no",
        "r/.git/": "",
        "r/.claude/rules/a.md": "no",
        "r/.claude/CLAUDE.md": "no",
        "r/AGENTS.md": "yes",
    }
    assert loaded_paths(context_of("grok", files, "r")) == ["/work/r/AGENTS.md"]


def test_claude_imports_stand_behind_their_file_and_end_in_loops() -> None:
    files = {
        "r/CLAUDE.md": "See @docs/a.md and `@docs/no.md`.\n\n```\n@docs/no.md\n```\n@~/own.md",
        "r/docs/a.md": "@../CLAUDE.md @b.md",
        "r/docs/b.md": "@a.md <!-- inline stays -->",
        "r/docs/no.md": "no",
        "~/own.md": "own",
    }
    context = context_of("claude", files, "r")
    assert loaded_paths(context) == [
        *("/work/r/CLAUDE.md", "/work/r/docs/a.md", "/work/r/docs/b.md"),
        f"{HOME}/own.md",
    ]
    assert context.files[1].imported_by == "/work/r/CLAUDE.md"
    assert kinds(context) == ["untrusted"]


def test_claude_dead_imports_are_told_but_people_and_packages_are_none() -> None:
    files = {"r/CLAUDE.md": "Ask @someone about @types/node, @gone.md and @./x."}
    context = context_of("claude", files, "r")
    assert [warning.message for warning in context.warnings] == [
        "imports @gone.md, which is not there",
        "imports @./x., which is not there",
    ]


def test_claude_does_not_see_block_comments() -> None:
    text = "one\n<!-- @x.md\nhidden -->\n\ntwo `<!--` three\n\n```\n<!-- code -->\n```\n<!-- open"
    context = context_of("claude", {"r/CLAUDE.md": text}, "r")
    assert context.text == "one\ntwo `<!--` three\n\n```\n<!-- code -->\n```\n<!-- open"
    source = context.files[0].source.split("\n")
    assert source[4] == "two `<!--` three"
    assert kinds(context) == []


def test_claude_excludes_and_config_dir() -> None:
    files = {
        "/conf/CLAUDE.md": "mine",
        "/conf/settings.json": json.dumps({"claudeMdExcludes": ["**/other/**", "/work/CLAUDE.md"]}),
        "/etc/claude-code/CLAUDE.md": "managed",
        "CLAUDE.md": "no",
        "other/CLAUDE.md": "no",
        "other/r/.claude/settings.local.json": "{broken",
        "other/r/AGENTS.md": "no",
    }
    context = context_of("claude", files, "other/r", environ={"CLAUDE_CONFIG_DIR": "/conf"})
    assert loaded_paths(context) == ["/etc/claude-code/CLAUDE.md", "/conf/CLAUDE.md"]
    assert kinds(context) == ["settings"]


def test_claude_agents_md_is_back_by_an_import_and_unknown_to_old_versions() -> None:
    files = {"r/CLAUDE.md": "@AGENTS.md", "r/AGENTS.md": RULE}
    assert loaded_paths(context_of("claude", files, "r")) == [
        "/work/r/CLAUDE.md",
        "/work/r/AGENTS.md",
    ]
    alone = {"r/AGENTS.md": RULE}
    old = context_of("claude", alone, "r", version="2.1.200")
    assert (loaded_paths(old), states(old)) == ([], {"/work/r/AGENTS.md": "off"})
    assert loaded_paths(context_of("claude", alone, "r", version="2.1.277"))


def test_claude_says_what_switches_off() -> None:
    files = {"CLAUDE.local.md": "x", "r/AGENTS.md": RULE}
    (warning,) = context_of("claude", files, "r").warnings
    assert warning.kind == "switched_off"
    assert "/work/CLAUDE.local.md" in warning.message


def test_claude_skips_what_is_huge() -> None:
    context = context_of("claude", {"r/CLAUDE.md": "x" * ((4 << 20) + 1)}, "r")
    assert (loaded_paths(context), kinds(context)) == ([], ["large"])


def test_claude_modes_of_instruction_files() -> None:
    def mode(name: str) -> str:
        options = {"options": {"instructionFiles": name}}
        return json.dumps({"pluginConfigs": {"agents-md@builtin": options}})

    files = {"r/CLAUDE.md": "c", "r/AGENTS.md": "a", "~/.claude/settings.json": ""}
    files["~/.claude/settings.json"] = mode("claude-md-and-agents-md")
    both = loaded_paths(context_of("claude", files, "r"))
    assert both == ["/work/r/CLAUDE.md", "/work/r/AGENTS.md"]
    files["~/.claude/settings.json"] = mode("managed-only")
    assert loaded_paths(context_of("claude", files, "r")) == []


def test_claude_reads_add_nested_files_once() -> None:
    files = {
        "r/a/CLAUDE.md": "a",
        "r/a/b/AGENTS.md": "b",
        "r/.claude/rules/ts.md": "---\npaths: 'src/**/*.ts, *.{tsx}'\n---\nx",
    }
    asked = Asked("claude", place("r"), HOME)
    assert added_by_read(asked, Tree(files), place("r/a/b/x.py")) == [
        "/work/r/a/CLAUDE.md",
        "/work/r/a/b/AGENTS.md",
    ]
    added = added_by_read(asked, Tree(files), place("r/src/q/x.ts"))
    assert added == ["/work/r/.claude/rules/ts.md"]
    assert added_by_read(asked, Tree(files), place("elsewhere/x.ts")) == []


def test_the_same_text_twice_is_told() -> None:
    files = {"r/.git/": "", "r/AGENTS.md": RULE, "r/CLAUDE.md": f"{RULE}\n"}
    (warning,) = context_of("grok", files, "r").warnings
    assert (warning.kind, warning.path) == ("same_text", "/work/r/AGENTS.md")
