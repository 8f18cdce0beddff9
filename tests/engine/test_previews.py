"""What approving would write, read beforehand: nothing is held, words are those that were seen."""

from __future__ import annotations

import pytest

from helix_tui.curate.journal.journal import Journal
from helix_tui.errors import HelixError, LookNeededError
from helix_tui.schema.board import ApprovalPreview
from tests.conftest import Workbench
from tests.engine.reviewer import Reviewer


def page_without_times(preview: ApprovalPreview | HelixError) -> list[str]:
    assert isinstance(preview, ApprovalPreview)
    return [line for line in preview.page.split("\n") if not line.startswith("  at: ")]


@pytest.fixture
def reviewer(bench: Workbench) -> Reviewer:
    return Reviewer(bench)


def test_they_are_those_of_a_verdict_and_are_read_while_somebody_holds_the_journal(
    reviewer: Reviewer,
) -> None:
    verdicts = reviewer.bench.engine().verdicts
    names = [*reviewer.ids.values()]
    alone = [page_without_times(verdicts.preview(name)) for name in names]
    journal = Journal(reviewer.bench.engine().config.curate.review_log)
    with journal.locked():
        found = dict(verdicts.previews([*names, "nobody"]))
    assert [page_without_times(found[name]) for name in names] == alone
    assert isinstance(found["nobody"], HelixError)


def test_an_edit_by_hand_is_seen_and_nothing_is_written(reviewer: Reviewer) -> None:
    name = next(iter(reviewer.ids))
    reviewer.approve(name, look="page")
    page = reviewer.page(name)
    page.write_text(page.read_text().replace("# ", "# By hand: ", 1))
    lines, files = reviewer.lines(), reviewer.files()
    ((_, preview),) = reviewer.bench.engine().verdicts.previews([reviewer.ids[name]])
    assert isinstance(preview, ApprovalPreview)
    assert preview.title.startswith("By hand: ")
    assert (reviewer.lines(), reviewer.files()) == (lines, files)


def test_words_of_a_log_are_written_only_as_they_were_shown(sampled: Workbench) -> None:
    verdicts = sampled.engine().verdicts
    listed = sampled.engine().candidates.listing().listed
    previews = dict(verdicts.previews([one.brief.id for one in listed]))
    name, preview = next(
        (name, one)
        for name, one in previews.items()
        if isinstance(one, ApprovalPreview) and "guidance" in one.words_of_log
    )
    other = preview.page.replace("\n## What to do\n\n", "\n## What to do\n\n- Think.\n")
    assert other != preview.page
    with pytest.raises(LookNeededError) as needed:
        verdicts.approve(name, shown=other, look="page")
    assert needed.value.preview is not None
    assert Journal(sampled.engine().config.curate.review_log).lines().lines == []
    assert verdicts.approve(name, shown=preview.page, look="page").patterns[0].action == "created"
