"""Which turns of a session are told: those that stand, not those that were taken back."""

from __future__ import annotations

import re
from collections.abc import Sequence

from helix_tui.memory.distill import cues
from helix_tui.memory.distill.prose import plain_line, sentences_of
from helix_tui.memory.distill.steered import next_turns, refuses
from helix_tui.schema.memory import Exchange, Piece
from helix_tui.text.causes import speaks_of_trouble

# A reply so short closes a turn; its report stands before it.
_SHORT_REPLY = 160
# A reply so long is a report, also where some call follows it.
_LONG_REPLY = 600
# A correction that little speaks for is not told as one.
FIRM = 3.0
_LEAST = 2.0
_MOST_OF_ASSENT = 3
# A longer prompt is pasted, or a brief, and objects to nothing as such.
_MOST_OF_OBJECTION = 500
_MOST_OF_ROWS = 5
_BEGINNING = 160
_MOST_OF_SHORT = 240
_OVERTURNING = ("correction", "report")
_WHY = re.compile(
    r"(?i)\W*(?:(?:but|and|so|wait|no)\W+)*(?:why|how come|did(?:n['’]?t)? you|what happened)\b"
)
_CONTRADICTING = re.compile(
    r"(?i)\b(?:none of|not|(?:is|are|was|does|do|did|has|have)n['’]?t|never|wrong|still"
    r"|(?:way|far) too)\b"
)
_MORE = re.compile(
    r"(?i)\W*(?:(?:wait(?: a \w+)?|ok(?:ay)?|yes|please|also|and|but|so|great|now)[,.!]? )*"
    r"(?:(?:can|could|would) (?:you|we)|(?:how|what) about|what (?:if|happens)"
    r"|how (?:does|do|would)|add\b|we (?:also )?(?:need|should|must)"
    r"|i(?:['’]d| would) like|let['’]?s|do you think|are you sure|continue|when i (?:re)?run)\b"
)
_WHY_NOT = re.compile(
    r"(?i)\W*(?:(?:but|and|so|wait|no)\W+)*why (?:is|are|does|do|did|would) [^.?!\n]{1,120}"
    r"\b(?:not|still|instead)\b"
)
_NAMED_FILE = re.compile(r"(?<![\w.-])[\w-]+(?:\.[\w-]+)*\.[a-z]{1,4}\b(?!/)")


def overturned(piece: Piece) -> frozenset[int]:
    """The prompts whose answers did not hold: the person objected, or the agent took it back."""
    asks = {turn.asked_event for turn in piece.exchanges if _only_asks(turn.asked)}
    scores = {
        told.event: told.score
        for told in piece.told
        if told.kind in _OVERTURNING and told.event and told.event not in asks
    }
    fallen = {
        before.asked_event
        for before, turn in next_turns(piece.exchanges)
        if _is_objection(before, turn, scores.get(turn.asked_event))
        or _asks_why_not(before, turn)
        or _takes_back(turn)
        or refuses(before, turn.asked)
    }
    # What was only agreed to, and did not hold when it was done, was wrong before.
    agreed = {
        before.asked_event
        for before, turn in next_turns(piece.exchanges)
        if turn.asked_event in fallen and not before.edits and _only_agrees(turn.asked)
    }
    return frozenset(fallen | agreed)


def _asks_why_not(before: Exchange, turn: Exchange) -> bool:
    """Whether somebody asks why a thing is as it is and not otherwise, and it is done anew."""
    is_why = _WHY_NOT.match(plain_line(turn.asked)) is not None
    return is_why and bool(set(before.files) & set(turn.files))


def _is_objection(before: Exchange, turn: Exchange, score: float | None) -> bool:
    """Whether a prompt of such a score objects.

    Any does where the work was broken into, or where it says what is not so, and it is then done
    anew in the same files.
    """
    if score is None:
        return False
    is_anew = score >= _LEAST and bool(set(before.files) & set(turn.files))
    is_anew = is_anew and _CONTRADICTING.search(turn.asked[:_BEGINNING]) is not None
    is_anew = is_anew and not _wants_more(turn.asked)
    return score >= FIRM or before.is_cut or is_anew


def _wants_more(asked: str) -> bool:
    """Whether a prompt wants something further, and lets stand what was done."""
    return _MORE.match(plain_line(asked)) is not None


def _only_agrees(asked: str) -> bool:
    return len(asked.split()) <= _MOST_OF_ASSENT and cues.ASSENT.match(asked) is not None


def reactions(piece: Piece) -> dict[int, str]:
    """By prompt, in Helix's words, what came next of an answer that did not hold.

    What somebody pastes at length (the next findings of a review, a brief) objects to nothing.
    """
    kinds = {told.event: told.kind for told in piece.told if told.event and told.score >= FIRM}
    found: dict[int, str] = {}
    for before, turn in next_turns(piece.exchanges):
        kind = kinds.get(turn.asked_event)
        is_brief = len(turn.asked) <= _MOST_OF_OBJECTION and turn.asked.count("\n") <= _MOST_OF_ROWS
        if _only_asks(turn.asked) or _is_of_other_file(before, turn.asked):
            kind = None
        if kind == "correction" and is_brief:
            found[before.asked_event] = "the user objected next"
        elif kind == "report" and (is_brief or _tells_trouble(turn.asked)):
            found[before.asked_event] = "the user reported trouble next"
        elif _takes_back(turn):
            found[before.asked_event] = "the agent took it back next"
    return found


def _only_asks(asked: str) -> bool:
    """Whether a prompt is one question that speaks of no trouble."""
    plain = plain_line(asked)
    is_question = plain.endswith(("?", "？")) and len(sentences_of(plain)) == 1
    return is_question and not speaks_of_trouble(plain) and _WHY.match(plain) is None


def _is_of_other_file(before: Exchange, asked: str) -> bool:
    """Whether a prompt begins with files of which the turn before it changed none."""
    named = {match[0].casefold() for match in _NAMED_FILE.finditer(asked[:_BEGINNING])}
    changed = {name.replace("\\", "/").rpartition("/")[2].casefold() for name in before.files}
    return bool(named and changed) and not named & changed


def _tells_trouble(asked: str) -> bool:
    """Whether a long prompt begins with what went wrong: else it is the next thing to look at."""
    return speaks_of_trouble(asked[:_BEGINNING])


def _takes_back(turn: Exchange) -> bool:
    return any(cues.TAKEN_BACK.match(text) for text in (turn.began, turn.answered))


def report_of(turn: Exchange) -> str:
    """The reply that tells what came of a turn: its last, or the report before a short one."""
    reports = [aside.text for aside in turn.asides if not aside.result and not aside.edited]
    longest = max(reports, key=len, default="")
    return longest if len(turn.answered) < _SHORT_REPLY and longest else turn.answered


def is_on_the_way(turn: Exchange) -> bool:
    """Whether the last that an agent said in a turn was no report: it went on, and broke off."""
    text = turn.answered.rstrip()
    is_report = len(text) >= _LONG_REPLY or cues.DONE.match(text) is not None
    is_report = is_report and text[-1:] != ":"
    return turn.is_cut and not is_report and report_of(turn) == turn.answered


def worth_of(turn: Exchange) -> int:
    """How much was done in a turn, and said of it."""
    return min(turn.calls, 40) + 4 * min(turn.edits, 10) + min(len(turn.answered), 4_000) // 200


def calls_in(piece: Piece) -> int:
    """How many calls a piece has."""
    return sum(tally.calls for tally in piece.facts.tools.values())


def is_about(title: set[str], prompt: str) -> bool:
    """Whether a prompt has half of a title's words."""
    return 2 * len(title & words(prompt)) >= len(title)


_LONG_WORD = 5
_FEW = 1


def is_told_by(title: str, task: str) -> bool:
    """Whether a title has all words of a request but a few small ones."""
    left = words(task) - words(title)
    return bool(title) and sum(len(word) >= _LONG_WORD for word in left) <= _FEW


def words(text: str) -> set[str]:
    """The words of three letters and more."""
    return set(re.findall(r"\w{3,}", text.casefold()))


def without(
    turns: Sequence[Exchange], events: frozenset[int], *, but_changes: bool = False
) -> list[Exchange]:
    """The turns but those whose prompts are named, or of these those that changed something.

    Never without the last, to which nobody answered. A change that was made anew in a later turn
    that stands is none any more.
    """
    return [
        turn
        for at, turn in enumerate(turns)
        if turn.asked_event not in events
        or turn is turns[-1]
        or (but_changes and turn.edits and not _is_done_anew(turn, turns[at + 1 :], events))
    ]


def _is_done_anew(turn: Exchange, later: Sequence[Exchange], events: frozenset[int]) -> bool:
    """Whether a later turn that stands, and reports, changed the files of a turn again."""
    # Who lists points of a change lets the rest of it stand.
    is_whole = bool(later) and _is_short(later[0].asked) and not _wants_more(later[0].asked)
    return is_whole and any(
        one.asked_event not in events and one.answered and set(turn.files) & set(one.files)
        for one in later
    )


def _is_short(asked: str) -> bool:
    """Whether somebody objects in a line or two; what is pasted behind them does not count."""
    first = asked.strip().partition("\n\n")[0]
    return len(first) <= _MOST_OF_SHORT and first.count("\n") <= 1
