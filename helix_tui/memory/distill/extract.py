"""The extractive distiller: what a session's facts and words say themselves, without a model.

A line says in Helix's words who said or did something, and quotes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from helix_tui.memory.distill import cues
from helix_tui.memory.distill.prose import ProseLine, lines_of, plain_line, sentences_of, shortened
from helix_tui.schema import Recovery
from helix_tui.schema.memory import Distilled, Exchange, Piece
from helix_tui.text.human import plural
from helix_tui.text.markdown import code_span

LINE_LENGTH = 420
_ASKED_LENGTH = 220
_ANSWER_LENGTH = 300
# This much of a prompt is enough to recognize it.
_RECALLED_LENGTH = 110
_ERROR_LENGTH = 160
_CALL_LENGTH = 120
_MOST_EXCHANGES = 6
# A turn of one call and a few words is not worth a line where there are better ones.
_LEAST_WORTH = 2
_MOST_DECISIONS = 8
_MOST_LESSONS = 10
_MOST_ACTIONS = 6
_MOST_FILES = 6
# Shorter prompts ("yes", "8", "go on") say nothing to somebody who was not there.
_LEAST_PROMPT = 16
_LEAST_WORDS = 5
# The verb of a recovery that was made by changing a file.
_EDITED = "edit a file"
# A longer prompt is a form or a plan: a "must" in it is not a decision made on the way.
_MOST_CHOICE = 600


def extract(piece: Piece) -> Distilled | None:
    """What is worth keeping of a piece; None where nothing is."""
    turns = [turn for turn in piece.exchanges if not cues.CONTINUED.match(turn.asked)]
    distilled = Distilled(
        _context(piece, turns),
        list(_distinct(_key_exchanges(turns), _MOST_EXCHANGES)),
        list(_distinct(_decisions(piece, turns), _MOST_DECISIONS)),
        list(_distinct(_lessons(piece, turns), _MOST_LESSONS)),
        list(_distinct(_actions(piece, turns), _MOST_ACTIONS)),
    )
    return distilled if _is_worth_it(piece, distilled) else None


def _is_worth_it(piece: Piece, distilled: Distilled) -> bool:
    """Whether somebody did, decided or learned something; a greeting or a stub is not that."""
    facts = piece.facts
    has_worked = bool(facts.commits or facts.useful_calls >= 3 or facts.checks_passed)
    return (
        has_worked
        or bool(distilled.decisions or distilled.lessons)
        or bool(distilled.key_exchanges)
    )


def _distinct(lines: Iterable[str], most: int) -> Iterator[str]:
    """The first lines in their order, each once."""
    keys: set[str] = set()
    for line in lines:
        key = re.sub(r"\W+", " ", line).strip().lower()
        if key and key not in keys and len(keys) < most:
            keys.add(key)
            yield line


def _context(piece: Piece, turns: list[Exchange]) -> list[str]:
    facts = piece.facts
    lines = []
    if task := _task(turns):
        lines.append(f"Asked: {_quoted(task)}")
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
        names = ", ".join(_name(piece, name) for name in edited[:_MOST_FILES])
        more = f" and {len(edited) - _MOST_FILES:,} more" if len(edited) > _MOST_FILES else ""
        work.append(f"edited {names}{more}")
    if facts.commits:
        work.append(plural(facts.commits, "commit"))
    if facts.compactions:
        work.append(f"context compacted {plural(facts.compactions, 'time')}")
    lines.append(f"{'; '.join(work)}.")
    return lines


def _task(turns: list[Exchange]) -> str:
    """What the piece was about: the first prompt of several words."""
    prompts = [_gist(turn.asked) for turn in turns]
    worded = [text for text in prompts if len(text.split()) >= _LEAST_WORDS]
    return next(iter([*worded, *(text for text in prompts if len(text) >= _LEAST_PROMPT)]), "")


def _gist(prompt: str) -> str:
    """A prompt on one line; of one that is mostly code, only its prose."""
    lines = [line for line in lines_of(prompt, has_code=True) if not line.is_heading]
    return shortened(" ".join(line.text for line in lines) or plain_line(prompt), _ASKED_LENGTH)


def _key_exchanges(turns: list[Exchange]) -> Iterator[str]:
    """The turns in which most was done, in their order; each answer once."""
    answers: dict[str, Exchange] = {}
    for turn in turns:
        if len(_gist(turn.asked)) >= _LEAST_PROMPT and (answer := _headline(turn.answered)):
            answers.setdefault(answer, turn)
    best = sorted(answers, key=lambda answer: -_worth(answers[answer]))[:_MOST_EXCHANGES]
    for answer, turn in answers.items():
        if answer in best and (_worth(turn) >= _LEAST_WORTH or len(answers) <= 2):
            prompt = shortened(_gist(turn.asked), _RECALLED_LENGTH)
            yield f"The user: {code_span(prompt)} → the agent: {code_span(answer)}"


def _worth(turn: Exchange) -> int:
    return min(turn.calls, 40) + len(turn.answered) // 200


def _headline(answer: str) -> str:
    """The gist of an answer: its first sentences with content, with the beginning of a list."""
    lines = lines_of(answer)
    sentences: list[str] = []
    for number, line in enumerate(lines):
        if line.is_heading and not sentences:
            continue
        for sentence in sentences_of(line.text):
            rest = cues.FILLER.sub("", sentence, count=1)
            if sentences or (rest and not cues.PLAN.match(rest)):
                sentences.append(rest)
        if not sentences:
            continue
        if sentences[-1].endswith(":"):
            items = [item.text for item in lines[number + 1 : number + 5] if item.is_item]
            if not items:
                sentences.pop()
                continue
            sentences.append("; ".join(shortened(item, _ANSWER_LENGTH // 2) for item in items))
        break
    text = " ".join(sentences)
    return shortened(text[:1].upper() + text[1:], _ANSWER_LENGTH)


def _decisions(piece: Piece, turns: list[Exchange]) -> Iterator[str]:
    for commit in piece.facts.kept:
        yield _kept(commit.text)
    for turn in turns[1:]:
        if len(turn.asked) > _MOST_CHOICE:
            continue
        for sentence in _sentences(turn.asked):
            if cues.CHOSEN.search(sentence) and not sentence.endswith("?"):
                yield f"The user: {_quoted(shortened(sentence, _ASKED_LENGTH))}"
                break
    for turn in turns:
        yield from _agent_sentences(turn, cues.DECIDED)


def _kept(command: str) -> str:
    """The title of a commit or a pull request, from its command."""
    if match := cues.TITLE.search(command):
        return f"Opened: {_quoted(plain_line(match['title']))}"
    if match := cues.HEREDOC.search(command) or cues.MESSAGE.search(command):
        title = plain_line(match["title"])
        if len(title) > cues.SUMMARY and (body := cues.BODY.search(title, 20)):
            title = title[: body.start()]
        return f"Committed: {_quoted(shortened(title, _ASKED_LENGTH))}"
    return ""


def _lessons(piece: Piece, turns: list[Exchange]) -> Iterator[str]:
    facts = piece.facts
    for recovery in facts.recoveries:
        group = facts.groups.get(recovery.group)
        # That an edit has to quote the file exactly is no lesson of this session.
        if group and group.tool_class != "edit" and recovery.remedy:
            yield _overcome(piece, group.line, recovery)
    for moment in facts.corrections:
        correction = _first_sentences(moment.text)
        if len(correction) >= _LEAST_PROMPT and not correction.endswith("?"):
            yield f"Corrected by the user: {_quoted(correction)}"
    for turn in turns:
        yield from _agent_sentences(turn, cues.LEARNT)
    if facts.last_check and facts.last_check_passed:
        yield f"{_check(facts.last_check)} passed as the last check."


def _agent_sentences(turn: Exchange, cue: re.Pattern[str]) -> Iterator[str]:
    for sentence in _sentences(turn.answered):
        if cue.search(sentence) and not cues.PLAN.match(sentence):
            yield f"The agent: {_quoted(sentence)}"


def _overcome(piece: Piece, line: str, recovery: Recovery) -> str:
    """An error, what was done about it, and which check passed then."""
    error = code_span(shortened(" ".join(line.split()), _ERROR_LENGTH))
    remedy, passed = _call(recovery.remedy), _check(recovery.passed)
    if recovery.verb == _EDITED:
        remedy_text = f"an edit of {_name(piece, recovery.remedy.split()[-1])}"
    elif recovery.verb and recovery.verb not in remedy:
        remedy_text = f"{code_span(recovery.verb)}: {remedy}"
    else:
        remedy_text = remedy
    then = f"; then {passed} passed" if passed and passed != remedy else ""
    return f"The error {error} was followed by {remedy_text}{then}"


def _actions(piece: Piece, turns: list[Exchange]) -> Iterator[str]:
    facts = piece.facts
    if facts.ended == "question" and facts.ended_text:
        yield f"To be answered: {_quoted(shortened(plain_line(facts.ended_text), _ASKED_LENGTH))}"
    for entry in piece.unfinished:
        yield f"Left open: {_quoted(shortened(plain_line(entry), _ASKED_LENGTH))}"
    answers = [turn.answered for turn in turns if turn.answered]
    if answers:
        yield from _follow_ups(lines_of(answers[-1]))


def _follow_ups(lines: list[ProseLine]) -> Iterator[str]:
    """What the last answer leaves to do: a list under such a heading, or a sentence of it."""
    is_listed = False
    for line in lines:
        if line.is_item:
            if is_listed:
                yield f"The agent: {_quoted(line.text)}"
            continue
        is_listed = bool(cues.FOLLOW_UP.match(line.text))
        if not line.is_heading and not is_listed:
            yield from (
                f"The agent: {_quoted(sentence)}"
                for sentence in sentences_of(line.text)
                if cues.OWED.search(sentence) and not sentence.endswith((":", "?"))
            )


def _sentences(text: str) -> Iterator[str]:
    for line in lines_of(text):
        if not line.is_heading and not line.is_row:
            for sentence in sentences_of(line.text):
                is_whole = _LEAST_PROMPT * 2 <= len(sentence) <= LINE_LENGTH
                if is_whole and not sentence.endswith(":"):
                    yield sentence


def _first_sentences(text: str) -> str:
    return shortened(plain_line(text), _ASKED_LENGTH)


def _call(summary: str) -> str:
    """A call as its tool and arguments, on one line."""
    text = shortened(" ".join(summary.split()).removeprefix("$ "), _CALL_LENGTH)
    return code_span(text) if text else ""


def _check(command: str) -> str:
    """A check's command without redirections."""
    return _call(re.split(r"\s+(?:\d?>&?\d?|\|)\s*", command)[0])


def _quoted(text: str) -> str:
    return code_span(shortened(text, LINE_LENGTH))


def _name(piece: Piece, path: str) -> str:
    return code_span(shortened(_short(piece, path), _CALL_LENGTH))


def _by_use(uses: dict[str, int]) -> list[str]:
    return sorted(uses, key=lambda name: (-uses[name], name))


def _short(piece: Piece, path: str) -> str:
    """A path relative to the project; one outside of it by its last two names."""
    if piece.cwd and path.startswith(f"{piece.cwd}/"):
        return path[len(piece.cwd) + 1 :]
    return "/".join(path.split("/")[-2:]) if path.startswith(("/", "~")) else path
