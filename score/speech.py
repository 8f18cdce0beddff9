"""Plants homes in which users speak, one a language and seed, and scores how turns are read."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from score.figures import Board, Figure, Goal, share
from score.held_out.speaking import Turn, plant
from score.held_out.talks import BRIEF, LANGUAGES, OBJECTIONS, load_language
from score.helix import HELIX, Helix, shared_folder

TALKS = 40
POOL = 2
SPOKEN = frozenset(("correction", "report", "instruction", "workflow"))
HELD = 0.6
RECALL, PRECISION, TOPICS = Goal(0.6), Goal(0.85), Goal(0.7)


@dataclass(frozen=True, slots=True)
class Read:
    """A turn that was planted, and what it was read as; None where it is not among the turns."""

    turn: Turn
    kind: str | None


@dataclass(frozen=True, slots=True)
class Heard:
    """What came of one home: every planted turn, what else was called an objection, topics."""

    language: str
    seed: int
    turns: list[Read]
    others: list[str]
    topics: dict[str, bool]


def board(seeds: int) -> Board:
    """A row of figures for each language, over all seeds."""
    languages = (*LANGUAGES, *BRIEF)
    homes = [(name, seed) for name in languages for seed in range(1, seeds + 1)]
    hear = partial(hear_home, shared_folder() / "tools" / "planted")
    with ProcessPoolExecutor(POOL, get_context("spawn")) as pool:
        heard = list(pool.map(hear, *zip(*homes, strict=True)))
    return board_of(heard)


def hear_home(tools: Path, language: str, seed: int, command: tuple[str, ...] = HELIX) -> Heard:
    """Plants a home, takes it in, and asks for every session's turns and all candidates."""
    with tempfile.TemporaryDirectory(prefix="helix-score-") as name:
        home = Path(name) / "home"
        home.mkdir()
        planted = plant(tools, load_language(language), seed, TALKS, home)
        helix = Helix(home, Path(name) / "store", command)
        helix.sweep()
        by_session: dict[str, list[Turn]] = {}
        for turn in planted:
            by_session.setdefault(turn.session, []).append(turn)
        reads, others = [], []
        for session, turns in by_session.items():
            digest = helix.show(session).get("digest") or {}
            read, more = paired(turns, digest.get("turns") or [])
            reads += read
            others += more
        topics = topics_held(planted, helix.detect()["candidates"])
        return Heard(language, seed, reads, others, topics)


def paired(
    turns: Sequence[Turn], shown: Iterable[Mapping[str, Any]]
) -> tuple[list[Read], list[str]]:
    """Each planted turn with what it was read as, and the text of any other objection."""
    left = [(_plain(str(row.get("text") or "")), str(row.get("kind"))) for row in shown]
    reads = []
    for turn in turns:
        said = _plain(turn.text)
        at = next((i for i, (text, _) in enumerate(left) if _is_same(said, text)), None)
        reads.append(Read(turn, None if at is None else left.pop(at)[1]))
    return reads, [text for text, kind in left if kind in OBJECTIONS]


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _is_same(said: str, shown: str) -> bool:
    """Whether a text is shown whole, or cut behind a good part of it."""
    cut = shown.rstrip("…. ")
    return said == shown or (len(cut) >= 40 and said.startswith(cut))


def topics_held(turns: Sequence[Turn], candidates: Iterable[Mapping[str, Any]]) -> dict[str, bool]:
    """Whether each topic has a candidate that is most of it and mostly it."""
    members: dict[str, set[str]] = {}
    for turn in turns:
        if turn.topic:
            members.setdefault(turn.topic, set()).add(turn.session)
    rows = [set(row["members"]) for row in candidates if row.get("sort") in SPOKEN]
    return {
        topic: any(len(own & row) >= HELD * max(len(own), len(row)) for row in rows)
        for topic, own in sorted(members.items())
    }


def board_of(heard: Sequence[Heard]) -> Board:
    """Recall and precision of objections, and topics held, by language."""
    figures: list[Figure] = []
    details: list[str] = []
    for language in sorted({home.language for home in heard}):
        homes = [home for home in heard if home.language == language]
        reads = [read for home in homes for read in home.turns]
        real = [read for read in reads if read.turn.kind in OBJECTIONS]
        called = [read for read in reads if read.kind in OBJECTIONS]
        others = sum(len(home.others) for home in homes)
        hits = sum(read.kind in OBJECTIONS for read in real)
        topics = [is_held for home in homes for is_held in home.topics.values()]
        figures += [
            share(f"{language}: recall", hits, len(real), RECALL),
            share(f"{language}: precision", hits, len(called) + others, PRECISION),
            share(f"{language}: topics held", sum(topics), len(topics), TOPICS),
        ]
        details.append(f"{language}: {', '.join(_parts(reads))}")
        details += _unheld(language, homes)
    return Board("What users say", figures, details, {"homes": [_data(home) for home in heard]})


def _parts(reads: Sequence[Read]) -> Iterable[str]:
    """How many are read rightly, by kind and by how they were said."""
    for kind in ("correction", "report", "instruction"):
        own = [read for read in reads if read.turn.kind == kind]
        yield f"{kind} {sum(read.kind == kind for read in own)} of {len(own)} as such"
    for way in ("queued", "refusing"):
        own = [read for read in reads if read.turn.way == way and read.turn.kind in OBJECTIONS]
        yield f"{way} {sum(read.kind in OBJECTIONS for read in own)} of {len(own)}"
    yield f"turns not shown {sum(read.kind is None for read in reads)} of {len(reads)}"


def _unheld(language: str, homes: Sequence[Heard]) -> Iterable[str]:
    names = sorted({topic for home in homes for topic in home.topics})
    for name in names:
        missed = sum(not home.topics[name] for home in homes if name in home.topics)
        if missed:
            yield f"{language}: topic not held: {name}, {missed} of {len(homes)} seeds"


def _data(home: Heard) -> dict[str, object]:
    wrong = [
        {"text": read.turn.text, "is": read.turn.kind, "read": read.kind, "way": read.turn.way}
        for read in home.turns
        if (read.turn.kind in OBJECTIONS) != (read.kind in OBJECTIONS)
    ]
    return {
        "language": home.language,
        "seed": home.seed,
        "wrong": wrong,
        "others": home.others,
        "topics": home.topics,
    }
