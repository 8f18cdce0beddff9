"""What Gemini CLI, Qwen Code and Copilot CLI load, by trees in memory."""

from __future__ import annotations

from helix_tui.context.gather import Asked
from helix_tui.context.simulate import added_by_read, files_below
from tests.context.tree import HOME, Tree, context_of, loaded_paths, place

GEMINI = {
    "~/.gemini/GEMINI.md": "own",
    "r/.git/": "",
    "r/GEMINI.md": "root",
    "r/p/GEMINI.md": "inner",
    "r/AGENTS.md": "for others",
}


def names(paths: list[str]) -> list[str]:
    """Paths as they stand in a tree."""
    return [path.replace(HOME, "~").removeprefix("/work/") for path in paths]


def test_gemini_from_the_home_and_the_root_down() -> None:
    context = context_of("gemini", GEMINI, "r/p")
    assert names(loaded_paths(context)) == ["~/.gemini/GEMINI.md", "r/GEMINI.md", "r/p/GEMINI.md"]
    assert context.text.endswith(
        "--- Context from: GEMINI.md ---\ninner\n--- End of Context from: GEMINI.md ---"
    )
    assert ("r/AGENTS.md", "foreign") in [
        (names([file.path])[0], file.state) for file in context.files
    ]


def test_gemini_without_a_repository_reads_the_folder_alone() -> None:
    tree = {"d/GEMINI.md": "up", "d/e/GEMINI.md": "here"}
    assert names(loaded_paths(context_of("gemini", tree, "d/e"))) == ["d/e/GEMINI.md"]


def test_gemini_reads_the_names_that_settings_give_and_what_extensions_bring() -> None:
    extension = "~/.gemini/extensions/x"
    tree = {
        "~/.gemini/settings.json": '{"context": {"fileName": ["AGENTS.md", "GEMINI.md"]}}',
        f"{extension}/gemini-extension.json": '{"name": "x", "contextFileName": "X.md"}',
        f"{extension}/X.md": "x",
        **GEMINI,
    }
    assert names(loaded_paths(context_of("gemini", tree, "r"))) == [
        *("~/.gemini/GEMINI.md", f"{extension}/X.md", "r/AGENTS.md", "r/GEMINI.md"),
    ]


def test_gemini_imports_to_a_depth_inside_of_the_project_and_not_in_code() -> None:
    chain = {f"r/{n}.md": f"{n} @./{n + 1}.md" for n in range(1, 8)}
    tree = {
        "r/.git/": "",
        "r/GEMINI.md": "a @./1.md `@./no.md` @../out.md @./gone.md @team",
        **chain,
        "r/no.md": "code",
        "out.md": "outside",
    }
    context = context_of("gemini", tree, "r")
    assert names(loaded_paths(context)) == ["r/GEMINI.md", *(f"r/{n}.md" for n in range(1, 6))]
    assert "<!-- Imported from: ./1.md -->\n1 <!-- Imported from: ./2.md -->" in context.text
    assert "`@./no.md`" in context.text
    assert "5 @./6.md" in context.text
    kinds = [(warning.kind, names([warning.path])[0]) for warning in context.warnings]
    assert kinds == [
        ("import_depth", "r/5.md"),
        ("dead_import", "r/GEMINI.md"),
        ("dead_import", "r/GEMINI.md"),
    ]


def test_a_circle_of_imports_ends() -> None:
    tree = {"r/.git/": "", "r/GEMINI.md": "@./a.md", "r/a.md": "A @./b.md", "r/b.md": "B @./a.md"}
    context = context_of("gemini", tree, "r")
    assert names(loaded_paths(context)) == ["r/GEMINI.md", "r/a.md", "r/b.md"]
    assert "<!-- File already processed: ./a.md -->" in context.text


def test_gemini_loads_nothing_of_a_project_that_is_not_trusted() -> None:
    tree = {"~/.gemini/trustedFolders.json": '{"/work/r": "DO_NOT_TRUST"}', **GEMINI}
    context = context_of("gemini", tree, "r/p")
    assert names(loaded_paths(context)) == ["~/.gemini/GEMINI.md"]
    assert "untrusted" in [warning.kind for warning in context.warnings]


def test_gemini_loads_further_files_when_something_there_is_met() -> None:
    asked, tree = Asked("gemini", place("r"), HOME), Tree(GEMINI)
    assert names(added_by_read(asked, tree, place("r/p/x.py"))) == ["r/p/GEMINI.md"]
    below = files_below(asked, tree, [place("r/p")])
    assert [(names([file.path])[0], file.state) for file in below] == [("r/p/GEMINI.md", "lazy")]


def test_qwen_reads_its_own_file_and_the_shared_one() -> None:
    tree = {
        "~/.qwen/QWEN.md": "own",
        "r/.git/": "",
        "r/QWEN.md": "Q",
        "r/AGENTS.md": "A",
        "r/GEMINI.md": "G",
        "r/.qwen/QWEN.local.md": "mine",
    }
    assert names(loaded_paths(context_of("qwen", tree, "r"))) == [
        *("~/.qwen/QWEN.md", "r/QWEN.md", "r/AGENTS.md", "r/.qwen/QWEN.local.md"),
    ]


def test_copilot_reads_its_own_the_repositorys_and_the_shared_files() -> None:
    tree = {
        "~/.copilot/copilot-instructions.md": "own",
        "~/.copilot/instructions/a.instructions.md": "more",
        "r/.git/": "",
        "r/.github/copilot-instructions.md": "repository",
        "r/.github/instructions/go/b.instructions.md": "---\napplyTo: '**/*.go'\n---\ngo",
        "r/.github/instructions/c.instructions.md": "---\napplyTo: '**'\n---\nall",
        "r/AGENTS.md": "shared @./more.md",
        "r/more.md": "imported",
        "r/CLAUDE.md": "shared @./more.md",
        "r/p/AGENTS.md": "inner",
        "r/GEMINI.md": "G",
    }
    context = context_of("copilot", tree, "r/p")
    assert names(loaded_paths(context)) == [
        "~/.copilot/copilot-instructions.md",
        "~/.copilot/instructions/a.instructions.md",
        "r/.github/copilot-instructions.md",
        "r/.github/instructions/c.instructions.md",
        *("r/AGENTS.md", "r/more.md", "r/p/AGENTS.md"),
    ]
    left = {names([file.path])[0]: file.state for file in context.files if not file.is_loaded}
    assert left["r/CLAUDE.md"] == "doubled"
    assert left["r/.github/instructions/go/b.instructions.md"] == "lazy"
