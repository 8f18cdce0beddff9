"""Several verdicts under one lock: each line is durable at once, the files of all come last."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from helix_tui.config import load
from helix_tui.curate.catalog.catalog import Catalog
from helix_tui.curate.journal.journal import Journal
from helix_tui.curate.page import page as page_module
from helix_tui.engine import Engine
from helix_tui.engine.review import journal_state, promotion
from helix_tui.errors import ChangedError, OutOfSpaceError
from helix_tui.schema.candidate import CandidateFilter
from tests.conftest import Workbench
from tests.engine.agreeing import assert_agreement
from tests.engine.trouble_log import HOST, RG, YAML, write_troubled


@pytest.fixture
def swept(bench: Workbench) -> Workbench:
    write_troubled(bench)
    bench.sweep()
    return bench


def page(bench: Workbench, name: str) -> Path:
    (found,) = [one for one in names(bench) if one.startswith(name)]
    return bench.store / "catalog" / f"{found}.md"


def names(bench: Workbench) -> list[str]:
    listing = bench.engine().candidates.detect(CandidateFilter(is_all=True))
    return [one.candidate.id for one in listing.ranked]


def actions(bench: Workbench) -> list[str]:
    return [one.action for one in Journal(bench.store / "review" / "journal.jsonl").lines().lines]


def test_lines_are_there_at_once_and_files_behind_the_last(swept: Workbench) -> None:
    with swept.engine().verdicts.together() as verdicts:
        verdicts.approve(HOST)
        assert actions(swept) == ["approve"]
        verdicts.approve(YAML)
        verdicts.reject(RG)
        assert actions(swept) == ["approve", "approve", "reject"]
        assert not page(swept, HOST).exists()
        (listed,) = verdicts.listed([HOST])
        assert listed.verdict == "approved"
    assert verdicts.untold() == []
    assert page(swept, HOST).exists()
    assert page(swept, YAML).exists()
    assert_agreement(swept)


def test_an_approve_reads_the_journal_and_renders_the_page_once(
    swept: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts: Counter[str] = Counter()

    def count(owner: object, name: str) -> None:
        whole = getattr(owner, name)

        def counting(*args: Any, **kwargs: Any) -> Any:
            counts[name] += 1
            return whole(*args, **kwargs)

        monkeypatch.setattr(owner, name, counting)

    count(Journal, "lines")
    count(journal_state, "lines_of")
    count(page_module, "read_page")
    count(promotion, "write_page")
    with swept.engine().verdicts.together() as verdicts:
        outcome = verdicts.approve(HOST)
    (listed,) = outcome.listed
    assert listed.brief.id.startswith(HOST)
    assert listed.verdict == "approved"
    assert dict(counts) == {"lines_of": 1, "read_page": 1, "write_page": 1}


def test_what_is_taken_back_together_with_its_verdict_leaves_no_file(swept: Workbench) -> None:
    with swept.engine().verdicts.together() as verdicts:
        verdicts.approve(HOST)
        (last,) = verdicts.undoable(1)
        verdicts.undo(last.id)
        verdicts.merge(YAML, [RG])
        verdicts.approve(YAML)
    assert actions(swept) == ["approve", "undo", "merge", "approve"]
    assert not page(swept, HOST).exists()
    assert_agreement(swept)


def test_an_edit_by_hand_in_between_is_kept(swept: Workbench) -> None:
    swept.engine().verdicts.approve(HOST)
    path = page(swept, HOST)
    with swept.engine().verdicts.together() as verdicts:
        verdicts.reject(YAML)
        said = re.sub(r"(?m)^# .*$", "# Said otherwise", path.read_text(), count=1)
        path.write_text(said)
    assert path.read_text() == said
    assert actions(swept) == ["approve", "reject", "edit"]


def test_files_that_cannot_be_written_are_told_and_follow_with_the_next(
    swept: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> list[Path]:
        raise OutOfSpaceError("the disk is full.", "Make room.")

    with monkeypatch.context() as context:
        context.setattr(Catalog, "apply", full)
        with swept.engine().verdicts.together() as verdicts:
            assert verdicts.approve(HOST).notices == []
    (told,) = verdicts.untold()
    assert "its files will follow: the disk is full" in told
    assert not page(swept, HOST).exists()
    swept.engine().verdicts.reject(YAML)
    assert page(swept, HOST).exists()


def test_one_commit_names_each_verdict(swept: Workbench) -> None:
    config = swept.home / "commit.toml"
    config.write_text("[curate]\ncommit = true\n")
    catalog = swept.store / "catalog"
    catalog.mkdir()
    for command in (["init", "-q"], ["config", "user.name", "x"], ["config", "user.email", "x@y"]):
        subprocess.run(["git", "-C", str(catalog), *command], check=True)
    engine = Engine(load(config, swept.store, swept.environ))
    with engine.verdicts.together() as verdicts:
        verdicts.approve(HOST)
        verdicts.approve(YAML)
    told = subprocess.run(
        ["git", "-C", str(catalog), "log", "--format=%B"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert told.startswith("catalog: 2 verdicts: approve host-unresolved")
    assert told.count("approve ") == 2


class TestSeen:
    """A verdict carries what its author saw."""

    def test_what_others_decide_is_refused_and_what_one_decides_oneself_is_not(
        self, swept: Workbench
    ) -> None:
        verdicts, other = swept.engine().verdicts, swept.engine().verdicts
        seen = swept.engine().candidates.listing().seen
        verdicts.discuss(HOST, note="why?", seen=seen)
        verdicts.reject(HOST, seen=seen)
        other.reject(YAML, note="no")
        with pytest.raises(ChangedError, match="rejected it at"):
            verdicts.approve(YAML, seen=seen)
        verdicts.approve(RG, seen=seen)
        with pytest.raises(ChangedError, match=f"{YAML}.* has changed"):
            verdicts.merge(RG, [YAML], seen=seen)
        assert actions(swept) == ["discuss", "reject", "reject", "approve"]

    def test_what_is_no_more_than_before_is_no_change(self, swept: Workbench) -> None:
        verdicts, other = swept.engine().verdicts, swept.engine().verdicts
        seen = swept.engine().candidates.listing().seen
        other.reject(HOST)
        other.undo()
        assert verdicts.reject(HOST, seen=seen).line is not None

    def test_a_card_carries_it(self, swept: Workbench) -> None:
        verdicts = swept.engine().verdicts
        preview = verdicts.preview(HOST)
        swept.engine().verdicts.snooze(HOST, "2w")
        with pytest.raises(ChangedError, match="snoozed it at"):
            verdicts.reject(HOST, seen=preview.seen)

    def test_a_page_that_was_there_when_the_list_was_read_is_no_news(
        self, swept: Workbench
    ) -> None:
        swept.engine().verdicts.approve(HOST)
        path = page(swept, HOST)
        path.write_text(re.sub(r"(?m)^# .*$", "# Said otherwise", path.read_text(), count=1))
        engine = swept.engine()
        seen = engine.candidates.listing().seen
        assert seen is not None
        assert engine.verdicts.news(seen) is None
        assert engine.verdicts.reject(HOST, seen=seen).line is not None
