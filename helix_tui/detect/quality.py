"""The quality gate: decide which sessions are real coding sessions, and name the rule."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from helix_tui.detect.conversation import conversations
from helix_tui.schema.candidate import Counted, Gated
from helix_tui.schema.quality import Quality

# A session with this many calls is real work, whatever its prompt.
_WORK_OF_ITS_OWN = 20
# What a person says against, or to, what the agent did is worth so many calls.
_CALLS_OF_A_MARK = 3


GATES = {
    "no_repo": "it ran in no repository",
    "no_prompt": "nobody asked for anything: a stub",
    "few_events": "it has too few events",
    "few_tool_calls": "hardly a tool was used",
    "trivial_prompt": "only a greeting, a ping or a smoke test was asked for",
    "interrupted_start": "it was stopped before it got anywhere",
}


def gate_of(session: Gated, knobs: Quality) -> str | None:
    """Return the first rule that drops a session, or None where it counts."""
    profile = session.profile
    is_short = profile.useful_calls < 2 * knobs.min_tool_calls
    # Old logs do not say where they ran: there the work itself tells that it was one.
    is_at_work = session.is_placeless and profile.useful_calls >= _WORK_OF_ITS_OWN
    # Who corrects an agent works with it, however little was run.
    worked = profile.useful_calls + _CALLS_OF_A_MARK * profile.marks
    rules = (
        ("no_repo", knobs.require_repo and not session.repo and not is_at_work),
        ("no_prompt", knobs.require_task and not profile.prompts),
        ("few_events", session.events < knobs.min_events),
        ("few_tool_calls", worked < knobs.min_tool_calls),
        (
            "trivial_prompt",
            knobs.require_task and not profile.tasks and profile.useful_calls < _WORK_OF_ITS_OWN,
        ),
        ("interrupted_start", profile.interruptions and profile.prompts == 1 and is_short),
    )
    return next((name for name, drops in rules if drops), None)


def count_sessions(
    sessions: Iterable[Gated], knobs: Quality, joined: Iterable[tuple[int, int]] = ()
) -> dict[int, Counted]:
    """Return every session as it counts: as the first session of its conversation.

    Children belong to the session that started them, and `joined` pairs, by key, to one
    conversation. It counts if one of its sessions does.
    """
    by_id = {session.id: session for session in sessions}
    roots = {session.key: _root_of(session, by_id) for session in by_id.values()}
    pairs = [(roots[one].id, roots[two].id) for one, two in joined if {one, two} <= roots.keys()]
    members = conversations({root.id: root for root in roots.values()}, pairs)
    gates = {name: _gate_of_all(found, knobs) for name, found in members.items()}
    counted: dict[int, Counted] = {}
    for session in by_id.values():
        root = roots[session.key]
        counted[session.key] = Counted(
            session.key,
            session.id,
            members[root.id][0].id,
            session.flavor,
            root.repo or session.repo or "",
            root.branch or session.branch or "",
            session.first_ts or 0,
            session.last_ts or 0,
            gates[root.id],
        )
    return counted


def _gate_of_all(sessions: Sequence[Gated], knobs: Quality) -> str | None:
    """Return the rule that drops a conversation: that of its first session, if none counts."""
    gates = [gate_of(session, knobs) for session in sessions]
    return None if None in gates else gates[0]


def _root_of(session: Gated, by_id: dict[str, Gated]) -> Gated:
    """Return the topmost known ancestor of a session."""
    visited = {session.id}
    while session.parent in by_id:
        if session.parent in visited:
            return by_id[min(visited)]  # a cycle, which only a damaged log can have
        session = by_id[session.parent]
        visited.add(session.id)
    return session
