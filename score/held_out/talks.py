"""Reads conversations in which users speak: what is said, what is done, what each turn is."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, cast, get_args

FOLDER = Path(__file__).parent / "speech"
BRIEF_FOLDER = FOLDER / "brief"
LANGUAGES = tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))
BRIEF = tuple(sorted(path.stem for path in BRIEF_FOLDER.glob("*.toml")))
"""Languages of which a third as much is written."""
Kind = Literal["correction", "report", "instruction", "none"]
KINDS: tuple[Kind, ...] = get_args(Kind)
OBJECTIONS: tuple[Kind, ...] = ("correction", "report")
POOLS = ("accept", "answer", "question", "thanks")
"""Turns of no kind that fit anywhere; a script names the pool, each home draws from it."""
WORDS = ("done", "agree", "closing")
"""What an agent says in the user's language; a script names the pool. A conversation that ends
with a user's turn is closed by itself."""
TOPIC_TALKS = range(3, 6)
_SPOKEN = re.compile(
    r"(?P<kind>correction|report|instruction|none)(?: #(?P<topic>[\w-]+))?"
    r"(?: (?P<way>queued|refusing (?:edit|run) [^:]+))?: (?P<text>.+)"
)
_ACT = re.compile(r"(?P<verb>read|edit|undo|write|run|say) (?P<what>.+)")


class TalkError(ValueError):
    """A file of conversations does not say what it must."""


@dataclass(frozen=True, slots=True)
class Said:
    """A turn of the user; `way` is how it is said where it is no prompt of its own."""

    kind: Kind
    text: str
    topic: str | None = None
    way: str = ""


@dataclass(frozen=True, slots=True)
class Act:
    """What an agent does, or a pool that something is drawn from."""

    verb: str
    what: str = ""


Line = Said | Act


@dataclass(frozen=True, slots=True)
class Language:
    """The conversations of one language, and the pools that their scripts name."""

    name: str
    repos: tuple[str, ...]
    talks: tuple[tuple[Line, ...], ...]
    pools: Mapping[str, Sequence[Any]]

    @property
    def topics(self) -> dict[str, int]:
        """Each recurring topic, and in how many conversations it comes up."""
        counted: dict[str, int] = {}
        for talk in self.talks:
            for topic in topics_of(talk):
                counted[topic] = counted.get(topic, 0) + 1
        return counted


def topics_of(talk: Sequence[Line]) -> set[str]:
    """The recurring topics of a conversation."""
    return {line.topic for line in talk if isinstance(line, Said) and line.topic}


def load_language(name: str) -> Language:
    """The conversations of a language, checked."""
    folder = BRIEF_FOLDER if name in BRIEF else FOLDER
    return language_of(name, tomllib.loads((folder / f"{name}.toml").read_text(encoding="utf-8")))


def language_of(name: str, raw: Mapping[str, Any]) -> Language:
    """Conversations from plain data; raises with every fault."""
    faults: list[str] = []
    talks = []
    for number, talk in enumerate(raw.get("talk", ()), start=1):
        lines = []
        for line in filter(None, map(str.strip, str(talk.get("script", "")).split("\n"))):
            try:
                lines.append(line_of(line))
            except TalkError as fault:
                faults.append(f"talk {number}: {fault}")
        talks.append(tuple(lines))
    language = Language(name, tuple(raw.get("repos", ())), tuple(talks), raw.get("pool", {}))
    faults += _faults(language)
    if faults:
        raise TalkError("; ".join(faults))
    return language


def line_of(line: str) -> Line:
    """One line of a script; `\\n` in it is a new line of what is said or printed."""
    if spoken := _SPOKEN.fullmatch(line):
        kind = cast(Kind, spoken["kind"])
        return Said(kind, _long(spoken["text"]), spoken["topic"], spoken["way"] or "")
    if line in (*POOLS, *WORDS, "stop"):
        return Act(line)
    if act := _ACT.fullmatch(line):
        return Act(act["verb"], _long(act["what"]))
    raise TalkError(f"cannot be read: {line[:60]!r}")


def _long(text: str) -> str:
    return text.replace("\\n", "\n")


def _faults(language: Language) -> Iterator[str]:
    if not language.repos:
        yield "no repositories"
    for name in (*POOLS, *WORDS):
        if not language.pools.get(name):
            yield f"pool {name} is empty"
    for number, talk in enumerate(language.talks, start=1):
        first = talk[0] if talk else None
        if not isinstance(first, Said) or first.kind not in ("none", "instruction") or first.way:
            yield f"talk {number}: does not begin with a request"
        for before, line in pairwise(talk):
            if _is_prompt(before) and _is_prompt(line) and line != Act("answer"):
                yield f"talk {number}: nothing happens before {line}"
        for act in talk:
            if isinstance(act, Act) and act.verb == "undo" and not _is_edited(talk, act.what):
                yield f"talk {number}: {act.what} was not edited"
    texts = [line.text for talk in language.talks for line in talk if isinstance(line, Said)]
    yield from (
        f"said twice: {text[:60]!r}" for text in sorted(set(texts)) if texts.count(text) > 1
    )
    for topic, count in language.topics.items():
        if count not in TOPIC_TALKS:
            yield f"topic {topic}: in {count} conversations"


def _is_prompt(line: Line) -> bool:
    return not line.way if isinstance(line, Said) else line.verb in POOLS


def _is_edited(talk: Sequence[Line], path: str) -> bool:
    return Act("edit", path) in talk or Act("write", path) in talk
