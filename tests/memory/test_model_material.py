"""What a model reads of a session: facts that say something, and every turn of a long one."""

from __future__ import annotations

import msgspec
import pytest

from helix_tui.memory.distill.material import Source, material_of
from helix_tui.schema import Facts
from helix_tui.schema.digest import CommandTally, ErrorFact, ErrorGroup, FileTally, Moment, RunFact
from helix_tui.schema.memory import Aside, Choice, CommitMade, Exchange, Piece, Told

FACTS = Facts(
    prompts=1,
    files={"/work/shop/src/io.py": FileTally(0, 1), "/work/shop/src/order.py": FileTally(0, 4)},
    commands={
        "ls -la": CommandTally(9),
        "make test": CommandTally(3, 1),
        "./seed.sh --all": CommandTally(2, 1),
    },
    runs=[
        RunFact(1, None, "pytest", "failed", reason="1 failed", kind="test"),
        RunFact(2, None, "pytest", "passed", kind="test"),
        RunFact(3, None, "ruff", "failed", reason="Found 2 errors.", kind="lint"),
        RunFact(4, None, "mypy", "failed", reason="3 errors", kind="types"),
    ],
    groups={
        "slip": ErrorGroup("String to replace not found", "edit", 1, ""),
        "guard": ErrorGroup("The guard wants a failing test first", "edit", 1, ""),
    },
    errors=[
        ErrorFact(5, None, "Edit", 1, "slip", "String to replace not found", "", "", []),
        ErrorFact(4, None, "Edit", 1, "guard", "The guard wants a failing test first", "", "", []),
        ErrorFact(6, None, "Bash", 1, "port", "the port 5432 is taken", "", "", []),
        ErrorFact(7, None, "Bash", 1, "port", "the port 5432 is taken", "", "", []),
        ErrorFact(8, None, "Bash", 1, "none", "(no output)", "", "", []),
    ],
    kept=[Moment(9, None, 'git commit -m "fix: sort orders"')],
)
TURN = Exchange(
    None, "sort the orders", "They are sorted by number.", 4, 2, asked_event=1, answered_event=2
)
PIECE = Piece(
    session="claude:one",
    flavor="claude",
    native_id="one",
    repo="shop",
    branch="main",
    cwd="/work/shop",
    first_ts=1_772_000_000_000,
    last_ts=1_772_000_900_000,
    is_first=True,
    exchanges=[TURN],
    facts=FACTS,
    fingerprints=[1, 2],
    state="ruff was last seen red: Found 2 errors.",
    passed=["make test"],
    commits=[CommitMade("fix: sort orders", "1a2b3c4", 2)],
)


def rows(piece: Piece, who: str) -> list[str]:
    return [source.text for source in material_of(piece).sources if source.who == who]


def test_facts_say_how_it_came_out_and_not_how_somebody_looked_around() -> None:
    assert rows(PIECE, "edited") == ["src/order.py", "src/io.py"], "most edited first"
    assert rows(PIECE, "check") == [
        "pytest passed at last (2 runs, 1 failed)",
        "ruff failed at last (1 run, 1 failed): Found 2 errors.",
        "mypy failed in its last run by itself, and does not count as red at the end",
    ]
    assert rows(PIECE, "kept") == ["committed: fix: sort orders (1a2b3c4, 2 files)"]
    assert rows(PIECE, "command") == [
        "make test (3 runs, 1 failed)",
        "./seed.sh --all (2 runs, 1 failed)",
    ]
    assert rows(PIECE, "error") == [
        "The guard wants a failing test first",
        "the port 5432 is taken",
    ]


def test_without_gits_words_a_commit_is_its_command() -> None:
    piece = msgspec.structs.replace(PIECE, commits=[])
    assert rows(piece, "kept") == ['git commit -m "fix: sort orders"']


def test_what_was_said_in_the_middle_of_a_turn_is_told() -> None:
    told = [Told("correction", "use pnpm", 4.0, 77), Told("instruction", "sort the orders", 4.0, 1)]
    assert rows(msgspec.structs.replace(PIECE, told=told), "correction") == ["use pnpm"]


def test_a_turn_says_what_was_done_and_what_was_chosen_in_it() -> None:
    asides = [
        Aside("Now I'll update the callers:", event=3),
        Aside("The cause is the cache, because it is never emptied.", event=4),
    ]
    turn = msgspec.structs.replace(
        TURN, asides=asides, choices=[Choice("Which index?", "a new migration", 5)], is_cut=True
    )
    piece = msgspec.structs.replace(
        PIECE, exchanges=[turn, Exchange(None, "and the invoices?", "", asked_event=6)]
    )
    text = material_of(piece).text
    assert "] USER: asked by a tool `Which index?`: a new migration\n" in text
    assert "] AGENT: The cause is the cache" in text
    assert "update the callers" not in text, "what only announces the next step"
    assert "] AGENT (4 calls, 2 edits, went on, without a report): They are sorted" in text
    assert "] USER (no reply): and the invoices?\nEND OF THE SESSION." in text


class TestLong:
    PROMPT = "prompt {} asks for a thing"

    @pytest.fixture
    def piece(self) -> Piece:
        report = "\n".join(f"- point {at} of the report is told here" for at in range(100))
        turns = [
            Exchange(None, self.PROMPT.format(at), f"Report {at}.\n{report}\nEnd {at}.", 1)
            for at in range(40)
        ]
        return msgspec.structs.replace(PIECE, exchanges=turns)

    def test_its_replies_are_shortened_and_every_turn_is_told(self, piece: Piece) -> None:
        material = material_of(piece)
        assert len(material.text) > 100_000
        text = material.within(30_000)
        assert len(text) <= 30_000
        for at in range(40):
            assert self.PROMPT.format(at) in text
            assert f"Report {at}." in text
            assert f"End {at}." in text
        assert "[…]" in text
        assert "KEPT: committed: fix: sort orders" in text

    def test_its_lines_keep_their_numbers_and_their_words(self, piece: Piece) -> None:
        material = material_of(piece)
        last = len(material.sources)
        assert f"[{last}] AGENT (1 call): Report 39." in material.within(30_000)
        assert "point 50 of" in material.sources[last - 1].text, "what is compared is not cut"

    def test_what_has_room_is_whole(self, piece: Piece) -> None:
        material = material_of(piece)
        assert material.within(len(material.text)) == material.text


def test_a_source_needs_no_note() -> None:
    assert Source("user", 1, "x").note == ""
