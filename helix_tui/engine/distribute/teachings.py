"""The patterns of a catalog as agents are taught them."""

from __future__ import annotations

from collections.abc import Iterable

from helix_tui.curate.page.pattern import Pattern
from helix_tui.curate.page.report_talk import for_agents
from helix_tui.distribute.scope import distributable, read_scope
from helix_tui.distribute.words import draft_rule, proposed_rung, tidy_rule, with_condition
from helix_tui.schema.curation import DistributeFloors
from helix_tui.schema.distribute import Distributable, Teaching

_ONE_AGENT = "agent"


def rule_of(pattern: Pattern) -> str:
    """The words of a pattern's rule: those of its page, else drafted from what it says to do.

    Advice of ours begins with when it applies: what was run in a log names that by itself.
    """
    if rule := tidy_rule(pattern.rule):
        return rule
    drafted = draft_rule(for_agents(pattern.guidance, pattern.scope))
    is_ours = pattern.provenance.guidance == "advice"
    return with_condition(drafted, pattern.applies) if is_ours else drafted


def _agents_of(pattern: Pattern) -> tuple[str, ...]:
    """The agents that a pattern concerns; none where it concerns all of them."""
    return tuple(sorted(pattern.evidence.flavors)) if pattern.scope.strip() == _ONE_AGENT else ()


def distributable_of(pattern: Pattern, floors: DistributeFloors) -> Distributable:
    """What may go where."""
    evidence = pattern.evidence
    return distributable(
        is_retired=pattern.status == "deprecated" or bool(pattern.superseded_by),
        is_ready=pattern.distribution_ready,
        has_words=bool(for_agents(pattern.guidance, pattern.scope).strip() or pattern.rule.strip()),
        word=pattern.allowed.strip(),
        figures=DistributeFloors(evidence.frequency, evidence.sessions, evidence.cost_impact),
        floors=floors,
    )


def teaching_of(pattern: Pattern, floors: DistributeFloors) -> Teaching:
    """One pattern as it is taught."""
    scope, trouble = read_scope(pattern.scope, pattern.evidence.repo_names)
    hints = {flavor: hint for flavor, hint in pattern.rendering.items() if hint.wording.strip()}
    globs = scope.globs or tuple(dict.fromkeys(
        glob for hint in pattern.rendering.values() for glob in hint.scope
    ))  # fmt: skip
    return Teaching(
        id=pattern.id,
        version=pattern.version,
        title=pattern.title,
        rule=rule_of(pattern),
        rung=pattern.rung or proposed_rung(pattern.guidance, globs),
        scope=scope._replace(globs=globs),
        concerns=_agents_of(pattern),
        allowed=distributable_of(pattern, floors),
        wordings={flavor: draft_rule(hint.wording) for flavor, hint in hints.items()},
        body=_body(pattern),
        weight=pattern.evidence.sessions,
        trouble=trouble,
        guard=pattern.guard,
        shape=pattern.shape,
    )


def teachings_of(patterns: Iterable[Pattern], floors: DistributeFloors) -> list[Teaching]:
    """All that are not retired: these are in no plan but to be taken out."""
    return [
        teaching_of(one, floors)
        for one in patterns
        if one.status != "deprecated" and not one.superseded_by
    ]


def _body(pattern: Pattern) -> str:
    parts = [f"# {pattern.title}", f"When: {pattern.applies}"]
    parts += [f"Not: {pattern.does_not_apply}"] if pattern.does_not_apply else []
    return "\n\n".join([*parts, pattern.guidance])
