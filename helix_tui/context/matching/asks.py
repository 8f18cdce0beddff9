"""Whether a line of instructions forbids a command or asks for it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

_SPAN = re.compile(r"`{1,3}([^`\n]{1,400})`{1,3}")
_NOT = re.compile(
    r"\b(?:never|do not|don'?t|does not|doesn'?t|must not|mustn'?t|should not|shouldn'?t|cannot|"
    r"can'?t|avoid|instead of|rather than|not|no|without|nicht|kein\w*|niemals|nie|statt|"
    r"no uses?|nunca|jamais|ne pas)\b",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[;:.!?](?:\s|$)|,\s|\b(?:but|instead|sondern)\b", re.IGNORECASE)
_RUN = re.compile(
    r"\b(?:run|runs|running|use|using|with|via|by|execute|start|call|type)(?:\s+\w+){0,2}\s*$",
    re.IGNORECASE,
)
# Orders not to do something, and how people complain of what was done.
_DO_NOT = re.compile(
    r"\b(?:don'?t|do not|never|stop|avoid|no more|nicht mehr|niemals|nunca|jamais)\b", re.IGNORECASE
)
_COMPLAINT = re.compile(
    r"\?|\b(?:why|again|still|you (?:did|have|were)|wieder|warum)\b", re.IGNORECASE
)
# What has to be done first is ordered: `not done until …`, `never push before …`.
_ONLY_THEN = re.compile(r"\b(?:until|till|unless|before|bis|bevor)\b", re.IGNORECASE)
_WITHOUT = re.compile(r"without|ohne|sans|sin", re.IGNORECASE)
_COMMENT = re.compile(r"(?:^|\s)#(?:\s.*)?$")
# What is missing is wanted.
_LACKS = re.compile(r"\b(?:has|have|had|there(?:'s| is| are)) (?:no|not)\b", re.IGNORECASE)
# Behind what is not to be done.
_BANNED = re.compile(
    r"\b(?:is|are|sind|ist)\s+(?:banned|forbidden|not allowed|verboten)\b", re.IGNORECASE
)
_SETS = re.compile(r"(?<![\w-])([A-Z][A-Z0-9_]{2,60})=([^\s`'\"]{1,80})")
# What a command does, told of it: such a line asks for nothing.
_DOES = re.compile(r"`{1,3}\s+(?!is\b|works\b)[a-z]{2,20}s\s", re.IGNORECASE)
_PARTING = frozenset({"&&", "||", "|", ";", "&"})
# What stands for a value: `<crate>`, `{name}`, `[options]`, `$FILE`, `...`.
_VALUE = re.compile(r"<[^<>]{1,40}>|\{[^{}]{1,40}\}|\[[^\[\]]{1,40}\]|\.\.\.|…|\$\w+")
# How far from a command the word stands that forbids it, in characters.
_NEAR = 60
_NEAR_WORDS = 4
_LONGEST = 2_000


def commands_in(text: str, *, is_code: bool) -> list[tuple[str, int]]:
    """The commands that a line names, each with where it stands."""
    if is_code:
        return [(_COMMENT.sub("", text), 0)]
    return [(match[1], match.start()) for match in _SPAN.finditer(text)]


# A candidate is compared with many lines, and a line with many candidates.
@lru_cache(maxsize=4096)
def words_of_command(command: str) -> tuple[tuple[str, ...], ...]:
    """The words of each command of a line, with quotes respected."""
    try:
        lexer = shlex.shlex(command[:_LONGEST], posix=True, punctuation_chars=True)
        lexer.whitespace_split = True
        lexer.commenters = ""
        words = list(lexer)
    except ValueError:  # a quote that is not closed
        words = command[:_LONGEST].split()
    commands: list[list[str]] = [[]]
    for word in words:
        if word in _PARTING:
            commands.append([])
        else:
            commands[-1].append(word)
    return tuple(tuple(words) for words in commands if words)


def forbids_at(text: str, at: int) -> bool:
    """Whether what stands at a place is what a line says not to do."""
    before = text[max(0, at - _NEAR) : at]
    cues = list(_NOT.finditer(before))
    if not cues or _CLAUSE_END.search(before, cues[-1].end()):
        return False
    return not (_ONLY_THEN.search(before, cues[-1].end()) or _is_denied_twice(before, cues))


def _is_denied_twice(before: str, cues: Sequence[re.Match[str]]) -> bool:
    """Whether a line says never to do another thing without this one, and so asks for it."""
    if len(cues) == 1 or not _WITHOUT.fullmatch(cues[-1][0]):
        return False
    return not _CLAUSE_END.search(before, cues[-2].end(), cues[-1].start())


def forbids_word(text: str, word: str) -> bool:
    """Whether a line says not to do one thing, named right behind the word that forbids."""
    return any(
        re.match(rf"\s+(?:\w+\s+)?{re.escape(word)}", text[cue.end() :], re.IGNORECASE)
        for cue in _NOT.finditer(text)
    )


def is_opposite(said: str, text: str, words: Collection[str]) -> bool:
    """Whether one of two texts forbids, in so many words, what the other asks for.

    A complaint forbids as well, in words that no table knows: it is the opposite of nothing.
    """
    if _COMPLAINT.search(said):
        return any(_forbidden(said, word) for word in words) and _NOT.search(text) is None
    denied = [(is_denied(said, word), is_denied(text, word)) for word in words]
    both = [(one, two) for one, two in denied if one is not None and two is not None]
    # A line of two matters denies a word of one of them.
    return bool(both) and 2 * sum(one != two for one, two in both) >= len(both)


def is_denied(text: str, word: str) -> bool | None:
    """Whether a text denies a word, in the same clause just before or behind it; None without."""
    places = list(re.finditer(rf"(?<!\w){re.escape(word)}", text, re.IGNORECASE))
    if not places:
        return None
    return any(_is_denied_at(text, match.start(), match.end()) for match in places)


def _is_denied_at(text: str, start: int, end: int) -> bool:
    before = _CLAUSE_END.split(text[max(0, start - _NEAR) : start])[-1]
    near = " ".join(before.split()[-_NEAR_WORDS:])
    behind = _CLAUSE_END.split(text[end : end + _NEAR])[0]
    is_denied = _DO_NOT.search(near) or (_NOT.search(near) and not _LACKS.search(near))
    return bool(is_denied) or _BANNED.search(behind) is not None


def _forbidden(said: str, word: str) -> bool:
    return any(
        re.match(rf"\s+(?:\w+\s+)?{re.escape(word)}", said[cue.end() :], re.IGNORECASE)
        for cue in _DO_NOT.finditer(said)
    )


def sets_otherwise(text: str, works: str) -> bool:
    """Whether a line gives a variable another value than what works does, and never that one."""
    wanted = dict(_SETS.findall(works))
    given = [(name, value) for name, value in _SETS.findall(text) if name in wanted]
    return bool(given) and all(value != wanted[name] for name, value in given)


def says_missing(text: str, program: str) -> bool:
    """Whether a line says that there is no such program."""
    name = re.escape(program)
    missing = (
        rf"\bno `?{name}\b|\b{name}`? (?:is|are)(?: not|n['’]t)\b|\bnicht\b.{{0,20}}\b{name}\b"
    )
    return bool(program) and re.search(missing, text, re.IGNORECASE) is not None


def asks_for(text: str, command: str, *, is_code: bool, least: int = 1) -> bool:
    """Whether a line asks for a command: it names one that is all within it, and forbids it not.

    `least` is how many words the line has to name of it.
    """
    return any(
        not is_forbidden for is_forbidden in _named(text, command, is_code=is_code, least=least)
    )


def forbids_command(text: str, command: str, *, is_code: bool) -> bool:
    """Whether a line forbids a command: it names one that is all within it, and says not to."""
    return any(_named(text, command, is_code=is_code))


def names_other(text: str, command: str, known: Sequence[str], *, is_code: bool) -> bool:
    """Whether a line asks for a part of one command that is no part of others."""
    wanted = words_of_command(command)
    for named, at in commands_in(text, is_code=is_code):
        if not is_code and forbids_at(text, at):
            continue
        for words in words_of_command(_VALUE.sub(" ", named)):
            is_known = any(_is_within(words, own) for one in known for own in words_of_command(one))
            if len(words) > 1 and not is_known and any(_is_within(words, one) for one in wanted):
                return True
    return False


def only_tells_of(text: str, command: str) -> bool:
    """Whether a line begins with a command to tell what it does, and asks nobody to run it."""
    first = _SPAN.match(text.lstrip("-*+ 0123456789.)"))
    is_named = first is not None and any(
        _is_within(wanted, words)
        for wanted in words_of_command(first[1])
        for words in words_of_command(command)
    )
    return is_named and _DOES.search(text) is not None


def names_what_works(text: str, command: str, *, is_code: bool) -> bool:
    """Whether a line names a command that works, and does not forbid it."""
    return any(not is_forbidden for is_forbidden in _named(text, command, is_code=is_code))


def _named(text: str, command: str, *, is_code: bool, least: int = 1) -> Iterator[bool]:
    """For each command that a line names and that is all within another: whether it is forbidden.

    A single word is a command only where the line says to run it: `pytest` names a tool.
    """
    tried = [words for words in words_of_command(command) if words[0] not in ("cd", "export")]
    for named, at in commands_in(text, is_code=is_code) if tried else ():
        is_forbidden = not is_code and forbids_at(text, at)
        for wanted in words_of_command(_VALUE.sub(" ", named)):
            if len(wanted) < least:
                continue
            is_said = len(wanted) > 1 or is_code or _RUN.search(text[max(0, at - _NEAR) : at])
            if is_said and any(_is_within(wanted, words) for words in tried):
                yield is_forbidden


def _is_within(wanted: Sequence[str], words: Sequence[str]) -> bool:
    """Whether a command begins as another one, and has all of its other words in order."""
    if wanted[0].rpartition("/")[2] != words[0].rpartition("/")[2]:
        return False
    rest = iter(words[1:])
    return all(any(word == other for other in rest) for word in wanted[1:])
