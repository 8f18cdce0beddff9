"""A rule that somebody wrote by hand is measured by the history of its file."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from helix_tui.engine.effect.rule_history import written_rule
from helix_tui.errors import NotFoundError, UsageError
from helix_tui.schema.effect import EffectFilter
from tests.claude_log import START
from tests.conftest import Workbench
from tests.engine.effect.planted import CAME_IN, RG, RG_RULE, Planted, tell

DAY = 86_400


def git(folder: Path, *words: str, at: int) -> None:
    """Git at a time after the tests' beginning, with nobody's settings."""
    when = f"{START + at} +0000"
    environ = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "GIT_AUTHOR_DATE": when,
        "GIT_COMMITTER_DATE": when,
    }
    named = ("-c", "user.name=A", "-c", "user.email=a@example.com")
    command = ["git", *named, *words]
    subprocess.run(command, cwd=folder, env=environ, check=True, capture_output=True)


def commit(folder: Path, at: int, **files: str | None) -> None:
    """A commit with these files; None takes one away."""
    for name, text in files.items():
        path = folder / f"{name}.md"
        if text is None:
            path.unlink()
        else:
            path.write_text(text)
    git(folder, "add", "-A", at=at)
    git(folder, "commit", "-qm", "x", at=at)


@pytest.fixture
def shop(tmp_path: Path, bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository whose instructions get the rule, first in another file and in other dress."""
    monkeypatch.setenv("HOME", str(bench.home))
    folder = tmp_path / "shop"
    folder.mkdir()
    git(folder, "init", "-q", at=0)
    commit(folder, DAY, notes="# Notes\n\nBe brief.\n")
    commit(folder, CAME_IN, notes=f"# Notes\n\nBe brief.\n* {RG_RULE}\n")
    # Renamed, then parted: the line goes on in the file that agents load.
    (folder / "notes.md").rename(folder / "AGENTS.md")
    commit(folder, CAME_IN + 1)
    commit(folder, CAME_IN + 100 * DAY, AGENTS=f"# Agents\n\nBe brief.\n\n1. {RG_RULE}\n")
    return folder


def test_the_first_commit_counts_wherever_the_line_stood(shop: Path) -> None:
    rule = written_rule(str(shop / "AGENTS.md"), 5)
    assert rule.text == f"1. {RG_RULE}"
    assert [(one.kind, one.at) for one in rule.moments] == [("in", (START + CAME_IN) * 1000)]


def test_a_line_that_was_taken_out_for_a_while_has_more_moments(shop: Path) -> None:
    commit(shop, CAME_IN + 200 * DAY, AGENTS="Be brief.\n")
    commit(shop, CAME_IN + 300 * DAY, AGENTS=f"Be brief.\n- {RG_RULE}\n")
    moments = written_rule(str(shop / "AGENTS.md"), 2).moments
    assert [one.kind for one in moments] == ["in", "out", "again"]


def test_it_is_measured_by_its_own_history(shop: Path, bench: Workbench) -> None:
    for at in range(-30, 22):
        is_after = at >= 0
        has_rg = not is_after and at % 4 in (0, 1)
        one = Planted("codex", at + 31, "shop", CAME_IN + 10 + at * 7200, has_rg, False)
        log = tell(one, shop.parent)
        # Codex of that version records nothing: what it loaded follows from the folder of then.
        log.records = [row for row in log.records if "AGENTS.md" not in str(row)]  # type: ignore[attr-defined]
        log.save(bench.home)
    bench.sweep()
    place = (str(shop / "AGENTS.md"), 5)
    effects = bench.engine().effects
    (found,) = effects.rule(None, EffectFilter(rule=place))
    assert (found.id, found.effect.how, found.effect.state) == (RG, "git", "helped")
    assert found.effect.since == (START + CAME_IN) * 1000
    assert found.effect.baseline_method == "raw", "nobody picked it by counting"
    assert (found.effect.before.did, found.effect.after.did) == (14, 0)
    assert found.effect.exposure.assumed == 22
    later = EffectFilter(rule=place, at=(START + CAME_IN + 5 * 7200) * 1000)
    (given,) = effects.rule(RG, later)
    assert (given.effect.how, given.effect.after.opportunities) == ("given", 17)
    with pytest.raises(NotFoundError, match="about nothing"):
        effects.rule(None, EffectFilter(rule=(place[0], 3)))


def test_bad_places_are_told(shop: Path, tmp_path: Path, bench: Workbench) -> None:
    with pytest.raises(NotFoundError, match="cannot be read"):
        written_rule(str(shop / "none.md"), 1)
    with pytest.raises(NotFoundError, match="no line 9"):
        written_rule(str(shop / "AGENTS.md"), 9)
    with pytest.raises(UsageError, match="no rule"):
        written_rule(str(shop / "AGENTS.md"), 2)
    loose = tmp_path / "CLAUDE.md"
    loose.write_text(f"{RG_RULE}\n")
    assert written_rule(str(loose), 1).moments == []
