"""Homes in which users speak: scripts are read or rejected, homes stay, figures are right."""

from __future__ import annotations

import os
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from score.held_out.speaking import Turn, plant
from score.held_out.talks import (
    BRIEF,
    LANGUAGES,
    OBJECTIONS,
    POOLS,
    WORDS,
    Act,
    Said,
    TalkError,
    language_of,
    line_of,
    load_language,
)
from score.speech import Heard, Read, board_of, paired, topics_held

SHARED = os.environ.get("HELIX_SHARED")
needs_shared = pytest.mark.skipif(not SHARED, reason="HELIX_SHARED is not set")
POOLED = {name: ["so"] for name in (*POOLS, *WORDS)}
TALK = "none: do a thing\nedit a.ts\ndone\ncorrection{topic}: no {n}\nundo a.ts"


def raw(*scripts: str) -> dict[str, Any]:
    return {
        "repos": ["r"],
        "pool": deepcopy(POOLED),
        "talk": [{"script": script} for script in scripts],
    }


def test_lines_of_a_script() -> None:
    assert line_of("report: a\\nb") == Said("report", "a\nb")
    assert line_of("correction #no-push queued: wait: no") == Said(
        "correction", "wait: no", "no-push", "queued"
    )
    assert line_of("correction refusing run git push: no") == Said(
        "correction", "no", None, "refusing run git push"
    )
    assert line_of("run make => ok") == Act("run", "make => ok")
    assert line_of("done") == Act("done")


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        (raw("objection: no"), "cannot be read"),
        (raw("correction: no\nedit a"), "does not begin with a request"),
        (raw("none: a\nnone: b"), "nothing happens before"),
        (raw("none: a\naccept"), "nothing happens before"),
        (raw("none: a\nundo b.ts"), "was not edited"),
        (raw("none: a\nread b", "none: a\nread b"), "said twice"),
        (raw(TALK.format(topic=" #x", n=1)), "topic x: in 1"),
        ({**raw("none: a\nread b"), "repos": []}, "no repositories"),
        ({**raw("none: a\nread b"), "pool": {}}, "pool accept is empty"),
    ],
)
def test_nonsense_is_rejected(given: dict[str, Any], fault: str) -> None:
    with pytest.raises(TalkError, match=fault):
        language_of("xx", given)


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_language_has_enough_to_say(name: str) -> None:
    language = load_language(name)
    said = [line for talk in language.talks for line in talk if isinstance(line, Said)]
    objections = [line for line in said if line.kind in OBJECTIONS]
    pooled = sum(len(language.pools[pool]) for pool in POOLS)
    assert len(objections) >= 60
    assert len(said) - len(objections) + pooled >= 120
    assert len(language.talks) >= 50
    assert len(language.topics) >= 5
    assert {line.way.split(" ")[0] for line in objections} == {"", "queued", "refusing"}


@pytest.mark.parametrize("name", BRIEF)
def test_a_brief_one_has_a_third_of_that(name: str) -> None:
    language = load_language(name)
    said = [line for talk in language.talks for line in talk if isinstance(line, Said)]
    assert len([line for line in said if line.kind in OBJECTIONS]) >= 19
    assert len(language.talks) >= 20
    assert len(language.topics) >= 4


@needs_shared
@pytest.mark.shared
@pytest.mark.parametrize("name", LANGUAGES)
def test_a_seed_makes_the_same_home(name: str, tmp_path: Path) -> None:
    tools = Path(str(SHARED)) / "tools" / "planted"
    homes = []
    for folder in ("one", "two"):
        home = tmp_path / folder
        home.mkdir()
        turns = plant(tools, load_language(name), 3, 40, home)
        paths = [path for path in sorted(home.rglob("*")) if path.is_file()]
        homes.append((turns, {str(p.relative_to(home)): p.read_bytes() for p in paths}))
    assert homes[0] == homes[1]
    turns, files = homes[0]
    assert len({turn.session for turn in turns}) == 40
    share = sum(turn.kind in OBJECTIONS for turn in turns) / len(turns)
    assert 0.22 <= share <= 0.36
    assert {name.split("/")[0] for name in files} == {".claude", ".codex", ".grok"}


def turn(kind: Any, text: str, session: str = "s", topic: str | None = None) -> Turn:
    return Turn(session, kind, text, topic, "")


def test_turns_are_paired_by_their_words() -> None:
    long = "this is a rather long thing that somebody says at length"
    planted = [turn("none", "a  b"), turn("report", long), turn("correction", "no")]
    shown = [
        {"text": "A b", "kind": "none"},
        {"text": f"{long[:45]}…", "kind": "correction"},
        {"text": "something that nobody said", "kind": "report"},
    ]
    reads, others = paired(planted, shown)
    assert [read.kind for read in reads] == ["none", "correction", None]
    assert others == ["something that nobody said"]


def test_a_topic_is_held_by_a_row_that_is_mostly_it() -> None:
    planted = [turn("correction", "x", session, "t") for session in "abcde"]
    held = [{"sort": "correction", "members": list("abcx")}]
    assert topics_held(planted, held) == {"t": True}
    assert topics_held(planted, [{"sort": "correction", "members": list("abcxyz")}]) == {"t": False}
    assert topics_held(planted, [{"sort": "error", "members": list("abcde")}]) == {"t": False}
    assert topics_held(planted, [{"sort": "workflow", "members": list("ab")}]) == {"t": False}


def test_the_board_has_a_row_of_figures_for_each_language() -> None:
    reads = [
        Read(turn("correction", "a"), "report"),
        Read(turn("report", "b"), None),
        Read(turn("none", "c"), "correction"),
    ]
    board = board_of([Heard("de", 1, reads, ["d"], {"t": True, "u": False})])
    assert [(f.name, round(f.value, 2)) for f in board.figures] == [
        ("de: recall", 0.5),
        ("de: precision", 0.33),
        ("de: topics held", 0.5),
    ]
    assert "de: topic not held: u, 1 of 1 seeds" in board.details
