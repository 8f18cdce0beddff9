"""Titles that point at something they do not name, and what may be named instead."""

from __future__ import annotations

from helix_tui.digest.title.line import LENGTH, cut_behind_phrase
from helix_tui.digest.title.telling import has_name, telling_words
from helix_tui.schema import Facts
from helix_tui.text.lazy import lazy

# Where a title with its file behind a colon would be hard to read, the file stands in brackets.
_SHORT = 50
_LEAST_KEPT = 24
# It, and not something with a name, is what a sentence is about.
_ABOUT_IT = lazy(r"(?i)^(?:\w{2,20}, )?(?:it|this|that)(?:'s)? (?=\w)")
# What is acted on has no name: a pronoun, a demonstrative, or a bare noun of the trade.
_POINTS = lazy(
    r"(?i)\b(?:them|(?:this|these|those)(?! (?:branch|repo|repository|project|folder|codebase|dir"
    r"|directory|year|week|month|time|way|is|are|was|were|will|would|should|can|could)\b)"
    r"|that(?= (?:one|\w+ (?:story|file|test|page|only))\b)"
    r"|^(?!.{1,40}\band\b)\w{2,20} it\b(?! (?:is|was|to|so)\b)"
    r"|the (?:logic|code|tests?|function|method|behaviou?r|implementation|component|todo|changes?)"
    r"(?=[:.,;…]|$| (?:to reflect|so that|instead|again)\b))"
)
_FIRST_SENTENCE = lazy(r"^(.{8,}?)[.!?] (?=\S)")
# What is listed where the title does not reach.
_LISTED = lazy(r"(?i)\b(?:fixes|changes|items|steps|tasks|issues|points|findings|notes?) below\b")
# To which end something is changed, where that is said before it.
_TO_REFLECT = lazy(r"(?i) to reflect (?:this|that|it|these)(?: changes?)?$")
# A title in which somebody only tells what they do or see.
_FIRST_PERSON = lazy(r"(?i)^(?:i|i'm|i've|we|we're|we've)(?: \w{2,20}){0,2} (?=\S+ \S)")
# The first of two orders, where it acts on something that is not named.
_ON_IT_AND = lazy(r"(?i)^\w{2,20} (?:it|this|that|them)\b[^,;:.]{0,24} and (?=[a-z]{2,20} \S)")
_NAME_IN_COMMAND = lazy(r"(?<![\w.-])(?:[\w.@~+-]{1,60}/){0,12}(\w[\w-]{1,60}\.[A-Za-z]{1,5})\b")
_MOST_COMMANDS = 200
_AGAIN = 2


def begins_with_it(title: str) -> bool:
    """Whether a title speaks of something that was named before it."""
    return _ABOUT_IT.match(title) is not None


def points_elsewhere(title: str) -> bool:
    """Whether a title acts on something that nothing in it names."""
    if _LISTED.search(title):
        return True
    return not has_name(title) and _POINTS.search(title) is not None


def only_tells(title: str) -> bool:
    """Whether a title is in the first person, and asks for nothing."""
    return "?" not in title and _FIRST_PERSON.match(title) is not None


def without_pointing(title: str) -> str:
    """A title of two orders without the first, where only the second says what it is about."""
    rest = _ON_IT_AND.sub("", title)
    return rest[0].upper() + rest[1:] if rest != title and telling_words(rest) else title


def completed(title: str, about: str) -> str:
    """A title that points at something, with the name of what it came to."""
    if not about or about in title or len(about) > LENGTH - _LEAST_KEPT:
        return title
    plain = _TO_REFLECT.sub("", title.rstrip(".:?!… "))
    if len(title) > LENGTH - len(about) - 3 and (first := _FIRST_SENTENCE.match(title)):
        plain = first[1]
    if len(plain) <= _SHORT and ": " not in plain and len(plain) + len(about) + 2 <= LENGTH:
        return f"{plain}: {about}"
    room = LENGTH - len(about) - 3
    return f"{cut_behind_phrase(plain, room)} ({about})" if room >= _LEAST_KEPT else title


def file_edited_most(facts: Facts) -> str:
    """The name of the file that was edited most; nothing where none was."""
    edits = {path: file.edits for path, file in facts.files.items() if path and file.edits}
    return _name(max(edits, key=lambda path: edits[path])) if edits else ""


def file_touched_most(facts: Facts) -> str:
    """The same of what was read, or named in commands, where nothing was edited."""
    if edited := file_edited_most(facts):
        return edited
    # Where something was edited, and the log does not say what came of it, once is too little.
    least = _AGAIN if any(turn.edits for turn in facts.turns) else 1
    reads = {path: file.reads for path, file in facts.files.items() if path and file.reads >= least}
    if reads:
        return _name(max(reads, key=lambda path: reads[path]))
    for command in list(facts.commands)[:_MOST_COMMANDS]:
        if named := _NAME_IN_COMMAND.search(command):
            return named[1]
    return ""


def _name(path: str) -> str:
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2]
