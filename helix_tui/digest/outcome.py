"""What may be concluded from a session's facts: little, and never without its reason.

What an agent claims of its own work carries nothing; what checks, git and the person say does, and
what the agent says it could not do. A request that nothing can check is met where the agent
answered it and the person did not object. So confidence stays low, and `unknown` is an answer.
"""

from __future__ import annotations

from collections.abc import Callable

from helix_tui.digest.ending import is_displeased, is_praise, is_report
from helix_tui.digest.extractor import EXTRACTOR, FIRST_WITH_ENDING
from helix_tui.digest.left_open import gave_review, was_nothing_asked
from helix_tui.digest.programs import is_looking, programs_in
from helix_tui.digest.red_checks import deciding, failed_push, is_green, red_checks
from helix_tui.digest.runs.started import never_began
from helix_tui.digest.tasks import (
    asks_for_change,
    asks_for_edit,
    asks_to_search,
    is_placeholder,
    searches,
)
from helix_tui.schema import Ended, Facts, OutcomeName, Verdict

Conclusion = tuple[OutcomeName, float, str]
Rule = Callable[[Facts], Conclusion | None]

# How a session breaks off: what it is where nothing was kept, how sure that is, and why.
_CUT_SHORT: dict[Ended, Conclusion] = {
    "interrupted": ("abandoned", 0.6, "the person stopped the agent and did not go on"),
    "refused": ("abandoned", 0.6, "the person refused a tool call and did not go on"),
    "api_error": ("failed", 0.6, "the model could not be reached, and nobody went on"),
    "prompt": ("abandoned", 0.5, "the last prompt was never answered"),
    "tool_call": ("abandoned", 0.5, "it ends within a tool call"),
    "tool_error": ("failed", 0.5, "it ends with a failed tool call"),
}
# What takes more edits is no plain order.
_FEW_EDITS = 2
_ANSWERED = ("reply", "question")


def judge(facts: Facts, extractor: int = EXTRACTOR) -> Verdict:
    """The outcome by the first rule that applies, the firmest evidence first.

    What an older extractor made does not tell what is open: only firm evidence counts there.
    """
    for rule in _RULES if extractor >= FIRST_WITH_ENDING else _OF_OLDER_DIGESTS:
        conclusion = rule(facts)
        if conclusion is not None:
            return Verdict(facts.ended, *conclusion)
    return Verdict(facts.ended, "unknown", 0.1, "nothing in the log tells how it went")


def _nothing_done(facts: Facts) -> Conclusion | None:
    if facts.ended is None:
        return "unknown", 0.0, "there is no prompt, reply or tool call in it"
    if facts.ended == "compaction":
        return "unknown", 0.2, "it ends where its context was compacted"
    if was_nothing_asked(facts):
        return "unknown", 0.1, "nothing was asked of it"
    return None


def _content(facts: Facts) -> Conclusion | None:
    """What the person said last, if nothing that was done after it tells more."""
    is_failing = facts.checks_since_prompt and facts.last_check_passed is False
    if facts.prompts > 1 and is_praise(facts.last_prompt) and not is_failing:
        return "success", 0.7, "the person's last message is content with the work"
    return None


def _cut_short(facts: Facts) -> Conclusion | None:
    """It breaks off; what was kept or checked before makes it a part of the work."""
    conclusion = _CUT_SHORT.get(facts.ended) if facts.ended else None
    if conclusion is None:
        return None
    _, confidence, reason = conclusion
    kept = _kept(facts)
    return ("partial", confidence - 0.1, f"{reason}; {kept}") if kept else conclusion


def _kept(facts: Facts) -> str:
    """What stays of the work whatever came last."""
    if facts.commits > facts.reverts:
        return "work was committed before"
    return "a check passed before" if facts.checks_passed else ""


def _reported(facts: Facts) -> Conclusion | None:
    """The person's last message says that it does not work, and no check passed after it."""
    ending, last = facts.ending, facts.last_prompt
    if facts.prompts < 2 or not ending.reports or not is_report(last):
        return None
    says_so = is_displeased(last)
    if not says_so and ending.reports == 1 and ending.code_edits:
        return None  # an error was pasted, and something was done about it
    if (says_so and ending.reports > 1) or facts.last_check_passed is False:
        return "failed", 0.4, "the person reported to the last that it does not work"
    return "partial", 0.4, "the person's last message says that it does not work"


def _red(facts: Facts) -> Conclusion | None:
    """A check is red, and nothing made it green."""
    red = deciding(red_checks(facts), facts)
    if not red or gave_review(facts):
        return None
    if facts.ending.code_edits:
        return "unknown", 0.2, f"{red[-1].name} failed, and was not run again after later edits"
    is_partly = facts.checks_passed or facts.commits > facts.reverts
    name: OutcomeName = "partial" if is_partly else "failed"
    check = facts.checks.get(red[-1].name)
    if check is not None and check.is_stale:
        return name, 0.4, f"{red[-1].name} failed, and was not run again: {red[-1].reason}"
    return name, 0.5, f"{red[-1].name} fails where it ends: {red[-1].reason}"


def _refused(facts: Facts) -> Conclusion | None:
    """A change was refused, the person went on, and nothing was changed after it."""
    if facts.ending.refused_change:
        return "partial", 0.4, "the person refused the last change, and none was made after it"
    return None


def _never_seen_to_work(facts: Facts) -> Conclusion | None:
    """The person reported it broken more than once, and nothing shows that it works now."""
    if facts.ending.reports > 1:
        times = facts.ending.reports
        return "partial", 0.3, f"reported broken {times} times, and not seen to work since"
    return None


def _half_accepted(facts: Facts) -> Conclusion | None:
    """It did the job but for something, for which code was then edited and nothing shows that."""
    if facts.ending.is_half_accepted and facts.ending.code_edits:
        reason = "it did the job but for something, and what was changed for that is not seen"
        return "partial", 0.3, f"{reason} to work"
    return None


def _not_pushed(facts: Facts) -> Conclusion | None:
    """The work was committed and should have been pushed, which failed."""
    push = failed_push(facts)
    if push is None:
        return None
    return "partial", 0.4, f"the last push failed: {push.reason}"


def _green(facts: Facts) -> Conclusion | None:
    if is_green(facts):
        part = "part of " if facts.ending.edits_since_commit else ""
        kept = f", and {part}the work was committed" if facts.commits else ""
        confidence = 0.6 if kept else 0.5
        return "success", confidence, f"the last check passed{kept}: {facts.last_check}"
    return None


def _older_check(facts: Facts) -> Conclusion | None:
    """The last check, where a digest does not have the others, nor what was edited since."""
    if facts.last_check_passed is False:
        name: OutcomeName = "partial" if facts.checks_passed or facts.commits else "failed"
        return name, 0.5, f"the last check failed: {facts.last_check}"
    return None if facts.edits_since_check else _green(facts)


def _committed(facts: Facts) -> Conclusion | None:
    if facts.commits > facts.reverts and not (
        facts.ending.code_edits and facts.ending.edits_since_commit
    ):
        return "success", 0.5, "the work was committed; no check after the last edit tells more"
    return None


def _unsaid(facts: Facts) -> Conclusion | None:
    if facts.ended == "tool_result":
        return "abandoned", 0.4, "it ends before the agent said what came of it"
    return None


def _waits(facts: Facts) -> Conclusion | None:
    """The agent could not go on without the person, who did not answer."""
    closing = facts.ending.closing
    if facts.ended not in _ANSWERED:
        return None
    if closing.unable:
        is_stuck = not facts.ending.changes or (closing.question and not closing.is_offer)
        name: OutcomeName = "failed" if is_stuck else "partial"
        return name, 0.4, f"the agent says that it could not do it: {closing.unable}"
    if closing.question and not closing.is_offer and not facts.ending.changes:
        return "abandoned", 0.3, "it ends with a question that nobody answered"
    return None


def _unchecked(facts: Facts) -> Conclusion | None:
    ending = facts.ending
    if not ending.code_edits or gave_review(facts):
        return None
    if ending.tries:
        return "success", 0.3, "what was edited ran well after the last edit; no check tells more"
    if _is_plain_edit(facts):
        return (
            "success",
            0.3,
            "it made the change that was asked for, and the person did not object",
        )
    return "unknown", 0.2, "code was edited, and nothing was run that shows whether it works"


def _is_plain_edit(facts: Facts) -> bool:
    """Whether one plain order was all, and only style sheets, manifests or settings were edited."""
    ending = facts.ending
    is_small = ending.code_edits == ending.plain_edits <= _FEW_EDITS
    is_all = facts.prompts == 1 and is_small
    is_told = (
        facts.ended == "reply" and not ending.closing.question and not ending.closing.remaining
    )
    return is_all and is_told and not ending.reports and asks_for_edit(ending.last_task)


def _blocked(facts: Facts) -> Conclusion | None:
    """The agent reported a task as blocked, and changed nothing for it later."""
    if facts.ending.blocked and facts.ended in _ANSWERED:
        name: OutcomeName = "partial" if facts.ending.changes else "failed"
        return name, 0.3, f"the agent reported it as blocked: {facts.ending.blocked[0]}"
    return None


def _put_off(facts: Facts) -> Conclusion | None:
    if facts.ending.put_off:
        return "partial", 0.3, "part of it was put off, and no check or commit shows the rest"
    return None


def _not_permitted(facts: Facts) -> Conclusion | None:
    if facts.ending.not_permitted:
        return (
            "partial",
            0.3,
            f"it was not permitted: {facts.ending.not_permitted[0]}",
        )
    return None


def _has_acted(facts: Facts) -> bool:
    """Whether anything was done but to look: by a tool, or by a program."""
    runs = sum(command.runs for command in facts.commands.values())
    reads = sum(file.reads for file in facts.files.values())
    # What is neither a command nor a read may be a tool that does it.
    return bool(facts.ending.changes or facts.useful_calls > runs + reads) or any(
        not is_looking(program) for command in facts.commands for program in programs_in(command)
    )


def _untold(facts: Facts) -> Conclusion | None:
    """A check ran, and its output tells nothing."""
    ran = [run for run in facts.runs if run.kind != "git" and not never_began(run.reason)]
    if facts.last_check_passed is None and facts.checks and ran:
        return "unknown", 0.2, f"{ran[-1].name} ran, and its output does not tell"
    return None


def _answered(facts: Facts) -> Conclusion | None:
    """A plain request was met: answered or written down, and the person did not object."""
    if facts.ended not in _ANSWERED:
        return None
    if not facts.last_reply and not facts.ending.changes:
        return "unknown", 0.1, "it answered, and the log does not have its words"
    if facts.ending.reports:
        return "unknown", 0.2, "the person reported a failure, and nothing shows that it is gone"
    if facts.ending.is_turned_down:
        return (
            "unknown",
            0.2,
            "the person turned down what it said, and nothing was changed since",
        )
    if is_placeholder(facts.last_prompt) and is_placeholder(facts.last_reply or "removed"):
        return "unknown", 0.1, "the log has placeholders instead of what was said"
    has_searched = facts.useful_calls or any(map(searches, facts.tools))
    if asks_to_search(facts.ending.last_task) and not has_searched:
        return "failed", 0.3, "a search was asked for, and none was made"
    if asks_for_change(facts.ending.last_task) and not _has_acted(facts):
        return "unknown", 0.2, "a change was asked for, and nothing was run that makes one"
    if facts.ending.document_edits:
        return "success", 0.3, "it wrote what was asked for, and the person did not object"
    return "success", 0.3, "it answered what was asked, and the person did not object"


_RULES: tuple[Rule, ...] = (
    _nothing_done,
    _content,
    _cut_short,
    _reported,
    _red,
    _refused,
    _never_seen_to_work,
    _half_accepted,
    _not_pushed,
    _green,
    _committed,
    _unsaid,
    _waits,
    _blocked,
    _put_off,
    _unchecked,
    _not_permitted,
    _untold,
    _answered,
)
_OF_OLDER_DIGESTS: tuple[Rule, ...] = (
    _nothing_done,
    _content,
    _cut_short,
    _older_check,
    _committed,
    _unsaid,
)
