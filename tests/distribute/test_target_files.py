"""Which folder a repository is, by the sessions that ran there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from helix_tui.config import load
from helix_tui.engine.distribute.target_files import RepoFolder, repo_folders
from helix_tui.schema.context import SessionPlace
from tests.distribute.workplace import Workplace

At = Callable[..., Workplace]


def found(place: Workplace, *cwds: Path, flavor: str = "claude") -> RepoFolder:
    """What sessions of `app` in these folders come to."""
    places = [
        SessionPlace(key, f"{flavor}:{key}", f"{flavor}:{key}", flavor, "app", str(cwd), key)
        for key, cwd in enumerate(cwds)
    ]
    config = load(None, place.store, {"HOME": str(place.home)})
    return repo_folders(config, places, ["app"])["app"]


def test_a_folder_within_is_the_repository(at: At) -> None:
    place = at("app")
    inner = place.repo("app") / "src" / "deep"
    inner.mkdir(parents=True)
    assert found(place, inner, place.repo("app")).folder == str(place.repo("app"))


def test_a_worktree_counts_as_its_main_repository(at: At) -> None:
    place = at("app")
    tree = place.folder / "tree"
    tree.mkdir()
    (place.repo("app") / ".git" / "worktrees" / "tree").mkdir(parents=True)
    (tree / ".git").write_text(f"gitdir: {place.repo('app')}/.git/worktrees/tree\n")
    assert found(place, tree).folder == str(place.repo("app"))


def test_folders_that_are_gone_or_no_repository_are_none(at: At) -> None:
    place = at("app")
    plain = place.folder / "plain"
    plain.mkdir()
    told = found(place, plain, place.folder / "gone")
    assert not told.folder
    assert "[distribute.repos]" in told.trouble


def test_two_clones_are_asked_about(at: At) -> None:
    place = at("app")
    (place.folder / "copy" / "app" / ".git").mkdir(parents=True)
    told = found(place, place.repo("app"), place.folder / "copy" / "app")
    assert not told.folder
    assert "several folders" in told.trouble


def test_a_home_under_version_control_is_no_repository(at: At) -> None:
    place = at()
    (place.home / ".git").mkdir()
    assert not found(place, place.home).folder


def test_agents_are_those_of_this_machine_and_of_its_sessions(at: At) -> None:
    place = at("app", agents=("claude",))
    assert found(place, place.repo("app"), flavor="grok").agents == ("claude", "grok")
