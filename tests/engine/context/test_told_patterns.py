"""What is told of patterns: of what they were made of, and of their guidance."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from helix_tui.context.matching.index import BADGE, Index
from helix_tui.context.matching.sought import sought_rules
from helix_tui.context.matching.units import units_of
from helix_tui.curate.page.page import read_page, write_page
from tests.conftest import Workbench
from tests.engine.context.just_log import JUST, write_codex, write_rules


@pytest.fixture
def repo(bench: Workbench, tmp_path: Path) -> Path:
    folder = tmp_path / "app"
    (folder / ".git").mkdir(parents=True)
    return folder


def approved(bench: Workbench) -> str:
    listed = bench.helix("detect", "--all", "--json").json["candidates"]
    (name,) = [one["id"] for one in listed if one["id"].startswith("command-not-found-just")]
    bench.helix("approve", name, "--yes")
    return str(name)


def listed_told(bench: Workbench) -> Any:
    (row,) = bench.helix("catalog", "list", "--json", HOME=str(bench.home)).json["patterns"]
    return row["told"]


def test_a_pattern_is_told_where_its_candidate_is(bench: Workbench, repo: Path) -> None:
    write_rules(repo / "AGENTS.md", f"# Rules\n\n{JUST}")
    write_codex(bench, repo)
    bench.helix("--sweep")
    name = approved(bench)
    told = listed_told(bench)
    assert (told["state"], told["seen"], told["violated"]) == ("cause", 3, 3)
    assert told["lines"][0]["file"] == str(repo / "AGENTS.md")
    assert bench.helix("catalog", "show", name, "--json", HOME=str(bench.home)).json["told"] == told
    shown = bench.helix("catalog", "show", name, HOME=str(bench.home)).err
    assert f"{repo / 'AGENTS.md'}:3: {JUST.strip()}" in shown
    assert "Change the line" in shown
    assert "cause" in bench.helix("catalog", "list", HOME=str(bench.home)).out


def test_a_pattern_is_told_by_its_own_guidance(bench: Workbench, repo: Path) -> None:
    write_rules(repo / "AGENTS.md", "Reindent every module through the gofumpt wrapper.\n")
    write_codex(bench, repo)
    bench.helix("--sweep")
    name = approved(bench)
    assert listed_told(bench)["state"] == "no"
    page = bench.store / "catalog" / f"{name}.md"
    pattern = read_page(page.read_text(), name)
    guidance = "Reindent modules through the gofumpt wrapper."
    page.write_text(write_page(msgspec.structs.replace(pattern, guidance=guidance)))
    assert listed_told(bench)["state"] == "told"


def test_without_a_store_nothing_is_known_of_it(bench: Workbench, repo: Path) -> None:
    write_codex(bench, repo)
    bench.helix("--sweep")
    approved(bench)
    for path in bench.store.iterdir():
        if path.is_file():
            path.unlink()
    assert listed_told(bench) is None


def test_a_rule_of_few_words_is_looked_for_nowhere() -> None:
    assert sought_rules("Be brief.\n") == []
    (wanted,) = sought_rules("- Run the migrations with `alembic upgrade head`.\n")
    index = Index(units_of("- Be brief.\n- Migrations: run `alembic upgrade head` first.\n"))
    (hit, *_) = index.find(wanted)
    assert (index.units[hit.unit].line, hit.coverage >= BADGE) == (2, True)
