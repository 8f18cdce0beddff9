"""Whether what somebody asks for holds for every time, or for its moment alone."""

from __future__ import annotations

import re

# Words by which a wish holds for every time, in the languages whose small words are known.
_STANDING = re.compile(
    r"(?i)\b(?:always|never|each|every\w*|all|any(?:time|where)?|whenever|when|if|before|after"
    r"|once|until|make sure|ensure|don'?t|do not|not|only|must|should|instead|prefer|from now"
    r"|immer|nie|jede\w*|alle\w*|wenn|bevor|nachdem|stets|nicht|kein\w*|nur|siempre|nunca|cada"
    r"|todos|cuando|antes|después|despues|no|toujours|jamais|chaque|quand|avant|après|pas"
    r"|sempre|nunca|cada|quando|depois|não|nao|só|todo|prima|dopo|ogni|non|mai"
    r"|всегда|никогда|кажд\w{2,3}|только|перед|после|не)\b"
    r"|总是|每|不要|先|必须|别|只|必ず|毎|常に|全部|ないで|ルール|禁止|항상|반드시|매번|마세요|말고"
)
# Who proposes what is to be done next lays nothing down by it.
_PROPOSED = re.compile(r"(?i)\b(?:should (?:i|we)|(?:i|we) (?:\w{1,12} )?should)\b")
_POINTING = re.compile(r"(?i)\b(?:this|these|that one|those)\b(?! (?:repo\w*|project|codebase))")


_JOINT = re.compile(
    r"(?i)\b(?:together|with me|discuss|show me first|ask me|let me (?:look|see|decide|check)"
    r"|zusammen|gemeinsam|ensemble|juntos|juntas|insieme|вместе)\b|一起|一緒|함께"
)


# By such words a sentence hangs on what was said before it.
_TIED = re.compile(r"(?i)[,\s]{1,3}(?:as well|too|auch|également|também|también)(?=[.!]{0,3}\Z)")


def untied(words: str) -> str:
    """A sentence without the word at its end by which it adds to what was said before."""
    return _TIED.sub("", words)


# What is to be done again as it was, or at once, is of its moment.
_MOMENT = re.compile(
    r"(?i)\b(?:try|run|do|retry|rerun|start|build|push|pull|check)\b[^.!?\n]{0,40}\bagain\b"
    r"|\b(?:re-?try|re-?run)\b|\bone more time\b|\bright now\b|\bfor now\b"
)


def is_of_moment(words: str) -> bool:
    """Whether somebody orders what is to be done now: *pull that in and try again*."""
    return _MOMENT.search(words) is not None


def is_standing(words: str) -> bool:
    """Whether words lay something down for more than their moment.

    “Get back to main” is an order of its moment; “commit when a task is done” holds. What points
    at something that only its conversation had (“a todo for this”) does not, nor does a proposal
    (“I think we should split the types”).
    """
    rest = _PROPOSED.sub(" ", words)
    return _STANDING.search(rest) is not None and _POINTING.search(words) is None


def points(words: str) -> bool:
    """Whether words point at something that only their conversation had."""
    return _POINTING.search(words) is not None


def proposes(words: str) -> bool:
    """Whether words propose what is to be done next, and say nothing that holds for every time."""
    return _PROPOSED.search(words) is not None and not is_standing(words)


def is_joint(words: str) -> bool:
    """Whether somebody wants to be part of what is done: to look, to decide, to be asked."""
    return _JOINT.search(words) is not None
