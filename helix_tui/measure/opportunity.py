"""In which sessions a candidate could have happened, by what the sessions did.

What counts must not depend on whether it happened: who is told to use `pnpm` runs no `npm` any
more, and still had the choice. So an opportunity is the program with whatever sub-command, or one
that may stand for it; never the very command that failed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from helix_tui.schema.candidate import Candidate
from helix_tui.text.alternatives import stand_ins
from helix_tui.text.triggers import ASKED, edit, in_words, run, use

# What people say: it is about the work at which they say it.
SPOKEN = ("correction", "report", "instruction", "workflow")
# What a machine lacks is no longer called once that is known.
_MISSING = frozenset({"command_not_found"})
_EDIT = use("edit")
# A kind of file that a task is about; to edit what is generated is mostly the fault itself.
_KINDS = frozenset(map(edit, ("source", "test", "config", "docs")))
# Moments whose subject is a program that was run.
_OF_PROGRAMS = frozenset({"slow_command", "retry_loop", "edit_test_fix", "false_claim"})


class Opportunity(NamedTuple):
    """The triggers of which a session needs one, and that in words."""

    triggers: frozenset[str]

    @property
    def text(self) -> str:
        """Which sessions these are."""
        return in_words(self.triggers)


def opportunity_of(
    candidate: Candidate, programs: Collection[str], common: Iterable[str]
) -> Opportunity:
    """What a session must have done so that it could have happened there.

    `programs` are those of the action that failed and of the one that worked instead, `common` the
    triggers that all of its own sessions have.
    """
    if candidate.sort in SPOKEN:
        return Opportunity(_spoken(candidate, frozenset(common)))
    if candidate.sort == "moment":
        return Opportunity(_of_moment(candidate))
    if candidate.signal == "api_error":
        return Opportunity(frozenset({ASKED}))
    if candidate.tool_class not in ("", "shell", "other") and not programs:
        return Opportunity(frozenset({use(candidate.tool_class)}))
    known = {run(name) for program in programs for name in stand_ins(program)}
    if candidate.error_class in _MISSING and candidate.subject:
        others = {run(name) for name in stand_ins(candidate.subject)}
        # Nothing is known to stand for it: whoever uses a shell may call it.
        known = others | known if len(others | known) > 1 else set()
    return Opportunity(frozenset(known or {use("shell")}))


def _spoken(candidate: Candidate, common: frozenset[str]) -> frozenset[str]:
    """What people say: the programs it names a choice of, else the kind of work it is said at."""
    named = [stand_ins(word) for word in candidate.subject.split()]
    choices = {run(name) for names in named if len(names) > 1 for name in names}
    if choices:
        return frozenset(choices)
    if kinds := common & _KINDS:
        return kinds
    return frozenset({_EDIT}) if _EDIT in common else frozenset({ASKED})


def _of_moment(candidate: Candidate) -> frozenset[str]:
    if candidate.signal not in _OF_PROGRAMS or not candidate.subject:
        return frozenset({ASKED})
    if candidate.tool_class not in ("", "shell", "other"):
        return frozenset({use(candidate.tool_class)})
    program = candidate.subject.split()[0]
    return frozenset(run(name) for name in stand_ins(program))
