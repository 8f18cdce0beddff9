"""Which sentences earn their place in an entry, and which only tell of the work's progress."""

from __future__ import annotations

import pytest

from helix_tui.memory.distill.conclusion import conclusion
from helix_tui.memory.distill.earning import earns, goes_on, is_noise, points_elsewhere


@pytest.mark.parametrize(
    "sentence",
    [
        "I reviewed the importer and its tests for overlap between both.",
        "Both review threads have been replied to.",
        "0 pictures were analyzed before this task was begun.",
        "The working tree is clean.",
        "The branch is 2 commits ahead of origin.",
        "Ready for you to merge whenever it suits.",
        "Commit: `fix(rows): keep the last row`",
        "Pushing the existing commits of the branch now.",
        "Covered items 1 + 2 of the review.",
        "Addressed both optional points.",
        "Another agent will pick up what follows.",
    ],
)
def test_progress_and_the_state_of_a_moment_are_noise(sentence: str) -> None:
    assert is_noise(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "The reader stops at the first blank line, so rows behind it are lost.",
        "Keys are kept in memory only, since the disk of the runner is shared.",
        "The importer fails because the header is read twice.",
        "Used a lock file instead of a socket.",
    ],
)
def test_reasons_causes_and_limits_earn_their_place(sentence: str) -> None:
    assert earns(sentence)
    assert not is_noise(sentence)


def test_what_goes_on_with_another_sentence_is_known() -> None:
    assert goes_on("This keeps both in step.")
    assert goes_on("The comment already explains the intent.")
    assert not goes_on("The cache of rows is bounded by its age.")
    assert points_elsewhere("See finding 3 for the rest.")
    assert not points_elsewhere("Finding 3: the cache is never emptied.")


def test_of_a_report_on_edits_only_the_first_part_restates_what_was_done() -> None:
    reply = (
        "The importer reads both formats of the rows now, from `src/read.py` on.\n\n"
        "- Added `read_rows` to `src/read.py` for the new format of the rows\n"
        "- Updated `src/rows.py` with the name of the new function in it\n\n"
        "Rows without an id keep the number of their line, since older files have none."
    )
    told = conclusion(reply, "mend the import of rows", 900, 4, has_edits=True)
    assert any(part.startswith("Rows without an id") for part in told)
    assert sum("Added" in part or "Updated" in part for part in told) == 0


def test_a_heading_that_names_a_finding_is_told_and_its_lines_do_not_repeat_it() -> None:
    reply = (
        "## Finding 1 - nothing tests that the cache is ever emptied\n\n"
        "The tests fill it once and stop.\n\n"
        "## Finding 2 - the help names an option that is gone\n\n"
        "- `--fast` was removed with the old reader, and the help still has it\n"
    )
    told = conclusion(reply, "review the change", 2_000, 4)
    assert told[0] == "Finding 1 - nothing tests that the cache is ever emptied"
    assert any(part.startswith("Finding 2") for part in told)
    assert sum("the help names an option" in part for part in told) == 1
