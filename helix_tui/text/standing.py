"""Whether what somebody asks for holds for every time, or for its moment alone."""

from __future__ import annotations

import re

from helix_tui.text.clauses import stem_of
from helix_tui.text.request_words import ANY_WORK, ORDERS, TASK_ORDERS
from helix_tui.text.said import clauses_in

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


# A condition on each thing of a kind, and the thing.
_EACH = re.compile(
    r"(?i)\b(?:after|before|when|once|as|for|with|until|nach|vor|bei|für|après|pour|para|tras)\s"
    r"(?:each|every|all|any|jede\w*|alle[nr]?|chaque|cada)\s(?:of\s)?(?:the\s|these\s|new\s)?"
    r"([^\W\d_]+)"
)
# When something is due, up to where the clause ends.
_CONDITION = re.compile(
    r"(?i)\b(?:before|after|when|whenever|once|until|unless|if|while|bevor|nachdem|wenn|sobald|avant"
    r"|après|quand|lorsque|antes|después|cuando|quando|depois)\b[^,;:.!?\n]{0,200}"
)
# All things of a kind, which a task may name as well as a rule.
_WIDE = re.compile(
    r"(?i)\b(?:all|each|every|any|make sure|ensure|alle\w*|jede\w*|chaque|cada|todos|todas)\b"
)
# What there is of in any work: times, and the steps that work is done in.
_STEPS = ANY_WORK | frozenset(
    (
        *("tim", "day", "session", "conversation", "prompt", "turn", "step", "phas", "mileston"),
        *("edit", "fix", "commit", "one", "plan", "todo", "ticket", "story", "chunk", "batch"),
        *("mal", "schritt", "aufgab", "änderung", "sitzung", "fois", "étap", "tâch", "vez"),
        *("paso", "tarea", "cambio"),
    )
)


_JOINT = re.compile(
    r"(?i)\b(?:together|with me|discuss|show me first|ask me|let me (?:look|see|decide|check)"
    r"|zusammen|gemeinsam|ensemble|juntos|juntas|insieme|вместе)\b|一起|一緒|함께"
)


# By such words a sentence hangs on what was said before it.
_TIED = re.compile(r"(?i)[,\s]{1,3}(?:as well|too|auch|également|também|también)(?=[.!]{0,3}\Z)")


def untied(words: str) -> str:
    """A sentence without the word at its end by which it adds to what was said before."""
    return _TIED.sub("", words)


# What is to be done in the place of something else, and how it is asked why it was not.
_INSTEAD = re.compile(
    r"(?i)\b(?:instead|rather than|statt(?:dessen)?|anstatt|anstelle|au lieu d|plutôt|en vez de"
    r"|en lugar de|em vez de|invece|вместо)|代わりに|而不是|대신"
)
_WHY = re.compile(
    r"(?i)\b(?:why|warum|wieso|weshalb|pourquoi|por qu[eé]|perché|почему|зачем)\b"
    r"|为什么|為什麼|なぜ|왜"
)


# How it is asked why something else is not done, behind the word for why.
_WHY_NOT = re.compile(
    r"(?i)\bwhy (?:not|(?:did|do|does|are|is|have|has)(?:n'?t| (?:you|we|it) not)\b)"
    r"|\bwarum (?:\w+ ){0,3}nicht\b|\bpourquoi (?:ne |n'|pas\b)|\bpor qu[eé] no\b|\bperché non\b"
    r"|\bпочему (?:\w+ )?не\b|为什么不|為什麼不|なぜ[^。？?]{0,40}ない"
)


# The first word of a clause, behind what may stand before an order.
_FIRST = re.compile(
    r"(?i)(?:\A|[.,;:!?]\s|\b(?:and|then|but|so|just|please|instead)\s)"
    r"(?:(?:no|please|just|so|instead|then)\W{1,2}){0,3}([a-z]{2,20})\b"
)
# By which work is taken back, beside what begins other orders.
_ORDERS = (ORDERS | TASK_ORDERS | {"revert", "undo", "restore", "drop", "keep", "leave"}) - {
    *("do", "have", "look", "set", "test", "turn", "work", "report", "process", "log", "build")
}


def asks_for_instead(words: str) -> bool:
    """Whether somebody asks why one thing is done rather than another: *why edit it instead of …?*

    So does who asks why something is not done: *why not use the helper?*

    That says what is wanted as plainly as an order does.
    """
    is_why_not = _WHY_NOT.search(words) is not None
    return is_why_not or (asks_why(words) and _INSTEAD.search(words) is not None)


def asks_why(words: str) -> bool:
    """Whether somebody asks why something is done."""
    return _WHY.search(words) is not None


def says_what_instead(words: str) -> bool:
    """Whether a correction says what is to be done, as an order or as a question after it."""
    if asks_for_instead(words):
        return True
    is_order = any(clause.is_order for clause in clauses_in(words))
    is_order |= any(found[1].lower() in _ORDERS for found in _FIRST.finditer(words))
    return is_order and not is_of_moment(words) and not points(words)


def says_instead(words: str) -> bool:
    """Whether words say what is to be done, and that it is in the place of something else."""
    return _INSTEAD.search(words) is not None and says_what_instead(words)


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
    (“I think we should split the types”), nor what is due behind each of the things that one task
    is about (“after each device is added”).
    """
    rest = _EACH.sub(_without_things, _PROPOSED.sub(" ", words))
    return _STANDING.search(rest) is not None and _POINTING.search(words) is None


def holds_always(words: str) -> bool:
    """Whether words hold for every time by more than that they speak of all things of a kind.

    “Make sure all fields have labels” may be a task.
    """
    return is_standing(_WIDE.sub(" ", _EACH.sub(_marked, words)))


def _without_things(condition: re.Match[str]) -> str:
    """A condition on each step of any work; nothing of one on each thing of a task."""
    return condition[0] if stem_of(condition[1].lower()) in _STEPS else " "


def _marked(condition: re.Match[str]) -> str:
    """A condition on each step as a word that holds for every time."""
    return " always " if stem_of(condition[1].lower()) in _STEPS else " "


def without_conditions(words: str) -> str:
    """A text without what says when something is due: *run the linter before you commit*."""
    return _CONDITION.sub(" ", words)


def points(words: str) -> bool:
    """Whether words point at something that only their conversation had."""
    return _POINTING.search(words) is not None


def proposes(words: str) -> bool:
    """Whether words propose what is to be done next, and say nothing that holds for every time."""
    return _PROPOSED.search(words) is not None and not is_standing(words)


def is_joint(words: str) -> bool:
    """Whether somebody wants to be part of what is done: to look, to decide, to be asked."""
    return _JOINT.search(words) is not None
