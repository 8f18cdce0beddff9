"""The content of each section of a session's notes, from its digest alone, without a model."""

from __future__ import annotations

import re
from collections.abc import Iterator

from helix_tui.memory.distill.committed import title_of_kept
from helix_tui.memory.distill.cured import is_cure
from helix_tui.memory.distill.headline import headline
from helix_tui.memory.notes.asked import asked_for
from helix_tui.memory.notes.errors import COMMAND, ERROR, errors_of
from helix_tui.memory.notes.runs import LOOK, added_files, last_check_passed, plain_command
from helix_tui.memory.notes.text import code, fitting, items, quote
from helix_tui.schema import Ended, Facts, Session
from helix_tui.text.human import plural
from helix_tui.text.redact import redact

# The sections in their order, with the most characters that Helix writes into each.
BOUNDS = {
    "Title": 200,
    "Current state": 1_600,
    "Task": 2_000,
    "Files": 2_400,
    "Workflow": 2_000,
    "Errors and corrections": 2_800,
    "Learnings": 2_400,
    "Key results": 3_200,
    "Worklog": 6_000,
}
NOTHING = "- nothing yet"
LEFT_OUT = "more left out"
HELPED = "what helped was"
ADDED = "added to git"
SO_FAR = "So far: "
TASK_LENGTH = 800
_TITLE = 100
_WORDS = 400
_LINE = 200
_PATH = 160
_MOST_COMMANDS = 8
_MOST_READ = 5
_LEAST_CONTEXT = 1_000
_GIT = re.compile(r"(?:^|&& |; )\s*(?:\$ )?git\b")
_OF_COMMIT = re.compile(r": (?:cd \S+ && )?git .*", re.DOTALL)
_SECOND_MS = 1_000
_LONG_MS = 20_000
_ENDED: dict[Ended, str] = {
    "reply": "The agent has answered.",
    "question": "The agent asked something and waits.",
    "prompt": "The agent has not answered yet.",
    "tool_call": "A tool is at work.",
    "tool_result": "The agent is at work.",
    "tool_error": "The last tool call failed.",
    "refused": "The last tool call was not allowed.",
    "interrupted": "Somebody interrupted the agent.",
    "api_error": "The provider reported an error.",
    "compaction": "The context was just compacted.",
}
# The same of a session in which nothing happens any more.
_BROKE_OFF: dict[Ended, str] = {
    **_ENDED,
    "reply": "",
    "question": "The agent asked something, and nobody answered.",
    "prompt": "The last prompt was never answered.",
    "tool_call": "It broke off while a tool was at work.",
    "tool_result": "It broke off before the agent said what came of it.",
    "tool_error": "It broke off at a tool call that failed.",
    "compaction": "It broke off when the context was compacted.",
}


def sections_of(
    session: Session, facts: Facts, context_tokens: int, *, is_running: bool = True
) -> dict[str, list[str]]:
    """The lines of all sections except the worklog, each within its bound."""
    content = {
        "Current state": _state(session, facts, context_tokens, is_running),
        "Task": _task(session, facts),
        "Files": _files(session, facts),
        "Workflow": _workflow(facts),
        "Errors and corrections": errors_of(facts),
        "Learnings": _learnings(facts),
        "Key results": _results(session, facts),
    }
    fitted = {
        name: fitting(items(lines), BOUNDS[name], LEFT_OUT) or [NOTHING]
        for name, lines in content.items()
    }
    return {"Title": [_title(session, facts)], **fitted}


def _title(session: Session, facts: Facts) -> str:
    return quote(session.title or facts.first_prompt or f"Session {session.id}", _TITLE)


def _state(session: Session, facts: Facts, context_tokens: int, is_running: bool) -> Iterator[str]:
    if facts.ended and (ended := (_ENDED if is_running else _BROKE_OFF)[facts.ended]):
        text = facts.ended_text if facts.ended in ("question", "api_error") else ""
        yield ended + (f" {quote(text, _LINE)}" if text else "")
    for entry in session.left_open or ():
        yield f"Left open: {code(entry, _LINE)}"
    first, last = (
        asked_for(text, session.title or "", _WORDS)
        for text in (facts.first_prompt, facts.last_prompt)
    )
    if last and last != first:
        yield f"Asked last: {quote(last, _WORDS)}"
    if facts.last_reply:
        said = headline(facts.last_reply) or facts.last_reply
        yield f"Answered last: {quote(said, _WORDS)}"
    if facts.last_check and not _GIT.search(facts.last_check):
        verb = {True: "passed", False: "failed", None: "was run"}[last_check_passed(facts)]
        since = f", {plural(facts.edits_since_check, 'edit')} since" * bool(facts.edits_since_check)
        yield f"The last check {verb}: {code(plain_command(facts.last_check), COMMAND)}{since}"
    where = " on ".join(code(name, 80) for name in (session.repo, session.branch) if name)
    figures = [
        plural(session.prompts, "prompt"),
        plural(session.tool_calls, "tool call"),
    ]
    # Less than that is what is counted behind a compaction, not what the agent has before it.
    if context_tokens >= _LEAST_CONTEXT or not session.compactions:
        figures.append(f"a context of about {context_tokens:,} tokens")
    if session.compactions:
        figures.append(plural(session.compactions, "compaction"))
    yield f"{where + ': ' if where else ''}{', '.join(figures)}"


def _task(session: Session, facts: Facts) -> Iterator[str]:
    if facts.first_prompt:
        asked = asked_for(facts.first_prompt, session.title or "", TASK_LENGTH)
        yield f"Asked: {quote(asked, TASK_LENGTH)}"


def _files(session: Session, facts: Facts) -> Iterator[str]:
    """The files that were edited, and those added to git; where there are none, those read most."""
    root = f"{redact(session.cwd)}/" if session.cwd else ""
    named = [(name, tally) for name, tally in facts.files.items() if name]
    named.sort(key=lambda item: (-item[1].edits, -item[1].reads, item[0]))
    edited = [item for item in named if item[1].edits]
    short = {name.removeprefix(root) if root else name for name, _ in edited}
    added = [] if edited else [one for one in added_files(facts) if one not in short]
    for name in added:
        yield f"{code(name, _PATH)}: {ADDED}"
    for name, tally in edited or ([] if added else named[:_MOST_READ]):
        count, noun = (tally.edits, "edit") if tally.edits else (tally.reads, "read")
        path = name.removeprefix(root) if root else name
        yield f"{code(path, _PATH)}: {plural(count, noun) if count else 'not touched'}"


def _workflow(facts: Facts) -> Iterator[str]:
    """The checks that passed, and what else was run again and again; no looks, nothing of git."""
    if facts.last_check and last_check_passed(facts) and not _GIT.search(facts.last_check):
        yield f"Check: {code(plain_command(facts.last_check), COMMAND)}"
    checks = {run.name for run in facts.runs if run.state == "passed" and run.kind != "git"}
    passed = {
        name: tally
        for name, tally in facts.commands.items()
        if name and tally.runs > tally.failures and name != facts.last_check
    }
    told = {plain_command(facts.last_check)}
    for name, tally in sorted(passed.items(), key=lambda item: (-item[1].runs, item[0])):
        if plain_command(name) in told or len(told) > _MOST_COMMANDS:
            continue
        is_check = any(check and check in name for check in checks)
        is_often = tally.runs - tally.failures > 1 and not LOOK.match(plain_command(name))
        if _GIT.search(name) or not (is_check or is_often):
            continue
        failed = f", {tally.failures:,} failed" if tally.failures else ""
        took = f", up to {_seconds(tally.longest_ms)}" if tally.longest_ms >= _LONG_MS else ""
        told.add(plain_command(name))
        yield f"{code(plain_command(name), COMMAND)}: {plural(tally.runs, 'run')}{failed}{took}"


def _learnings(facts: Facts) -> Iterator[str]:
    """What got past an error, but for what gives up a safeguard; what was tried in vain."""
    for recovery in facts.recoveries:
        group = facts.groups.get(recovery.group)
        if not group or not recovery.verb or group.tool_class == "edit":
            continue
        if not is_cure(recovery):
            continue
        way = code(plain_command(recovery.remedy or recovery.passed), COMMAND)
        yield f"{code(group.line, ERROR)}: {HELPED} {way}"
    for moment in facts.loops:
        yield f"The same result {plural(moment.count, 'time')}: {code(moment.text, COMMAND)}"


def _results(session: Session, facts: Facts) -> Iterator[str]:
    for moment in facts.kept:
        if title := title_of_kept(moment.text):
            yield title
    figures = [
        plural(count, noun)
        for count, noun in (
            (facts.commits, "commit"),
            (facts.checks_failed, "failed check"),
            (sum(1 for tally in facts.files.values() if tally.edits), "edited file"),
        )
        if count
    ]
    if figures:
        yield ", ".join(figures)
    if session.outcome != "unknown":
        reason = _OF_COMMIT.sub("", session.outcome_reason or "")
        why = f" ({code(reason, _LINE)})" if reason else ""
        yield f"{SO_FAR}{session.outcome}{why}"


def _seconds(ms: int) -> str:
    return f"{ms // _SECOND_MS:,} s"
