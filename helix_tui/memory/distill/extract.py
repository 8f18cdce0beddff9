"""The extractive distiller: what a session's facts and words say themselves, without a model.

A line says in Helix's words who said or did something, and quotes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from helix_tui.memory.distill import cues
from helix_tui.memory.distill.headline import gist, headline, is_telling
from helix_tui.memory.distill.learned import decisions, lessons
from helix_tui.memory.distill.prose import plain_line, shortened
from helix_tui.memory.distill.quoting import call, name_of, quoted
from helix_tui.schema.memory import LAST_STEP, Distilled, Exchange, Piece
from helix_tui.text.human import plural
from helix_tui.text.markdown import code_span

# This much of a prompt is enough to recognize it.
_RECALLED_LENGTH = 110
_OPEN_LENGTH = 220
_STATE_LENGTH = 160
_TITLE_LENGTH = 120
_MOST_EXCHANGES = 5
# A turn of one call and a few words is not worth a line where there are better ones.
_LEAST_WORTH = 2
_MOST_DECISIONS = 7
_MOST_LESSONS = 8
_MOST_ACTIONS = 6
_MOST_FILES = 5
_MOST_COMMITS = 4
# Shorter prompts ("yes", "8", "go on") say nothing to somebody who was not there.
_LEAST_PROMPT = 16
_LEAST_WORDS = 5
_TEMPLATE = 1_000
# Prompts that begin alike, so far, are one template.
_ALIKE = 50
_LEAST_CALLS = 2
_MANY = 6
# A longer prompt that begins with an assent asks for something, too.
_MOST_OF_ASSENT = 20
_LEAST_PROMPTS = 3
_COULD_NOT = "the agent says that it could not"
_REDIRECTED = re.compile(r"\s+(?:2>&1|\|).*", re.DOTALL)
_COMMITTING = re.compile(r": (?:cd \S+ && )?git .*", re.DOTALL)
# Helix's words at the beginning of what is left open; the rest is quoted.
_LABEL = re.compile(
    r"(?:not answered|stopped by the person|refused by the person|no result"
    r"|failed, and not tried again|the model could not be reached|broke off in the middle of"
    r"|its context was compacted in the middle of|reported, and not seen to work since"
    r"|a change that was refused|not permitted|on the agent's list|offered|asked|could not|remains"
    r"|put off): "
)


def extract(piece: Piece) -> Distilled | None:
    """What is worth keeping of a piece; None where nothing is."""
    turns = piece.exchanges
    task = _task(piece, turns)
    decided = list(_distinct(decisions(piece, turns, task), _MOST_DECISIONS))
    learned = list(_distinct(lessons(piece, turns), _MOST_LESSONS))
    distilled = Distilled(
        list(_context(piece, task)),
        list(_distinct(_key_exchanges(piece, task, [*decided, *learned]), _MOST_EXCHANGES)),
        decided,
        learned,
        list(_distinct(_open_ends(piece), _MOST_ACTIONS)),
    )
    return distilled if _is_worth_it(piece, distilled) else None


def _is_worth_it(piece: Piece, distilled: Distilled) -> bool:
    """Whether somebody did, decided or learned something; a greeting or a stub is not that."""
    facts = piece.facts
    has_checked = facts.checks_passed or facts.checks_failed
    has_worked = bool(facts.commits or facts.useful_calls >= 3 or has_checked)
    # Whatever broke off has an open end.
    is_broken_off = facts.ended not in ("reply", "question", None) and bool(distilled.actions)
    # An answer from memory, or from one look, is not what a colleague asks about tomorrow.
    calls = sum(tally.calls for tally in facts.tools.values())
    has_talked = calls >= _LEAST_CALLS or facts.prompts >= _LEAST_PROMPTS
    has_edited = any(tally.edits for tally in facts.files.values())
    return (
        has_worked
        or is_broken_off
        or has_edited
        or bool(distilled.decisions or distilled.lessons)
        or bool(distilled.key_exchanges and has_talked)
    )


def _distinct(lines: Iterable[str], most: int) -> Iterator[str]:
    """The first lines in their order, each once."""
    keys: set[str] = set()
    for line in lines:
        key = re.sub(r"\W+", " ", line).strip().lower()
        if key and key not in keys and len(keys) < most:
            keys.add(key)
            yield line


def _context(piece: Piece, task: str) -> Iterator[str]:
    facts = piece.facts
    if task:
        yield f"Asked: {quoted(task)}"
    work = [
        plural(facts.prompts, "prompt"),
        plural(sum(t.calls for t in facts.tools.values()), "tool call"),
    ]
    if facts.active_ms >= 60_000:
        work.insert(0, f"{facts.active_ms // 60_000:,} min active")
    edited = _by_use(
        {name: tally.edits for name, tally in facts.files.items() if name and tally.edits}
    )
    if edited:
        names = ", ".join(name_of(piece, name) for name in edited[:_MOST_FILES])
        more = f" and {len(edited) - _MOST_FILES:,} more" if len(edited) > _MOST_FILES else ""
        work.append(f"edited {names}{more}")
    if facts.commits:
        work.append(plural(facts.commits, "commit"))
    if facts.compactions:
        work.append(f"context compacted {plural(facts.compactions, 'time')}")
    yield f"{'; '.join(work)}."
    titles = list(dict.fromkeys(filter(None, (title_of_kept(one.text) for one in facts.kept))))
    yield from titles[:_MOST_COMMITS]
    if state := _state(piece):
        yield f"How it stands: {quoted(state, _STATE_LENGTH)}"


def _state(piece: Piece) -> str:
    """How it stands, unless an open end tells the same; a commit that ran checks is not quoted."""
    if piece.state.startswith(_COULD_NOT) or piece.state in piece.unfinished:
        return ""
    state = _COMMITTING.sub("", _REDIRECTED.sub("", piece.state))
    return re.sub(r"={3,}", "", state).replace(" red where it ends:", " red:").strip()


def _task(piece: Piece, turns: list[Exchange]) -> str:
    """What the piece was about: the prompt that its title speaks of, or the first of some words.

    Of many prompts that no title speaks of, the one on which most was done.
    """
    # What is that long and shares nothing with the title is a template, and tells of no task.
    title = _words(piece.title)
    prompts = [
        text
        for turn in turns
        if (text := gist(turn.asked))
        and not (title and len(turn.asked) > _TEMPLATE and not _is_about(title, turn.asked))
    ]
    worded = [text for text in prompts if len(text.split()) >= _LEAST_WORDS]
    worded = [text for text in worded if not _is_assent(text)] or worded
    if title:
        alike = [(len(title & _words(text)), -at) for at, text in enumerate(worded)]
        count, at = max(alike, default=(0, 0))
        if 2 * count > len(title):
            return worded[-at]
    if len(worded) > _MANY:
        work = {gist(turn.asked): _worth(turn) for turn in turns}
        return max(worded, key=lambda text: work.get(text, 0))
    return next(iter([*worded, *(text for text in prompts if len(text) >= _LEAST_PROMPT)]), "")


def _is_assent(prompt: str) -> bool:
    """Whether a prompt only agrees, or says to go on with what is not said in it."""
    words = len(prompt.split())
    is_on = words <= _MOST_OF_ASSENT // 2 and cues.GOING_ON.search(prompt) is not None
    return is_on or (words <= _MOST_OF_ASSENT and cues.ASSENT.match(prompt) is not None)


def _is_about(title: set[str], prompt: str) -> bool:
    return 2 * len(title & _words(prompt)) >= len(title)


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w{3,}", text.casefold()))


def _key_exchanges(piece: Piece, task: str, told: list[str]) -> Iterator[str]:
    """The turns in which most was done, in their order; each answer once.

    What is told as a decision or a lesson is not told here again.
    """
    turns = piece.exchanges
    answers: dict[str, Exchange] = {}
    beginnings = [gist(turn.asked)[:_ALIKE] for turn in turns]
    is_result = not any(tally.edits for tally in piece.facts.files.values())
    for turn in turns:
        # What a command of the person's lists, or shows, is not what was worked on.
        is_look = turn.asked.startswith("/") and not turn.edits and len(turns) > 1
        if len(gist(turn.asked)) >= _LEAST_PROMPT and not is_look:
            answer = _answer(turn, is_result=is_result and len(turns) <= 2)
            if answer and not any(answer in line for line in told):
                answers.setdefault(answer, turn)
    best = sorted(answers, key=lambda answer: -_worth(answers[answer]))[:_MOST_EXCHANGES]
    for answer, turn in answers.items():
        if answer in best and (_worth(turn) >= _LEAST_WORTH or len(answers) <= 2):
            asked = gist(turn.asked)
            if asked == task:
                yield f"On that the agent: {code_span(answer)}"
            elif len(turn.asked) > _TEMPLATE and (not task or beginnings.count(asked[:_ALIKE]) > 1):
                yield f"The agent: {code_span(answer)}"
            else:
                prompt = shortened(asked, _RECALLED_LENGTH)
                yield f"The user: {code_span(prompt)} → the agent: {code_span(answer)}"


def _answer(turn: Exchange, *, is_result: bool = False) -> str:
    """The gist of the last reply, or of an earlier one where that says nothing."""
    reports = (aside.text for aside in turn.asides if not aside.result and not aside.edited)
    candidates = [turn.answered, *reports]
    lines = [line for text in candidates if (line := headline(text, is_result=is_result))]
    # A question that was answered is told by what came of it.
    said = [line for line in lines if not line.endswith(("?", "？"))]
    return next(filter(is_telling, lines), said[0] if said else "")


def _worth(turn: Exchange) -> int:
    return min(turn.calls, 40) + 4 * min(turn.edits, 10) + len(turn.answered) // 200


def title_of_kept(command: str) -> str:
    """The title of a commit or a pull request, from its command."""
    if match := cues.TITLE.search(command):
        return f"Opened: {quoted(plain_line(match['title']), _TITLE_LENGTH)}"
    if match := cues.HEREDOC.search(command) or cues.MESSAGE.search(command):
        title = plain_line(match["title"])
        if len(title) > cues.SUMMARY // 2 and (body := cues.BODY.search(title, 20)):
            title = title[: body.start()]
        return f"Committed: {quoted(title, _TITLE_LENGTH)}"
    return ""


def _open_ends(piece: Piece) -> Iterator[str]:
    told: list[str] = []
    for entry in piece.unfinished:
        said, _, step = entry.partition(LAST_STEP)
        label = _LABEL.match(said)
        words = plain_line(said[label.end() :] if label else said)
        # The same command may be refused, stopped and without a result.
        if any(words.rstrip("…") in earlier for earlier in told):
            continue
        told.append(f"{words} {step}")
        last = f"; the last step was {call(step)}" if step else ""
        name = said[: label.end()].strip().capitalize() if label else "Left open:"
        yield f"{name} {quoted(words, _OPEN_LENGTH)}{last}"


def _by_use(uses: dict[str, int]) -> list[str]:
    return sorted(uses, key=lambda name: (-uses[name], name))
