"""Whether a line that has the words of what is sought says the same of the same.

Each check finds one way in which a line with the right words says something else: for another
place, with an exception, of another value, the opposite, or only in passing. A line that may be
of another matter is shown and gets no mark.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from helix_tui.context.matching.asks import asks_for, commands_in, forbids_command, words_of_command
from helix_tui.context.matching.meaning import groups_in, groups_of
from helix_tui.context.matching.tokens import is_common, parts_of, tokens_of
from helix_tui.context.matching.units import Unit
from helix_tui.context.matching.wanted import Sought
from helix_tui.text.clauses import stem_of

_FAMILIES = Path(__file__).parent / "families.txt"
_WORDS = Path(__file__).parent / "rule_words.txt"
_EXCEPT = re.compile(
    r"\b(?:except(?:ion|ions)?|unless|besides|other than|apart from|aside from|excluding|save for|"
    r"everything but|everywhere but|all but|anything but|but not|only (?:if|when|after|where)|"
    r"just for|may go|au(?:ß|ss)er|sauf|exempt\w*|(?:does|do) not "
    r"apply|need not|optional(?:ly)?)\b([^.;]{0,120})",
    re.IGNORECASE,
)
# What is forbidden unless somebody asks for it is forbidden.
_CONSENT = re.compile(
    r"\b(?:asked|ask|told|tell|requested|request|explicit\w*|permission|instructed|says? so|"
    r"approved|want(?:s|ed)?)\b",
    re.IGNORECASE,
)
_DENIES = re.compile(
    r"\b(?:do not|don'?t|did(?: not|n'?t)|never|no|not|stop|without|why)\b", re.IGNORECASE
)
_PLACE = re.compile(
    r"(?:^|[\s(,;:])(?:in|under|inside(?: of)?|within|below|for|on)\s+(?:the\s+|our\s+|all\s+)?"
    r"(`[^`\n]{1,80}`|[\w.-]+/[\w./-]*)",
    re.IGNORECASE,
)
_OWN_PLACE = re.compile(
    r"\b(?:in|inside|within|for|on|of)\s+(?:the\s+|our\s+)?(?!(?:the|this|that|our|your|a|an|all|"
    r"any|every|each|whole|full|entire|first|same)\b)([\w-]+)\s+(?:package|module|service|app|repo|"
    r"repository|folder|directory|crate|workspace|project|subproject|component|team|branch(?:es)?|"
    r"notebooks?|examples?|demos?|pages?)\b",
    re.IGNORECASE,
)
_SETTING = re.compile(
    r"\b(?:in|on|for|under|inside)\s+(?:the\s+|a\s+|our\s+)?(ci|continuous integration|pipelines?|"
    r"windows|mac(?:os|s)?|linux|wsl|docker|production|prod|staging|releases?|nightly|"
    r"(?:the )?release branch(?:es)?|ios|android|arm64|apple silicon|hotfix(?:es)?|emergenc\w+|"
    r"prototypes?|legacy|examples?|demos?|migrations?|generated)\b|\b(ci|windows|macos|production|"
    r"staging|releases?|release branch(?:es)?|hotfix(?:es)?|nightly|nightlies|legacy|prototypes?)"
    r"\s+(?:only|use[sd]?|runs?|builds?|is|are|may|can|machines?|jobs?|has|have)\b",
    re.IGNORECASE,
)
# Where a word stands that is only mentioned.
_MENTION_BEFORE = re.compile(
    r"\b(?:of|about|see|like|called|named|from|described|output|result|results|logs?|docs|version|"
    r"history|glossary|replaces|wraps|writes|reads|calls|runs|behind|does|is what|uses|"
    r"invokes|executes)\s+(?:the\s+)?[`'\"]*$",
    re.IGNORECASE,
)
_MENTION_AFTER = re.compile(
    r"^[`'\"]*\s+(?:(?:is|are|was|were|has been|gets?)\s+(?:also\s+|now\s+|only\s+)?"
    r"(?:describ|kept|keep|document|explain|list|generat|shown|stor|written|own|us(?:ed|ing) by|"
    r"run by|call(?:ed)? by|maintain|cover|track|a\b|an\b|the\b|what\b|part|defin|deprecat|slow|"
    r"cach|ignor|publish|fine|optional|tested|check(?:ed)? by|allowed|in\b|at\b|not needed|"
    r"unsupported|unreliable|broken|gone|obsolete|known|experimental|flaky)|"
    r"writes|reads|prints|creates|produces|lists|shows|opens|takes|returns|comes(?! first| before)|"
    r"lives|calls|"
    r"generates|builds|starts|belongs|stands|means|runs|checks|removes|deletes|updates|formats|"
    r"installs|uploads|downloads|hangs|breaks|crashes|fails|chokes|corrupts|ruins|loses|"
    r"does not|"
    r"doesn'?t|can(?:not|'?t)|won'?t|will not|hides|skips|swallows|conflicts|was|has|had|"
    r"used to)\b",
    re.IGNORECASE,
)
_AWAY = re.compile(
    r"\b(?:do not|don'?t|never|avoid|no|not|without|leave|drop|omit|remove|skip|stop|instead of|"
    r"rather than|no longer|nicht|kein\w*|must not|mustn'?t|should not|shouldn'?t|cannot|can'?t|"
    r"forbidden|banned|needless|unnecessary|refrain|forget|over|beware|stay away from)\b"
    r"[^.;:!?]{0,50}$",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[.;:!?](?:\s|$)|,\s|\s-\s|\s[–—]\s|\b(?:but|instead(?! of)|so|then)\b")
_LACK = re.compile(r"\b(?:without|otherwise|or else|else|lest|there is no|there are no)\b", re.I)
_BEHIND_AWAY = re.compile(
    r"^[`'\"]*\s*(?:[\w.=/-]+[`'\"]*\s+){0,3}?(?:away|out|alone|is (?:banned|forbidden|not|wrong|"
    r"off)|are (?:banned|forbidden|not)|must not|may not|should not|never|no longer)\b",
    re.IGNORECASE,
)
_DEMANDS = re.compile(
    r"^\W*(?:always|never|please|only|first|then|when|if|before|after|to\b|do|don'?t|no|keep|use|run|"
    r"set|pass|call|put|add|write|make|give|ask|prefer|avoid|read|start|stop|answer|reply|leave|"
    r"show|test|check|format|lint|build|install|delete|remove|commit|push|wait|stick|store|quote|"
    r"name|open|execute|work|follow|fix|log|let|create|mock|update|verify|explain|type|tell|take|"
    r"export|prefix|fetch|regenerate|rebase|merge|squash|indent|limit|ensure|mark|split|document|"
    r"describe|include|return|handle|move|import|sort|cover|review|reuse|bump|tag|publish|talk|"
    r"say|"
    r"respond|cite|skip|enter|activate|quiet|pin|load)\b|\b(?:must|should|shall|need(?:s|ed)?|"
    r"ha(?:s|ve) to|required?|always|never|only|do not|don'?t|no|not|want(?:s)?|before|first|"
    r"without|"
    r"instead|otherwise|every|each|rather|prefer(?:red)?|use|run|pass|set|via|through|by|with|goes?|"
    r"come|comes|wait|else|forbidden|banned|nicht|immer|nie|kein\w*|bitte)\b",
    re.IGNORECASE,
)
_CAN = re.compile(r"^\W*(?:\w+\s+){1,3}(?:can|may|could)\b", re.IGNORECASE)
_VALUED = re.compile(r"^(--?[\w-]+)=(.+)$")
_DIGITS = re.compile(r"(?<![\w.-])\d+(?:\.\d+)*(?![\w-])")
_LATER = ("release", "deploy", "publish", "tag", "ship")
_WHEN = re.compile(
    r"\b(?:before|after|once|when|until|prior to|ahead of|following)\s+(?:you\s+|a\s+|the\s+|"
    r"each\s+|"
    r"every\s+|any\s+)*((?:`[^`]{1,60}`|[\w-]+)(?:\s+[\w-]+){0,3})",
    re.IGNORECASE,
)
_FORBIDS = re.compile(r"\b(?:no|don'?t|do not|never|stop|avoid|without)\b", re.IGNORECASE)
_NEAR_FORBIDDEN = 3
# How much two texts of people have to share, and what a word counts as that means the same.
_LEAST_SHARED, _MEANT = 0.35, 0.7
_PLACEHOLDER = re.compile(r"[<>{}\[\]$*…]|\.\.\.")


def _listed(name: str) -> frozenset[str]:
    """The words of a list, as they are compared."""
    lines = _WORDS.read_text("utf-8").splitlines()
    found = next(line for line in lines if line.startswith(f"{name}: "))
    return frozenset(stem_of(word) for word in found.partition(": ")[2].split())


# Words of a rule that say how it is meant and not what of.
_FILLER = _listed("filler")
# What people say to do, where another one is another matter.
_ACTIONS = _listed("actions")
_GRAMMAR = _listed("grammar")


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
        return _says_other_to_people(unit, sought, about)
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
    for found in _EXCEPT.finditer(text):
        is_consent = _CONSENT.search(found[1]) and found[0].casefold().startswith("unless")
        if not (is_consent and (not sought.said or _DENIES.search(sought.said))):
            return True
    return False


def _is_elsewhere(unit: Unit, about: _About) -> bool:
    """Whether a line is for a place or a setting that the candidate does not name."""
    text = unit.text
    if unit.is_code:
        return False
    places = [*_PLACE.finditer(text), *_OWN_PLACE.finditer(text)]
    if any(_is_place(found[1]) and not about.has_place(found[1]) for found in places):
        return True
    return any(not about.has_any(found[1] or found[2]) for found in _SETTING.finditer(text))


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
    why = [one for one in _telling(sought.why) if one not in own]
    tokens = tokens_of(unit.text)
    named = {*tokens, *(part for token in tokens for part in parts_of(token))}
    return 2 * sum(one in named for one in why) <= len(why)


def _found(text: str, token: str) -> Iterator[int]:
    pattern = rf"(?<![\w-]){re.escape(token)}(?![\w-])" if token.isalnum() else re.escape(token)
    for found in re.finditer(pattern, text, re.IGNORECASE):
        yield found.start()


def _is_denied(text: str, at: int) -> bool:
    """Whether a line says to do without what stands at a place."""
    clause = _CLAUSE.split(text[:at])[-1]
    if _AWAY.search(clause) and not re.search(r"\b(?:do|does) not forget\b", clause, re.I):
        return not _LACK.search(text[at : at + 60]) and "there is no" not in clause.casefold()
    behind = _CLAUSE.split(text[at:])[0]
    word = re.match(r"\S+", behind)
    return word is not None and _BEHIND_AWAY.match(behind[word.end() :]) is not None


def _is_mentioned(text: str, at: int) -> bool:
    """Whether a line only tells of what stands at a place."""
    before = text[:at]
    open_span = before.rfind("`") if before.count("`") % 2 else at
    start = before[:open_span]
    if _MENTION_BEFORE.search(start) and not re.search(r"\binstead\b", text[at:], re.I):
        return True
    end = text.find("`", at) if open_span != at else at + len(text[at:].split(" ", 1)[0])
    behind = text[max(at, end) :]
    return not _LACK.search(start) and _MENTION_AFTER.match(behind) is not None


def _is_later_step(text: str, about: _About) -> bool:
    """Whether a line is for a step that comes later than what the candidate is about."""
    for found in _WHEN.finditer(text):
        stems = set(tokens_of(found[1]))
        later = {stem_of(word) for word in _LATER} & stems
        if later and not later & about.words:
            return True
        if found[1].startswith("`") and not about.has_any(found[1]):
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
        behind = _CLAUSE.split(unit.text[at:])[0]
        return not re.search(r"\bto the (?!root|command|end|call|same)\w+", behind)
    at = min(places, default=0)
    clause = _CLAUSE.split(unit.text[:at])[-1] + _CLAUSE.split(unit.text[at:])[0]
    telling = [one for one in tokens_of(clause) if not (is_common(one) or one in _FILLER)]
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
        is_open = any(map(_PLACEHOLDER.search, values))
        if is_changed and not is_open and values.isdisjoint(wanted[option]):
            return True
    changed = set(sought.change)
    working = words_of_command(sought.works)
    own = {word for words in (*working, *words_of_command(sought.failed)) for word in words}
    of_change = [words for words in named if changed & set(tokens_of(" ".join(words)))]
    first = {words[0].rpartition("/")[2] for words in working}
    subcommands = [
        words[1]
        for words in of_change
        if len(words) > 1 and words[0].rpartition("/")[2] in first and words[1].isalpha()
    ]
    return bool(subcommands) and not any(word in own for word in subcommands)


def _values(commands: Iterable[Sequence[str]]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for words in commands:
        for number, word in enumerate(words):
            if joined := _VALUED.match(word):
                found.setdefault(joined[1], set()).add(joined[2])
            elif word.startswith("-") and not [*words[number + 1 :], "-"][0].startswith("-"):
                found.setdefault(word, set()).add(words[number + 1])
    return found


def _counts_otherwise(text: str, sought: Sought) -> bool:
    """Whether what works has a number, and the line has others."""
    wanted = set(_DIGITS.findall(sought.works)) - set(_DIGITS.findall(sought.failed))
    given = set(_DIGITS.findall(text))
    return bool(wanted and given) and wanted.isdisjoint(given)


def _says_other_to_people(unit: Unit, sought: Sought, about: _About) -> bool:
    """Whether a line says to people something else than they said."""
    if not _DEMANDS.search(unit.text) or _CAN.search(unit.text):
        return True
    said = sought.said
    if _excludes(unit.text, said):
        return True
    numbers, given = set(_DIGITS.findall(said)), set(_DIGITS.findall(unit.text))
    if numbers and given and numbers.isdisjoint(given):
        return True
    return not (
        _is_same_action(unit.text, said)
        and _is_same_action(said, unit.text)
        and _has_what_is_forbidden(unit.text, said)
        and _shared(unit.text, said) >= _LEAST_SHARED
    )


def _is_same_action(line: str, said: str) -> bool:
    """Whether a line has what people say to do first, where that is an action of its own."""
    spoken = _telling(said)[:1]
    return not spoken or spoken[0] not in _ACTIONS or _likeness(spoken[0], tokens_of(line)) > 0


def _has_what_is_forbidden(line: str, said: str) -> bool:
    """Whether a line has something of what people say not to do, right behind where they say it."""
    tokens = tokens_of(line)
    for found in _FORBIDS.finditer(said):
        spoken = _telling(_CLAUSE.split(said[found.end() :])[0])[:_NEAR_FORBIDDEN]
        if spoken and not any(_likeness(token, tokens) for token in spoken):
            return False
    return True


def _shared(line: str, said: str) -> float:
    """How much two texts share, by the words of both: the product of both shares."""
    product = 1.0
    for one, other in ((line, said), (said, line)):
        telling, tokens = _telling(one), tokens_of(other)
        if not telling:
            return 0.0
        product *= sum(_likeness(token, tokens) for token in telling) / len(telling)
    return product


def _telling(text: str) -> list[str]:
    return [token for token in tokens_of(text) if not (token in _GRAMMAR or token in _FILLER)]


def _likeness(token: str, tokens: Sequence[str]) -> float:
    """Whether a text has a word, or one that means the same."""
    if token in tokens:
        return 1.0
    return 0.0 if set(groups_of(token)).isdisjoint(groups_in(tokens)) else _MEANT


def _excludes(line: str, said: str) -> bool:
    """Whether people said one of a family, of which a line has another, or none."""
    ours, theirs = _members(line), _members(said)
    return any(
        ours[family].isdisjoint(members) if family in ours else family not in _weak()
        for family, members in theirs.items()
    )


def _members(text: str) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {}
    table = _family_table()
    for token in {*tokens_of(text), *re.findall(r"[\w-]+", text.casefold())}:
        for family, member in table.get(token, ()):
            found.setdefault(family, set()).add(member)
    return found


@cache
def _families() -> list[str]:
    lines = _FAMILIES.read_text("utf-8").splitlines()
    return [line for line in lines if line and line[0] != "#"]


@cache
def _weak() -> frozenset[int]:
    """The families of which a line need not have any."""
    return frozenset(number for number, line in enumerate(_families()) if line[0] == "~")


@cache
def _family_table() -> dict[str, list[tuple[int, int]]]:
    table: dict[str, list[tuple[int, int]]] = {}
    for family, line in enumerate(_families()):
        for member, names in enumerate(line.lstrip("~ ").split()):
            for name in names.split("/"):
                for word in {name, stem_of(name)}:
                    table.setdefault(word, []).append((family, member))
    return table
