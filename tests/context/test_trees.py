"""What must hold of any tree: order, caps and cuts by bytes, links, imports that loop."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from helix_tui.context.gather import Asked, ancestors
from helix_tui.context.globs import fits_glob, is_ignored
from helix_tui.context.markdown import imports, without_comments
from helix_tui.context.simulate import files_below
from helix_tui.schema.context import AGENTS, AgentName
from tests.context.tree import HOME, Link, Tree, context_of, loaded_paths, place

NAMES = ("AGENTS.md", "AGENTS.override.md", "CLAUDE.md", "CLAUDE.local.md", ".claude/rules/a.md")
FOLDERS = ("r", "r/p", "r/p/q", "r/s")
paths = st.builds("{}/{}".format, st.sampled_from(FOLDERS), st.sampled_from(NAMES))
words = st.sampled_from(
    ("@AGENTS.md", "@../CLAUDE.md", "@p/AGENTS.md", "é", "rule", "\n", "<!--", "-->", "`", "```\n")
)
texts = st.lists(words, max_size=12).map(" ".join)
trees = st.dictionaries(paths, st.one_of(texts, paths.map(Link)), max_size=10)
agents = st.sampled_from(AGENTS)


def with_git(files: dict[str, str | Link]) -> dict[str, str | bytes | Link]:
    return {**files, "r/.git/": ""}


@given(agents, trees, st.sampled_from(FOLDERS))
def test_every_file_is_named_once_and_loaded_from_the_top_down(
    agent: AgentName, files: dict[str, str | Link], cwd: str
) -> None:
    context = context_of(agent, with_git(files), cwd)
    loaded = loaded_paths(context)
    assert len(set(loaded)) == len(loaded)
    own = [
        file.path.rpartition("/")[0].removesuffix("/.claude/rules")
        for file in context.loaded
        if file.imported_by is None
    ]
    depths = [ancestors(place(cwd)).index(folder) for folder in own]
    # OpenCode begins with the nearest.
    assert depths == sorted(depths, reverse=agent == "opencode")
    assert {file.path for file in context.files} <= {place(name) for name in files}


@given(trees, st.sampled_from(FOLDERS), st.integers(0, 60))
def test_codex_never_loads_more_bytes_than_its_cap(
    files: dict[str, str | Link], cwd: str, cap: int
) -> None:
    settings = {"~/.codex/config.toml": f"project_doc_max_bytes = {cap}"}
    context = context_of("codex", {**with_git(files), **settings}, cwd)
    taken = [file.bytes if file.cut_at is None else file.cut_at for file in context.loaded]
    assert sum(taken) <= cap
    cut = [file for file in context.files if file.state == "cut"]
    assert len(cut) <= 1
    if cut:
        assert sum(taken) == cap
        assert context.loaded[-1] is cut[0]
    if any(file.state == "blank" for file in context.files):
        return  # one whose beginning is blank takes nothing of the budget, as Codex has it
    whole = context_of("codex", with_git(files), cwd)
    assert whole.text.encode().startswith(context.text.encode().rstrip("\ufffd".encode()))


@given(agents, trees, st.sampled_from(FOLDERS))
def test_files_behind_links_are_loaded_once_where_the_agent_says_so(
    agent: AgentName, files: dict[str, str | Link], cwd: str
) -> None:
    tree = Tree(with_git(files))
    real = [tree.real(path) for path in loaded_paths(context_of(agent, with_git(files), cwd))]
    if agent != "codex":
        assert len(set(real)) == len(real)


@given(trees, st.sampled_from(FOLDERS))
def test_claude_never_goes_further_than_four_imports(
    files: dict[str, str | Link], cwd: str
) -> None:
    context = context_of("claude", with_git(files), cwd)
    by_path = {file.path: file for file in context.files}
    for file in context.loaded:
        hops, at = 0, file
        while at.imported_by is not None:
            at, hops = by_path[at.imported_by], hops + 1
        assert hops <= 4


settings = st.one_of(
    st.binary(max_size=40),
    st.sampled_from(
        (
            b"[",
            b"{}",
            b"[]",
            b'{"projects": 3, "claudeMdExcludes": [7, "**"]}',
            b'{"projects": {"/work/r": 3}, "pluginConfigs": []}',
            b"projects = 3\ncompat = 1\npaths = 2\nfolder_trust = 3\nfolders = 4",
            b'[compat]\nclaude = 1\n[paths]\nextra_rule_dirs = [1, "/", "~/", "x"]',
            b'[folders."/work/r"]\ntrusted = "yes"\n[projects."/work/r"]\ntrust_level = 1',
            b"project_doc_max_bytes = -1\nproject_root_markers = [1]",
            b"gitdir: ",
        )
    ),
)
SETTINGS = (
    *("~/.claude.json", "~/.claude/settings.json", "r/.claude/settings.json"),
    *("~/.grok/config.toml", "~/.grok/trusted_folders.toml", "r/.gitignore"),
    *("~/.codex/config.toml", "r/.codex/config.toml", "r/p/.git", "r/p/.claude/rules/a.md"),
)
versions = st.sampled_from(("", "x", "2.1.200", "1.0.41", "1.0.5", "9.9.9.9"))


@given(
    agents, trees, st.dictionaries(st.sampled_from(SETTINGS), settings), versions,
    st.sampled_from(FOLDERS),
)  # fmt: skip
def test_no_settings_and_no_files_break_it(
    agent: AgentName,
    files: dict[str, str | Link],
    settings: dict[str, bytes],
    version: str,
    cwd: str,
) -> None:
    tree = {**with_git(files), **settings}
    context = context_of(agent, tree, cwd, version=version)
    assert len(set(loaded_paths(context))) == len(context.loaded)
    below = [place(folder) for folder in FOLDERS if folder.startswith(f"{cwd}/")]
    further = files_below(Asked(agent, place(cwd), HOME, version), Tree(tree), below)
    assert not any(file.is_loaded for file in further)
    assert len({file.path for file in further}) == len(further)


@given(texts)
def test_comments_leave_lines_where_they_are(text: str) -> None:
    assert without_comments(text, keeps_lines=True).count("\n") == text.count("\n")
    assert len(without_comments(text)) <= len(text)
    assert all(not name.startswith("@") for name in imports(text))


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_pattern_can_be_asked(pattern: str, path: str) -> None:
    is_ignored([pattern], path)
    fits_glob(pattern, path)


def test_patterns_as_git_has_them() -> None:
    lines = ["*.log", "/build", "docs/**/x.md", "tmp/", "!tmp/keep.md", "a/**"]
    ignored = [
        "x.log",
        "p/x.log",
        "build",
        "build/y",
        "docs/x.md",
        "docs/p/q/x.md",
        "tmp/keep.md",
        "a/b",
    ]
    kept = ["log", "p/build", "x.md", "tmp", "a"]
    assert [path for path in ignored if not is_ignored(lines, path)] == []
    assert [path for path in kept if is_ignored(lines, path)] == []
    assert fits_glob("**/{a,b}/*.md", "/w/b/x.md")
    assert not fits_glob("**/{a,b}/*.md", "/w/c/x.md")
    assert HOME
