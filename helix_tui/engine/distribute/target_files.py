"""Where to teach: the folders of repositories, and the files that agents really see there."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from helix_tui.capture.repo import main_repository
from helix_tui.config import Config
from helix_tui.context.files import Disk, Files
from helix_tui.context.overlay import Overlay
from helix_tui.context.simulate import effective_context
from helix_tui.distribute.blocks import BlockError, entry_of, find_block, with_entries
from helix_tui.engine.context.effective import agent_homes, agents_here, asked_here
from helix_tui.places import home_of
from helix_tui.schema.context import AGENTS, AgentName, Context, SessionPlace
from helix_tui.schema.distribute import USER, Site, Target

# A sentence that stands in nobody's file: who sees it sees what is put in its place.
_PROBE = "helix-probe-7f3a1c52d09b"
_SHARED, _CLAUDES = "AGENTS.md", ("CLAUDE.md", ".claude/CLAUDE.md")
# What an agent's own file is called in its home; Cursor's rules of a person are in its settings.
_OWN_FILES: dict[AgentName, str] = {
    "claude": "CLAUDE.md",
    "codex": "AGENTS.md",
    "grok": "AGENTS.md",
    "copilot": "copilot-instructions.md",
    "gemini": "GEMINI.md",
    "qwen": "QWEN.md",
    "opencode": "AGENTS.md",
    "kilo": "AGENTS.md",
    "pi": "AGENTS.md",
    "droid": "AGENTS.md",
}
# Files of one agent alone: written where they are there, since no other agent needs them.
_ALONE: dict[AgentName, str] = {"gemini": "GEMINI.md", "qwen": "QWEN.md"}


class RepoFolder(NamedTuple):
    """The folder of a repository and the agents that worked there, or why none is known."""

    folder: str
    agents: tuple[AgentName, ...]
    trouble: str = ""


def repo_folders(
    config: Config, places: Iterable[SessionPlace], names: Iterable[str]
) -> dict[str, RepoFolder]:
    """Which folder each repository is: the one that is set, else the one that sessions ran in."""
    wanted = set(names)
    cwds: dict[str, dict[str, None]] = {name: {} for name in wanted}
    agents: dict[str, set[str]] = {name: set() for name in wanted}
    for one in places:
        if one.repo in wanted:
            cwds[one.repo][one.cwd] = None
            agents[one.repo].add(one.flavor)
    here = set(agents_here())
    folders = {}
    for name in sorted(wanted):
        known = tuple(agent for agent in AGENTS if agent in here | agents[name])
        folders[name] = _folder(name, config.distribute.repos.get(name), cwds[name])._replace(
            agents=known
        )
    return folders


def _folder(name: str, named: Path | None, cwds: Iterable[str]) -> RepoFolder:
    todo = f'`[distribute.repos]` can name it: {name} = "~/src/{name}"'
    if named is not None:
        if not named.is_dir():
            return RepoFolder("", (), f"{named}, which [distribute.repos] names, is not there")
        return RepoFolder(str(named), ())
    roots: dict[str, None] = {}
    for cwd in cwds:
        root = main_repository(Path(cwd)) if cwd.startswith("/") else None
        if root is not None and not _is_too_much(root):
            roots[os.path.realpath(root)] = None
    if not roots:
        return RepoFolder("", (), f"no folder of {name} is on this machine; {todo}")
    if len(roots) > 1:
        listed = ", ".join(sorted(roots)[:4])
        return RepoFolder("", (), f"{name} is in several folders ({listed}); {todo}")
    return RepoFolder(next(iter(roots)), ())


def _is_too_much(root: Path) -> bool:
    """A home under version control is no repository to be taught."""
    return root in (home_of(os.environ), Path("/"))


def repo_site(name: str, found: RepoFolder, disk: Disk) -> Site:
    """A repository with the fewest files in which every agent sees a rule, once if that can be."""
    root = found.folder
    shared = f"{root}/{_SHARED}"
    claudes = [f"{root}/{one}" for one in _CLAUDES if disk.kind(f"{root}/{one}") == "file"]
    choices: list[tuple[str, ...]] = [(shared,)]
    if claudes:
        # One is never created: it would switch every AGENTS.md off for Claude Code.
        choices += [(claudes[0],), (shared, claudes[0])]
    site = Site(name, root, found.agents)
    best: _Seen | None = None
    tried: list[_Seen] = []
    for files in choices:
        seen = _seen(site, files, disk)
        tried.append(seen)
        if best is None or seen.score > best.score:
            best = seen
        if best.is_perfect:
            break
    assert best is not None
    for agent, name in _ALONE.items():
        own = f"{root}/{name}"
        if best.counts.get(agent) == 0 and disk.kind(own) == "file":
            best = _seen(site, (*best.files, own), disk)
            tried.append(best)
    return _with_targets(site, best, tried, disk)


def user_site(disk: Disk, environ: Mapping[str, str] = os.environ) -> Site:
    """A person's own files: one for each agent that does not read another's."""
    home, homes = str(home_of(environ)), agent_homes(environ)
    agents = tuple(agent for agent in AGENTS if disk.kind(homes[agent]) == "folder")
    site = Site(USER, home, agents, homes=homes)
    files: tuple[str, ...] = ()
    seen = _seen(site, files, disk)
    for agent in agents:
        if seen.counts[agent] == 0 and agent in _OWN_FILES:
            files = (*files, f"{homes[agent]}/{_OWN_FILES[agent]}")
            seen = _seen(site, files, disk)
    return _with_targets(site, seen, [seen], disk)


class _Seen(NamedTuple):
    """How often each agent sees a rule that stands in these files."""

    files: tuple[str, ...]
    counts: dict[AgentName, int]
    contexts: dict[AgentName, Context]
    existing: int

    @property
    def score(self) -> tuple[int, int, int, int]:
        """More agents, then fewer doubles, then fewer and older files."""
        reached = sum(1 for count in self.counts.values() if count)
        doubles = sum(count - 1 for count in self.counts.values() if count > 1)
        return reached, -doubles, -len(self.files), self.existing

    @property
    def is_perfect(self) -> bool:
        return all(count == 1 for count in self.counts.values())


def _seen(site: Site, files: Sequence[str], disk: Disk) -> _Seen:
    changed = {disk.real(path): _probed(disk, path) for path in files}
    overlay = Overlay(disk, changed)
    contexts = contexts_at(site, overlay)
    counts = {agent: one.text.count(_PROBE) for agent, one in contexts.items()}
    existing = sum(1 for path in files if disk.kind(path) == "file")
    return _Seen(tuple(files), counts, contexts, existing)


def _probed(disk: Disk, path: str) -> bytes:
    """A file with the probe where a rule would stand."""
    data = disk.read(path).data if disk.kind(path) == "file" else b""
    try:
        block = find_block(data)
        entries = (*(block.entries if block else ()), entry_of(_PROBE))
        return with_entries(data, entries, "", keeps=False).data
    except (BlockError, UnicodeDecodeError):
        return data + f"\n- {_PROBE}\n".encode()


def _with_targets(site: Site, best: _Seen, tried: Sequence[_Seen], disk: Disk) -> Site:
    """The files with who sees each, and the agents that see none of them with the reason."""
    readers: dict[str, list[AgentName]] = {path: [] for path in best.files}
    for path in best.files:
        alone = best if len(best.files) == 1 else _seen(site, (path,), disk)
        readers[path] = [agent for agent in site.agents if alone.counts[agent]]
    unseen = {agent: _why(agent, tried) for agent in site.agents if not best.counts[agent]}
    targets = {disk.real(path): Target(path, tuple(some)) for path, some in readers.items() if some}
    return site._replace(targets=tuple(targets.values()), unseen=unseen)


def _why(agent: AgentName, tried: Sequence[_Seen]) -> tuple[str, str]:
    """Why an agent sees none of the files: first of one that it would read."""
    reasons = [
        (file.state == "foreign", file.path, file.reason)
        for seen in tried
        for file in seen.contexts[agent].files
        if file.path in seen.files and (not file.is_loaded or file.cut_at is not None)
    ]
    if not reasons:
        return "", "it loads no file that could be written"
    _, path, reason = min(reasons, key=lambda one: one[0])
    return path, f"{Path(path).name}: {reason}"


def contexts_at(site: Site, files: Files) -> dict[AgentName, Context]:
    """What each agent of a site loads there."""
    folder = Path(site.root)
    return {agent: effective_context(asked_here(agent, folder), files) for agent in site.agents}
