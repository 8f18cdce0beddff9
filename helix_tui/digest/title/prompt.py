"""What a prompt would call its session: the sentence with which it comes to the point."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache
from typing import NamedTuple

from helix_tui.digest.pasted import parted
from helix_tui.digest.tasks import is_answer, is_task
from helix_tui.digest.title.line import FOLLOWS, LENGTH, as_title, cut_behind_phrase
from helix_tui.digest.title.pointing import begins_with_it
from helix_tui.digest.title.sentences import (
    FORBIDS,
    POINTS_ON,
    clean,
    first_line,
    lines_in,
    sentences_in,
)
from helix_tui.digest.title.telling import ENOUGH, is_telling, telling_words
from helix_tui.text.asked import command_of, is_client_command, spoken
from helix_tui.text.lazy import lazy
from helix_tui.text.request_words import ORDERS, TASK_ORDERS

# How well a prompt says what a session is about.
NOTHING, WORD, BARE, POINTING, TASK = range(5)
_ORDERS = ORDERS | TASK_ORDERS
_EXAMINED = 4000
_ENDS = (".", "!", "?", ":")
_FEW_WORDS = 5
# What stands before a piece of a brief that is not the work itself.
_LABEL = lazy(r"(?i)(?:context|background|notes?|user|important|constraints?|scope):")
_ITEM = re.compile(r"^\s{0,8}(?:[*+-]|\d{1,3}[.)])\s")
# Several things, and what they were called before.
_THEM = lazy(r"(?i)\bthem\b")
_THOSE = lazy(r"(?i)\b(?:those|these|the|our|my|some) ((?:[\w./-]{2,30} ){0,3}[\w-]{2,30}s)\b(?= )")
# A page that is only read for what is asked then.
_READS_PAGE = lazy(
    r"(?i)(?:please )?(?:read|see|look at|check(?: out)?|open|visit|go to) "
    r"https?://(?:www\.)?([\w.-]{3,40})\S{0,200}$"
)
# Steps that only lead to the work.
_PREPARES = lazy(r"(?i)(?:check|identify|locate|determine) (?:out )?the\b")
# Words that ask nicely, or only begin to speak.
_POLITE = re.compile(
    r"(?i)^(?:(?:ok+(?:ay)?|so|now|well|great|thanks|also|and|but|oh|gah|alright|right|hmm+|yes|yeah"
    r"|next|first(?:ly)?|please|plz|pls|perfect|fair enough|never mind)[\s,.!:–-]+"
    r"|(?:can|could|would|will) (?:you|we)(?: please| maybe| also| just)* |please |kindly "
    r"|help (?:me|us) (?:to |with )?"
    r"|i(?:'d| would) (?:also )?like (?:you |us )?to |i(?:'d| would) like your help (?:with|in) "
    r"|i (?:want|need) (?:you )?to |let'?s |let us |we (?:need|have|want) to |(?:we|you) should "
    r"|would like to |i(?:'d| would) like |proceed to (?=\w+ \w)"
    r"|your (?:job|task|goal) is to |do you think |as you know[\s,]+"
    r"|(?:here'?s|here is|this is) (?:your|ur|the) (?:new |next )?task[\s,:.]+"
    r"|fix (?:the|a|an|this|another) (?:\w{1,12} )?(?:part|problem|issue|bug|thing) which is "
    r"|(?:it would be|would it be|is it|it is|it's) possible to "
    r"|is there (?:a|any) way to )+(?=\w)"
)
# What is asked nicely is no question once it is said plainly.
_ASKED_NICELY = re.compile(r"(?i)\b(?:can|could|would|will) (?:you|we)\b|\bdo you think\b")
# What an agent is told that it does is an order.
_YOU_DO = re.compile(r"(?i)^you (?:will )?(?=([a-z]{2,20})\b)")
_YOU_ARE_DOING = re.compile(r"(?i)^(?:you are|you're) (?=(?:\w{1,20} )?\w{2,20}ing\b)")
# Words that ask for what follows them, wherever they stand.
_ASKS = re.compile(
    r"(?i)\b(?:(?:can|could|would) (?:you|we)|please|i(?:'d| would) (?:also )?like(?: you)?(?: to)?"
    r"|i (?:want|need) (?:you )?to|(?:and|but) would like to|help (?:me|us)|let'?s|do you think"
    r"|(?:is|would) it(?: be)? possible to|is there (?:a|any) way to|(?:we|you) should"
    r"|your (?:job|task|goal) is to|how (?:can|do|would|should) (?:i|we))\s(?=\S)"
)
_QUESTION = re.compile(
    r"(?i)^(?:what|why|how|which|where|when|who|does|do|did|is|are|was|were|has|have|should|can"
    r"|could|would|will)\b.{8,}\?"
)
_WONDERS = lazy(r"(?i)^i(?:'m| am|'ve been)? (?:just )?(?:curi\w{2,4}|wonder\w{0,3})\b")
# How things are, before what is asked for.
_STATES = re.compile(
    r"(?i)^(?:(?:oh|ok(?:ay)?|so|well|hmm+)[\s,]+)?(?:i|i've|i'm|we|we've|we're|you|this|that|these"
    r"|there(?:'s)?|it|it's|my|our|all of|in this|each)\b"
    r"(?! (?:want|need|would|should|could|must)\b)"
)
_TELLS = re.compile(
    r"(?i)^(?:i have|i've|i'm|i am|we have|we've|we're|there(?:'s| is| are)|it's|all of (?:my|our)"
    r"|in this (?:repo|repository|project)|this (?:was|is)|that (?:was|is))\b"
)
# A request whose matter stands in what was said before it.
_POINTS_BACK = re.compile(
    r"(?i)(?:\w{2,20} )?(?:this|that|it|them|these|those)\b(?! (?:to|into|with|\d|\w+s\b))"
    r"|(?:take|have) a look\b"
)
_THESE = re.compile(
    r"\b(?:[Tt]his|[Tt]hese|[Tt]hose)(?: \d{1,3})? "
    r"(?!branch|repo|project|folder|codebase|one|is|are)\w"
    r"|\bONE\b"
)
_FILE = re.compile(
    r"(?<![\w.-])(?:[\w.@~+-]{1,60}/){0,12}(\w[\w-]{0,60}(?:\.[A-Za-z]\w{0,5}){1,2})\b"
)
# Several files that were named before.
_THESE_FILES = lazy(r"(?i)\b(?:these|those)(?: \d{1,2}| two| three| four| five)? files\b")
_FILES_SHOWN = 3
# To change a branch, to commit and to push is no matter of a session's own.
_HOUSEKEEPING = re.compile(
    r"(?i)^(?:(?:get|go|switch|move|come) back to|switch to|check ?out|pull|push|commit|stage|merge"
    r"|fetch|rebase|package|review|(?:open|create|make) (?:a |the )?(?:pr|pull request))"
    r"(?:\W+(?:it|this|that|these|them|the|an?|all|your|my|our|new|latest|last|changes?|current"
    r"|branch|main|master|develop|origin|remote|upstream|everything|work|files?|pr|in|on|onto|to"
    r"|from|into|with|and|then|now|again|please|commit|push|pull|merge|rebase|stage|code|against"
    r"|base|working.tree|uncommitted|staged|request|git(?:hub|lab)?)){0,14}\W*$"
)
_CONTINUE = re.compile(
    r"(?i)^\W*(?:ok(?:ay)?|yes|please|now|so|and|can (?:we|you)|could (?:we|you)|let'?s|just)?\W*"
    r"(?:please )?(?:continue|go on|go ahead|keep going|carry on|proceed|resume|pick up)"
    r"(?: (?:from )?(?:where (?:we|you) (?:left|stopped)(?: off)?|on|with (?:it|that|this)"
    r"|the work|please|working|where we were)){0,3}\W*$"
)
# An error that is spoken of, and one that is shown.
_OF_ERROR = lazy(r"(?i)\b(?:errors?|exception|crash\w{0,3}|warning|trace(?:back)?|fail\w{0,4})\b")
_SHOWN_ERROR = lazy(r"\b([A-Z][A-Za-z]{2,40}(?:Error|Exception): [^\n(:]{8,120})")
_OF_ERROR_MORE = 8
_COMMAND = re.compile(r"^/[A-Za-z][\w:.-]{0,80}\s+")
# What was typed at a shell's prompt.
_TYPED = re.compile(r"(?m)^\s{0,8}[$❯➜]\s+(\S.{1,200})$")


class Titled(NamedTuple):
    """A title with how much it counts."""

    rank: int
    text: str


def asks_for_something(prompt: str) -> bool:
    """Whether a prompt asks, and does not only tell how things are."""
    return any(
        _QUESTION.match(said) or _ASKS.search(said) or not _STATES.match(_POLITE.sub("", said))
        for said in sentences_in(parted(spoken(prompt)[:_EXAMINED]).written)
    )


def asks_only(title: str) -> bool:
    """Whether a title is a question after something, and no wish or report in its form."""
    return _QUESTION.match(title) is not None or _WONDERS.match(title) is not None


def title_of_prompt(prompt: str, offered: Collection[int] = ()) -> Titled:
    """What a prompt would call its session; `offered` is what it may choose from.

    The prompt is redacted as a whole before: a line of a key alone does not look like one.
    """
    said = spoken(prompt)[:_EXAMINED]
    return _titled(said, tuple(offered) if len(said.strip()) <= LENGTH else ())


# The same is asked when a prompt is heard, when its session is judged, and of templates again.
@lru_cache(maxsize=256)
def _titled(said: str, offered: tuple[int, ...]) -> Titled:
    if not said or is_client_command(said):
        return Titled(NOTHING, "")
    command = command_of(said)
    if command is not None:
        return _title_of_command(*command)
    if len(said) <= LENGTH and (_CONTINUE.match(said) or is_answer(said, offered)):
        return Titled(WORD, _plainly(first_line(said)))
    written, pasted = parted(said)
    words = _matter(written)
    if not words:
        is_bare = is_task(said) and not is_answer(said, offered)
        return Titled(BARE if is_bare else WORD, as_title(first_line(written or pasted)))
    rank, title = _rank(said, words), as_title(words)
    if rank >= POINTING and not _HOUSEKEEPING.match(words):
        if not is_telling(title) and pasted and len(title) <= LENGTH - 20:
            title = _with_what_was_pasted(words, written, pasted)
        elif len(telling_words(title)) < ENOUGH:
            title = as_title(_matter(written, goes_on=True))
        title = _with_error(_with_file(title, written), said)
        rank = TASK if is_telling(title) else POINTING
    return Titled(rank, title)


def _title_of_command(name: str, arguments: str) -> Titled:
    """A slash command with what was asked of it."""
    if len(arguments) <= LENGTH and "\n" not in arguments:
        words = arguments
    else:
        words = _matter(arguments) or first_line(arguments)
    title = as_title(f"/{name} {words}")
    is_whole = bool(telling_words(words)) or "://" in words
    return Titled((TASK if is_whole else POINTING) if words else BARE, title)


def _rank(said: str, words: str) -> int:
    """How well the words of a prompt say what a session is about."""
    if _CONTINUE.match(said):
        return WORD
    if len(words.split()) < 2:
        return BARE if is_task(words) else WORD
    return POINTING if _HOUSEKEEPING.match(words) else TASK


def _with_what_was_pasted(words: str, written: str, pasted: str) -> str:
    """Words that name nothing, with the command or the first line of what is pasted behind them."""
    plain = words.rstrip(".:?! ")
    typed = _TYPED.search(f"{written}\n{pasted}")
    return as_title(f"{plain}: {typed[1] if typed else first_line(pasted)}")


def _with_error(title: str, said: str) -> str:
    """A title that was cut where it speaks of an error, with the one that the prompt shows."""
    shown = _SHOWN_ERROR.search(said) if title.endswith("…") and _OF_ERROR.search(title) else None
    if shown is None or shown[1] in title:
        return title
    error = cut_behind_phrase(shown[1].strip(), LENGTH // 2 + _OF_ERROR_MORE)
    return f"{error}: {cut_behind_phrase(title, LENGTH - len(error) - 2)}"


def _with_file(title: str, written: str) -> str:
    """A title that points at one thing or at some, with the file that the prompt names first."""
    title = _with_files(title, written)
    named = _FILE.search(written) if _THESE.search(title) and not _FILE.search(title) else None
    if named is None or len(named[1]) > LENGTH // 2:
        return title
    room = LENGTH - len(named[1]) - 3
    return f"{cut_behind_phrase(title.rstrip('.:?!… '), room).rstrip('…')} ({named[1]})"


def _with_files(title: str, written: str) -> str:
    """A title that acts on these files, with the names of the files that stand before that."""
    these = _THESE_FILES.search(title)
    before = _THESE_FILES.search(written)
    names = list(dict.fromkeys(_FILE.findall(written, 0, before.start()))) if before else []
    if these is None or not names:
        return title
    shown = names[:_FILES_SHOWN]
    said = f"{', '.join(shown[:-1])} and {shown[-1]}" if shown[1:] else shown[0]
    if len(names) > _FILES_SHOWN:
        said = f"{shown[0]} and {len(names) - 1} more files"
    whole = f"{title[: these.start()]}{said}{title[these.end() :]}"
    return cut_behind_phrase(whole)


def _matter(text: str, *, goes_on: bool = False) -> str:
    """The words with which a text comes to the point, plainly, and what fits of what follows.

    One that `goes_on` takes what follows until it says what it is about.
    """
    sentences = sentences_in(text)
    if not sentences:
        return ""
    at = _comes_to_the_point(sentences)
    words = _plainly(_named_them(sentences[at]))
    if at and (lead := _lead_of(text, sentences[at])):
        words = f"{lead} {words}"
    if at and (page := _READS_PAGE.match(sentences[at - 1])):
        return f"{words.rstrip('.:?! ')} ({page[1]})"
    for further in sentences[at + 1 :]:
        longer = f"{words}{'' if words.endswith(_ENDS) else '.'} {further}"
        is_enough = not goes_on or len(telling_words(words)) >= ENOUGH
        leads_on = words.endswith(":") and not (FOLLOWS.search(words) or _LABEL.match(further))
        if is_enough and len(longer) > LENGTH and not leads_on:
            break
        words = longer
    return words


def _comes_to_the_point(sentences: list[str]) -> int:
    """Which sentence to take: the first, unless it only says how things are before a request."""
    first = _as_order(_COMMAND.sub("", sentences[0]))
    shown = first[:LENGTH]
    if sentences[1:] and (FORBIDS.match(first) or _is_about_it(first, sentences[1])):
        return 1 + (len(sentences) > 2 and _READS_PAGE.match(sentences[1]) is not None)
    if sentences[1:] and _READS_PAGE.match(first):
        return 1
    is_said = _STATES.match(first) and not _ASKS.search(shown) and "?" not in shown
    if is_said or (len(first) > LENGTH and _TELLS.match(first) and not _ASKS.search(first)):
        for at, sentence in enumerate(sentences[1:], 1):
            if _is_request(sentence) and not _PREPARES.match(sentence):
                return at
    if len(first) > LENGTH and not (_ASKS.search(first) or "?" in shown or _is_request(first)):
        for at, sentence in enumerate(sentences[1:], 1):
            if _ASKS.search(sentence) and _is_request(sentence):
                return at
    return 0


def _as_order(sentence: str) -> str:
    """A sentence that tells an agent what it does, as an order."""
    told = _YOU_DO.match(sentence)
    return sentence[told.end() :] if told and told[1].lower() in _ORDERS else sentence


def _lead_of(text: str, item: str) -> str:
    """The line that leads to a list, where a sentence is a further item of that; else nothing."""
    lead = ""
    for line in lines_in(text):
        if not _ITEM.match(line):
            lead = clean(line)
        elif item in clean(line):
            is_lead = lead.endswith(":") and not POINTS_ON.search(lead) and len(lead) < LENGTH // 2
            return lead if is_lead else ""
    return ""


def _named_them(sentence: str) -> str:
    """A sentence that asks to do something with them, with what it calls them before."""
    asked = _ASKS.search(sentence)
    them = _THEM.search(sentence, asked.end()) if asked else None
    if asked is None or them is None or them.end() - asked.end() > LENGTH // 2:
        return sentence
    named = _THOSE.search(sentence, 0, asked.start())
    return (
        f"{sentence[: them.start()]}the {named[1]}{sentence[them.end() :]}" if named else sentence
    )


def _is_about_it(first: str, second: str) -> bool:
    """Whether a first sentence speaks of something that only the second one names."""
    is_named = not begins_with_it(second) and len(telling_words(second)) >= ENOUGH
    return is_named and begins_with_it(first) and not _ASKS.search(first)


def _is_request(sentence: str) -> bool:
    """Whether a sentence asks for something, and says for what."""
    plain = _as_order(_POLITE.sub("", sentence))
    if _POINTS_BACK.match(plain) or _HOUSEKEEPING.match(plain):
        return False
    asked = _ASKS.search(sentence)
    if asked is not None:
        return len(sentence[asked.end() :].split()) > _FEW_WORDS
    return (
        len(plain.split()) > _FEW_WORDS
        and plain.split(maxsplit=1)[0].lower().rstrip(",:") in _ORDERS
    )


def _plainly(words: str) -> str:
    """The words without asking nicely, and without what is told before they ask."""
    plain = _as_order(_YOU_ARE_DOING.sub("", _POLITE.sub("", words)))
    began = words[: len(words) - len(plain)].lower().replace("please", "")
    has_asked = _ASKS.search(f"{began}…") is not None
    asked = _ASKS.search(plain) if len(plain) > LENGTH or _STATES.match(plain) else None
    if asked and not has_asked and len(plain[asked.end() :].split()) > _FEW_WORDS:
        later = _POLITE.sub("", plain[asked.start() :])
        if len(telling_words(later)) >= ENOUGH + bool(_POINTS_BACK.match(later)):
            plain = later
    if plain != words and len(plain.split()) > 2:
        is_wish = _ASKED_NICELY.search(words, 0, len(words) - len(plain)) is not None
        if is_wish or (_ASKED_NICELY.search(words) and not _QUESTION.match(plain)):
            plain = plain.rstrip("? ")
        return plain[0].upper() + plain[1:]
    return words
