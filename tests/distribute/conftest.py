"""Workplaces of tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.distribute.workplace import Workplace


@pytest.fixture
def at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Workplace]:
    """Makes the workplace of a test, whose home counts."""

    def made(*repos: str, agents: tuple[str, ...] = ()) -> Workplace:
        place = Workplace(tmp_path / "at", *repos, agents=agents)
        monkeypatch.setenv("HOME", str(place.home))
        for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GROK_HOME"):
            monkeypatch.delenv(name, raising=False)
        return place

    return made
