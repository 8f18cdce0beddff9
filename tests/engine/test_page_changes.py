"""A person's own change of a page: recorded at once, refused on what they did not see."""

from __future__ import annotations

import pytest

from helix_tui.config import Config
from helix_tui.engine.review.page_changes import deprecate_page, save_page
from helix_tui.errors import ChangedError, NotFoundError, UsageError
from tests.conftest import Workbench
from tests.engine.reviewer import Reviewer


@pytest.fixture
def reviewer(bench: Workbench) -> Reviewer:
    found = Reviewer(bench)
    found.approve(_first(found), look="page")
    return found


def _first(reviewer: Reviewer) -> str:
    return next(iter(reviewer.ids))


def _config(reviewer: Reviewer) -> Config:
    return reviewer.bench.engine().config


def test_a_page_is_saved_and_the_journal_has_it(reviewer: Reviewer) -> None:
    name = _first(reviewer)
    before = reviewer.page(name).read_text()
    after = before.replace("# ", "# Mine: ", 1)
    save_page(_config(reviewer), reviewer.ids[name], before, after)
    assert reviewer.page(name).read_text() == after
    assert reviewer.lines()[-1].action == "edit"
    with pytest.raises(ChangedError):
        save_page(_config(reviewer), reviewer.ids[name], before, before)
    assert reviewer.page(name).read_text() == after


def test_what_cannot_be_read_is_not_saved(reviewer: Reviewer) -> None:
    name = _first(reviewer)
    before = reviewer.page(name).read_text()
    with pytest.raises(UsageError, match="line 1"):
        save_page(_config(reviewer), reviewer.ids[name], before, "no page")
    assert reviewer.page(name).read_text() == before


def test_a_pattern_is_no_longer_taught_and_again_as_it_stood(reviewer: Reviewer) -> None:
    name = _first(reviewer)
    own, before = reviewer.ids[name], reviewer.pattern(name)
    deprecate_page(_config(reviewer), own, is_deprecated=True)
    assert reviewer.pattern(name).status == "deprecated"
    lines = len(reviewer.lines())
    deprecate_page(_config(reviewer), own, is_deprecated=True)
    assert len(reviewer.lines()) == lines, "what is so already is not written again"
    deprecate_page(_config(reviewer), own, is_deprecated=False)
    assert reviewer.pattern(name) == before
    with pytest.raises(NotFoundError):
        deprecate_page(_config(reviewer), "nobody", is_deprecated=True)
