"""`helix curate` in one go and by a script, without a terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.reviewing import editor, review
from tests.conftest import Workbench
from tests.sample_list import LISTED

LOG_WORDS = "database-locked-103f2969"
LOG_TITLE = "test-red-go-test-8a5cc27c"
SECRET = "ghp_" + "a1B2c3D4e5" * 4
FIRST = "user-correction-commit-b041908a"
SECOND = "user-correction-comment-c9628757"
RG, JQ = "command-not-found-rg-cd630925", "command-not-found-jq-eea67918"
BEFORE_JQ = ["s"] * 3
NAMES = {
    *("promoted", "provisional", "rejected", "discussed", "skipped_remembered"),
    *("below_floor", "patterns", "merged", "notices"),
}


def pages(bench: Workbench) -> dict[str, bytes]:
    found = (bench.store / "catalog").glob("*.md")
    return {path.stem: path.read_bytes() for path in found if path.stem != "INDEX"}


def skips_to(bench: Workbench, name: str) -> list[str]:
    """A key for each card before that of a candidate."""
    listed = bench.helix("detect", "--json").json["candidates"]
    return ["s"] * [one["id"] for one in listed].index(name)


def before_jq(bench: Workbench) -> list[str]:
    """A key for each card before that of `jq`, where `rg` is approved and has none."""
    return skips_to(bench, JQ)[1:]


class TestAutoApprove:
    """Promotes what clears the bar, and nothing else."""

    def test_json_has_every_name_and_the_files_are_there(self, sampled: Workbench) -> None:
        told = sampled.helix("curate", "--auto-approve", "--json").json
        assert told["schema"] == "helix.curate/1"
        assert told.keys() >= NAMES
        assert told["promoted"] == len(pages(sampled)) > 0
        for one in told["patterns"]:
            assert one["action"] == "created"
            assert Path(one["path"]).is_absolute()
            assert Path(one["path"]).is_file()
            assert {"id", "version", "status", "distribution_ready", "title"} <= one.keys()
        provisional = [one for one in told["patterns"] if one["status"] == "provisional"]
        assert told["provisional"] == len(provisional)
        for missed in told["below_floor"]:
            assert missed.keys() == {"id", "floor", "actual", "needed"}
        listed = sampled.helix("catalog", "list", "--json").json["patterns"]
        assert {one["path"] for one in listed} == {one["path"] for one in told["patterns"]}

    def test_second_run_touches_nothing(self, sampled: Workbench) -> None:
        sampled.helix("curate", "--auto-approve")
        before = pages(sampled)
        told = sampled.helix("curate", "--auto-approve", "--json").json
        assert told["promoted"] == 0
        assert {one["action"] for one in told["patterns"]} == {"unchanged"}
        assert pages(sampled) == before

    def test_words_of_a_log_and_what_is_discussed_are_left_out(self, sampled: Workbench) -> None:
        sampled.helix("discuss", FIRST, "--note", "later")
        told = sampled.helix("curate", "--auto-approve", "--json").json
        by_floor = {one["id"]: one["floor"] for one in told["below_floor"]}
        assert LOG_TITLE in by_floor
        assert not {LOG_TITLE, FIRST} & pages(sampled).keys()
        assert told["skipped_remembered"] == 1

    def test_people_are_told_what_was_left_out_and_why(self, sampled: Workbench) -> None:
        done = sampled.helix("curate", "--auto-approve")
        assert FIRST in done.out
        assert "words" in done.out
        assert "promoted" in done.out.splitlines()[-1]

    def test_bad_file_is_told_and_the_rest_is_done(self, sampled: Workbench) -> None:
        folder = sampled.store / "catalog"
        folder.mkdir()
        (folder / "mine.md").write_text("no page\n")
        done = sampled.helix("curate", "--auto-approve", "--json", check=False)
        assert done.code == 1
        assert "mine.md:1" in done.err
        assert done.json["promoted"] > 0
        assert (folder / "mine.md").read_text() == "no page\n"


class TestScripted:
    """Without a terminal keys come one a line."""

    def test_each_key_decides_on_one_card(self, sampled: Workbench) -> None:
        done = review(sampled, "a", "y", "r", "d", "why not both?", "s", "q", arguments=("--json",))
        assert done.code == 0
        told = done.json
        assert told.keys() >= NAMES
        counts = [told[name] for name in ("promoted", "rejected", "discussed", "skipped")]
        assert counts == [1, 1, 1, 1]
        assert [one["id"] for one in told["patterns"]] == [FIRST]
        assert f"1 of {LISTED}" in done.err
        assert f"5 of {LISTED}" in done.err
        assert "Everything is saved" in done.err

    def test_end_of_input_ends_it_like_q(self, sampled: Workbench) -> None:
        done = review(sampled, "a", "y")
        assert done.code == 0
        assert "1 approved" in done.out
        assert pages(sampled).keys() == {FIRST}

    def test_remembered_verdicts_are_not_asked_again(self, sampled: Workbench) -> None:
        review(sampled, "a", "y", "r")
        done = review(sampled, arguments=("--json",))
        assert f"1 of {LISTED - 2}" in done.err
        assert done.json["skipped_remembered"] == 2

    def test_undo_shows_the_card_again_and_takes_the_file_away(self, sampled: Workbench) -> None:
        done = review(sampled, "a", "y", "u", "r", "q", arguments=("--json",))
        assert done.err.count(f"1 of {LISTED}") == 2
        assert (done.json["promoted"], done.json["rejected"]) == (0, 1)
        assert done.json["patterns"] == []
        assert not pages(sampled)

    def test_undo_reaches_verdicts_of_before(self, sampled: Workbench) -> None:
        sampled.helix("approve", FIRST, "--yes")
        done = review(sampled, "u", "u", "q", arguments=("--json",))
        assert "There is no verdict left" in done.err
        assert done.json["taken_back"] == 1
        assert done.json["patterns"][0]["action"] == "removed"
        assert f"of {LISTED}  score " in done.err
        assert f"XX  {FIRST}" in done.err

    def test_words_of_a_log_are_confirmed_with_their_origin(self, sampled: Workbench) -> None:
        done = review(
            sampled, *skips_to(sampled, LOG_WORDS), "a", "n", "a", "y", "q", arguments=("--json",)
        )
        assert done.err.count("Words of a log stand in: title, applies, guidance") == 2
        assert "from claude:" in done.err
        assert "Not approved." in done.err
        assert [one["id"] for one in done.json["patterns"]] == [LOG_WORDS]

    def test_secret_in_a_note_is_refused_on_the_card(self, sampled: Workbench) -> None:
        done = review(sampled, "d", f"it is {SECRET}", "r", "q", arguments=("--json",))
        assert "Nothing was written: the note, line 1" in done.err
        assert SECRET not in done.err
        assert (done.json["discussed"], done.json["rejected"]) == (0, 1)

    def test_note_that_is_empty_says_nothing(self, sampled: Workbench) -> None:
        done = review(sampled, "d", "", "q", arguments=("--json",))
        assert done.json["discussed"] == 0
        assert "No note was written" in done.err

    def test_unknown_key_and_help_change_nothing(self, sampled: Workbench) -> None:
        done = review(sampled, "x", "?", "v", "q")
        assert "'x' does nothing here" in done.out
        assert "e   edit the page" in done.out
        assert "## When it applies" in done.out
        assert "0 approved, 0 rejected, 0 discussed" in done.out

    def test_nothing_to_decide_is_said(self, sampled: Workbench) -> None:
        review(sampled, *["r"] * LISTED)
        done = review(sampled)
        assert done.code == 0
        assert "No candidate waits for a verdict." in done.out

    def test_no_store_exits_74(self, bench: Workbench) -> None:
        assert review(bench).code == 74
        assert bench.helix("curate", "--auto-approve", check=False).code == 74


class TestResembling:
    """A candidate that an existing pattern covers goes into it, unless the reviewer says no."""

    @pytest.fixture
    def alike(self, sampled: Workbench) -> Workbench:
        """`rg` is approved, and somebody wrote a page on `jq`."""
        sampled.helix("approve", RG)
        page = sampled.store / "catalog" / f"{RG}.md"
        text = page.read_text().replace(RG, "mine").replace("subject: rg", "subject: jq")
        (page.parent / "mine.md").write_text(text)
        return sampled

    def test_card_says_into_which_and_why(self, alike: Workbench) -> None:
        done = review(alike, *before_jq(alike), "a", "q", arguments=("--json",))
        assert "a adds to mine" in done.err
        assert done.json["merged"] == {JQ: "mine"}
        assert pages(alike).keys() == {RG, "mine"}

    def test_n_makes_one_of_its_own(self, alike: Workbench) -> None:
        done = review(alike, *before_jq(alike), "n", "a", "q", arguments=("--json",))
        assert "n into the other" in done.err
        assert done.json["patterns"][0]["id"] == JQ
        assert len(pages(alike)) == 3

    def test_n_is_refused_where_there_is_no_other(self, sampled: Workbench) -> None:
        assert "It goes into no other pattern." in review(sampled, "n", "q").out


class TestDraftingProgram:
    """What a program words is marked, and looked at before it is approved."""

    @pytest.fixture
    def config(self, sampled: Workbench, tmp_path: Path) -> Path:
        path = tmp_path / "config.toml"
        path.write_text(f'[curate.draft]\ncommand = ["{tmp_path}/editor.sh"]\n')
        return path

    def test_its_words_are_confirmed(self, sampled: Workbench, config: Path) -> None:
        program = editor(config.parent, 'cat >/dev/null; echo \'{"guidance": "- Ask first."}\'')
        arguments = ("--json", "--config", str(config))
        done = review(sampled, "a", "y", "q", arguments=arguments)
        assert f"Worded by the drafting program {program}" in done.err
        page = pages(sampled)[FIRST].decode()
        assert "- Ask first." in page
        assert "guidance: command" in page

    def test_one_key_approves_none_of_them(self, sampled: Workbench, config: Path) -> None:
        editor(config.parent, 'cat >/dev/null; echo \'{"title": "Ask first"}\'')
        review(sampled, "a", "a", "q", arguments=("--config", str(config)))
        assert not pages(sampled)

    def test_program_that_fails_is_told_and_the_draft_stays(
        self, sampled: Workbench, config: Path
    ) -> None:
        editor(config.parent, "exit 7")
        done = review(sampled, "a", "y", "q", arguments=("--config", str(config)))
        assert "The drafting program was not heard" in done.out
        assert done.code == 1
        assert pages(sampled).keys() == {FIRST}


class TestEditor:
    """`e` puts the page into the reviewer's editor."""

    def test_saved_words_are_approved(self, sampled: Workbench, tmp_path: Path) -> None:
        command = editor(
            tmp_path, 'stat -c %a "$1" >&2; sed -i \'s/^# .*/# Leave commits to the user/\' "$1"'
        )
        done = review(sampled, "e", "y", "q", EDITOR="false", VISUAL=f"{command} ")
        assert "600" in done.err
        assert "1 approved" in done.out
        assert b"# Leave commits to the user\n" in pages(sampled)[FIRST]

    def test_own_guidance_is_a_persons(self, sampled: Workbench, tmp_path: Path) -> None:
        command = editor(tmp_path, "sed -i 's/^- “.*/- Ask first./' \"$1\"")
        review(sampled, "e", "y", "q", EDITOR=command)
        assert b"guidance: person" in pages(sampled)[FIRST]

    def test_mistakes_are_shown_with_lines_and_can_be_mended(
        self, sampled: Workbench, tmp_path: Path
    ) -> None:
        marker = tmp_path / "broken"
        command = editor(
            tmp_path,
            f"if [ -e {marker} ]; then sed -i 's/^## Problems/## Problem/' \"$1\"; else "
            f"touch {marker}; sed -i 's/^## Problem$/## Problems/; s/^# .*/# Mine/' \"$1\"; fi",
        )
        done = review(sampled, "e", "e", "y", "q", EDITOR=command)
        assert f"{FIRST}.md:" in done.out
        assert "e edits it again" in done.out
        assert b"# Mine\n" in pages(sampled)[FIRST]

    def test_mistakes_can_be_dropped(self, sampled: Workbench, tmp_path: Path) -> None:
        command = editor(tmp_path, 'echo nothing > "$1"')
        done = review(sampled, "e", "x", "q", EDITOR=command)
        assert "Dropped; nothing was written." in done.out
        assert not pages(sampled)

    def test_secret_is_refused_with_its_line(self, sampled: Workbench, tmp_path: Path) -> None:
        command = editor(tmp_path, f'echo "uses {SECRET}" >> "$1"')
        done = review(sampled, "e", "x", "q", EDITOR=command)
        assert "the page, line" in done.out
        assert SECRET not in done.out
        assert not pages(sampled)

    @pytest.mark.parametrize(
        ("command", "said"),
        [
            ("true", "Nothing was changed"),
            ("false", "The editor ended with 1"),
            ("/no/such/editor", "cannot be started"),
            ("'unclosed", "is no command"),
            ("", "Without a terminal there is no editor"),
            ("rm", "The page is gone"),
        ],
    )
    def test_editor_that_changes_nothing_decides_nothing(
        self, sampled: Workbench, command: str, said: str
    ) -> None:
        done = review(sampled, "e", "q", EDITOR=command)
        assert said in done.out
        assert not pages(sampled)

    def test_words_of_a_log_that_are_left_are_confirmed(
        self, sampled: Workbench, tmp_path: Path
    ) -> None:
        command = editor(tmp_path, "sed -i 's/^# .*/# Mine/' \"$1\"")
        skips = skips_to(sampled, LOG_WORDS)
        review(sampled, *skips, "e", "x", "q", EDITOR=command)
        assert not pages(sampled)
        review(sampled, *skips, "e", "y", "q", EDITOR=command)
        assert b"# Mine\n" in pages(sampled)[LOG_WORDS]
