"""A session's title: the agent's own, else what was first asked for in earnest.

Of prompts the first of the best rank counts: one that asks for something before one that only
points at something, and that before a bare command, a paste or a greeting.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from typing import NamedTuple

from helix_tui.digest.excerpt import excerpt_line
from helix_tui.digest.pasted import is_pasted_line, parted
from helix_tui.digest.tasks import is_answer, is_task
from helix_tui.schema import Facts
from helix_tui.text.asked import command_of, is_client_command, spoken

LENGTH = 80
# How well a prompt says what a session is about.
NOTHING, WORD, BARE, POINTING, TASK = range(5)
# How much an agent's own title counts: one that it made, one that a person gave.
MADE, GIVEN = 1, 2
_EXAMINED = 4000
# A title goes on with further sentences up to this length.
_ENOUGH = 60
_FEW_WORDS = 5
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=\S)")
_MARKS = re.compile(r"^(?:#{1,6}\s+|[*+-]\s+|(?:\d{1,3}|[A-Za-z])[.)]\s+|>\s?)+")
_BOLD = re.compile(r"\*\*|__(?=\S)|(?<=\S)__")
_HEADING = re.compile(r"^#{1,6}\s+\S")
_TASK_HEADING = re.compile(
    r"(?im)^#{1,6}\s+(?:your |the )?(?:task|goal|objective|mission|assignment|request|user input)\b"
    r".{0,60}$"
)
# The folders before a file's name, and what a client puts before a path.
_FOLDERS = re.compile(r"(?<![\w:/.@~-])@?~?/?(?:[\w.@+-]{1,60}/){1,12}(?=[\w.-]{2,80})")
_MEANWHILE = re.compile(r"(?i)^(?:while|when|since|after|once|now that)\b[^,.]{5,80},\s+(?=\w)")
_ASIDE = re.compile(r"\s?\([^()]{8,200}\)")
# Words that ask nicely, or only begin to speak.
_POLITE = re.compile(
    r"(?i)^(?:(?:ok(?:ay)?|so|now|well|great|thanks|also|and|oh|alright|right|hmm+|yes|yeah|next)"
    r"[\s,.!:–-]+|(?:can|could|would|will) (?:you|we) |please |help (?:me|us) (?:to |with )?"
    r"|i(?:'d| would) like (?:you |us )?to |i(?:'d| would) like your help with "
    r"|i (?:want|need) (?:you )?to |let'?s |let us |we (?:need|have|want) to |we should "
    r"|do you think |(?:it would be|would it be|is it|it is|it's) possible to "
    r"|is there (?:a|any) way to )+(?=\w)"
)
_GREETING = re.compile(
    r"(?i)^(?:(?:hey|hi|hello|good (?:morning|evening|day))(?: (?:claude|codex|grok|there|again))?"
    r"[\s,.!:–-]+)(?=\S)"
)
# Who the agent shall be is no task.
_PERSONA = re.compile(
    r"(?i)^(?:you are|you're|act as|your role is|imagine you)\b(?! (?:\w{1,20} )?\w{2,20}ing\b)"
)
# A sentence that ends in a colon and only points at what follows it.
_POINTS_ON = re.compile(
    r"(?i)(?:\b(?:the following|these|below)(?: [\w-]{1,30}){0,3}"
    r"|\b(?:i (?:got|get|have|received|see)|here(?: is|'s| are)|got) .{0,40}"
    r"\b(?:this|these|following|feedback|comments?|errors?|review)\b.{0,80}"
    r"|\b(?:look at|check|address|consider|see)\s?):\s*$"
)
# How things are, before what is asked for.
_STATES = re.compile(
    r"(?i)^(?:(?:oh|ok(?:ay)?|so|well|hmm+)[\s,]+)?(?:i|i've|i'm|we|we've|we're|this|that|these"
    r"|there(?:'s)?|it|it's|my|our)\b(?! (?:want|need|would|should|could|must)\b)"
)
_TELLS = re.compile(
    r"(?i)^(?:i have|i've|i'm|i am|we have|we've|we're|there(?:'s| is| are)|it's)\b"
)
_ASKS = re.compile(
    r"(?i)\b(?:(?:can|could|would) (?:you|we)|please|i(?:'d| would) like (?:you )?to"
    r"|i (?:want|need) (?:you )?to|help me|let'?s|do you think|(?:is|would) it(?: be)? possible to"
    r"|is there (?:a|any) way to|how (?:can|do|would|should) (?:i|we))\s"
)
# A request whose matter stands in what was said before it.
_POINTS_BACK = re.compile(
    r"(?i)(?:\w{2,20} ){0,2}(?:this|that|it|them|these|those)\b(?! (?:to|into|with|\d|\w+s\b))"
    r"|(?:take|have) a look\b"
)
_MOST_SENTENCES = 12
# An agent that greets though nobody spoke to it, as sub-agents do that are only warmed up.
_NOTHING_ASKED = "Nothing was asked"
# To change a branch, to commit and to push is no matter of a session's own.
_HOUSEKEEPING = re.compile(
    r"(?i)^(?:(?:get|go|switch|move|come) back to|switch to|check ?out|pull|push|commit|stage|merge"
    r"|fetch|rebase)(?:\W+(?:it|this|that|these|them|the|all|your|my|our|new|latest|last|changes?"
    r"|branch|main|master|develop|origin|remote|upstream|everything|work|files?|pr|in|on|onto|to"
    r"|from|into|with|and|then|now|again|please|commit|push|pull|merge|rebase|stage)){0,10}\W*$"
)
_CONTINUE = re.compile(
    r"(?i)^\W*(?:ok(?:ay)?|yes|please|now|so|and|can (?:we|you)|could (?:we|you)|let'?s|just)?\W*"
    r"(?:please )?(?:continue|go on|go ahead|keep going|carry on|proceed|resume|pick up)"
    r"(?: (?:from )?(?:where (?:we|you) (?:left|stopped)(?: off)?|on|with (?:it|that|this)"
    r"|the work|please|working|where we were)){0,3}\W*$"
)
_POINTS = re.compile(
    r"(?i)\b(?:it|them|here|below|above)\b|\b(?:this|that|these|those)(?: please| too| now)?\W*$"
)
# What only says that there is a session.
_GENERIC = frozenset(
    (
        *("a", "an", "the", "of", "in", "on", "my", "from", "for", "and", "no", "new", "test"),
        *("untitled", "unnamed", "default", "title", "session", "sessions", "chat", "thread"),
        *("conversation", "transcript", "log", "file", "task", "agent", "code", "cli"),
        *("claude", "codex", "grok", "gemini", "cursor", "copy", "copied", "started"),
        *("synthetic", "imported", "converted", "generated", "resumed", "forked"),
    )
)
_WORD = re.compile(r"[^\W_]+")
# Records of an agent's own titles, by how their event begins, the field that has it, and its rank.
_OWN = (
    ("title: ", "title", MADE),
    ("custom-title: ", "customTitle", GIVEN),
    ("ai-title: ", "aiTitle", MADE),
    ("summary: ", "summary", MADE),
    ('{"type":"thread_name_updated"', "thread_name", GIVEN),
)
_OWN_STARTS = tuple(start for start, _, _ in _OWN)


class Titled(NamedTuple):
    """A title with how much it counts."""

    rank: int
    text: str


def title_of_prompt(prompt: str, offered: Collection[int] = ()) -> Titled:
    """What a prompt would call its session; `offered` is what it may choose from.

    The prompt is redacted as a whole before: a line of a key alone does not look like one.
    """
    said = spoken(prompt)[:_EXAMINED]
    if not said or is_client_command(said):
        return Titled(NOTHING, "")
    command = command_of(said)
    if command is not None:
        name, arguments = command
        words = _matter(arguments) or _first_line(arguments)
        return Titled(TASK if words else BARE, _line(f"/{name} {words}"))
    written, pasted = parted(said)
    words = _matter(written)
    if not words:
        is_bare = is_task(said) and not is_answer(said, offered)
        return Titled(BARE if is_bare else WORD, _line(_first_line(written or pasted)))
    rank, title = _rank(said, words, offered), _line(words)
    if rank == POINTING and pasted and not _HOUSEKEEPING.match(words):
        title = _line(f"{words.rstrip('.:')}: {_first_line(pasted)}")
    return Titled(rank, title)


def _rank(said: str, words: str, offered: Collection[int]) -> int:
    """How well the words of a prompt say what a session is about."""
    if _CONTINUE.match(said) or is_answer(said, offered):
        return WORD
    count = len(words.split())
    if count < 2:
        return BARE if is_task(words) else WORD
    if _HOUSEKEEPING.match(words) or (count < _FEW_WORDS and _POINTS.search(words)):
        return POINTING
    return TASK


def own_title(text: str) -> Titled | None:
    """The title that an agent's own record gives, unless it says nothing."""
    if not text.startswith(_OWN_STARTS):
        return None
    start, field, rank = next(row for row in _OWN if text.startswith(row[0]))
    body = text if start.startswith("{") else text.removeprefix(start)
    try:
        record = json.loads(body)
    except (ValueError, RecursionError):
        record = {field: body}
    value = record.get(field) if isinstance(record, dict) else None
    if isinstance(record, dict) and record.get("by") == "person":
        rank = GIVEN
    title = _line(excerpt_line(value, 2 * LENGTH)) if isinstance(value, str) else ""
    return Titled(rank, title) if title and (rank == GIVEN or not is_generic(title)) else None


def note_own_title(facts: Facts, ts: int | None, text: str) -> str:
    """Take the title that an agent's record gives, if it does; return it.

    One that a person gave stands above one that was made, and the latest above those before it.
    """
    own = own_title(text)
    if own is None:
        return ""
    if (own.rank, ts or 0) >= (facts.own_title_rank, facts.own_title_ts or 0):
        facts.own_title, facts.own_title_rank, facts.own_title_ts = own.text, own.rank, ts
    return own.text


def note_asked_title(facts: Facts, prompt: str, offered: Collection[int]) -> None:
    """Take what a prompt would call its session, if it says that better than those before it."""
    if facts.asked_title_rank < TASK:
        asked = title_of_prompt(prompt, offered)
        if asked.rank > facts.asked_title_rank:
            facts.asked_title, facts.asked_title_rank = asked.text, asked.rank


def session_title(facts: Facts) -> str:
    """What a session is called: by its agent, by what was asked, else by what was done."""
    asked = facts.asked_title or title_of_prompt(facts.first_prompt).text
    done = next(iter(facts.commands), "") or next(iter(facts.tools), "")
    unasked = _NOTHING_ASKED if facts.last_reply else _line(done)
    return facts.own_title or asked or unasked


def is_generic(title: str) -> bool:
    """Whether a title only says that there is a session."""
    return all(word in _GENERIC or word.isdigit() for word in _WORD.findall(title.lower()))


def _matter(text: str) -> str:
    """The words with which a text comes to the point: at most a few sentences, nicely asked."""
    lines = [line for line in text.split("\n") if line.strip()]
    if lines and _PERSONA.match(_clean(lines[0])) and (task := _TASK_HEADING.search(text)):
        lines = [line for line in text[task.end() :].split("\n") if line.strip()] or lines
    words = lead = ""
    for number, line in enumerate(lines):
        if is_pasted_line(line) and number:
            continue
        is_last = number == len(lines) - 1
        if _HEADING.match(line.strip()) and (not words or words.endswith(":")):
            heading = _clean(line)
            if len(heading.split()) > 2 or is_last:
                return heading
            continue
        for sentence in _SENTENCE.split(_clean(line)):
            said = _GREETING.sub("", sentence).strip()
            is_label = not is_last and len(line.split()) < 3
            if not said or (not words and (is_label or _PERSONA.match(said) or not is_task(said))):
                continue
            words = f"{words} {_behind_pointer(said) if not words else said}".strip()
        if not (lead or is_last) and _POINTS_ON.search(words) and not _SENTENCE.search(words):
            lead, words = words, ""
        elif len(words) >= _ENOUGH and not words.endswith(":"):
            break
    words = words or lead
    shown = words[:LENGTH]
    is_said = _STATES.match(words) and not _ASKS.search(shown) and "?" not in shown
    if is_said or (len(words) > LENGTH and _TELLS.match(words)):
        words = _request_in(text) or words
    return _plainly(words)


def _request_in(text: str) -> str:
    """The first sentence that asks for something, of a text that first tells how things are."""
    sentences = [part for line in text.split("\n") for part in _SENTENCE.split(_clean(line))]
    for sentence in sentences[1:_MOST_SENTENCES]:
        asked = _ASKS.search(sentence)
        wanted = sentence[asked.end() :].split() if asked else []
        is_about = len(wanted) > _FEW_WORDS and not _POINTS_BACK.match(_POLITE.sub("", sentence))
        if is_about:
            return sentence
    return ""


def _behind_pointer(sentence: str) -> str:
    """A sentence without a beginning that only points at the rest of it."""
    head, _, rest = sentence.partition(": ")
    return rest if len(rest.split()) > 2 and _POINTS_ON.search(f"{head}:") else sentence


def _plainly(words: str) -> str:
    """The words without asking nicely; too long ones without asides, folders and meanwhiles."""
    plain = _POLITE.sub("", words)
    if len(plain.split()) > 2 and plain != words:
        words = plain[0].upper() + plain[1:]
    if len(words) > LENGTH:
        words = _FOLDERS.sub("", _ASIDE.sub("", words, count=1))
    return _MEANWHILE.sub("", words) if len(words) > LENGTH else words


def _first_line(text: str) -> str:
    return next((line for line in map(_clean, text.split("\n")) if line), "")


def _clean(line: str) -> str:
    """A line without the marks of Markdown, and without what breaks lines in a terminal."""
    return _BOLD.sub("", _MARKS.sub("", line.strip())).strip().rstrip("\\").strip()


def _line(text: str) -> str:
    """A text as a title: one line, cut at a word."""
    line = " ".join(text.split())
    if len(line) <= LENGTH:
        return line
    line = line[: LENGTH - 1]
    blank = line.rfind(" ")
    return line[: blank if blank > LENGTH // 2 else None].rstrip(" ,;:–-") + "…"
