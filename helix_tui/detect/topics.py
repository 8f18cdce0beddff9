"""What a person's corrections are about: words that come up in those of several sessions."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

_TABLE = tomllib.loads((Path(__file__).parent / "topics.toml").read_text(encoding="utf-8"))
_ACTS: dict[str, str] = _TABLE["acts"]
_TOPICS: dict[str, str] = _TABLE["topics"] | _ACTS
_BY_WORD = {word: topic for topic, words in _TOPICS.items() for word in words.split()}
_PHRASES = [(re.compile(row["pattern"]), row["topic"]) for row in _TABLE["phrase"]]
_STOP = frozenset(_TABLE["stop"]["words"].split())
_WORD = re.compile(r"[a-z0-9_][a-z0-9_.+'-]{1,40}")
_ENDINGS = ("ing", "ies", "ed", "es", "s")
_LEAST_STEM = 4
_SHORT = 120


def topic_of(text: str, before: str = "") -> str:
    """The known thing that a correction speaks of, or nothing.

    Of several it is the one that the agent had just run, else the one that is spoken of first.
    """
    found = _places_of(text)
    # A command says what was done; the name of a file may hold any word.
    ran = _places_of(before) if before.startswith("$ ") else {}
    likely = found.keys() & ran.keys() or found.keys()
    return min(likely, key=lambda topic: (topic in _ACTS, found[topic], topic), default="")


def _places_of(text: str) -> dict[str, int]:
    """Where each known thing is first spoken of; words of a phrase are none of their own."""
    places: dict[str, int] = {}
    text = text.lower().replace("’", "'")
    for pattern, topic in _PHRASES:
        if said := pattern.search(text):
            places[topic] = min(said.start(), places.get(topic, said.start()))
            text = f"{text[: said.start()]}{' ' * len(said[0])}{text[said.end() :]}"
    for found in _WORD.finditer(text):
        name = _BY_WORD.get(found[0].strip(".-'"))
        if name:
            places[name] = min(found.start(), places.get(name, found.start()))
    return places


def stems_of(text: str) -> frozenset[str]:
    """The words of a correction that may tell what it is about, without their endings."""
    return frozenset(_stem(word) for word in _telling(text))


def word_of(subject: str, texts: Sequence[str]) -> str:
    """How people say what corrections are about: the word that most of them use."""
    words = Counter(word for text in texts for word in _telling(text) if _stem(word) == subject)
    return min(words, key=lambda word: (-words[word], word), default=subject)


def _telling(text: str) -> list[str]:
    """The words but for those of any sentence; `don't` and `I'll` are no words of their own."""
    words = [word.removesuffix("'s") for word in _words(text)]
    return [
        word for word in words if word not in _STOP and "'" not in word and not word.isdecimal()
    ]


def _words(text: str) -> list[str]:
    """Lower-case words; of `time.sleep` also the parts."""
    found = [word.strip(".-'") for word in _WORD.findall(text.lower().replace("’", "'"))]
    found += [part for word in found if "." in word for part in word.split(".")]
    return [word for word in found if len(word) > 1]


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        stem = word.removesuffix(ending)
        if stem != word and len(stem) >= _LEAST_STEM:
            return stem + ("y" if ending == "ies" else "")
    # `cache` and `caches` are about the same.
    return word[:-1] if word.endswith("e") and len(word) > _LEAST_STEM else word


def _follow_context(said: Sequence[Statement], about: list[str], least: int) -> None:
    """Gives plain corrections that speak of nothing known what others behind the same action do.

    `leave that to me` tells what it is about only behind what was done. Where most corrections
    behind an action are about one thing, the rest are taken to be; where none is, and several
    sessions have one, they are about the action itself.
    """
    behind: dict[str, list[int]] = {}
    for at, one in enumerate(said):
        if one.anchor and one.is_plain:
            behind.setdefault(one.anchor, []).append(at)
    for anchor, places in sorted(behind.items()):
        votes = Counter({about[at]: 0 for at in places if about[at]})
        for topic, _ in {(about[at], said[at].session) for at in places if about[at]}:
            votes[topic] += 1
        silent = [at for at in places if not about[at]]
        best = min(votes, key=lambda topic: (-votes[topic], topic), default="")
        if best and votes[best] >= least - 1 and 2 * votes[best] > sum(votes.values()):
            subject = best
        elif not votes and len({said[at].session for at in silent}) >= least:
            subject = anchor
        else:
            continue
        for at in silent:
            about[at] = subject


class Statement(NamedTuple):
    """What a person said: in which session, which part rejects, behind what, and how plainly."""

    session: str
    text: str
    clause: str
    before: str
    anchor: str
    is_plain: bool

    def topic(self) -> str:
        """What the rejecting words speak of, else what a short message does."""
        found = topic_of(self.clause or self.text, self.before)
        return found or (topic_of(self.text, self.before) if self.is_short() else "")

    def stems(self) -> frozenset[str]:
        """The words that may tell what it is about; a long message may speak of anything else."""
        return stems_of(self.text if self.is_short() or not self.clause else self.clause)

    def is_short(self) -> bool:
        """Whether all of it belongs to what it rejects."""
        return len(self.text) <= _SHORT


def subjects(said: Sequence[Statement], least: int) -> list[str]:
    """What each correction is about: a known thing, else a word that recurs, else nothing.

    A word counts for as many sessions as plainly say it; the one of most goes first, and no
    correction is about two things. What is not plain is about something only where plain
    corrections of other sessions are.
    """
    about = [one.topic() for one in said]
    stems = [frozenset() if topic else one.stems() for one, topic in zip(said, about, strict=True)]
    left = {at for at, topic in enumerate(about) if not topic}
    while left:
        sessions: dict[str, set[str]] = {}
        for at in left:
            if said[at].is_plain:
                for stem in stems[at]:
                    sessions.setdefault(stem, set()).add(said[at].session)
        best = min(sessions, key=lambda stem: (-len(sessions[stem]), stem), default="")
        if not best or len(sessions[best]) < least:
            break
        holding = {at for at in left if best in stems[at]}
        for at in holding:
            about[at] = best
        left -= holding
    _follow_context(said, about, least)
    plain = {(topic, one.session) for topic, one in zip(about, said, strict=True) if one.is_plain}
    firm = Counter(topic for topic, _ in plain)
    return [
        topic if one.is_plain or firm[topic] >= least - 1 else ""
        for topic, one in zip(about, said, strict=True)
    ]
