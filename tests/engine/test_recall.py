"""What is recalled is of the very repository, still holds, and goes when a session is forgotten."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import zstandard
from msgspec.structs import replace

from helix_tui.engine.memory.hooks import install_hook
from helix_tui.engine.memory.places_of_repos import place_of
from helix_tui.engine.memory.recall import Recalling as Asked
from helix_tui.hook import prepared_name
from helix_tui.memory.hooks.install import entries_in
from helix_tui.memory.hooks.spool import Spool
from helix_tui.memory.places import MemoryPlaces
from helix_tui.memory.recall import prepared
from helix_tui.schema.recall import RecallPage
from tests.conftest import Workbench
from tests.engine.reviewer import Reviewer
from tests.memory.recalling import (
    Recalling,
    context_in,
    repository,
    run_command,
    start_of,
    worked_in,
)

RULE = "Call grep, since rg is installed nowhere."
_FRAME = b"\x28\xb5\x2f\xfd"


@pytest.fixture
def recalling(bench: Workbench, tmp_path: Path) -> Recalling:
    return Recalling(bench, tmp_path)


def said(page: RecallPage) -> str:
    return "\n".join(
        item.text
        for name in ("open", "entries", "lines", "patterns")
        for item in getattr(page, name)
    )


def test_two_folders_of_one_name_never_hear_of_each_other(recalling: Recalling) -> None:
    install_hook(recalling.bench.engine().config, "claude", True)
    recalling.flush()
    engine = recalling.bench.engine()
    for folder, word in recalling.words.items():
        page = engine.recall.page(Asked(place=place_of(str(folder))))
        others = [other for other in recalling.words.values() if other != word]
        assert word in said(page)
        assert not any(other in said(page) for other in others)
        ready = MemoryPlaces(recalling.bench.store).recall / prepared_name(str(folder))
        assert word in ready.read_text()
        assert not any(other in ready.read_text() for other in others)


def test_worktrees_and_folders_below_are_of_their_repository(recalling: Recalling) -> None:
    below = recalling.shop / "src" / "deep"
    below.mkdir(parents=True)
    worktree = recalling.shop.parent / "shop-wt"
    worktree.mkdir()
    (recalling.shop / ".git" / "worktrees" / "wt").mkdir(parents=True)
    (worktree / ".git").write_text(f"gitdir: {recalling.shop}/.git/worktrees/wt\n")
    assert place_of(str(below)) == place_of(str(worktree)) == place_of(str(recalling.shop))


def test_a_page_for_a_person_has_what_is_open_and_where_it_stands(recalling: Recalling) -> None:
    ran = recalling.bench.helix("recall", "--repo", "bakery", "--json").json
    (line, *_) = [one for one in ran["open"] if "migration" in one["text"]]
    assert line["source"].startswith("claude 00000003")
    assert line["sessions"] == [recalling.sessions[recalling.bakery]]
    recalling.flush()
    ran = recalling.bench.helix("recall", "importer", "--repo", "bakery", "--json").json
    assert any("pumpernickel" in one["text"] for one in ran["lines"])
    assert ran["repo"] == "bakery"
    printed = recalling.bench.helix("recall", "--repo", "bakery").out
    assert "Left open" in printed
    assert "claude 00000003" in printed
    assert "`" not in printed.partition("\n")[2].partition("\n")[0]


def test_without_anything_it_says_what_to_do(bench: Workbench, recalling: Recalling) -> None:
    ran = bench.helix("recall", "unheard", "of", "--repo", "bakery")
    assert "Nothing in bakery fits" in ran.out
    assert (
        "There is no repository" in bench.helix("recall", "--repo", "nowhere").err or ran.err == ""
    )


def test_what_speaks_of_files_that_are_gone_is_left_out(recalling: Recalling) -> None:
    recalling.flush()
    place = place_of(str(recalling.shop))
    (daily,) = (recalling.bench.store / "memory/daily").glob("*.md")
    head, mark, rest = daily.read_text().partition("### Worth knowing\n\n")
    assert mark, head
    line = "- The agent: `walnut it is`; it then edited `src/gone/walnut.py`\n"
    daily.write_text(f"{head}{mark}{line}{rest}")
    engine = recalling.bench.engine()
    assert "src/gone" not in said(engine.recall.page(Asked("walnut", place=place)))
    (recalling.shop / "src/gone").mkdir(parents=True)
    (recalling.shop / "src/gone/walnut.py").write_text("")
    assert "src/gone" in said(engine.recall.page(Asked("walnut", place=place)))


def test_a_pattern_is_handed_out_until_it_is_taken_back(bench: Workbench, tmp_path: Path) -> None:
    """Also what was kept ready before the verdict has it no longer."""
    shop = repository(tmp_path / "shop")
    worked_in(shop, 1, "walnut").write(bench.home)
    reviewer = Reviewer(bench)
    name = next(iter(reviewer.ids))
    engine = bench.engine()
    engine.verdicts.approve(reviewer.ids[name], guidance="Call grep, not rg.", look="page")
    wanted = replace(reviewer.pattern(name), scope="repo:shop", allowed="I say so", rule=RULE)
    reviewer.put(wanted)
    install_hook(engine.config, "claude", True)
    for _ in engine.sweep():
        pass
    engine.after_sweep()
    assert RULE in start(bench, shop)
    (handed,) = [line for line in Spool(bench.store / "spool.jsonl").read() if line.handed]
    assert json.loads(handed.handed)["patterns"] == [wanted.id]
    assert [item.pattern for item in engine.recall.page(Asked(repo="shop")).patterns] == [wanted.id]
    assert engine.recall.page(Asked(repo="app")).patterns == []
    engine.verdicts.reject(reviewer.ids[name])
    context = start(bench, shop)
    assert "walnut" in context
    assert RULE not in context
    assert bench.engine().recall.page(Asked(repo="shop")).patterns == []


def start(bench: Workbench, folder: Path) -> str:
    config = bench.engine().config
    entries = entries_in(config.sources["claude"].roots[0] / "settings.json")
    (command,) = {entry.command for entry in entries}
    return context_in(run_command(command, start_of(folder)))


def test_forgetting_leaves_no_word_in_any_file(recalling: Recalling) -> None:
    """Not in what is kept ready, in the index of errors, the spool or the book either."""
    bench, word = recalling.bench, "pumpernickel"
    install_hook(bench.engine().config, "claude", True)
    recalling.flush()
    engine = bench.engine()
    engine.notes().update([recalling.sessions[recalling.bakery]], is_forced=True)
    handed = {"flavor": "claude", "session": recalling.sessions[recalling.bakery][7:], "path": "",
              "event": "HandedOut", "at": 1, "handed": json.dumps(
                  {"at": 1, "by": "hook", "flavor": "claude",
                   "session": recalling.sessions[recalling.bakery][7:], "repo": word})}  # fmt: skip
    (bench.store / "spool.jsonl").write_text(json.dumps(handed) + "\n")
    assert holding(bench.store, word)
    shutil.rmtree(bench.home / ".claude")  # its log, which is not ours
    bench.helix("forget", recalling.sessions[recalling.bakery])
    assert holding(bench.store, word) == []
    assert prepared.all_prepared(MemoryPlaces(bench.store))  # of the others


def holding(folder: Path, word: str) -> list[str]:
    """The files that have a word in their names or bytes, packed or not."""
    found = []
    for path in folder.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            if word.encode() in data or word in path.name:
                found.append(str(path))
            at = data.find(_FRAME)
            while at >= 0:
                try:
                    plain = zstandard.ZstdDecompressor().decompress(data[at:], 1 << 22)
                except zstandard.ZstdError:
                    plain = b""
                if word.encode() in plain:
                    found.append(f"{path} at {at}")
                at = data.find(_FRAME, at + 1)
    return found
