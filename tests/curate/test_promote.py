"""What approving makes of a pattern: words stay, evidence only grows, versions say what changed."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from helix_tui.curate.draft.gate import gate, weight_of_evidence
from helix_tui.curate.draft.promote import (
    KnownPattern,
    create,
    deprecate,
    grown,
    is_status_by_hand,
    reword,
    update,
)
from helix_tui.curate.page.page import tidy, write_page
from helix_tui.curate.page.pattern import Pattern
from helix_tui.curate.page.why import line_mark, why_of, why_text
from helix_tui.schema.curation import Floors
from helix_tui.schema.review import JournalLine, Write
from tests.curate.made_patterns import made_evidence, made_pattern

FLOORS = Floors()


def drafted(**fields: object) -> Pattern:
    return tidy(made_pattern(**{"extra": {}, "sections": {}, "excerpts": [], **fields}))


def created(**fields: object) -> Pattern:
    pattern = drafted(**fields)
    return create(pattern, gate(weight_of_evidence(pattern.evidence), FLOORS)).pattern


def known(
    pattern: Pattern, *, current: Pattern | None = None, by_hand: bool = False
) -> KnownPattern:
    return KnownPattern(pattern, current or pattern, by_hand)


def line(number: int, action: str, text: str) -> JournalLine:
    return JournalLine(
        id=f"{number:032x}",
        seq=number,
        at="2026-11-01T00:00:00Z",
        author="ada",
        action=action,  # type: ignore[arg-type]
        writes=[Write("p", text)],
    )


class TestCreating:
    """A first version stands as the gate says."""

    def test_begins_at_one(self) -> None:
        assert created().version == "1.0.0"

    def test_thin_evidence_is_provisional(self) -> None:
        thin = made_evidence(sessions=1, frequency=1, flavors={"claude": 1}, cost_impact=0)
        pattern = created(evidence=thin)
        assert (pattern.status, pattern.distribution_ready) == ("provisional", False)

    def test_says_why_in_words(self) -> None:
        pattern = created()
        assert pattern.why == why_of(pattern)


class TestUpdating:
    """Promoting again refreshes what is measured and nothing else."""

    def test_same_evidence_changes_nothing(self) -> None:
        pattern = created()
        made = update(known(pattern), drafted(), FLOORS, pattern.candidates)
        assert (made.action, made.pattern) == ("unchanged", pattern)

    def test_more_evidence_is_a_patch(self) -> None:
        pattern = created()
        more = replace(
            pattern.evidence,
            sessions=pattern.evidence.sessions + 5,
            frequency=pattern.evidence.frequency + 9,
        )
        made = update(known(pattern), drafted(evidence=more), FLOORS, pattern.candidates)
        assert (made.action, made.pattern.version) == ("updated", "1.0.1")
        assert made.pattern.evidence == more
        assert made.pattern.why == why_text(more, pattern.kind, pattern.signal)

    def test_less_evidence_takes_nothing_away(self) -> None:
        pattern = created()
        less = replace(pattern.evidence, sessions=1, frequency=1)
        made = update(known(pattern), drafted(evidence=less), FLOORS, pattern.candidates)
        assert made.action == "unchanged"

    def test_approved_words_are_not_drafted_again(self) -> None:
        pattern = replace(created(), title="In our words", guidance="- Do as we say.")
        made = update(known(pattern), drafted(title="Draft"), FLOORS, pattern.candidates)
        assert (made.pattern.title, made.pattern.guidance) == ("In our words", "- Do as we say.")

    def test_evidence_of_other_candidates_replaces_it(self) -> None:
        pattern = replace(created(), candidates=["one", "two"])
        less = replace(pattern.evidence, sessions=1, frequency=1)
        made = update(known(pattern), drafted(evidence=less), FLOORS, ["one"])
        assert made.pattern.candidates == ["one"]
        assert made.pattern.evidence.sessions == 1

    def test_why_in_somebodys_words_stays(self) -> None:
        pattern = replace(created(), why="Because Ada said so.")
        more = replace(pattern.evidence, sessions=pattern.evidence.sessions + 5)
        made = update(known(pattern), drafted(evidence=more), FLOORS, pattern.candidates)
        assert made.pattern.why == "Because Ada said so."

    def test_status_that_a_person_set_in_the_file_stays(self) -> None:
        pattern = replace(created(), status="provisional", distribution_ready=False)
        more = replace(
            pattern.evidence,
            sessions=99,
            frequency=99,
            cost_impact=99_999,
            flavors={"a": 9, "b": 90},
        )
        held = update(
            known(pattern, by_hand=True), drafted(evidence=more), FLOORS, pattern.candidates
        )
        free = update(known(pattern), drafted(evidence=more), FLOORS, pattern.candidates)
        assert (held.pattern.status, free.pattern.status) == ("provisional", "approved")


class TestHandEdits:
    """What a person wrote into the file goes before what Helix would write."""

    def test_edited_guidance_stays_and_is_a_minor_change(self) -> None:
        written = created()
        current = replace(written, guidance="- By hand.")
        made = update(known(written, current=current), drafted(), FLOORS, written.candidates)
        assert (made.pattern.guidance, made.pattern.version) == ("- By hand.", "1.1.0")

    def test_version_that_was_raised_by_hand_counts(self) -> None:
        written = created(evidence=made_evidence(remedied=0))
        current = replace(written, guidance="- By hand.", version="2.0.0")
        made = update(known(written, current=current), drafted(), FLOORS, written.candidates)
        assert (made.action, made.pattern.version) == ("unchanged", "2.0.0")

    def test_words_of_the_editor_are_the_persons(self) -> None:
        pattern = created()
        made = update(known(pattern), drafted(), FLOORS, pattern.candidates)
        words = replace(pattern, guidance="- In the editor.")
        told = reword(known(pattern), made, words, pattern)
        assert (told.action, told.pattern.version) == ("updated", "1.1.0")
        assert told.pattern.provenance.guidance == "person"

    def test_editor_does_not_undo_what_the_file_got_meanwhile(self) -> None:
        shown = created()
        current = replace(shown, guidance="- In the file.")
        made = update(known(shown, current=current), drafted(), FLOORS, shown.candidates)
        words = replace(shown, guidance="- In the editor.", title="Title of the editor")
        told = reword(known(shown, current=current), made, words, shown)
        assert told.pattern.guidance == "- In the file."
        assert told.pattern.title == "Title of the editor"
        assert [one.field for one in told.conflicts] == ["guidance"]

    def test_editor_that_changed_nothing_changes_nothing(self) -> None:
        pattern = created()
        made = update(known(pattern), drafted(), FLOORS, pattern.candidates)
        assert reword(known(pattern), made, pattern, pattern).action == "unchanged"


GREP, LOOK = "- Use `grep` instead of `rg`.", "- Look once at what is there."


class TestFigures:
    """In how many sessions something helped is told of the line that says it, and of no other."""

    def page(self, **fields: object) -> Pattern:
        evidence = made_evidence(sessions=6, remedied=6, remedied_line=line_mark(GREP))
        return created(**{"evidence": evidence, "guidance": f"{GREP}\n{LOOK}", **fields})

    def updated(self, written: Pattern, guidance: str, sessions: int = 6) -> Pattern:
        seen = replace(written.evidence, sessions=sessions, remedied=sessions)
        current = replace(written, guidance=guidance)
        drawn = drafted(evidence=seen)
        return update(known(written, current=current), drawn, FLOORS, written.candidates).pattern

    def test_the_line_that_stands_keeps_its_figure(self) -> None:
        made = self.updated(self.page(), f"* {GREP[2:]}\n- Ask first.", sessions=8)
        assert "What to do about it helped in all 8 sessions." in made.why
        assert made.evidence.remedied == 8

    @pytest.mark.parametrize(
        "guidance", [LOOK, f"{LOOK}\n- Use `git grep` instead of `rg`.", "- Do as we say."]
    )
    @pytest.mark.parametrize("sessions", [6, 9])
    def test_a_line_that_was_deleted_or_reworded_takes_it_along(
        self, guidance: str, sessions: int
    ) -> None:
        made = self.updated(self.page(), guidance, sessions)
        assert "helped" not in made.why
        assert f"in {sessions} sessions" in made.why
        assert (made.evidence.remedied, made.evidence.remedied_line) == (0, "")
        again = self.updated(made, guidance, sessions)
        assert again == made

    def test_also_in_the_editor(self) -> None:
        page = self.page()
        made = update(known(page), drafted(evidence=page.evidence), FLOORS, page.candidates)
        told = reword(known(page), made, replace(page, guidance=LOOK), page)
        assert "helped" not in told.pattern.why
        new = create(page, gate(weight_of_evidence(page.evidence), FLOORS))
        told = reword(None, new, replace(new.pattern, guidance=LOOK), new.pattern)
        assert "helped" not in told.pattern.why
        told = reword(None, new, replace(new.pattern, guidance=GREP), new.pattern)
        assert "helped in all 6 sessions" in told.pattern.why

    def test_our_sentence_goes_where_somebody_worded_the_rest(self) -> None:
        page = self.page()
        ours = "What to do about it helped in all 6 sessions."
        current = replace(page, guidance=LOOK, why=f"Ada saw it. {ours}")
        made = update(
            known(page, current=current), drafted(evidence=page.evidence), FLOORS, page.candidates
        )
        assert made.pattern.why == "Ada saw it."

    def test_a_page_of_before_keeps_it_while_its_guidance_is_untouched(self) -> None:
        old = self.page(evidence=made_evidence(sessions=6, remedied=6))
        same = update(known(old), drafted(evidence=old.evidence), FLOORS, old.candidates)
        assert same.action == "unchanged"
        assert "helped" not in self.updated(old, LOOK).why

    def test_what_worked_is_no_longer_what_a_success_says(self) -> None:
        page = self.page(kind="success")
        assert page.why.startswith("This worked")
        assert self.updated(page, LOOK).why.startswith("It was overcome")


def test_repositories_that_a_person_saw_named_stay_named() -> None:
    evidence = made_evidence(sessions=4, repo_names=["app"])
    more = replace(evidence, sessions=5, repo_names=[])
    assert grown(evidence, more).repo_names == ["app"]


def test_deprecated_pattern_is_not_handed_out_and_can_come_back() -> None:
    pattern = created()
    gone = deprecate(known(pattern), superseded_by="other").pattern
    assert (gone.status, gone.distribution_ready, gone.superseded_by) == (
        "deprecated",
        False,
        "other",
    )
    back = update(known(gone, by_hand=True), drafted(), FLOORS, pattern.candidates).pattern
    assert (back.status, back.superseded_by) == (pattern.status, "")


def test_another_agent_is_more_evidence() -> None:
    evidence = made_evidence(sessions=4, frequency=9, flavors={"claude": 4})
    other = replace(evidence, flavors={"claude": 3, "codex": 1})
    assert grown(evidence, other) == other
    assert grown(other, evidence) == other


def test_who_set_the_status_is_told_by_the_last_change_of_it() -> None:
    approved = write_page(replace(drafted(id="p"), status="approved", distribution_ready=True))
    thin = write_page(replace(drafted(id="p"), status="provisional", distribution_ready=False))
    by_helix = [line(1, "approve", thin), line(2, "approve", approved)]
    assert not is_status_by_hand(by_helix, "p")
    assert is_status_by_hand([*by_helix, line(3, "edit", thin)], "p")
    assert not is_status_by_hand(
        [*by_helix, line(3, "edit", thin), line(4, "approve", approved)], "p"
    )
    assert not is_status_by_hand(by_helix, "another")
