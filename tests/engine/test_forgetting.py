"""A session that is forgotten leaves no word in catalog and journal, where that is wanted."""

from __future__ import annotations

import io
import itertools
import json
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from helix_tui.cli.commands import forget
from helix_tui.curate.catalog.check import check
from helix_tui.curate.hub.decisions import body_of, decisions_of
from helix_tui.curate.hub.queue import Queue
from helix_tui.curate.journal.forgetting import count_excerpts, without_excerpts
from helix_tui.curate.journal.journal import Journal
from helix_tui.curate.journal.projection import project
from helix_tui.curate.page.page import read_page, write_page
from helix_tui.curate.page.pattern import Excerpt
from helix_tui.engine.catalog.folder_differences import differences_of
from helix_tui.engine.catalog.forgetting import CitingPage
from helix_tui.engine.review import transaction
from helix_tui.files.ledger import Ledger, sealed
from helix_tui.schema.review import JournalLine
from tests.claude_log import ClaudeLog
from tests.conftest import Workbench
from tests.curate.made_patterns import PLAIN_DRAFT
from tests.engine.trouble_log import ids, name_of, troubled

WORD = "zebrafinch"


class Quoting:
    """A store whose catalog quotes a session, with a word that only this one has."""

    def __init__(self, bench: Workbench) -> None:
        self.bench = bench
        for number in range(8):
            log = troubled(number, rounds=2)
            if number == 5:
                self._speak(log)
            log.write(bench.home)
        bench.sweep()
        self.session = f"claude:{name_of(5)}"
        verdicts = bench.engine().verdicts
        for name in ids(bench):
            verdicts.approve(name, look="page")
        # A version before, and a page that a person edited.
        self.page = Path(self.citing()[0].path)
        text = self.page.read_text()
        self.page.write_text(text.replace("## What to do\n", "## What to do\n\nAsk Kim first.\n"))
        bench.engine().after_sweep()

    def _speak(self, log: ClaudeLog) -> None:
        for record in log.records:
            text = json.dumps(record).replace("src/", f"src/{WORD}/").replace("gear", WORD)
            record.clear()
            record.update(json.loads(text))

    def citing(self) -> list[CitingPage]:
        return self.bench.engine().where_cited([self.session]).pages

    @property
    def journal(self) -> Path:
        return self.bench.engine().config.curate.review_log

    def lines(self) -> list[JournalLine]:
        return Journal(self.journal).lines().lines

    def holding(self) -> list[str]:
        """Every file of store and catalog that has the word in it."""
        return [
            str(path.relative_to(self.bench.store))
            for path in self.bench.store.rglob("*")
            if path.is_file() and WORD.encode() in path.read_bytes()
        ]


@pytest.fixture
def quoting(bench: Workbench) -> Quoting:
    return Quoting(bench)


def test_what_still_quotes_it_is_told_and_taken_out(quoting: Quoting) -> None:
    bench = quoting.bench
    bodies = list(map(body_of, decisions_of(quoting.lines())))
    done = bench.helix("forget", quoting.session)
    assert done.code == 0
    pages = quoting.citing()
    assert pages
    assert f"quoted in {len(pages)} page" in done.out
    assert all(f"  {page.id} {page.version}: 1 excerpt" in done.out for page in pages)
    assert f"`helix forget {quoting.session} --excerpts` takes them out." in done.out
    assert any(name.startswith("catalog/") for name in quoting.holding())

    done = bench.helix("forget", quoting.session, "--excerpts", "--json")
    assert done.code == 0
    assert done.json["dropped"] == 0
    assert done.json["taken_out"]["pages"].keys() == {page.id for page in pages}
    assert quoting.holding() == []

    config = bench.engine().config
    lines = quoting.lines()
    last = lines[-1]
    assert (last.action, len(last.masked)) == ("edit", done.json["taken_out"]["lines"])
    assert Journal(quoting.journal).lines().damaged == []
    for name, files in project(lines).items():
        assert (config.curate.catalog_dir / f"{name}.md").read_text() == files.text
        if name in done.json["taken_out"]["pages"]:
            assert f"version: {done.json['taken_out']['pages'][name]}" in (files.text or "")
            assert files.history
    assert "Ask Kim first." in quoting.page.read_text()
    assert check(config.curate.catalog_dir) == []
    assert differences_of(config, lines) == (set(), {}, set())
    # What the hub was told, or is to be told, is the same under the same keys.
    assert list(map(body_of, decisions_of(lines))) == bodies
    assert [row.body for row in Queue(config.curate.decision_queue).rows()] == bodies
    assert bench.engine().where_cited([quoting.session]).is_any is False
    assert bench.helix("forget", quoting.session, "--excerpts").code == 0
    assert len(quoting.lines()) == len(lines)


def test_the_versions_before_are_masked_and_the_next_approve_goes_on(quoting: Quoting) -> None:
    bench = quoting.bench
    assert bench.helix("forget", quoting.session, "--excerpts").code == 0
    names = {line.candidate for line in quoting.lines() if line.action == "approve"}
    before = {name: files.text for name, files in project(quoting.lines()).items()}
    for name in names & {*ids(bench)}:
        bench.engine().verdicts.approve(name, look="page")
    assert quoting.holding() == []
    assert "Ask Kim first." in quoting.page.read_text()
    assert before.keys() == project(quoting.lines()).keys()


@pytest.mark.parametrize("behind", ["journal", "nothing"])
def test_cut_off_it_is_ended_by_the_next_sweep(
    quoting: Quoting, monkeypatch: pytest.MonkeyPatch, behind: str
) -> None:
    write, masked = transaction.ReviewTransaction._write_files, Ledger.replace

    def cut(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    def written(self: transaction.ReviewTransaction, message: str = "") -> None:
        if message:
            raise KeyboardInterrupt
        write(self, message)

    with monkeypatch.context() as patched:
        if behind == "journal":
            patched.setattr(transaction.ReviewTransaction, "_write_files", written)
        else:
            patched.setattr(Ledger, "replace", cut)
        engine = quoting.bench.engine()
        engine.forget(quoting.session)
        with pytest.raises(KeyboardInterrupt):
            engine.take_out([quoting.session])
    assert Ledger.replace is masked
    before = quoting.lines()
    quoting.bench.engine().after_sweep()
    assert len(quoting.lines()) == len(before)
    if behind == "journal":
        assert quoting.holding() == []
    else:
        assert quoting.holding() != []


def test_what_cannot_be_read_stays_where_it_is(quoting: Quoting) -> None:
    raw = quoting.journal.read_bytes().split(b"\n")
    damaged = raw[1][:-3] + b'xx"'
    quoting.journal.write_bytes(b"\n".join([raw[0], damaged, *raw[1:]]))
    engine = quoting.bench.engine()
    engine.forget(quoting.session)
    engine.take_out([quoting.session])
    assert quoting.journal.read_bytes().split(b"\n")[1] == damaged


def test_a_field_of_a_newer_version_stays(quoting: Quoting) -> None:
    first, rest = quoting.journal.read_bytes().split(b"\n", 1)
    said = msgspec.json.decode(first)
    del said["sum"]
    newer = sealed(msgspec.json.encode({**said, "newer": [1.5]}))
    quoting.journal.write_bytes(newer + b"\n" + rest)
    engine = quoting.bench.engine()
    assert quoting.session in first.decode()
    engine.forget(quoting.session)
    engine.take_out([quoting.session])
    kept = msgspec.json.decode(quoting.journal.read_bytes().split(b"\n", 1)[0])
    assert kept["newer"] == [1.5]
    assert (kept["id"], kept["seq"]) == (said["id"], said["seq"])


TEXTS = ("one\n```\n### b · x\n````\n## Mine", "two", "", "\n## Other\nx")


@pytest.mark.parametrize("sections", [{}, {"Mine": "own"}])
@pytest.mark.parametrize("count", range(5))
def test_a_page_loses_just_these_excerpts(count: int, sections: dict[str, str]) -> None:
    for sessions in itertools.product("ab", repeat=count):
        excerpts = [
            Excerpt(session=one, fingerprint="ff", at="2026-05-31T08:30:00Z", text=TEXTS[at])
            for at, one in zip(itertools.cycle(range(4)), sessions, strict=False)
        ]
        pattern = replace(PLAIN_DRAFT, excerpts=excerpts, sections=sections)
        kept = replace(pattern, excerpts=[one for one in excerpts if one.session != "a"])
        assert without_excerpts(write_page(pattern), {"a"}) == write_page(kept)
        assert count_excerpts(write_page(pattern), {"a"}) == sessions.count("a")


def test_words_of_a_person_among_them_stay() -> None:
    excerpt = Excerpt(session="a", fingerprint="ff", text="gone")
    page = write_page(replace(PLAIN_DRAFT, excerpts=[excerpt]))
    mine = page.replace("## Excerpts\n", "## Excerpts\n\nMine.\n").replace("\n", "\r\n")
    kept = without_excerpts(mine.replace("\r\n", "\n"), {"a"})
    assert "## Excerpts\n\nMine." in kept
    assert "gone" not in kept
    assert read_page(without_excerpts(page, {"a"}), PLAIN_DRAFT.id).excerpts == []


@pytest.mark.parametrize(("said", "is_taken"), [("y", True), ("", False), ("n", False)])
def test_on_a_terminal_it_is_asked(
    quoting: Quoting,
    monkeypatch: pytest.MonkeyPatch,
    said: str,
    is_taken: bool,
) -> None:
    asked = []

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    def answer(question: str) -> str:
        asked.append(question)
        return said

    cited = quoting.bench.engine().where_cited([quoting.session])
    monkeypatch.setattr("sys.stdin", Terminal())
    monkeypatch.setattr("sys.stdout", Terminal())
    monkeypatch.setattr("builtins.input", answer)
    assert forget._is_agreed(cited) is is_taken
    assert "new version" in asked[0]
