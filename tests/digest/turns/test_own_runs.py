"""What a person ran by hand, with the options that tell it apart."""

from __future__ import annotations

import pytest

from helix_tui.digest.turns.own_runs import check_as_run


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ('uv run pytest -m "not (tui or web)" -v', 'uv run pytest -m "not (tui or web)"'),
        ("cd api && cargo test --features pg 2>&1 | tail -5", "cargo test --features pg"),
        ("npx eslint src --max-warnings 0", "npx eslint src --max-warnings 0"),
        ("pytest --tb short -q tests", "pytest --tb short tests"),
        ("pytest --tb=short tests", "pytest tests"),
        ("TOKEN=ghp_" + "a1B2c3D4e5" * 4 + " pytest", ""),
        ("git status", ""),
    ],
)
def test_a_check_is_told_as_it_was_run(command: str, told: str) -> None:
    assert check_as_run(command) == told
