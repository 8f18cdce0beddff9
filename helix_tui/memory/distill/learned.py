"""What a session taught and what was decided in it: causes, cures, corrections and choices."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from helix_tui.memory.distill import cues
from helix_tui.memory.distill.answered import choices, goes_by_points
from helix_tui.memory.distill.came_back import came_back
from helix_tui.memory.distill.cured import cures_told
from helix_tui.memory.distill.earning import announces, points_elsewhere
from helix_tui.memory.distill.headline import PICTURE, headline, prose_of
from helix_tui.memory.distill.prose import at_a_pause, lines_of, plain_line, sentences_of, shortened
from helix_tui.memory.distill.quoting import LINE_LENGTH, name_of, quoted
from helix_tui.memory.distill.reply_parts import says_little, stems_of
from helix_tui.memory.distill.steered import is_rule, next_turns, refuses, steered
from helix_tui.memory.distill.superseded import done_since, is_superseded
from helix_tui.memory.distill.turns_told import FIRM, overturned, report_of, without
from helix_tui.schema.memory import Aside, Exchange, Piece
from helix_tui.text.causes import is_english, names_cause, speaks_of_trouble
from helix_tui.text.markdown import code_span
from helix_tui.text.weakens import speaks_against_guards

_ERROR_LENGTH = 120
_TOLD_LENGTH = 260
_LEAST_SENTENCE = 32
_LEAST_WORDS = 6
_LEAST_TOLD = 16
_BEGINNING = 100
# How something is to look, or did.
_PASTED = re.compile(r"^[^|]*\S \| \S[^|]* \| |^[^a-zA-Z]*[─━═│]{4,}")
# Who does not understand asks, and corrects nothing.
_NOT_UNDERSTOOD = re.compile(
    r"(?i)\b(?:(?:do(?:n['’]?t)|did(?:n['’]?t)|not) (?:really )?(?:understand|get it|follow)\b"
    r"|overwhel\w+|confus(?:ed|ing)|undestand|i['’]m lost)"
)
_MOST_CORRECTIONS = 3
_MOST_CAUSES = 4
_MOST_OF_SUMMARY = 2
_MOST_OF_AGENT = 3
# From so many calls on, something was done in a turn.
_LEAST_WORK = 2
# A line that says in any way that something went wrong.
_FAULT = re.compile(
    r"(?i)error|fail|exception|not |cannot|n't\b|no such|denied|invalid|missing.\w"
    r"|unexpected|expected|undefined|unknown|unresolved|abort|fatal|panic|traceback|refused"
    r"|timed? ?out|warn|✗|×|⨯|[45]\d\d"
)
# Why it does not go on just now: the next prompt says how it does.
_IN_PASSING = re.compile(
    r"(?i)\b(?:can['’]?t|cannot|could ?n['’]?o?t) (?:continue|proceed|go on)\b"
    r"|^\W*(?:pushing|waiting)\b|\bin this run\b"
)
_GUESSED = re.compile(
    r"(?i)\b(?:likely|probably|perhaps|maybe|might|may be|could be|seems? (?:to|like|that)|suspect"
    r"|i think|i guess|possibly|presumably|appears? to)\b"
)
# Because of something that is not as expected, something fails.
_SO_FAILS = re.compile(
    r"(?i)\b(?:not|no|\w{2,8}n['’]t|never|missing|without|only)\b[^.]{0,160}[,;] (?:so|and so|hence"
    r"|therefore|thus)\b[^.]{0,120}\b(?:fail\w*|breaks?|errors?|crash\w*|lost|missing|never|rejects?"
    r"|cannot|can['’]?t)\b"
)
# What the person may do now is no cause.
_TO_DO = re.compile(r"(?i)\byou (?:just|only|now)?\s?(?:need|have) to\b")
# It has no sense without the sentence before it.
_BOUND = re.compile(
    r"^\W*(?:(?:This|That|These|Those|They|It|Both|Each|Such|But|Because of (?:that|this))\b"
    r"|(?:Actually|Also|However|Otherwise|Instead)\b,? (?!.{0,20}\b(?:wait|issue|problem)))"
)
_BEFORE_LENGTH = 100
_ANSWER_LENGTH = 140
_FIRST_LINES = 2
_MOST_OF_LOOSE = 12
_CAUSE_LENGTH = 280
_HIDDEN = "REDACTED"
# What went into the wrong place is put right by the next call.
_OF_STAGING = re.compile(
    r"(?i)\b(?:un)?staged? (?:the )?(?:hunk|spot|place|wrong|part)|\bwrong (?:staged|hunk)"
    r"|\b(?:hunk|patch)\b.{0,40}\b(?:(?:did ?n['’]?o?t|failed to) apply|wrong (?:place|spot))"
)
_STEM = 5
_AS_IT_IS = re.compile(r"(?i)\b(?:uses|using|keeps|makes)\b[^.]*\b(?:instead of|rather than)\b")
_IS_NOW = re.compile(r"(?i)\bnow (?:\w+ly )?\w+s\b")
_REASONED = re.compile(
    r"(?i)\b(?:because|since|so that|decided|chose|opted|to (?:avoid|prevent|keep))\b"
)


def lessons(piece: Piece) -> Iterator[str]:
    """What people corrected, causes that the agent found, and what cured an error."""
    yield from lessons_of_user(piece)
    yield from _causes(piece)
    yield from cures_told(piece)
    yield from _summed_up(piece)


def lessons_of_user(piece: Piece) -> Iterator[str]:
    """What people corrected, with what the agent had said."""
    corrections = [told for told in piece.told if told.kind == "correction"]
    firm = [told for told in corrections if _is_worth_telling(told.text) and not is_rule(told.text)]
    for told in sorted(firm, key=lambda told: -told.score)[:_MOST_CORRECTIONS]:
        if told.score >= FIRM:
            words = quoted(_own_words(told.text), _TOLD_LENGTH)
            # A whole sentence says itself what it is about.
            is_loose = len(told.text.split()) <= _MOST_OF_LOOSE
            before = _said_before(told.text, piece.exchanges) if is_loose else ""
            said = f" (the agent had said: {quoted(before, _BEFORE_LENGTH)})" if before else ""
            then = _said_to(told.event, piece.exchanges)
            answer = f" → the agent: {quoted(then, _ANSWER_LENGTH)}" if names_cause(then) else ""
            yield f"Corrected by the user: {words}{said}{answer}"


def _said_to(event: int, turns: list[Exchange]) -> str:
    """What the agent first said to a correction, where that says what it made of it."""
    turn = next((one for one in turns if one.asked_event == event), None)
    if turn is None or not event:
        return ""
    wanted = stems_of(turn.asked)
    for line in prose_of(turn.first or turn.answered)[:_FIRST_LINES]:
        for sentence in sentences_of(cues.ASSURED.sub("", line.text)):
            is_plan = cues.PLAN.match(sentence) or cues.ABOUT_TO.match(sentence)
            is_empty = cues.FILLER.fullmatch(sentence) is not None or says_little(sentence)
            is_cut = sentence[-1] in ":?…" or len(sentence.split()) < _LEAST_WORDS
            is_idle = is_plan is not None or is_empty or is_cut
            if not is_idle and wanted & stems_of(sentence):
                return sentence
    return ""


def _said_before(text: str, turns: list[Exchange]) -> str:
    """What the agent had said just before a person's words."""
    for before, turn in pairwise(turns):
        if _is_told(plain_line(turn.asked), [plain_line(text)]):
            return headline(before.answered)
    return ""


def decisions(piece: Piece, task: str = "") -> Iterator[str]:
    """What people laid down and chose, and what the agent chose over something else."""
    turns = piece.exchanges
    for told in piece.told:
        if (
            told.kind == "instruction"
            and not goes_by_points(told.text)
            and (rule := _standing(told.text))
        ):
            yield f"Laid down by the user: {quoted(rule, _TOLD_LENGTH)}"
    for turn in turns[1:]:
        if is_rule(turn.asked) and not speaks_against_guards(turn.asked):
            yield f"Laid down by the user: {quoted(plain_line(turn.asked), _TOLD_LENGTH)}"
    # What was asked for in the first place is the task, and no choice on the way.
    known = [*(told.text for told in piece.told if told.kind == "correction"), task]
    known += [turn.asked for turn in turns[1:] if is_rule(turn.asked)]
    known += [turn.asked for before, turn in next_turns(turns) if refuses(before, turn.asked)]
    chosen_by_user = list(choices(piece, turns, [plain_line(text) for text in known if text]))
    yield from chosen_by_user
    yield from steered(piece, "\n".join([*chosen_by_user, *lessons_of_user(piece), task]))
    has_edits = any(turn.edits for turn in turns)
    standing = without(turns, overturned(piece))
    chosen = [
        f"The agent: {quoted(sentence)}"
        # Where nothing was done, it tells how things are, and chooses nothing.
        for turn in standing
        if turn.edits or (not has_edits and turn.calls >= _LEAST_WORK)
        for sentence in _sentences(turn.answered)
        if _is_decision(turn, sentence) and not is_superseded(sentence, done_since(turn, turns))
    ]
    yield from chosen[:_MOST_OF_AGENT]


def _is_decision(turn: Exchange, sentence: str) -> bool:
    """Whether a sentence says what was chosen over what.

    Without any edit an order is advice, and what a thing uses is how it is.
    """
    is_planned = cues.PLAN.match(sentence) or cues.HEDGED.search(sentence)
    is_found = cues.ORDER.match(sentence) or _AS_IT_IS.search(sentence)
    is_advice = not turn.edits and is_found is not None
    is_cause = names_cause(sentence) and not cues.OVER.search(sentence)
    # How a thing is now is a change, and told as one.
    is_change = _IS_NOW.search(sentence) is not None and not _REASONED.search(sentence)
    is_choice = cues.DECIDED.search(sentence) is not None and not is_change
    return is_choice and not (is_planned or is_advice or is_cause)


def _standing(text: str) -> str:
    """The sentences of an instruction that hold from now on; all, where its language is another."""
    plain = plain_line(text)
    if not cues.ENGLISH.search(plain):
        return plain if _is_worth_telling(plain) else ""
    rules = [one for one in sentences_of(plain) if cues.STANDING.search(one)]
    return " ".join(one for one in rules if _is_worth_telling(one))


def _is_told(asked: str, told: list[str]) -> bool:
    start = " ".join(asked.split())[:40]
    return any(text.startswith(start) for text in told)


def _is_worth_telling(text: str) -> bool:
    plain = _own_words(text)
    is_question = plain.endswith("?") and len(sentences_of(plain)) == 1
    is_wish = _PASTED.search(plain[:_BEGINNING]) or _NOT_UNDERSTOOD.search(plain[:_BEGINNING])
    is_idle = is_question or is_wish is not None
    return len(plain) >= _LEAST_TOLD and not is_idle and not speaks_against_guards(plain)


def _own_words(text: str) -> str:
    return at_a_pause(plain_line(PICTURE.sub(" ", text)), _TOLD_LENGTH)


def _causes(piece: Piece) -> Iterator[str]:
    """Causes with the error before them and the edit behind them, where there were such."""
    groups = piece.facts.groups
    back = came_back(piece.facts)
    errors = {error.fingerprint: error.line for error in piece.facts.errors}
    # That an edit has to quote the file exactly is no lesson of this session.
    of_edits = {
        error.fingerprint
        for error in piece.facts.errors
        if (group := groups.get(error.group)) and group.tool_class == "edit"
    }
    found: list[tuple[float, str]] = []
    at_error: dict[str, int] = {}
    # What was thought before somebody objected did not hold.
    for turn in without(piece.exchanges, overturned(piece)):
        loose = -1
        concluded = [one for one in _sentences(report_of(turn)) if _is_cause(one)]
        for aside in turn.asides:
            error = errors.get(aside.result, "")
            if aside.result in of_edits or aside.text == report_of(turn):
                continue
            if aside.result in back or _OF_STAGING.search(aside.text):
                continue  # it did not help, or was only a slip
            if concluded and not aside.edited:
                continue  # the report has what it came to
            if not (line := _of_aside(piece, aside, error)):
                continue
            if error in at_error:
                found[at_error[error]] = (0, "")  # what was thought first did not help
            if error:
                at_error[error] = len(found)
            elif loose >= 0:
                found[loose] = (0, "")  # what was looked into is one matter: the last stands
            loose = loose if error else len(found)
            found.append(line)
        # What nobody looked for trouble in is explained, and is no cause of any.
        had_trouble = piece.facts.errors or speaks_of_trouble(turn.asked)
        if turn.edits or had_trouble or turn.asked_event in _reported(piece):
            behind = _became_of(piece, turn)
            found += [
                (
                    1.5,
                    f"The agent: {_cause(sentence, behind)}",
                )
                for sentence in concluded
            ]
    standing = [
        at
        for at, (_, line) in enumerate(found)
        if line and not is_superseded(line, [later for _, later in found[at + 1 :]])
    ]
    best = sorted(standing, key=lambda at: (-found[at][0], -at))[:_MOST_CAUSES]
    yield from (found[at][1] for at in sorted(best))


def _cause(sentence: str, behind: str) -> str:
    """A cause, and what became of it; what a remote did no commit mends."""
    said = code_span(at_a_pause(sentence, _CAUSE_LENGTH))
    return said if _OF_REMOTE.search(sentence) else f"{said}{behind}"


_OF_REMOTE = re.compile(r"(?i)\b(?:push(?:ed|es|ing)?|ssh|network|remote access|timed out)\b")


def _became_of(piece: Piece, turn: Exchange) -> str:
    """What became of a cause: the commit of its turn, or that nothing was changed for it."""
    if turn.edits or turn.commits:
        made = [one for one in piece.commits if one.title in turn.commits and one.hash]
        return f"; fixed in {code_span(made[-1].hash[:8])}" if made else ""
    at = next((at for at, one in enumerate(piece.exchanges) if one is turn), 0)
    is_idle = not any(one.edits or one.commits for one in piece.exchanges[at:])
    is_idle = is_idle and not piece.facts.commits
    return " (the agent holds; nothing was changed for it)" if is_idle else ""


def _reported(piece: Piece) -> set[int]:
    return {told.event for told in piece.told if told.kind == "report"}


def _of_aside(piece: Piece, aside: Aside, error: str) -> tuple[float, str] | None:
    """A cause that was named in the middle of a turn, and how much it tells."""
    sentences = [
        sentence.rstrip(":")
        for sentence in _sentences(aside.text, has_leads=True)
        if not cues.PLAN.match(sentence)
        and not cues.FILLER.fullmatch(sentence)
        and not cues.PROGRESS.search(sentence)
    ]
    # What was guessed on the way was looked into by the next calls.
    sentences = [sentence for sentence in sentences if not _GUESSED.search(sentence)]
    causes = [sentence for sentence in sentences if _is_cause(sentence)]
    # Between an error and the edit that follows, what is said is mostly why, in any language.
    is_why = bool(sentences) and (speaks_of_trouble(sentences[0]) or not is_english(sentences[0]))
    said = causes or (sentences[:1] if error and aside.edited and is_why else [])
    if not said:
        return None
    text = code_span(at_a_pause(" ".join(said[:2]), _CAUSE_LENGTH))
    if _HIDDEN in error:
        return None  # what it was about is hidden
    # What neither speaks of the error nor mends anything only stands behind it.
    is_beside = not aside.edited and not (_words_of(error) & _words_of(" ".join(said)))
    if error and (is_beside or not _FAULT.search(error)):
        error = ""  # the head of a table, a path: it names nothing
    after = f"After the error {code_span(shortened(error, _ERROR_LENGTH))} the" if error else "The"
    then = f"; it then edited {name_of(piece, aside.edited)}" if "/" in aside.edited else ""
    if then and aside.put:
        then = f"{then}, adding {code_span(aside.put)}"
    score = 2 * bool(causes) + bool(error) + bool(aside.edited)
    return score, f"{after} agent: {text}{then}"


def _words_of(text: str) -> set[str]:
    return {word[:_STEM].casefold() for word in re.findall(r"[^\W_]{4,}", text)}


def _is_cause(sentence: str) -> bool:
    is_planned = cues.PLAN.match(sentence) or cues.PROGRESS.search(sentence)
    is_idle = is_planned is not None or announces(sentence) or _TO_DO.search(sentence) is not None
    is_named = names_cause(sentence) or _SO_FAILS.search(sentence) is not None
    is_passing = _IN_PASSING.search(sentence) or points_elsewhere(sentence)
    return is_named and not (is_idle or is_passing)


def _summed_up(piece: Piece) -> Iterator[str]:
    """What the agent's own summaries tell of errors and choices."""
    found = 0
    for summary in reversed(piece.summaries):
        is_open = False
        for line in lines_of(summary):
            label = line.text.rstrip(": ")
            if len(label) < 60 and (line.is_heading or line.is_item or line.text.endswith(":")):
                matches = cues.SUMMED_UP.fullmatch(label) is not None
                if (
                    matches
                    or line.is_heading
                    or (re.match(r"[A-Z]", label) and line.text[-1] == ":")
                ):
                    is_open = matches or (is_open and not _is_section(label))
                    continue
            is_told = is_open and len(line.text.split()) > _LEAST_WORDS
            is_told = is_told and not (_BOUND.match(line.text) or _GUESSED.search(line.text))
            if is_told and found < _MOST_OF_SUMMARY and not speaks_against_guards(line.text):
                found += 1
                yield f"The agent's own summary: {quoted(line.text.rstrip(':'), _TOLD_LENGTH)}"


def _is_section(label: str) -> bool:
    """Whether a line is one of the headings that agents give the parts of a summary."""
    return bool(
        re.match(
            r"(?i)(?:all user|pending|current|optional|next|files?|primary"
            r"|key (?:technical )?concept|remaining|progress|summary|overview|context|tool)",
            label,
        )
    )


def _sentences(text: str, *, has_leads: bool = False) -> Iterator[str]:
    for line in prose_of(text):
        before = ""
        for sentence in sentences_of(line.text):
            sentence, before = _with_before(sentence, before), sentence
            is_whole = _LEAST_SENTENCE <= len(sentence) <= LINE_LENGTH
            is_lead = sentence.endswith(":") and not has_leads
            is_cut = sentence.endswith(("?", "…"))
            if is_whole and not is_lead and not is_cut and not speaks_against_guards(sentence):
                yield sentence


def _with_before(sentence: str, before: str) -> str:
    """A sentence, behind the one that it goes on with; nothing where that is not there."""
    if not _BOUND.match(sentence):
        return sentence
    is_idle = not before or before[-1] in "?:…" or cues.PLAN.match(before)
    return "" if is_idle or _BOUND.match(before) else f"{before} {sentence}"
