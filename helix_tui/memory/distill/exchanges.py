"""What was asked, and what came of it: the turns in which most was done, with what they came to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from helix_tui.memory.distill import cues
from helix_tui.memory.distill.answered import is_of_menu, is_picked
from helix_tui.memory.distill.budget import rank_of_work
from helix_tui.memory.distill.committed import Kept, commits_by_turn, committed_in
from helix_tui.memory.distill.conclusion import (
    conclusion,
    is_said,
    plain_words,
    said_on_the_way,
)
from helix_tui.memory.distill.earning import gives_reason, is_noise, points_elsewhere
from helix_tui.memory.distill.headline import asked_in_short, gist, headline, is_json, is_telling
from helix_tui.memory.distill.prose import at_a_pause, plain_line, sentences_of, shortened
from helix_tui.memory.distill.reply_parts import is_asking, says_little, stems_of
from helix_tui.memory.distill.superseded import done_since, is_superseded
from helix_tui.memory.distill.turns_told import (
    is_on_the_way,
    is_told_by,
    overturned,
    reactions,
    report_of,
    without,
    words,
    worth_of,
)
from helix_tui.schema.memory import Exchange, Piece
from helix_tui.text.causes import names_cause
from helix_tui.text.markdown import code_span

# This much of a prompt is enough to recognize it.
_RECALLED_LENGTH = 90
_TASK_LENGTH = 140
_NAMED_LENGTH = 48
# Shorter prompts ("yes", "8", "go on") say nothing to somebody who was not there.
LEAST_PROMPT = 16
_LEAST_OF_REQUEST = 3
_SHARED = 2
# Fewer words tell nothing beside what tells more, unless they give a reason.
_LEAST_OF_RESULT = 8
_LEAST_OF_PLAN = 60
# A reply on the way that answers what was asked has some words.
_LEAST_ANSWER = 120
# A longer prompt is a template, or a brief.
TEMPLATE = 1_000
_ALIKE = 50
# A turn of one call and a few words is not worth a line where there are better ones.
_LEAST_WORTH = 2
_OF_LIST = re.compile(r"(?i)\W*(?:on |for |and |as for |re:? |yes,? )?#?\d{1,2}\b(?!s\b)[\s,.:)-]")
# A finding by its weight, at the beginning of a line.
_CONTENT = re.compile(
    r"(?i)\W*(?:(?:ok(?:ay)?|yes|wow|that|it|this|now|looks?|is|all|very|so)\W+)*"
    r"(?:works?|worked|working|great|good|nice|perfect|cool|awesome|thanks?|thank you|thx|done)\b"
)
_MOST_OF_THANKS = 6
_FINDINGS = re.compile(
    r"(?im)^[ \t]*(?:[-*\d.)#]+[ \t]*)?[*_\[(]*(?:critical|high|medium|low|p[0-4]|blocker|major"
    r"|minor)\b[*_\])]*[ \t]*[:–—-]"
)
_LEAST_FINDINGS = 2
# What a line tells of a turn, and of the turn in which most was done.
_TURN_ROOM = 200
_ROOM_OF_MAIN = 540
_LATER = 12
_OF_CAUSE = 6
_OF_COMMIT = 24
_OF_TALK = 40
_PARTS = 2


class Work(NamedTuple):
    """A line on a request and what came of it, its rank among all lines, whose turn it is of."""

    rank: float
    line: str
    asked: str = ""


def key_exchanges(piece: Piece, task: str, told: Sequence[str]) -> Iterator[str]:
    """The requests and what came of them, a line each."""
    yield from (work.line for work in work_done(piece, task, told))


def work_done(piece: Piece, task: str, told: Sequence[str]) -> list[Work]:
    """The requests that led to something, in their order, each with what came of it.

    That are the commits of the turn, by their titles, and what the agent says that they do not.
    What is told as a decision or a lesson is not told here again.
    """
    commits = commits_by_turn(piece)
    turns = list(_worth_telling(piece, told, commits))
    objected, has_work = overturned(piece), has_edits(piece)
    # What was found out later stands on what was thought before.
    worths = {
        id(turn): worth_of(turn)
        + _LATER * at // len(turns)
        + _OF_CAUSE * names_cause(report_of(turn))
        + _OF_COMMIT * bool(commits.get(turn.asked_event))
        - _OF_TALK * (not turn.edits and has_work)
        - _OF_TALK * (turn.asked_event in objected)
        for at, turn in enumerate(turns)
    }
    main = max(turns, key=lambda turn: (worths[id(turn)], turn is turns[-1]), default=None)
    best = sorted(turns, key=lambda turn: (turn is not main, -worths[id(turn)]))
    ranks = {id(turn): rank_of_work(at) for at, turn in enumerate(best)}
    known = [plain_words(line) for line in told]
    telling = _Telling(piece, task, told, known)
    found: list[Work] = []
    # Beside work one answer is told, and others that give a reason.
    talked = False
    for turn in turns:
        line = telling.line(
            turn, commits.get(turn.asked_event, []), is_main=turn is main, is_last=turn is turns[-1]
        )
        is_talk = not (turn.edits or commits.get(turn.asked_event) or turn is main)
        is_loose = turn.asked_event in objected or (
            talked and not gives_reason(line.partition("→")[2])
        )
        if line and not (is_talk and has_work and is_loose):
            talked = talked or is_talk
            found.append(Work(ranks[id(turn)], line, turn.asked))
            known.append(plain_words(line))
    return found


def has_edits(piece: Piece) -> bool:
    """Whether anything was edited in any turn."""
    return any(turn.edits for turn in piece.exchanges)


class _Telling:
    """Tells turns one after the other: the first may stand on the request of the title."""

    def __init__(
        self,
        piece: Piece,
        task: str,
        told: Sequence[str],
        known: Sequence[str],
    ) -> None:
        self._piece = piece
        self._task = task
        self._told = told
        self._known = known
        self._objected, self._next_of = overturned(piece), reactions(piece)

    def line(self, turn: Exchange, commits: Sequence[Kept], *, is_main: bool, is_last: bool) -> str:
        """The line of a turn; empty where nothing of it is worth one."""
        piece = self._piece
        kept = committed_in(piece, commits)
        reaction = self._next_of.get(turn.asked_event, "")
        but = f" ({reaction})" if reaction else ""
        parts = self._parts_of(turn, is_main=is_main, is_last=is_last)
        lead = _asked(turn, self._task, piece.title, self._known)
        if not turn.edits and _is_mended(turn, piece.exchanges):
            parts = []
        if parts and (answer := _answer_of(turn, self._told)) and not kept:
            return f"{lead}{code_span(at_a_pause(answer, _ROOM_OF_MAIN))}"
        said = plain_words(f"{piece.title} {kept}")
        parts = [part for part in parts if not is_said(part, [said])]
        if not is_main:
            parts = [part for part in parts if not _is_slight(part)]
        if kept:
            # The title of a commit says what was done: behind it stand points, reasons, limits.
            parts = [part for part in parts if "; " in part or gives_reason(part)]
            hashes = [one.said.partition(",")[0] for one in commits if one.said]
            parts = [
                part for part in parts if "; " in part or not any(one[:7] in part for one in hashes)
            ]
        if not parts:
            asked = lead.removesuffix("the agent: ")
            lead = asked if "→" in asked else ""
            return _capital(f"{lead}{kept}{but}") if kept else ""
        if lead.startswith("The user: ") and _is_loose(turn, parts):
            if is_on_the_way(turn) and not turn.edits:
                return ""
            if turn.edits:
                lead = "The agent: "
        if is_on_the_way(turn):
            lead = f"{lead.removesuffix(': ')} on the way: "
        result = code_span(" ".join(map(_ended, parts[:-1])) + " " * (len(parts) > 1) + parts[-1])
        return f"{_saying(lead, turn, parts[0])}{result}{'; ' if kept else ''}{kept}{but}"

    def _parts_of(self, turn: Exchange, *, is_main: bool, is_last: bool) -> list[str]:
        is_objected = turn.asked_event in self._objected
        most = 1 if is_objected or not is_main else _PARTS
        parts = _parts(turn, self._told, _ROOM_OF_MAIN if is_main else _TURN_ROOM, most)
        if turn.asked_event in self._next_of and not is_last:
            # Why it was, and how it is now, was found out anew.
            parts = [part for part in parts if not (names_cause(part) or cues.NOW.search(part))]
        if not turn.edits:
            # What was planned and then done is told by what was done.
            done = done_since(turn, self._piece.exchanges)
            parts = [one for one in parts if not (_is_plan(one) and is_superseded(one, done))]
        return parts


def _is_slight(part: str) -> bool:
    """Whether a few words name nothing and give no reason, or only say what comes next."""
    is_bare = "`" not in part and not gives_reason(part)
    is_next = cues.ABOUT_TO.match(part) is not None or part.startswith("Then ")
    return (is_bare and len(part.split()) < _LEAST_OF_RESULT) or (
        is_next and len(part) < _LEAST_OF_PLAN
    )


def _ended(part: str) -> str:
    """A part with a stop, so that the next may follow it."""
    return part if part[-1] in ".!?…:" else f"{part}."


def _capital(line: str) -> str:
    return line[:1].upper() + line[1:]


def _is_mended(turn: Exchange, turns: Sequence[Exchange]) -> bool:
    """Whether the files of what a turn only found were edited since: then it may hold no more."""
    if len(_FINDINGS.findall(turn.answered)) < _LEAST_FINDINGS:
        return False
    later = turns[next(at for at, one in enumerate(turns) if one is turn) + 1 :]
    names = {name.replace("\\", "/").rpartition("/")[2] for one in later for name in one.files}
    return any(name and name in turn.answered for name in names)


def _saying(lead: str, turn: Exchange, part: str) -> str:
    """How a part is told: as said, as proposed, or as what the agent was about to do."""
    if cues.ABOUT_TO.match(part):
        verb = "meant to"
    elif not turn.edits and _is_plan(part):
        verb = "proposed"
    else:
        return lead
    return f"and {verb}: " if lead == "and: " else f"{lead.removesuffix(': ')} {verb}: "


def _is_plan(part: str) -> bool:
    """Whether a part says what might be done."""
    return cues.PROPOSED.search(part) is not None and not names_cause(part)


def _asked(turn: Exchange, task: str, title: str, known: Sequence[str]) -> str:
    """Who is told of: the person with the request in a few words, where that says something."""
    asked = gist(turn.asked)
    is_task = bool(task) and task in (asked, gist(turn.asked, title))
    if is_task and is_told_by(title, task):
        return "On that the agent: "
    # "on 4, ..." answers a list that is not shown.
    is_short = len(asked) < LEAST_PROMPT and (
        len(asked.split()) < _LEAST_OF_REQUEST or _is_assent(asked)
    )
    if is_short or _OF_LIST.match(asked) or points_elsewhere(asked):
        return "The agent: "
    words = asked_in_short(task if is_task else turn.asked)
    # A sentence of a template that shares nothing with the title says nothing of the matter.
    is_of_template = len(turn.asked) > TEMPLATE and len(stems_of(words) & stems_of(title)) < _SHARED
    if not words or is_of_template:
        return "The agent: "
    # What stands as a correction or a choice is only named here.
    is_known = is_said(words[:_ALIKE], known)
    length = _NAMED_LENGTH if is_known else _TASK_LENGTH if is_task else _RECALLED_LENGTH
    return f"The user: {code_span(shortened(words, length))} → the agent: "


def _answer_of(turn: Exchange, told: Sequence[str]) -> str:
    """What an agent answered to a question before it went on with the work; empty where nothing."""
    if not is_asking(turn.asked) or len(turn.first) < _LEAST_ANSWER:
        return ""
    wanted = stems_of(turn.asked)
    parts = conclusion(turn.first, turn.asked, _TURN_ROOM, 2, told)
    said = [one for one in parts if not (cues.ABOUT_TO.match(one) or cues.PLAN.match(one))]
    is_answer = bool(wanted & stems_of(" ".join(said)))
    return " ".join(said) if is_answer else ""


def _is_loose(turn: Exchange, parts: Sequence[str]) -> bool:
    """Whether a question, or words in passing, share no word with what would stand as the answer.

    Then it is not the answer: the agent had gone back to its work.
    """
    is_question = is_asking(turn.asked) or plain_line(turn.asked).endswith(("?", "？"))
    if not (is_question or is_on_the_way(turn)):
        return False
    return not stems_of(turn.asked) & stems_of(" ".join(parts))


def _is_content(asked: str) -> bool:
    """Whether a few words only say that it is well."""
    return len(asked.split()) <= _MOST_OF_THANKS and _CONTENT.match(asked) is not None


def _worth_telling(
    piece: Piece, told: Sequence[str], commits: Mapping[int, Sequence[Kept]]
) -> Iterator[Exchange]:
    """The turns with commits, or with an answer that says something and stood; each answer once."""
    answers: set[str] = set()
    # What was changed is told though somebody objected; what was only said is not.
    turns = without(piece.exchanges, overturned(piece), but_changes=True)
    # A menu whose answer is told as a choice.
    menus = {
        before.asked_event
        for before, turn in pairwise(piece.exchanges)
        if is_picked(before.answered, turn.asked) or is_of_menu(before.answered, turn.asked)
    }
    turns = [turn for turn in turns if turn.asked_event not in menus]
    many = len(turns) > 2
    for turn in turns:
        if commits.get(turn.asked_event):
            yield turn
            continue
        # What a command of the person's lists, or shows, is not what was worked on.
        if turn.asked.startswith("/") and not turn.edits and len(turns) > 1:
            continue
        if many and worth_of(turn) < _LEAST_WORTH:
            continue
        # Behind a word of thanks the agent only says again what it did.
        if len(turns) > 1 and not turn.edits and _is_content(turn.asked):
            continue
        parts = _parts(turn, told, _TURN_ROOM, 1)
        if parts and parts[0] not in answers:
            answers.add(parts[0])
            yield turn


def _parts(turn: Exchange, told: Sequence[str], room: int, most: int) -> list[str]:
    """What a turn came to, without what is told elsewhere, or was announced before it was done."""
    parts = _all_parts(turn, told, room, most)
    return [part for part in parts if not (turn.edits and cues.ABOUT_TO.match(part))]


def _all_parts(turn: Exchange, told: Sequence[str], room: int, most: int) -> list[str]:
    if is_on_the_way(turn):
        return said_on_the_way(turn, told)[:most]
    report = report_of(turn)
    if is_json(report):
        said = [plain_words(line) for line in told]
        found = [one for one in headline(report).split("; ") if not is_said(one, said)]
        return ["; ".join(found)] if found else []
    parts = conclusion(report, turn.asked, room, most, told, has_edits=bool(turn.edits))
    known = [plain_words(line) for line in told]
    if parts or any(is_said(one, known) for one in conclusion(report, turn.asked, room, 1)):
        return parts
    line = cues.ASSURED.sub("", cues.SUCCESSFULLY.sub("", headline(report)))
    is_claim = cues.CLAIMED.search(line) is not None and not names_cause(line)
    is_idle = is_claim or says_little(line) or is_said(line, known) or is_noise(line)
    return [line] if is_telling(line) and not is_idle else []


def task_of(piece: Piece) -> str:
    """What the piece was about: the prompt that its title speaks of, or the first of some words.

    Of many prompts that no title speaks of, the one on which most was done.
    """
    # What is that long and shares nothing with the title is a template, and tells of no task.
    title = words(piece.title)
    asked = _begun(piece.exchanges)
    prompts = [
        text
        for turn in asked
        if (text := gist(turn.asked, piece.title))
        and not (title and len(turn.asked) > TEMPLATE and not _speaks_of(title, turn.asked))
    ]
    if len(asked) > 1:
        prompts = [text for text in prompts if not _is_beside(text)]
    worded = [text for text in prompts if len(text.split()) >= _LEAST_WORDS]
    worded = [text for text in worded if not _is_assent(text)] or worded
    if title:
        alike = [(len(title & words(text)), -at) for at, text in enumerate(worded)]
        count, at = max(alike, default=(0, 0))
        if 2 * count > len(title):
            return worded[-at]
    if len(worded) > _MANY:
        work = {gist(turn.asked, piece.title): worth_of(turn) for turn in asked}
        return max(worded, key=lambda text: work.get(text, 0))
    return next(iter([*worded, *(text for text in prompts if len(text) >= LEAST_PROMPT)]), "")


def _is_beside(prompt: str) -> bool:
    """Whether a prompt only says how to go on, or takes up a point of a list that is not shown."""
    is_one = len(sentences_of(prompt)) == 1
    is_rule = is_one and cues.DIRECTED.match(prompt) is not None
    return is_rule or _OF_LIST.match(prompt) is not None


def _begun(turns: Sequence[Exchange]) -> Sequence[Exchange]:
    """The turns on which something was done; all, where none was.

    A prompt that was interrupted at once, and followed by others, tells of no work.
    """
    begun = [turn for turn in turns if turn.calls or turn.answered]
    return begun or turns


_LEAST_WORDS = 5
_MANY = 6
# A longer prompt that begins with an assent asks for something, too.
_MOST_OF_ASSENT = 20


def _is_assent(prompt: str) -> bool:
    """Whether a prompt only agrees, or says to go on with what is not said in it."""
    count = len(prompt.split())
    is_on = count <= _MOST_OF_ASSENT // 2 and cues.GOING_ON.search(prompt) is not None
    return is_on or (count <= _MOST_OF_ASSENT and cues.ASSENT.match(prompt) is not None)


def _speaks_of(title: set[str], prompt: str) -> bool:
    return 2 * len(title & words(prompt)) >= len(title)
