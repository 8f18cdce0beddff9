"""What may be concluded from a session's facts: little, and never without its reason.

Against hidden tests, no rule over a log alone does much better than chance; what an agent says of
its own work carries nothing. So confidence stays low, and `unknown` is a frequent answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from helix_tui.schema import Ended, Facts, OutcomeName, Verdict

# Nothing but praise: what goes on with a request tells nothing of the work before it.
_PRAISE = re.compile(
    r"(?i)\W{0,8}(?=.{0,40}\b(?:thank|perfect|great|awesome|excellent|nice|lgtm|good|works|love"
    r"|well done|amazing|cool))"
    r"(?:(?:ok(?:ay)?|yes|yep|thanks?|you|so|very|much|a|lot|perfect(?:ly)?|great"
    r"|awesome|excellent|nice|cool|lgtm|looks?|good|it|that|this|all|is|now|works?|working|well|done"
    r"|job|work|love|amazing|sounds|fine|super|again)\b\W{0,4}){1,12}$"
)
_DISPLEASED = re.compile(
    r"(?i)\b(?:still (?:not|fail\w{0,4}|broken|doesn'?t|the same)|same (?:error|problem|issue)|"
    r"doesn'?t work|didn'?t work|not working)\b"
)

Conclusion = tuple[OutcomeName, float, str]
Rule = Callable[[Facts], Conclusion | None]

_CUT_SHORT: dict[Ended, Conclusion] = {
    "interrupted": ("abandoned", 0.6, "the person stopped the agent and did not go on"),
    "refused": ("abandoned", 0.6, "the person refused a tool call and did not go on"),
    "api_error": ("failed", 0.6, "the model could not be reached, and nobody went on"),
    "prompt": ("abandoned", 0.5, "the last prompt was never answered"),
    "tool_call": ("abandoned", 0.5, "it ends within a tool call"),
    "tool_error": ("failed", 0.5, "it ends with a failed tool call"),
    "compaction": ("unknown", 0.2, "it ends where its context was compacted"),
}


def judge(facts: Facts) -> Verdict:
    """The outcome by the first rule that applies, the firmest evidence first."""
    for rule in _RULES:
        found = rule(facts)
        if found is not None:
            return Verdict(facts.ended, *found)
    return Verdict(facts.ended, "unknown", 0.1, "nothing in the log tells how it went")


def _nothing_done(facts: Facts) -> Conclusion | None:
    if facts.ended is None:
        return "unknown", 0.0, "there is no prompt, reply or tool call in it"
    return None


def _cut_short(facts: Facts) -> Conclusion | None:
    return _CUT_SHORT.get(facts.ended) if facts.ended else None


def _last_word(facts: Facts) -> Conclusion | None:
    """What the person said last, if nothing that was done after it tells more."""
    if facts.prompts < 2:
        return None
    if _DISPLEASED.search(facts.last_prompt) and not facts.checks_since_prompt:
        return "partial", 0.4, "the person's last message says that it does not work"
    is_failing = facts.checks_since_prompt and facts.last_check_passed is False
    if _PRAISE.match(facts.last_prompt) and not is_failing:
        return "success", 0.7, "the person's last message is content with the work"
    return None


def _last_check(facts: Facts) -> Conclusion | None:
    check = facts.last_check
    if facts.last_check_passed is False:
        name: OutcomeName = "partial" if facts.checks_passed or facts.commits else "failed"
        return name, 0.5, f"the last check failed: {check}"
    if facts.last_check_passed and not facts.edits_since_check:
        kept = ", and the work was committed" if facts.commits else ""
        return "success", 0.6 if kept else 0.5, f"the last check passed{kept}: {check}"
    return None


def _kept_work(facts: Facts) -> Conclusion | None:
    if facts.commits:
        return "success", 0.5, "the work was committed; no check after the last edit tells more"
    return None


def _unsaid(facts: Facts) -> Conclusion | None:
    if facts.ended == "tool_result":
        return "abandoned", 0.4, "it ends before the agent said what came of it"
    return None


def _open_end(facts: Facts) -> Conclusion | None:
    if facts.ended == "question":
        return "unknown", 0.2, "it ends with a question to the person"
    edited = sum(tally.edits for tally in facts.files.values())
    if edited:
        return "unknown", 0.2, "files were edited, and nothing shows whether that helped"
    if facts.tools:
        return "unknown", 0.2, "it looked and answered; nothing shows whether that helped"
    return None


_RULES: tuple[Rule, ...] = (
    _nothing_done,
    _cut_short,
    _last_word,
    _last_check,
    _kept_work,
    _unsaid,
    _open_end,
)
