"""What a person corrected in a session, what failed in it, and what of that was overcome."""

from __future__ import annotations

import re
from collections.abc import Iterator

from helix_tui.memory.notes.runs import LOOK, plain_command
from helix_tui.memory.notes.text import code, quote
from helix_tui.schema import Facts
from helix_tui.schema.digest import Moment

CORRECTED = "Corrected by a person: "
ERROR = 160
COMMAND = 120
_LINE = 200
_MOST_OVERCOME = 3
# What an agent's own tools say of how they were used.
_OF_TOOLS = re.compile(r"(?i)^(?:exit code|file has not been read|path does not exist|<)")
# What stands for an output where a command printed nothing: a filter that found nothing.
_NOTHING = re.compile(r"(?i)^\W*(?:no (?:output|matches)|empty)\W*$")


def errors_of(facts: Facts) -> Iterator[str]:
    """What a person corrected, what failed and was not overcome, then some of what was."""
    overcome = _overcome(facts)
    groups = sorted(facts.groups.items(), key=lambda item: -(item[1].last_ts or 0))
    for moment in facts.corrections:
        yield f"{CORRECTED}{quote(moment.text, _LINE)}"
    for moment in facts.false_claims:
        if not _has_passed_since(facts, moment):
            yield f"Said to be done, then failed: {code(moment.text, COMMAND)}"
    past = 0
    for name, group in sorted(groups, key=lambda item: item[0] in overcome):
        # What was looked for and not there is no error of the work; nor is a file quoted wrongly.
        is_look = LOOK.match(plain_command(group.command)) is not None
        if not group.line or _NOTHING.match(group.line) or is_look or group.tool_class == "edit":
            continue
        past += name in overcome
        if _OF_TOOLS.match(group.line) or past > _MOST_OVERCOME:
            continue
        command = f" by {code(group.command, COMMAND)}" if group.command else ""
        often = f", {group.count:,} times" if group.count > 1 else ""
        is_over = ", overcome" if name in overcome else ""
        yield f"{code(group.line, ERROR)}{command}{often}{is_over}"


def _overcome(facts: Facts) -> set[str]:
    """The errors that were got past, by something that did not fail in its turn.

    So was one of which the same command, behind its filter, showed nothing any more.
    """
    over = {recovery.group for recovery in facts.recoveries if not recovery.is_further}
    clean = {
        group.command: group.last_ts or 0
        for group in facts.groups.values()
        if group.command and _NOTHING.match(group.line)
    }
    return over | {
        name
        for name, group in facts.groups.items()
        if (group.last_ts or 0) < clean.get(group.command, 0)
    }


def _has_passed_since(facts: Facts, claim: Moment) -> bool:
    """Whether the check that a claim failed in passed later, or was got past at once."""
    if any(one.fingerprint == claim.fingerprint for one in facts.recoveries):
        return True
    return any(
        run.state == "passed"
        and claim.about in (run.name, run.runner)
        and (run.ts or 0) > (claim.ts or 0)
        for run in facts.runs
    )
