"""Short turns by which a person steers the work: a refusal, another way, a rule for tools."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from helix_tui.memory.distill import cues
from helix_tui.memory.distill.asking import only_asks
from helix_tui.memory.distill.headline import headline
from helix_tui.memory.distill.prose import lines_of, plain_line, sentences_of
from helix_tui.memory.distill.quoting import quoted
from helix_tui.schema.memory import Exchange, Piece
from helix_tui.text.weakens import speaks_against_guards

_MOST_OF_STEERING = 160
_MOST_WORDS = 20
_MOST_OF_RULE = 9
_MOST_OF_REFUSAL = 8
_SAID_LENGTH = 100
_PROPOSAL_LENGTH = 160
_MOST = 4
_REFUSING = re.compile(
    r"(?i)\W*(?:(?:oh|ah|ok(?:ay)?|hmm+|well|actually)\W+)?(?:no+(?! (?:problem|worries|idea))|nope"
    r"|na+h+|never ?mind|scratch that|forget (?:it|that|about)|cancel(?: (?:it|that))?|not now"
    r"|i (?:do not|don['’]t) (?:want|like) (?:it|that|this))\b"
)
_TAKEN_OUT = re.compile(
    r"(?i)\W*(?:(?:oh|ah|ok(?:ay)?|hmm+|well|actually|no)\W+)?(?:never ?mind|scratch that(?: idea)?"
    r"|forget (?:it|that|about it)|na+h+|nope)\W*"
)
# An answer to what was asked goes on with what is wanted: `no, the second file`.
_NO_ANSWER = re.compile(r"(?i)\W*(?:no+|nope|na+h+)\W+(?=\S+ \S)(?!thanks|thank|don['’]?t|not\b)")
_PROPOSING = re.compile(
    r"(?i)\b(?:if you (?:confirm|agree|approve|want|like|prefer)|(?:shall|should) i\b|want me to"
    r"|would you like|do you want|i (?:recommend|suggest|propose)|my (?:recommendation|suggestion"
    r"|proposal)|(?:brief |the |my )?plan (?:is|for|to)\b|i(?:['’]ll| will| can| would)\b)"
)
# What is asked of the thing, or tried in the place of what was made.
_OTHERWISE = re.compile(
    r"(?i)(?:\bmaybe (?:try|use)\b|\btry (?:using |with )?(?:https?://|`|[\w.@/-]+ instead\b)"
    r"|\b(?:use|do|make|put|call|keep|try) .{1,80}\binstead\b"
    r"|\b(?:must|ha(?:s|ve) to|needs? to|should) (?:only |all |always |not )?be (?:an? )?\S+"
    r"|\b(?:must ?n['’]?o?t|should ?n['’]?o?t|do(?:es)?n['’]?t need to) \S+ \S"
    r"|^\W*(?:(?:can|could|should) (?:we|you) )(?:also |please )?just (?:remove|drop|use|make|keep"
    r"|list|call|put)\b.*"
    r"|^\W*(?:please )?(?:revert|undo|roll back|take (?:it|that) (?:back|out)|get rid of)\b.*)"
)
# One tool or way in the place of another, whatever the task is.
_JUST = re.compile(r"(?i)\W*(?:can|could) (?:you|we) (?:also |please )?just\b(?!.*[?？]\W*$)")
_RULE = re.compile(
    r"(?i)\W*(?:(?:please|and|we|no,?|always|just) )*(?:use|run|prefer|write) [\w./@`+-]{2,40}"
    r"(?: [\w./@`+-]{1,20})?,? (?:not|instead of|rather than|and not) (?!only\b|just\b|yet\b)"
    r"[\w./@`+-]{2,40}(?: [\w./@`+-]{1,20})?\W*"
)


def next_turns(turns: Sequence[Exchange]) -> Iterator[tuple[Exchange, Exchange]]:
    """Each turn with the next, without commands of the client behind which nothing was done."""
    yield from pairwise(
        turn for turn in turns if turn.calls or turn.answered or not turn.asked.startswith("/")
    )


def refuses(before: Exchange, asked: str) -> bool:
    """Whether a short prompt refuses what the reply before it proposes, asks or offers."""
    return not before.edits and bool(_refusal_in(asked) and _proposed(before))


def _refusal_in(asked: str) -> str:
    """The words by which a prompt refuses: all of a short one, or its first sentence."""
    plain = plain_line(asked)
    first = sentences_of(plain)[0] if plain else ""
    if _TAKEN_OUT.fullmatch(first):
        return first
    is_short = len(plain.split()) <= _MOST_OF_REFUSAL and not plain.endswith(("?", "？"))
    is_refusing = _REFUSING.match(plain) is not None and _NO_ANSWER.match(plain) is None
    return plain if is_short and is_refusing else ""


def is_rule(text: str) -> bool:
    """Whether somebody puts one tool or way in the place of another in a few words."""
    plain = plain_line(text)
    return len(plain.split()) <= _MOST_OF_RULE and _RULE.fullmatch(plain) is not None


def steered(piece: Piece, told: str) -> Iterator[str]:
    """What a person refused, or wanted otherwise, in a few words, with what that answers.

    What stands in `told` already is not told again.
    """
    count = 0
    for before, turn in next_turns(piece.exchanges):
        asked = plain_line(turn.asked)
        if count >= _MOST or not asked or asked in told or speaks_against_guards(asked):
            continue
        if refuses(before, turn.asked):
            count += 1
            yield _refused(before, quoted(_refusal_in(turn.asked)))
        elif words := _other_way(before, turn):
            count += 1
            yield f"The user: {quoted(words)}{_said(before)}"


def _refused(before: Exchange, words: str) -> str:
    """A refusal with the proposal; with what was asked, where it broke off before it had one."""
    if proposal := _proposal_of(before.answered):
        of = quoted(proposal, _PROPOSAL_LENGTH)
        return f"The user refused with {words} what the agent had proposed: {of}"
    asked = quoted(before.asked, _PROPOSAL_LENGTH)
    return f"The user dropped with {words} what had been asked: {asked}"


def _other_way(before: Exchange, turn: Exchange) -> str:
    """The words by which a short prompt wants what was made, or shown, otherwise."""
    asked = plain_line(turn.asked)
    is_short = len(asked) <= _MOST_OF_STEERING and len(asked.split()) <= _MOST_WORDS
    is_asking = only_asks(asked) and _JUST.match(asked) is None
    is_asking = is_asking and not asked.casefold().startswith("maybe")
    is_behind_work = bool(before.edits or before.is_cut or before.calls)
    if not is_short or is_asking or not is_behind_work or asked.startswith("/"):
        return ""
    return asked if _OTHERWISE.search(asked) else ""


def _said(before: Exchange) -> str:
    said = headline(before.answered)
    return f" (the agent had said: {quoted(said, _SAID_LENGTH)})" if said else ""


def _proposed(before: Exchange) -> str:
    """What a turn proposed; what it was asked, where it broke off before it said so."""
    return _proposal_of(before.answered) or (plain_line(before.asked) if before.is_cut else "")


def _proposal_of(reply: str) -> str:
    """The last sentence of a reply that proposes, asks or offers something."""
    sentences = [
        sentence
        for line in lines_of(reply)
        if not (line.is_heading or line.is_row)
        for sentence in sentences_of(line.text)
    ]
    proposing = [one for one in sentences if _PROPOSING.search(one) and not cues.POLITE.search(one)]
    return proposing[-1] if proposing else ""
