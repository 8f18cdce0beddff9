"""`helix catalog` as scripts and people use it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.conftest import Workbench
from tests.once import copied, made_once

JQ = "command-not-found-jq-eea67918"
COMMIT = "user-correction-commit-b041908a"
NPM = "user-correction-pnpm-f4d1f455"


@pytest.fixture(scope="module")
def curated_store(sample_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three patterns, one of which has two versions."""

    def curate(folder: Path) -> None:
        bench = Workbench(folder)
        copied(sample_store, bench.store)
        for name in (JQ, COMMIT, NPM):
            bench.helix("approve", name, "--yes")
        page = bench.store / "catalog" / f"{JQ}.md"
        text = page.read_text()
        said = "- Where `jq` is not installed, use `grep` instead of `jq`."
        assert said in text
        page.write_text(text.replace(said, "- Do without `jq`."))
        bench.helix("discuss", COMMIT, "--note", "takes the edit in")
        bench.helix("reject", JQ)

    return made_once(tmp_path_factory, "curated", curate) / "store"


@pytest.fixture
def curated(bench: Workbench, curated_store: Path) -> Workbench:
    copied(curated_store, bench.store)
    return bench


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


class TestList:
    def test_json_names_every_pattern_and_bad_file(self, curated: Workbench) -> None:
        folder = curated.store / "catalog"
        (folder / "mine.md").write_text("no page\n")
        told = curated.helix("catalog", "list", "--json").json
        assert told["schema"] == "helix.catalog/1"
        by_id = {one["id"]: one for one in told["patterns"]}
        assert by_id.keys() == {JQ, COMMIT, NPM}
        names = {"id", "candidate", "version", "status", "distribution_ready", "path", "title"}
        assert names <= by_id[COMMIT].keys()
        assert by_id[COMMIT]["candidate"] == COMMIT
        assert by_id[COMMIT]["path"] == str(folder / f"{COMMIT}.md")
        assert by_id[JQ]["status"] == "deprecated"
        assert told["bad"][0]["path"].endswith("mine.md")
        assert told["bad"][0]["line"] == 1

    def test_people_see_titles(self, curated: Workbench) -> None:
        out = curated.helix("catalog", "list").out
        assert "users say: “" in out
        assert "3 patterns" in out

    def test_nothing_is_needed_and_nothing_is_made(self, bench: Workbench) -> None:
        assert bench.helix("catalog", "list", "--json").json["patterns"] == []
        assert "No pattern" in bench.helix("catalog", "list").out
        assert "all is well" in bench.helix("catalog", "check").out
        assert bench.helix("catalog", "restore", "--json").json["written"] == []
        assert not bench.store.exists()

    def test_files_are_enough(self, curated: Workbench) -> None:
        shutil.rmtree(curated.store / "review")
        (curated.store / "store.db").unlink()
        assert len(curated.helix("catalog", "list", "--json").json["patterns"]) == 3
        assert curated.helix("catalog", "show", NPM).out.startswith("---\n")
        told = curated.helix("catalog", "check", "--json").json
        assert told["unknown"] == sorted([JQ, COMMIT, NPM])
        assert (told["errors"], told["edited"]) == (0, [])


class TestShow:
    def test_page_and_json(self, curated: Workbench) -> None:
        page = (curated.store / "catalog" / f"{NPM}.md").read_text()
        assert curated.helix("catalog", "show", NPM).out == page
        told = curated.helix("catalog", "show", NPM, "--json").json
        assert told["pattern"]["id"] == NPM
        assert told["pattern"]["evidence"]["sessions"] == 5
        assert Path(told["path"]).read_text() == page

    def test_what_an_agent_would_receive(self, curated: Workbench) -> None:
        out = curated.helix("catalog", "show", NPM, "--for", "claude").out
        place, line = out.splitlines()
        told = curated.helix("catalog", "show", NPM, "--for", "claude", "--json").json
        assert (told["for"], told["text"]) == ("claude", f"{line}\n")
        assert [f"{one['place']}:" for one in told["places"]] == [place]
        assert line == f"- {told['rule']}"
        old = curated.helix("catalog", "show", JQ, "--for", "grok")
        assert not old.out
        assert "nothing is written for grok" in old.err
        assert curated.helix("catalog", "show", NPM, "--for", "x", check=False).code == 2

    def test_beginning_of_an_id_and_that_of_a_candidate(self, curated: Workbench) -> None:
        assert curated.helix("catalog", "show", "command", "--json").json["pattern"]["id"] == JQ
        assert curated.helix("catalog", "show", "user-correction", check=False).code == 66

    @pytest.mark.parametrize(
        ("command", "name"),
        [("show", "nobody"), ("show", "../x"), ("show", ""), ("history", "a\nb"), ("diff", ".")],
    )
    def test_unknown_or_hostile_id_exits_66(
        self, curated: Workbench, command: str, name: str
    ) -> None:
        done = curated.helix("catalog", command, name, check=False)
        assert done.code == 66
        assert not done.out

    def test_bad_page_is_told_with_its_line(self, curated: Workbench) -> None:
        (curated.store / "catalog" / "mine.md").write_text("no page\n")
        done = curated.helix("catalog", "show", "mine", check=False)
        assert done.code == 3
        assert "mine.md:1" in done.err

    def test_hostile_page_does_not_steer_the_terminal(self, curated: Workbench) -> None:
        path = curated.store / "catalog" / f"{NPM}.md"
        path.write_text(path.read_text().replace("## Problem\n", "## Problem\n\u202eabc\u200b\n"))
        for arguments in (["show", NPM], ["list"], ["show", NPM, "--for", "codex"], ["check"]):
            out = curated.helix("catalog", *arguments, check=False).out
            assert not {"\u202e", "\u200b"} & set(out)


class TestVersions:
    def test_history_tells_since_when_and_by_whom(self, curated: Workbench) -> None:
        told = curated.helix("catalog", "history", JQ, "--json").json["versions"]
        assert [one["version"] for one in told] == ["1.0.0", "1.1.0"]
        assert [one["current"] for one in told] == [False, True]
        assert all(one["at"] and one["author"] for one in told)
        assert "current" in curated.helix("catalog", "history", JQ).out

    def test_diff_of_the_last_two_is_unified(self, curated: Workbench) -> None:
        out = curated.helix("catalog", "diff", JQ).out
        assert f"--- {JQ} 1.0.0\n+++ {JQ} 1.1.0\n" in out
        assert "+status: deprecated\n" in out
        told = curated.helix("catalog", "diff", JQ, "1.0.0", "--json").json
        assert (told["from"], told["to"], told["diff"]) == ("1.0.0", "1.1.0", out)
        back = curated.helix("catalog", "diff", JQ, "1.1.0", "1.0.0").out
        assert "-status: deprecated\n" in back
        assert "are the same" in curated.helix("catalog", "diff", JQ, "1.0.0", "1.0.0").out

    def test_diff_of_one_version_says_so(self, curated: Workbench) -> None:
        assert "has one version, 1.0.0" in curated.helix("catalog", "diff", NPM).out
        assert curated.helix("catalog", "diff", NPM, "9.9.9", check=False).code == 66


class TestCheck:
    def test_sound_catalog_exits_0(self, curated: Workbench) -> None:
        told = curated.helix("catalog", "check", "--json").json
        assert (told["errors"], told["warnings"], told["findings"]) == (0, 0, [])
        names = ("edited", "unknown", "removed", "unfinished", "journal")
        assert [told[name] for name in names] == [[], [], [], [], []]

    def test_errors_exit_3_with_file_and_line(self, curated: Workbench) -> None:
        (curated.store / "catalog" / "mine.md").write_text("no page\n")
        done = curated.helix("catalog", "check", check=False)
        assert done.code == 3
        assert "error: " in done.out
        assert "mine.md:1: " in done.out

    def test_warning_alone_exits_0(self, curated: Workbench) -> None:
        (curated.store / "catalog" / "INDEX.md").unlink()
        told = curated.helix("catalog", "check", "--json").json
        assert (told["errors"], told["warnings"]) == (0, 1)

    def test_what_a_person_did_is_information(self, curated: Workbench) -> None:
        folder = curated.store / "catalog"
        page = folder / f"{NPM}.md"
        page.write_text(page.read_text().replace("- “", "- Mind: “"))
        (folder / f"{COMMIT}.md").unlink()
        (folder / "INDEX.md").unlink()
        told = curated.helix("catalog", "check", "--json").json
        assert (told["edited"], told["removed"]) == ([NPM], [COMMIT])
        assert f"note: {NPM}: edited by hand" in curated.helix("catalog", "check").out

    def test_damaged_line_of_the_journal_is_an_error(self, curated: Workbench) -> None:
        journal = curated.store / "review" / "journal.jsonl"
        first, _, rest = journal.read_text().partition("\n")
        damaged = json.dumps({**json.loads(first), "note": "other"})
        journal.write_text(f"{damaged}\n{rest}")
        done = curated.helix("catalog", "check", "--json", check=False)
        assert done.code == 3
        assert done.json["journal"][0]["line"] == 1


class TestRestore:
    def test_missing_files_come_back_byte_for_byte(self, curated: Workbench) -> None:
        folder = curated.store / "catalog"
        before = files(folder)
        (folder / f"{COMMIT}.md").unlink()
        (folder / f"{JQ}.history.jsonl").unlink()
        (curated.store / "store.db").unlink()
        told = curated.helix("catalog", "restore", "--json").json
        assert {Path(path).name for path in told["written"]} == {
            f"{COMMIT}.md",
            f"{JQ}.history.jsonl",
        }
        assert files(folder) == before
        assert "Nothing was missing" in curated.helix("catalog", "restore").out

    def test_folder_that_is_gone_is_written_again(self, curated: Workbench) -> None:
        folder = curated.store / "catalog"
        before = files(folder)
        shutil.rmtree(folder)
        curated.helix("catalog", "restore")
        assert files(folder) == before

    def test_file_that_is_there_is_left_as_it_is(self, curated: Workbench) -> None:
        page = curated.store / "catalog" / f"{NPM}.md"
        page.write_text(page.read_text().replace("- “", "- Mind: “"))
        before = page.read_bytes()
        curated.helix("catalog", "restore")
        assert page.read_bytes() == before

    def test_all_of_it_goes_into_an_empty_folder(self, curated: Workbench, tmp_path: Path) -> None:
        other = tmp_path / "other"
        curated.helix("catalog", "restore", "--to", str(other))
        assert files(other) == files(curated.store / "catalog")
        done = curated.helix("catalog", "restore", "--to", str(other), check=False)
        assert done.code == 2
        assert "is not empty" in done.err
        file = tmp_path / "file"
        file.write_text("x")
        assert curated.helix("catalog", "restore", "--to", str(file), check=False).code == 2
