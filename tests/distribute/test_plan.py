"""What is planned, written and taken out again, in real files."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from helix_tui.curate.page.report_talk import ONLY_FURTHER, SEEN_ONCE
from helix_tui.distribute.blocks import BEGIN, END
from helix_tui.errors import ChangedError, NotFoundError, StoreError, UsageError
from helix_tui.places import SAMPLE_HOME
from helix_tui.schema.distribute import Plan
from tests.curate.made_patterns import made_evidence
from tests.distribute.workplace import PNPM, PYTHON, THIN, Workplace

At = Callable[..., Workplace]


def writes(plan: Plan) -> dict[str, str]:
    return {Path(one.file).name: one.action for one in plan.writes if one.is_write}


def kinds(plan: Plan) -> set[tuple[str, str]]:
    return {(one.pattern, one.kind) for one in plan.refusals}


def states(place: Workplace) -> dict[str, str]:
    return {one.pattern: one.state for one in place.plan().targets}


class TestFiles:
    """Which file takes a rule, so that every agent sees it."""

    def test_a_repository_without_any_gets_agents_md(self, at: At) -> None:
        place = at("app")
        place.teach("a", scope="repo:app")
        assert writes(place.apply().plan) == {"AGENTS.md": "create"}
        assert place.repo("app").joinpath("AGENTS.md").read_text() == (
            f"{BEGIN}\n- {PYTHON}\n{END}\n"
        )

    def test_one_that_is_imported_is_enough(self, at: At) -> None:
        place = at("app")
        (place.repo("app") / "AGENTS.md").write_text("# App\n")
        (place.repo("app") / "CLAUDE.md").write_text("@AGENTS.md\n")
        place.teach("a", scope="repo:app")
        plan = place.apply().plan
        assert writes(plan) == {"AGENTS.md": "insert"}
        (status,) = place.plan().targets
        assert status.agents == ("claude", "codex", "grok")

    def test_a_claude_md_is_never_made_and_one_that_is_there_is_used(self, at: At) -> None:
        place = at("app", agents=("claude",))
        place.teach("a", scope="repo:app")
        assert writes(place.plan()) == {"AGENTS.md": "create"}
        (place.repo("app") / "CLAUDE.md").write_text("# App\n")
        assert writes(place.plan()) == {"CLAUDE.md": "insert"}

    def test_codex_would_not_see_the_end_of_a_long_file(self, at: At) -> None:
        place = at("app")
        (place.repo("app") / "AGENTS.md").write_text("x" * 40_000 + "\n")
        (place.repo("app") / "CLAUDE.md").write_text("# App\n")
        place.teach("a", scope="repo:app")
        plan = place.plan()
        (refusal,) = plan.refusals
        assert (refusal.kind, refusal.agent) == ("unloaded", "codex")
        assert "cut at byte 32,768" in refusal.message

    def test_a_rule_that_no_agent_sees_any_more_is_unloaded(self, at: At) -> None:
        place = at("app", agents=("codex",))
        place.teach("a", scope="repo:app")
        place.apply()
        (place.repo("app") / "AGENTS.override.md").write_text("Mine.\n")
        assert states(place) == {"a": "unloaded"}
        assert not place.plan().is_clean

    def test_own_files_are_written_once_where_grok_reads_claudes(self, at: At) -> None:
        place = at()
        place.teach("a")
        place.apply()
        home = place.home
        assert (home / ".claude/CLAUDE.md").exists()
        assert (home / ".codex/AGENTS.md").exists()
        assert not (home / ".grok/AGENTS.md").exists()

    def test_a_scoped_rule_is_claudes_and_nobody_sees_it_twice(self, at: At) -> None:
        place = at("app")
        place.teach("a", scope="repo:app, path:src/**")
        plan = place.apply().plan
        assert writes(plan) == {"helix-a.md": "create"}
        assert kinds(plan) == {("a", "twice")}
        text = (place.repo("app") / ".claude/rules/helix-a.md").read_text()
        assert text == f'---\npaths:\n  - "src/**"\n---\n\n{PYTHON}\n'

    def test_codex_gets_the_line_of_a_scoped_rule_in_a_file_of_its_own(self, at: At) -> None:
        place = at("app", agents=("claude", "codex"))
        (place.repo("app") / "CLAUDE.md").write_text("# App\n")
        place.teach("a", scope="repo:app, path:src/**")
        assert writes(place.apply().plan) == {"helix-a.md": "create", "AGENTS.md": "create"}
        assert f"- In `src/**`: {PYTHON}" in (place.repo("app") / "AGENTS.md").read_text()

    def test_a_skill_comes_with_the_line_that_names_it(self, at: At) -> None:
        place = at("app")
        place.teach("a", "1. Bump\n2. Tag\n3. Build\n4. Push", "repo:app")
        place.apply()
        root = place.repo("app")
        assert "(skill `helix-a`)" in (root / "AGENTS.md").read_text()
        for folder in (".claude", ".agents"):
            assert "1. Bump" in (root / folder / "skills/helix-a/SKILL.md").read_text()
        before = place.folders()
        place.retract()
        assert [path.name for path in root.iterdir()] == [".git"]
        place.undo()
        assert place.folders() == before

    def test_what_the_environment_lacks_is_not_written_and_what_is_guarded_stays(
        self, at: At
    ) -> None:
        place = at("app")
        place.teach("a", scope="repo:app", rung="guard")
        place.teach("b", scope="repo:app", rung="environment")
        plan = place.plan()
        assert kinds(plan) == {("b", "rung")}
        assert {rule.pattern for one in plan.writes for rule in one.rules} == {"a"}


class TestFloors:
    """What is for one repository needs less than what is for all work."""

    def test_one_agent_is_enough_for_one_repository(self, at: At) -> None:
        place = at("app")
        standing: dict[str, Any] = {"distribution_ready": False, "evidence": THIN}
        place.teach("a", scope="repo:app", **standing)
        place.teach("b", scope="user", **standing)
        plan = place.plan()
        assert kinds(plan) == {("b", "floors")}
        assert writes(plan) == {"AGENTS.md": "create"}

    def test_a_path_that_is_none_is_refused(self, at: At) -> None:
        place = at("app")
        place.teach("a", scope=f"repo:app, path:x\n{END}")
        assert kinds(place.plan()) == {("a", "scope")}

    def test_a_page_without_words_is_asked_for_some(self, at: At) -> None:
        place = at("app")
        place.teach("a", "", "repo:app")
        (refusal,) = place.plan().refusals
        assert refusal.kind == "words"
        assert "--rule" in refusal.message
        place.teach("a", "", "repo:app", rule="Use pnpm.")
        assert writes(place.plan()) == {"AGENTS.md": "create"}

    def test_a_persons_word_goes_before_floors(self, at: At) -> None:
        place = at()
        place.teach("a", distribution_ready=False, evidence=THIN, allowed="I know it.")
        assert not place.plan().refusals

    def test_a_scope_that_names_no_folder_is_told(self, at: At) -> None:
        place = at("app")
        place.teach("a", scope="repo:other")
        place.teach("b", scope="repo")
        assert kinds(place.plan()) == {("a", "folder"), ("b", "scope")}

    def test_an_unknown_pattern_is_told(self, at: At) -> None:
        with pytest.raises(NotFoundError):
            at("app").plan(patterns=("no-such",))

    def test_two_names_of_one_folder_are_told(self, at: At) -> None:
        place = at("app")
        place.config.write_text(place.config.read_text() + 'other = "app"\n')
        place.teach("a", scope="repo:app")
        place.teach("b", PNPM, "repo:other")
        plan = place.plan()
        assert kinds(plan) == {("b", "folder")}
        assert writes(plan) == {"AGENTS.md": "create"}

    def test_the_bundled_sample_never_reaches_ones_own_files(self, at: At) -> None:
        place = at()
        (place.store / SAMPLE_HOME).mkdir(parents=True)
        place.teach("a")
        assert kinds(place.apply().plan) == {("a", "folder")}
        assert place.files() == {}


class TestThreeWays:
    """What was written, what is wanted, what stands there."""

    @pytest.fixture
    def place(self, at: At) -> Workplace:
        place = at("app")
        (place.repo("app") / "AGENTS.md").write_text("# App\n")
        place.teach("a", PYTHON, "repo:app")
        place.teach("b", PNPM, "repo:app")
        place.apply()
        return place

    def edit(self, place: Workplace, before: str, after: str) -> None:
        path = place.repo("app") / "AGENTS.md"
        assert before in path.read_text()
        path.write_text(path.read_text().replace(before, after))

    def text(self, place: Workplace) -> str:
        return (place.repo("app") / "AGENTS.md").read_text()

    def test_applying_twice_changes_nothing_and_check_is_clean(self, place: Workplace) -> None:
        before = place.files()
        assert place.plan().is_clean
        assert not place.apply().written
        assert place.files() == before

    def test_a_new_version_replaces_its_line(self, place: Workplace) -> None:
        place.teach("a", "Call `uv run`.", "repo:app", version="1.1.0")
        assert not place.plan().is_clean
        place.apply()
        assert "- Call `uv run`.\n- Use pnpm" in self.text(place)
        assert {one.version for one in place.plan().targets} == {"1.0.0", "1.1.0"}

    def test_an_edited_line_comes_back_as_a_proposal_and_stays(self, place: Workplace) -> None:
        self.edit(place, PNPM, "Use pnpm, not npm.")
        before = place.files()
        (proposal,) = place.plan().proposals
        assert (proposal.pattern, proposal.text) == ("b", "Use pnpm, not npm.")
        assert states(place) == {"a": "clean", "b": "edited"}
        place.apply()
        place.teach("b", "Use bun.", "repo:app", version="1.1.0")
        place.apply()
        assert place.files() == before
        place.apply(restores=True)
        assert "Use bun." in self.text(place)
        assert place.plan().is_clean

    def test_an_accepted_edit_is_the_rule_from_then_on(self, place: Workplace) -> None:
        self.edit(place, PNPM, "Use pnpm, not npm.")
        assert [one.pattern for one in place.distribution.accept(())] == ["b"]
        page = (place.catalog / "b.md").read_text()
        assert "rule: Use pnpm, not npm." in page
        assert "version: 1.1.0" in page
        assert place.plan().is_clean
        place.retract()
        assert self.text(place) == "# App\n"

    def test_an_accepted_edit_keeps_what_stands_around_the_words(self, at: At) -> None:
        place = at("app", agents=("codex",))
        place.teach("a", "1. Bump\n2. Tag\n3. Build\n4. Push", "repo:app", rule="Release so.")
        place.teach("b", PNPM, "repo:app, path:src/**", rung="line")
        place.apply()
        self.edit(place, "Release so.", "Release like this.")
        self.edit(place, PNPM, "Use pnpm, not npm.")
        place.distribution.accept(())
        place.apply()  # the skill's own file follows
        assert place.plan().is_clean
        rules = {one.pattern: one.text for one in place.plan().writes[-1].rules}
        assert rules == {
            "a": "Release like this. (skill `helix-a`)",
            "b": "In `src/**`: Use pnpm, not npm.",
        }

    def test_a_deleted_line_is_a_retract_to_confirm(self, place: Workplace) -> None:
        self.edit(place, f"- {PNPM}\n", "")
        assert states(place) == {"a": "clean", "b": "missing"}
        before = place.files()
        place.apply()
        assert place.files() == before
        assert not place.plan().is_clean
        place.retract("b")
        assert place.plan().is_clean
        assert place.files() == before
        place.apply(patterns=("b",))
        assert PNPM in self.text(place)

    def test_a_deleted_line_is_written_again_where_asked_for(self, place: Workplace) -> None:
        self.edit(place, f"- {PNPM}\n", "")
        place.apply(restores=True)
        assert PNPM in self.text(place)

    def test_a_line_of_nobodys_in_the_block_stays_for_ever(self, place: Workplace) -> None:
        self.edit(place, f"- {PNPM}\n", f"- {PNPM}\nMine alone.\n")
        assert [one.pattern for one in place.plan().proposals] == [""]
        assert not place.plan().is_clean
        place.retract()
        assert self.text(place) == "# App\n\nMine alone.\n"

    def test_an_edited_line_stays_as_ones_own_when_its_pattern_goes(self, place: Workplace) -> None:
        self.edit(place, PNPM, "Use pnpm, not npm.")
        place.retract()
        assert self.text(place) == "# App\n\n- Use pnpm, not npm.\n"

    def test_what_is_deprecated_superseded_or_gone_leaves(self, place: Workplace) -> None:
        place.teach("a", PYTHON, "repo:app", status="deprecated", distribution_ready=False)
        place.forget("b")
        assert not place.plan().is_clean
        place.apply()
        assert self.text(place) == "# App\n"
        assert place.plan().is_clean

    def test_a_page_that_cannot_be_read_takes_nothing_out(self, place: Workplace) -> None:
        (place.catalog / "a.md").write_text("---\nno page\n")
        before = place.files()
        assert ("a", "unreadable") in kinds(place.apply().plan)
        assert place.files() == before

    def test_a_folder_that_is_away_takes_nothing_out(self, place: Workplace) -> None:
        place.repo("app").rename(place.folder / "away")
        place.apply()
        (place.folder / "away").rename(place.repo("app"))
        assert place.plan().is_clean

    def test_a_repository_that_moved_takes_its_rules_along(self, place: Workplace) -> None:
        place.repo("app").rename(place.folder / "moved")
        text = place.config.read_text().replace('app = "app"', 'app = "moved"')
        place.config.write_text(text)
        before = place.files()
        assert not place.apply().written
        assert place.files() == before
        assert place.plan().is_clean
        place.retract()
        assert place.files() == {"moved/AGENTS.md": b"# App\n"}

    def test_text_around_the_block_may_change(self, place: Workplace) -> None:
        self.edit(place, "# App\n", "# My App\n\nMore.\n")
        path = place.repo("app") / "AGENTS.md"
        path.write_text(path.read_text() + "Behind.\n")
        assert place.plan().is_clean
        place.retract()
        assert self.text(place) == "# My App\n\nMore.\n\nBehind.\n"

    def test_one_pattern_or_agent_asked_for_leaves_the_others(self, place: Workplace) -> None:
        place.teach("a", "Call `uv run`.", "repo:app", version="1.1.0")
        place.forget("b")
        place.apply(patterns=("a",))
        assert PNPM in self.text(place)
        assert "uv run" in self.text(place)

    def test_marks_taken_away_leave_lines_that_are_not_doubled(self, place: Workplace) -> None:
        self.edit(place, f"{BEGIN}\n", "")
        self.edit(place, f"{END}\n", "")
        before = place.files()
        assert {kind for _, kind in kinds(place.apply().plan)} == {"told"}
        assert place.files() == before

    def test_undo_takes_back_what_was_done_as_often_as_there_is(self, place: Workplace) -> None:
        first = place.files()
        place.teach("a", "Call `uv run`.", "repo:app", version="1.1.0")
        place.apply()
        second = place.files()
        place.retract("b")
        place.undo()
        assert place.files() == second
        place.undo()
        assert place.files() == first
        place.undo()
        assert place.files() == {"app/AGENTS.md": b"# App\n"}
        assert not place.distribution.undo_plan().writes

    def test_undo_puts_a_block_back_where_it_stood(self, place: Workplace) -> None:
        path = place.repo("app") / "AGENTS.md"
        path.write_text(path.read_text() + "\nBehind.\n")
        before = place.files()
        place.retract()
        place.undo()
        assert place.files() == before

    def test_undo_keeps_what_was_changed_around_the_block(self, place: Workplace) -> None:
        self.edit(place, "# App\n", "# My App\n")
        place.undo()
        assert self.text(place) == "# My App\n"

    def test_undo_leaves_a_block_that_was_edited_since(self, place: Workplace) -> None:
        self.edit(place, PNPM, "Use pnpm, not npm.")
        before = place.files()
        carried = place.undo()
        assert carried.plan.refusals
        assert place.files() == before

    def test_a_shown_plan_that_is_no_longer_true_is_refused(self, place: Workplace) -> None:
        from helix_tui.schema.distribute import DistributeRequest

        place.teach("c", "Use `rg`.", "repo:app")
        shown = place.plan()
        self.edit(place, "# App\n", "# My App\n")
        before = place.files()
        with pytest.raises(ChangedError):
            place.distribution.apply(DistributeRequest(), shown)
        assert place.files() == before


class TestRefusals:
    """Files that are left alone, with the reason."""

    def refused(self, place: Workplace) -> str:
        before = place.files()
        place.teach("a", scope="repo:app")
        place.teach("b", PNPM, "repo:fine")
        plan = place.apply().plan
        (refusal,) = [one for one in plan.refusals if one.pattern == "a" and not one.agent]
        after = place.files()
        assert after.pop("fine/AGENTS.md")
        assert after == before
        return refusal.kind

    @pytest.mark.parametrize(
        ("data", "kind"),
        [
            (f"{BEGIN}\n- a\n".encode(), "malformed"),
            (f"{BEGIN}\n- a\n{END} b\n".encode(), "malformed"),
            (b"```\nopen\n", "malformed"),
            (b"\xff\xfea\0", "unreadable"),
            (b"caf\xe9\n", "unreadable"),
            (b"<<<<<<< HEAD\na\n=======\nb\n>>>>>>> c\n", "conflict"),
            (f"# A\n- {PYTHON}\n".encode(), "told"),
        ],
    )
    def test_by_what_they_hold(self, at: At, data: bytes, kind: str) -> None:
        place = at("app", "fine")
        (place.repo("app") / "AGENTS.md").write_bytes(data)
        assert self.refused(place) == kind

    def test_a_read_only_file(self, at: At) -> None:
        place = at("app", "fine")
        path = place.repo("app") / "AGENTS.md"
        path.write_text("# A\n")
        path.chmod(0o444)
        assert self.refused(place) == "read_only"

    def test_a_link_out_of_the_repository(self, at: At) -> None:
        place = at("app", "fine")
        outside = place.folder / "outside.md"
        outside.write_text("# A\n")
        (place.repo("app") / "AGENTS.md").symlink_to(outside)
        assert self.refused(place) == "link"

    def test_a_folder_that_leads_out(self, at: At) -> None:
        place = at("app", agents=("claude",))
        elsewhere = place.folder / "elsewhere"
        elsewhere.mkdir()
        (place.repo("app") / ".claude").symlink_to(elsewhere)
        place.teach("a", scope="repo:app, path:src/**")
        assert kinds(place.apply().plan) == {("a", "link")}
        assert not list(elsewhere.iterdir())

    def test_a_file_of_several_names(self, at: At) -> None:
        place = at("app", "fine")
        path = place.repo("app") / "AGENTS.md"
        path.write_text("# A\n")
        os.link(path, place.repo("app") / "other.md")
        assert self.refused(place) == "link"

    def test_a_link_within_the_repository_is_followed(self, at: At) -> None:
        place = at("app")
        root = place.repo("app")
        (root / "CLAUDE.md").write_text("# A\n")
        (root / "AGENTS.md").symlink_to("CLAUDE.md")
        place.teach("a", scope="repo:app")
        assert len(place.apply().written) == 1
        assert (root / "AGENTS.md").is_symlink()
        assert PYTHON in (root / "CLAUDE.md").read_text()

    def test_a_file_of_ours_that_somebody_else_made(self, at: At) -> None:
        place = at("app", agents=("claude",))
        path = place.repo("app") / ".claude/rules/helix-a.md"
        path.parent.mkdir(parents=True)
        path.write_text("Mine.\n")
        place.teach("a", scope="repo:app, path:src/**")
        assert kinds(place.apply().plan) == {("a", "foreign")}
        assert path.read_text() == "Mine.\n"

    def test_twenty_rules_are_enough_for_a_file(self, at: At) -> None:
        place = at("app")
        for number in range(22):
            place.teach(f"p{number:02}", f"Use tool number {number}.", "repo:app")
        plan = place.apply().plan
        assert sorted(kinds(plan)) == [("p20", "full"), ("p21", "full")]

    def test_the_mode_of_a_file_stays(self, at: At) -> None:
        place = at("app")
        path = place.repo("app") / "AGENTS.md"
        path.write_text("# A\n")
        path.chmod(0o664)
        place.teach("a", scope="repo:app")
        place.apply()
        assert path.stat().st_mode & 0o7777 == 0o664

    def test_a_secret_in_a_rule_goes_nowhere(self, at: At) -> None:
        place = at("app")
        place.teach("a", scope="repo:app", rule="Read @~/.ssh/id_rsa first")
        assert kinds(place.plan()) == {("a", "words")}

    def test_a_damaged_line_of_the_ledger_is_told_and_loses_nothing(self, at: At) -> None:
        place = at("app")
        place.teach("a", scope="repo:app")
        place.apply()
        before = place.files()
        ledger = place.folder / "review" / "distributed.jsonl"
        ledger.write_text(ledger.read_text().replace("apply", "apqly", 1))
        assert len(place.distribution.damaged()) == 1
        place.apply()
        assert place.files() == before


class TestCommit:
    """On a branch that somebody names, and nothing of anybody else's."""

    @pytest.fixture
    def place(self, at: At) -> Workplace:
        place = at("app")
        (place.repo("app") / ".git").rmdir()
        place.git("app", "init", "-q", "-b", "main")
        place.git("app", "config", "user.name", "Ann")
        place.git("app", "config", "user.email", "ann@example.org")
        (place.repo("app") / "AGENTS.md").write_text("# App\n")
        (place.repo("app") / "other").write_text("x\n")
        place.git("app", "add", "-A")
        place.git("app", "commit", "-qm", "first")
        place.teach("a", scope="repo:app")
        return place

    def commit(self, place: Workplace, branch: str) -> list[str]:
        from helix_tui.schema.distribute import DistributeRequest

        return place.distribution.apply(DistributeRequest(), None, branch).notices

    def test_a_new_branch_has_the_file_alone(self, place: Workplace) -> None:
        (place.repo("app") / "other").write_text("changed\n")
        assert "committed on helix-rules" in self.commit(place, "helix-rules")[0]
        assert place.git("app", "show", "--name-only", "--format=").split() == ["AGENTS.md"]
        assert place.git("app", "branch", "--show-current").strip() == "helix-rules"
        assert place.git("app", "status", "--porcelain").split() == ["M", "other"]

    @pytest.mark.parametrize("branch", ["-f", "a..b", "a b", "x.lock"])
    def test_what_is_no_branch_is_refused_before_anything_is_written(
        self, place: Workplace, branch: str
    ) -> None:
        before = place.files()
        with pytest.raises(UsageError):
            self.commit(place, branch)
        assert place.files() == before

    def test_a_file_with_changes_of_ones_own_is_not_committed(self, place: Workplace) -> None:
        (place.repo("app") / "AGENTS.md").write_text("# Mine\n")
        before = place.files()
        with pytest.raises(UsageError):
            self.commit(place, "helix-rules")
        assert place.files() == before

    def test_programs_of_the_repository_are_not_run_to_read_it(self, place: Workplace) -> None:
        ran = place.folder / "ran"
        place.git("app", "config", "core.fsmonitor", f"touch {ran}")
        place.git("app", "config", "diff.external", f"touch {ran}")
        before = place.git("app", "rev-parse", "HEAD").strip()
        ran.unlink(missing_ok=True)
        place.apply()
        ledger = (place.folder / "review" / "distributed.jsonl").read_text()
        assert f'"head":"{before}"' in ledger
        assert not ran.exists()


def test_a_full_disk_at_the_ledger_writes_nothing(at: At, monkeypatch: pytest.MonkeyPatch) -> None:
    place = at("app")
    place.teach("a", scope="repo:app")

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("helix_tui.files.ledger.os.pwrite", full)
    with pytest.raises(StoreError):
        place.apply()
    assert place.files() == {}


def test_folders_of_a_file_that_cannot_be_written_do_not_stay(
    at: At, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = at("app", agents=("claude",))
    place.teach("a", scope="repo:app, path:src/**")

    def full(*_: object) -> None:
        raise StoreError("There is no room.")

    monkeypatch.setattr("helix_tui.engine.distribute.files.write_whole", full)
    with pytest.raises(StoreError):
        place.apply()
    assert [path.name for path in place.repo("app").iterdir()] == [".git"]
    monkeypatch.undo()


def test_a_plan_warns_of_who_reads_a_rule_twice(at: At) -> None:
    place = at("app")
    (place.repo("app") / "CLAUDE.md").write_text("# App\n")
    place.teach("python", scope="repo:app")
    (warning,) = place.plan().warnings
    assert (warning.pattern, warning.agent) == ("python", "grok")
    assert warning.message.startswith("grok reads it twice, in AGENTS.md and CLAUDE.md; ")
    place.apply()
    assert [one.agent for one in place.plan().warnings] == ["grok"]
    (place.repo("app") / "CLAUDE.md").write_text("# App\n\n@AGENTS.md\n")
    assert place.plan().warnings == ()


def test_what_one_agent_met_goes_to_that_agent_alone(at: At) -> None:
    place = at("app")
    evidence = made_evidence(flavors={"claude": 3})
    place.teach("a", scope="agent", evidence=evidence)
    plan = place.apply().plan
    assert set(writes(plan)) == {"CLAUDE.md"}
    assert not {one.agent for one in plan.refusals} & {"codex", "grok"}


def test_evidence_of_a_page_is_no_word_for_agents(at: At) -> None:
    place = at("app")
    place.teach("a", f"{PNPM} {SEEN_ONCE}", scope="repo:app")
    place.apply()
    assert place.repo("app").joinpath("AGENTS.md").read_text().count(PNPM) == 1
    assert SEEN_ONCE not in place.repo("app").joinpath("AGENTS.md").read_text()


def test_what_never_ended_well_is_no_line_for_agents(at: At) -> None:
    place = at("app")
    place.teach("a", f"{PNPM} {ONLY_FURTHER}", scope="repo:app")
    place.teach("b", f"{PNPM} {SEEN_ONCE}", scope="everyone")
    assert not writes(place.plan())
