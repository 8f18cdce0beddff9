"""Whether a line that has the words of what is sought says the same of the same.

Each check finds one way in which a line with the right words says something else: for another
place, with an exception, of another value, the opposite, or only in passing. A line that may be
of another matter is shown and gets no mark.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from helix_tui.context.matching import cues
from helix_tui.context.matching.agree_people import says_other_to_people
from helix_tui.context.matching.asks import (
    asks_for,
    commands_in,
    forbids_command,
    words_of_command,
)
from helix_tui.context.matching.telling import FILLER, telling
from helix_tui.context.matching.tokens import is_common, parts_of, tokens_of
from helix_tui.context.matching.units import Unit
from helix_tui.context.matching.wanted import Sought
from helix_tui.text.clauses import stem_of


def disagrees(unit: Unit, sought: Sought, *, is_cause: bool) -> bool:
    """Whether a line with the words of what is sought may say something else."""
    about = _About(sought.about or f"{sought.failed} {sought.works} {sought.said}")
    if not about.words:
        return False
    if _is_exempt(unit.text, sought) or _is_elsewhere(unit, about):
        return True
    if is_cause:
        return False
    if sought.said:
        return says_other_to_people(unit.text, sought.said)
    if not sought.works:
        return _is_of_other_reason(unit, sought)
    return _says_other_of_command(unit, sought, about)


class _About:
    """All that is said of a candidate, as words that are compared."""

    def __init__(self, text: str) -> None:
        tokens = tokens_of(text)
        self.words = {*tokens, *(part for token in tokens for part in parts_of(token))}

    def has_any(self, text: str) -> bool:
        """Whether any telling word of a text is said of it."""
        return any(token in self.words for token in tokens_of(text) if not is_common(token))

    def has_place(self, path: str) -> bool:
        """Whether a place is named by it: a path by its last part, anything else by its words."""
        ends = [token.rpartition("/")[2] for token in tokens_of(path)]
        return any(end in self.words or stem_of(end) in self.words for end in ends)


def _is_exempt(text: str, sought: Sought) -> bool:
    """Whether a line has an exception, which may be this case.

    What is forbidden unless somebody asks for it is no exception for those who did not.
    """
    for match in cues.EXCEPT.finditer(text):
        is_consent = cues.CONSENT.search(match[1]) and match[0].casefold().startswith("unless")
        if not (is_consent and (not sought.said or cues.DENIES.search(sought.said))):
            return True
    return False


def _is_elsewhere(unit: Unit, about: _About) -> bool:
    """Whether a line is for a place or a setting that the candidate does not name."""
    text = unit.text
    if unit.is_code:
        return False
    places = [*cues.PLACE.finditer(text), *cues.OWN_PLACE.finditer(text)]
    if any(_is_place(match[1]) and not about.has_place(match[1]) for match in places):
        return True
    settings = [*cues.SETTING.finditer(text), *cues.ONLY.finditer(text)]
    return any(not about.has_any(next(filter(None, match.groups()), "")) for match in settings)


def _is_place(named: str) -> bool:
    """Whether what stands behind `in` or `for` is a place: not a command, nor a plain word."""
    return not named.startswith("`") or " " not in named.strip("`") or "/" in named


def _says_other_of_command(unit: Unit, sought: Sought, about: _About) -> bool:
    text = unit.text
    if forbids_command(text, sought.works, is_code=unit.is_code):
        return True
    if _gives_other_value(unit, sought) or _counts_otherwise(text, sought):
        return True
    if unit.is_code:
        return False
    telling = [token for token in sought.change if not is_common(token)] or list(sought.change)
    places = [at for token in telling for at in _found(text, token)]
    if not places and all(map(is_common, sought.change)):
        return True
    if places and all(_is_denied(text, at) or _is_mentioned(text, at) for at in places):
        return True
    if _is_later_step(text, about):
        return True
    return not _is_of_same(unit, sought, about, places)


def _is_of_other_reason(unit: Unit, sought: Sought) -> bool:
    """Whether a line that does not forbid what fails has little of why it fails."""
    text, failed = unit.text, sought.failed
    if not failed or forbids_command(text, failed, is_code=unit.is_code):
        return False
    if asks_for(text, failed, is_code=unit.is_code, least=2):
        return False
    own = set(tokens_of(sought.failed))
    why = [one for one in telling(sought.why) if one not in own]
    tokens = tokens_of(unit.text)
    named = {*tokens, *(part for token in tokens for part in parts_of(token))}
    return 2 * sum(one in named for one in why) <= len(why)


def _found(text: str, token: str) -> Iterator[int]:
    pattern = rf"(?<![\w-]){re.escape(token)}(?![\w-])" if token.isalnum() else re.escape(token)
    for match in re.finditer(pattern, text, re.IGNORECASE):
        yield match.start()


def _is_denied(text: str, at: int) -> bool:
    """Whether a line says to do without what stands at a place."""
    clause = cues.CLAUSE.split(text[:at])[-1]
    if cues.AWAY.search(clause) and not re.search(r"\b(?:do|does) not forget\b", clause, re.I):
        return not cues.LACK.search(text[at : at + 60]) and "there is no" not in clause.casefold()
    behind = cues.CLAUSE.split(text[at:])[0]
    word = re.match(r"\S+", behind)
    return word is not None and cues.BEHIND_AWAY.match(behind[word.end() :]) is not None


def _is_mentioned(text: str, at: int) -> bool:
    """Whether a line only tells of what stands at a place."""
    before = text[:at]
    open_span = before.rfind("`") if before.count("`") % 2 else at
    start = before[:open_span]
    if cues.MENTION_BEFORE.search(start) and not re.search(r"\binstead\b", text[at:], re.I):
        return True
    end = text.find("`", at) if open_span != at else at + len(text[at:].split(" ", 1)[0])
    behind = text[max(at, end) :]
    return not cues.LACK.search(start) and cues.MENTION_AFTER.match(behind) is not None


def _is_later_step(text: str, about: _About) -> bool:
    """Whether a line is for a step that comes later than what the candidate is about."""
    for match in cues.WHEN.finditer(text):
        stems = set(tokens_of(match[1]))
        later = {stem_of(word) for word in cues.LATER} & stems
        if later and not later & about.words:
            return True
        if match[1].startswith("`") and not about.has_any(match[1]):
            return True
    return False


def _is_of_same(unit: Unit, sought: Sought, about: _About, places: Collection[int]) -> bool:
    """Whether a line names a program of the candidate, or little that has no part in it."""
    programs = {
        word.rpartition("/")[2].partition(".")[0]
        for text in (sought.failed, sought.works)
        for words in words_of_command(text)
        for word in [one for one in words if "=" not in one][:1]
    }
    text = f"{unit.text} {unit.within}".casefold()
    if any(program.casefold() in text for program in programs if len(program) > 1):
        at = min(places, default=0)
        behind = cues.CLAUSE.split(unit.text[at:])[0]
        return not re.search(r"\bto the (?!root|command|end|call|same)\w+", behind)
    at = min(places, default=0)
    clause = cues.CLAUSE.split(unit.text[:at])[-1] + cues.CLAUSE.split(unit.text[at:])[0]
    telling = [one for one in tokens_of(clause) if not (is_common(one) or one in FILLER)]
    foreign = [token for token in telling if token not in about.words]
    return 2 * len(foreign) <= len(telling)


def _gives_other_value(unit: Unit, sought: Sought) -> bool:
    """Whether a line gives an option that works another value, or runs another subcommand."""
    wanted = _values(words for words in words_of_command(sought.works))
    named = [
        words
        for command, _ in commands_in(unit.text, is_code=unit.is_code)
        for words in words_of_command(command)
    ]
    given = _values(named)
    for option, values in given.items():
        is_changed = option in wanted and option not in sought.failed.split()
        is_open = any(map(cues.PLACEHOLDER.search, values))
        if is_changed and not is_open and values.isdisjoint(wanted[option]):
            return True
    changed = set(sought.change)
    working = [_bare(words) for words in words_of_command(sought.works)]
    failing = [_bare(words) for words in words_of_command(sought.failed)]
    own = {word for words in (*working, *failing) for word in words}
    of_change = [_bare(words) for words in named if changed & set(tokens_of(" ".join(words)))]
    first = {words[0].rpartition("/")[2] for words in working if words}
    subcommands = [
        words[1]
        for words in of_change
        if len(words) > 1 and words[0].rpartition("/")[2] in first and cues.NAME.fullmatch(words[1])
    ]
    return bool(subcommands) and not any(word in own for word in subcommands)


def _bare(words: Sequence[str]) -> Sequence[str]:
    """A command without the variables that are set for it."""
    at = next((at for at, word in enumerate(words) if not cues.SETS.match(word)), len(words))
    return words[at:]


def _values(commands: Iterable[Sequence[str]]) -> dict[str, set[str]]:
    by_name: dict[str, set[str]] = {}
    for words in commands:
        for number, word in enumerate(words):
            if joined := cues.VALUED.match(word):
                by_name.setdefault(joined[1], set()).add(joined[2])
            elif word.startswith("-") and not [*words[number + 1 :], "-"][0].startswith("-"):
                by_name.setdefault(word, set()).add(words[number + 1])
    return by_name


def _counts_otherwise(text: str, sought: Sought) -> bool:
    """Whether what works has a number, and the line has others."""
    wanted = set(cues.DIGITS.findall(sought.works)) - set(cues.DIGITS.findall(sought.failed))
    given = set(cues.DIGITS.findall(text))
    return bool(wanted and given) and wanted.isdisjoint(given)
