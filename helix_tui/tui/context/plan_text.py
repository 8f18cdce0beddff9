"""What the context screen says of what is distributed, and of a plan before it is carried out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from helix_tui.text.human import plural
from helix_tui.text.safe import safe_line

if TYPE_CHECKING:
    from helix_tui.schema.context import RepoContext
    from helix_tui.schema.distribute import Plan, TargetStatus

_MOST_LINES = 400


def standing_at(plan: Plan, row: RepoContext) -> list[TargetStatus]:
    """What is distributed to an agent in a repository."""
    return [one for one in plan.targets if one.site == row.repo and row.agent in one.agents]


def waiting(plan: Plan) -> int:
    """How many files are to be written."""
    return sum(1 for one in plan.writes if one.is_write)


def drifted(plan: Plan) -> int:
    """How many rules are not as they were written, or not loaded."""
    return sum(1 for one in plan.targets if one.state != "clean")


def plan_title(plan: Plan) -> str:
    """How much a plan would write."""
    written = waiting(plan)
    names = {refusal.pattern for refusal in plan.refusals}
    refused = f", {plural(len(names), 'pattern')} held back" if names else ""
    return f"{plural(written, 'file')} to be written{refused}" if written else "Nothing to write"


def plan_lines(plan: Plan) -> list[str]:
    """A plan as somebody reads it: diffs first, then what is not written and why."""
    lines = list(_plan(plan))
    if len(lines) > _MOST_LINES:
        rest = len(lines) - _MOST_LINES
        lines = [*lines[:_MOST_LINES], f"… {rest:,} lines more: `helix distribute plan`"]
    return lines or ["Every file is as catalog and ledger say."]


def _plan(plan: Plan) -> Iterator[str]:
    from helix_tui.distribute.plan import diff_of  # few look at plans

    for one in plan.writes:
        if one.is_write:
            yield f"{one.action} {safe_line(one.file, 400)}"
            # Behind the two lines that name the file again.
            yield from (f"  {line}" for line in diff_of(one).splitlines()[2:])
        elif one.is_noted:
            agents = ", ".join(dict.fromkeys(name for rule in one.rules for name in rule.agents))
            file = safe_line(one.file, 400)
            yield f"noted {file}: it stays as it is; by now it is read by {agents}"
    for warning in plan.warnings:
        yield safe_line(f"warning: {warning.pattern}: {warning.message}", 600)
    # What several are not written for stands once.
    reasons: dict[tuple[str, str], list[str]] = {}
    for refusal in plan.refusals:
        why = refusal.message.replace(" ID", f" {refusal.pattern}")
        reasons.setdefault((refusal.kind, why), []).append(refusal.pattern)
    for (kind, why), names in reasons.items():
        yield safe_line(f"not written ({kind}): {', '.join(names)}: {why}", 4_000)
    for proposal in plan.proposals:
        whose = proposal.pattern or "nobody's line"
        yield safe_line(f"edited by hand: {whose} in {proposal.file}: {proposal.text}", 600)
