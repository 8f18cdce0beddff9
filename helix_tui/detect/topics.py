"""Find what corrections are about: words that recur in those of several sessions."""

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
    """Return the known topic of a correction, or nothing.

    Of several it is the one that the agent had just run, else the one mentioned first.
    """
    places = _places_of(text)
    # A command says what was done; a file name may hold any word.
    ran = _places_of(before) if before.startswith("$ ") else {}
    likely = places.keys() & ran.keys() or places.keys()
    return min(likely, key=lambda topic: (topic in _ACTS, places[topic], topic), default="")


def _places_of(text: str) -> dict[str, int]:
    """Return where each known topic is first mentioned; words of a phrase count only with it."""
    places: dict[str, int] = {}
    text = text.lower().replace("’", "'")
    for pattern, topic in _PHRASES:
        if phrase := pattern.search(text):
            places[topic] = min(phrase.start(), places.get(topic, phrase.start()))
            text = f"{text[: phrase.start()]}{' ' * len(phrase[0])}{text[phrase.end() :]}"
    for match in _WORD.finditer(text):
        name = _BY_WORD.get(match[0].strip(".-'"))
        if name:
            places[name] = min(match.start(), places.get(name, match.start()))
    return places


def stems_of(text: str) -> frozenset[str]:
    """Return the stems of the words that may say what a correction is about."""
    return frozenset(_stem(word) for word in _telling(text))


def word_of(subject: str, texts: Sequence[str]) -> str:
    """Return the word that most people use for the subject of corrections."""
    words = Counter(word for text in texts for word in _telling(text) if _stem(word) == subject)
    return min(words, key=lambda word: (-words[word], word), default=subject)


def _telling(text: str) -> list[str]:
    """Return the words without stop words, numbers and contractions such as `don't`."""
    words = [word.removesuffix("'s") for word in _words(text)]
    return [
        word for word in words if word not in _STOP and "'" not in word and not word.isdecimal()
    ]


def _words(text: str) -> list[str]:
    """Split a text into lower-case words; of `time.sleep` also the parts."""
    words = [word.strip(".-'") for word in _WORD.findall(text.lower().replace("’", "'"))]
    words += [part for word in words if "." in word for part in word.split(".")]
    return [word for word in words if len(word) > 1]


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        stem = word.removesuffix(ending)
        if stem != word and len(stem) >= _LEAST_STEM:
            return stem + ("y" if ending == "ies" else "")
    # `cache` and `caches` have the same stem.
    return word[:-1] if word.endswith("e") and len(word) > _LEAST_STEM else word


def _follow_context(statements: Sequence[Statement], about: list[str], least: int) -> None:
    """Give plain corrections without a known topic that of others after the same action.

    What `leave that to me` is about shows only in the action before it. Where most corrections
    after an action share a topic, the rest take it over; where none has a topic, and several
    sessions have such a correction, they are about the action itself.
    """
    behind: dict[str, list[int]] = {}
    for at, statement in enumerate(statements):
        if statement.anchor and statement.is_plain:
            behind.setdefault(statement.anchor, []).append(at)
    for anchor, places in sorted(behind.items()):
        votes = Counter({about[at]: 0 for at in places if about[at]})
        for topic, _ in {(about[at], statements[at].session) for at in places if about[at]}:
            votes[topic] += 1
        silent = [at for at in places if not about[at]]
        best = min(votes, key=lambda topic: (-votes[topic], topic), default="")
        if best and votes[best] >= least - 1 and 2 * votes[best] > sum(votes.values()):
            subject = best
        elif not votes and len({statements[at].session for at in silent}) >= least:
            subject = anchor
        else:
            continue
        for at in silent:
            about[at] = subject


class Statement(NamedTuple):
    """A correction: its session, its text, the clause that rejects, and the action before it."""

    session: str
    text: str
    clause: str
    before: str
    anchor: str
    is_plain: bool

    def topic(self) -> str:
        """Return the topic of the rejecting clause, or of the whole text if it is short."""
        clause_topic = topic_of(self.clause or self.text, self.before)
        return clause_topic or (topic_of(self.text, self.before) if self.is_short() else "")

    def stems(self) -> frozenset[str]:
        """Return the stems that may say what it is about; a long text may mention anything else."""
        return stems_of(self.text if self.is_short() or not self.clause else self.clause)

    def is_short(self) -> bool:
        """Whether the text is so short that all of it belongs to the rejection."""
        return len(self.text) <= _SHORT


def subjects(statements: Sequence[Statement], least: int) -> list[str]:
    """Return the subject of each correction: a known topic, else a recurring word, else nothing.

    A word counts once for each session with a plain correction that uses it; the most frequent is
    assigned first, and no correction has two subjects. A correction that is not plain has a
    subject only where plain corrections of other sessions share it.
    """
    about = [statement.topic() for statement in statements]
    stems = [
        frozenset() if topic else statement.stems()
        for statement, topic in zip(statements, about, strict=True)
    ]
    remaining = {at for at, topic in enumerate(about) if not topic}
    while remaining:
        sessions: dict[str, set[str]] = {}
        for at in remaining:
            if statements[at].is_plain:
                for stem in stems[at]:
                    sessions.setdefault(stem, set()).add(statements[at].session)
        best = min(sessions, key=lambda stem: (-len(sessions[stem]), stem), default="")
        if not best or len(sessions[best]) < least:
            break
        holding = {at for at in remaining if best in stems[at]}
        for at in holding:
            about[at] = best
        remaining -= holding
    _follow_context(statements, about, least)
    plain = {
        (topic, statement.session)
        for topic, statement in zip(about, statements, strict=True)
        if statement.is_plain
    }
    firm = Counter(topic for topic, _ in plain)
    return [
        topic if statement.is_plain or firm[topic] >= least - 1 else ""
        for topic, statement in zip(about, statements, strict=True)
    ]
