"""Say who of a team is to look at a candidate: a line of the journal, told like a verdict."""

from __future__ import annotations

from helix_tui.engine.team.engine import TeamEngine
from helix_tui.errors import UsageError
from helix_tui.schema.review import JournalLine

_NAMED = 20


def assign(engine: TeamEngine, name: str, pseudonym: str, note: str = "") -> JournalLine:
    """Assign a candidate of the team's list to a member, or with an empty name to nobody."""
    members = sorted(set(engine.people.values()))
    if pseudonym and pseudonym not in members:
        raise UsageError(
            f"Nobody in the team is called {pseudonym}.",
            f"There are {', '.join(members[:_NAMED]) or 'none yet'}.",
        )
    return engine.verdicts.assign(name, pseudonym, note=note)
