"""What a session leaves open, by its facts: the firmest first, each in a line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from helix_tui.digest.red_checks import failed_push, is_green, red_checks, was_left_behind
from helix_tui.digest.tasks import asks_for_review, is_task
from helix_tui.digest.title.session import session_title
from helix_tui.schema import Facts

_MOST = 8
_MOST_TASKS = 3
_MOST_CALLS = 3
_LENGTH = 240
# A list that the agent left alone while the person asked for more than this is out of date.
_MOST_SINCE_LIST = 1
# What begins so was asked before.
_ALIKE = 30
_NOT_PUSHED = re.compile(r"(?i)\b(?:not|un) ?(?:yet )?(?:been )?(?:pushed|merged)\b|\bpush\b")
_BARE_WEIGHT = re.compile(r"(?i)(?:critical|high|major|medium|minor)(?: \w{4,8})? ?[:—–]")
_UNANSWERED = ("prompt", "interrupted", "api_error")


def left_open(facts: Facts) -> list[str]:
    """What somebody who comes back to a session finds unfinished."""
    if facts.ended is None or was_nothing_asked(facts):
        return []
    entries = [*_cut_short(facts), *_work(facts), *_last_words(facts)]
    return _listed(entries)


def was_nothing_asked(facts: Facts) -> bool:
    """Whether an agent only spoke, and nobody had asked for anything."""
    is_spoken = facts.ended in ("reply", "question")
    return is_spoken and not facts.tasks and not facts.useful_calls


def _listed(entries: list[str]) -> list[str]:
    lines = [_short(entry) for entry in dict.fromkeys(entries)]
    told = [line for line in lines if not _is_within_another(line, lines)]
    return told if len(told) <= _MOST else [*told[:_MOST], f"and {len(told) - _MOST} more"]


def _is_within_another(line: str, lines: list[str]) -> bool:
    """Whether the words of an entry are those with which another of its kind ends."""
    label, _, words = line.partition(": ")
    return any(
        other is not line and other.startswith(f"{label}: ") and other.endswith(words)
        for other in lines
    )


def _cut_short(facts: Facts) -> Iterator[str]:
    """How it broke off, where it did."""
    ended, text = facts.ended, facts.ended_text
    if ended == "prompt":
        asked = open_prompt(facts)
        for prompt in facts.ending.unanswered:
            if prompt[:_ALIKE] != asked[:_ALIKE]:  # asked again
                yield f"not answered: {prompt}"
        yield f"not answered: {asked}"
    elif ended == "interrupted":
        is_at_work = facts.interrupted and facts.calls_since_prompt
        action = facts.interrupted[-1].text if is_at_work else ""
        yield f"stopped by the person{f' at {action}' if action else ''}: {open_prompt(facts)}"
    elif ended == "refused":
        yield f"refused by the person: {text or open_prompt(facts)}"
    elif ended == "tool_call":
        yield f"no result: {text}"
    elif ended == "tool_error":
        yield f"failed, and not tried again: {text}"
    elif ended == "api_error":
        yield f"the model could not be reached: {open_prompt(facts)}"
    elif ended == "tool_result" and (not is_green(facts) or failed_push(facts)):
        yield f"no reply after {text or 'the last call'}: {_in_brief(facts)}"


def _in_brief(facts: Facts) -> str:
    """The last prompt, or what the session is called where one long brief is all there is."""
    whole = open_prompt(facts)
    is_brief = facts.prompts == 1 and len(whole) >= _LENGTH - _ALIKE
    return session_title(facts) if is_brief else whole


def open_prompt(facts: Facts) -> str:
    """The last prompt, or the last that asks for work where that one only says to go on."""
    is_telling = is_task(facts.last_prompt) and len(facts.last_prompt.split()) > 1
    return facts.last_prompt if is_telling else facts.ending.last_task or facts.last_prompt


def _work(facts: Facts) -> Iterator[str]:
    """What of the work is not as it should be."""
    ending = facts.ending
    # What a reviewer broke on purpose says nothing of what was reviewed.
    is_trial = ending.changes and gave_review(facts)
    for run in () if is_trial else red_checks(facts):
        reason = run.reason.strip("=-_ ")
        check = facts.checks.get(run.name)
        is_left = was_left_behind(run, facts) or (check is not None and check.is_stale)
        how = "failed, and was not run again" if is_left else "fails"
        yield f"{run.name} {how}{f': {reason}' if reason else ''}"
    if push := failed_push(facts):
        yield f"the last push failed: {push.reason}"
    if ending.reports and not (facts.ended in _UNANSWERED and _is_last(facts, ending.last_report)):
        yield f"reported, and not seen to work since: {ending.last_report}"
    if ending.refused_change:
        yield f"a change that was refused: {ending.refused_change}"
    for call in ending.not_permitted[:_MOST_CALLS]:
        yield f"not permitted: {call}"
    if ending.commit_request == "asked" and ending.edits_since_commit:
        yield "a commit was asked for, and none was made"
    elif ending.commit_request == "always" and ending.edits_since_commit:
        yield "commits were asked for as the work goes on, and the last edits are in none"
    if ending.merge_request == "asked":
        yield "a merge was asked for, and none was made"
    if _lacks_push(facts):
        yield "a push or a release was asked for, and nothing was pushed"
    for report in ending.blocked[:1]:
        yield f"reported as blocked: {report}"
    if _was_stash_dropped(facts):
        yield "stashed changes were dropped after `git stash pop` had failed"
    if ending.tasks_since_list <= _MOST_SINCE_LIST:
        for task in (ending.open_tasks or [])[:_MOST_TASKS]:
            yield f"on the agent's list: {task}"


def _lacks_push(facts: Facts) -> bool:
    """Whether what was committed should have been pushed, and no push was tried."""
    is_wanted = facts.ending.push_request == "asked" and not facts.ending.is_push_forbidden
    return is_wanted and facts.commits > facts.reverts and failed_push(facts) is None


def _was_stash_dropped(facts: Facts) -> bool:
    """Whether what was put aside could not be taken back, and was thrown away."""
    stash = [(name, tally) for name, tally in facts.commands.items() if "git stash" in name]
    has_failed = any("stash pop" in name and tally.failures for name, tally in stash)
    is_back = any("stash pop" in name and tally.failures < tally.runs for name, tally in stash)
    return has_failed and not is_back and any("stash drop" in name for name, _ in stash)


def gave_review(facts: Facts) -> bool:
    """Whether a review was asked for and given: what is red then is what it found, or tried out."""
    is_given = facts.ended in ("reply", "question") and not facts.commits and bool(facts.last_reply)
    return is_given and asks_for_review(facts.ending.last_task)


def _is_last(facts: Facts, report: str) -> bool:
    """Whether a report is the prompt that was not answered, which is told as such."""
    return bool(report) and report in " ".join(open_prompt(facts).split())


def _last_words(facts: Facts) -> Iterator[str]:
    """What the last reply asks, and says remains; what the person put off."""
    closing = facts.ending.closing
    if facts.ended in ("reply", "question"):
        if closing.question:
            yield f"{'offered' if closing.is_offer else 'asked'}: {closing.question}"
        if gave_review(facts) or not (facts.turns and facts.turns[-1].edits):
            for found in _told_findings(facts):
                if found not in closing.remaining:
                    yield f"found: {found}"
        if closing.unable:
            yield f"could not: {closing.unable}"
        for item in closing.remaining:
            is_said = facts.ending.is_push_forbidden or failed_push(facts) is not None
            is_meant = is_said and _NOT_PUSHED.search(item) is not None
            if item != closing.question and not is_meant:
                yield f"remains: {item}"
    for prompt in facts.ending.put_off:
        yield f"put off: {prompt}"


def _told_findings(facts: Facts) -> list[str]:
    """What was found; a single word of weight, where no review was asked for, only explains."""
    findings = facts.ending.closing.findings
    is_alone = len(findings) == 1 and not gave_review(facts)
    return [] if is_alone and _BARE_WEIGHT.match(findings[0]) else findings


def _short(entry: str) -> str:
    line = " ".join(entry.split())
    return line if len(line) <= _LENGTH else line[: _LENGTH - 1] + "…"
