"""A text as a title: one line of at most 80 characters that keeps what the work is about.

What is too long loses what says least first: further sentences, asides, folders, how something is
to be done, clauses that tell nothing. Only then it is cut, behind a phrase.
"""

from __future__ import annotations

import re

from helix_tui.digest.title.telling import ENOUGH, telling_words
from helix_tui.text.lazy import lazy
from helix_tui.text.request_words import ORDERS, TASK_ORDERS

LENGTH = 80
_ORDERS = ORDERS | TASK_ORDERS
# No more than this is left out to end behind a phrase.
_LEFT_OUT = 20
_LOOSE = " ,;:–—-…"
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=\S)")
_ASIDE = re.compile(r"\s?\([^()]{8,200}\)")
# The folders before a file's name, and what a client puts before a path.
# A name of two or three signs is no file's, and two words with a slash between them no path.
_FOLDERS = re.compile(
    r"(?<![\w:/.@~-])(?:(?:(?:@~?|~|\.{1,2})/?|/)(?:[\w.@+-]{1,60}/){1,12}|(?:[\w.@+-]{1,60}/){2,12})"
    r"(?=[\w-]{1,60}\.\w|[\w.-]{4,80})"
    r"|(?<![\w:/.@~-])[\w.@+-]{1,60}/(?=[\w-]{1,60}\.[A-Za-z]\w{0,5}\b)"
)
# Hashes behind the first of several.
_HASHES = lazy(
    r"(?<=\b[0-9a-f]{7})([0-9a-f]{0,33})((?:,? and |, )(?=[a-f]{0,39}\d)[0-9a-f]{7,40}\b){2,}"
)
_HASH = lazy(r"\b[0-9a-f]{7,40}\b")
# What leaves open what it may be instead.
_FILLER = lazy(
    r"(?i) or (?:something|whatever|what\w{4,6}r)(?: (?:like|similar to) (?:that|this))?"
    r"(?= (?:in|on|to|for|at|with|and|from|so|that|which|until|\()|[.,;:?!]|$)"
)
# Where in the code something stands.
_PLACE = lazy(
    r" (?:in|at|on|from) (?:`?[\w./-]{1,80}\.\w{1,5}(?::\d{1,6})?`?"
    r"|lines? \d{1,6}(?:[-–]\d{1,6})?)(?=[ ,.:;])"
)
# To which end something is looked at, before a list of that; a file or a folder that is called one.
_TO_LEARN = lazy(
    r"(?i) (?:in order )?to (?:understand|find out|determine|learn|identify|answer)"
    r"(?: the following| these questions)?:"
)
_CALLED_ONE = lazy(
    r"(?i)\bthe (?:codebase|project|repository|repo|folder|directory) at (?=\S)"
    r"|\bthe (?=\S{3,60}\.\w{1,5} file\b)|(?<=\.[a-z]{2}) file\b|(?<=\.[a-z]{3}) file\b"
)
_MEANWHILE = re.compile(r"(?i)^(?:while|when|since|after|once|now that)\b[^,.]{5,80},\s+(?=\w)")
# With what something is to be done, before what that is.
_BY_MEANS = re.compile(
    r"(?i)^(?:us(?:e|ing)|with) (?:(?!to )\S{1,60} ){1,14}to (?=[a-z]{2,20} \S+ \S)"
)
_GIVE = re.compile(r"(?i)^(?:give|show|tell|write|get|make) (?:me|us) (?=(?:an?|the) )")
# Words that only lead to what is told, or to what is to be done with something.
_LEAD = re.compile(
    r"(?i)^(?:(?:have|take) a look at (?:(?! and ).){3,60} and (?=[a-z]{2,20} \S)"
    r"|i (?:keep|am|was|have been|have) (?:getting|seeing|having) |i'm (?:getting|seeing) "
    r"|i (?:just )?(?:noticed|see|saw|found|think|believe|feel|guess|wonder)(?: that)? "
    r"|i had a (?:quick )?question about |it (?:looks|seems|appears)(?: like| that)? "
    r"|there(?:'?s| is| are| were| was) )(?=\S+ \S+)"
)
_QUICKLY = lazy(
    r"(?i)^(?:quickly|carefully|thoroughly|briefly) (?=[a-z])"
    r"|(?<=\bthe) (?:current|existing)(?= [a-z])"
)
# What a thing that is told of is said with, word by word.
_QUOTED = lazy(r" (?:with|as|like|by) [\"“][^\"”\n]{8,80}[\"”]")
# What something is then good for.
_GOOD_FOR = lazy(
    r"(?i)(?<=\w{3}) so (?:that )?(?:they|it) (?:can|could|will|would|may)\b[^,.;:?!]*"
)
# How a sentence begins that tells of something, and whose verb comes late.
_TOLD = lazy(r"(?i)(?:the|a|an|when|if|in) ")
_SHORTER = (
    *(_ASIDE, _FOLDERS, _MEANWHILE, _QUICKLY, _CALLED_ONE, _TO_LEARN, _BY_MEANS, _GIVE, _LEAD),
    *(_PLACE, _QUOTED, _GOOD_FOR),
)
# Of folders and of places all may go.
_COUNTS = {_FOLDERS: 0, _CALLED_ONE: 0, _PLACE: 0}
_OF_TOLD = (_PLACE, _QUOTED)
_JOINS = re.compile(r"(?i)^(?:and|but|so|then|or)\s+(?=\S)")
# Files that are only read for what is to be done then, up to that.
_READING = lazy(
    r"(?i)^(?:please )?(?:read|open|look (?:at|into|through)|check|see) "
    r"((?:(?! and ).){3,160}?),?(?: (?:files?|carefully|first))? and (?:then )?(?=[a-z]{2,20} \S)"
)
_FILE = lazy(r"(?<![\w.-])\w[\w-]{0,60}(?:\.[A-Za-z]\w{0,5}){1,2}\b")
# What only points at the lines that follow.
FOLLOWS = re.compile(
    r"(?i)\s(?:with|as|like|from|using) (?:the following|this|these)(?: \w{1,20}){0,2}:?$"
)
_FIRST_CLAUSE = re.compile(r"^[^,;:–]{3,70}?(?:[,;:]| [–-]) (?=\S)")
_PHRASE_END = re.compile(
    r"[,;)](?=\s)|\s[–—-](?=\s)"
    r"|(?= (?:and|but|so|because|which|that|where|when|while|if|unless|until|since|without|instead"
    r"|rather|before|after|based)\s)"
)
_DANGLING = re.compile(
    r"(?i)(?:[\s,;:–—-]+(?:a|an|the|of|in|on|at|to|for|from|with|by|and|or|but|so|that|which|as|is"
    r"|are|was|be|been|it|its|their|our|your|my|his|this|these|those|they|we|you|i|if|when|not|can"
    r"|could|might|may|should|would|will|into|onto|than|then|also|very|do|does|how|what|any|some"
    r"|all|i'm|i'd|we're|it's|there|like|e\.g\.|i\.e\.))+[\s,;:–—-]*$"
)


def as_title(text: str) -> str:
    """The text on one line, shortened where it is too long."""
    whole = _FILLER.sub("", " ".join(text.split()))
    line = _shortened(whole)
    is_changed = not whole.startswith(line[:1])
    return line[0].upper() + line[1:] if is_changed and line[:1].islower() else line


def _shortened(whole: str) -> str:
    line = FOLLOWS.sub("", _whole_sentences(whole)).removesuffix(":")
    if len(line) <= LENGTH:
        return line
    line = _HASHES.sub(_count_of_hashes, line)
    if len(line) <= LENGTH:
        return line
    for shorter in _SHORTER:
        if shorter in _OF_TOLD and not _TOLD.match(line):
            continue
        reduced = shorter.sub(
            ":" if shorter is _TO_LEARN else "", line, count=_COUNTS.get(shorter, 1)
        )
        if reduced != line and reduced:
            line = _whole_sentences(reduced)
        if len(line) <= LENGTH:
            return line
    return _behind_reading(line) or cut_behind_phrase(_without_empty_clause(line))


def _count_of_hashes(found: re.Match[str]) -> str:
    further = len(_HASH.findall(found[0][len(found[1]) :]))
    return f"{found[1]} and {further} more"


def _behind_reading(line: str) -> str:
    """What is to be done with files that are read for it, with the first of them; else nothing."""
    reading = _READING.match(line)
    named = _FILE.search(reading[1]) if reading else None
    if reading is None or named is None:
        return ""
    rest = line[reading.end() :]
    if rest.partition(" ")[0].lower() not in _ORDERS:
        return ""
    return f"{cut_behind_phrase(rest, LENGTH - len(named[0]) - 3)} ({named[0]})"


def _whole_sentences(line: str) -> str:
    """As many sentences as fit; all of the first where not even that does."""
    if len(line) <= LENGTH:
        return line
    sentences = _SENTENCE.split(line)
    kept = sentences[0]
    for sentence in sentences[1:]:
        if len(kept) + 1 + len(sentence) > LENGTH:
            break
        kept = f"{kept} {sentence}"
    # What tells nothing goes on with what follows it.
    return kept if len(telling_words(kept)) >= ENOUGH else line


def _without_empty_clause(line: str) -> str:
    """A line without first clauses that tell nothing."""
    for _ in range(2):
        clause = _FIRST_CLAUSE.match(line)
        if clause is None or telling_words(clause[0]):
            break
        line = _JOINS.sub("", line[clause.end() :])
    return line


def cut_behind_phrase(line: str, room: int = LENGTH) -> str:
    """A line cut to its room behind a phrase, else behind a word that does not ask for another."""
    if len(line) <= room:
        return line
    head = line[: room - 1]
    nearly_all = room - _LEFT_OUT
    ends = [end.start() for end in _PHRASE_END.finditer(head, nearly_all)]
    blank = head.rfind(" ")
    at = ends[-1] if ends else blank if blank > room // 2 else len(head)
    kept = _DANGLING.sub("", head[:at].rstrip(_LOOSE)).rstrip(_LOOSE)
    return f"{kept if len(kept) > room // 4 else head[:at]}…"
