"""What comes behind a script's error: errors of other scripts, and what got past those."""

from __future__ import annotations

from msgspec.structs import replace

from helix_tui.curate.draft.difference import leads_in
from helix_tui.curate.draft.names import code, inert, quoted
from helix_tui.schema.candidate import Candidate, Remedy
from helix_tui.schema.signal import Followed
from helix_tui.text.leads import is_plain_way
from helix_tui.text.shape import action_in

_NAME_LENGTH, _SAID_LENGTH = 61, 120


def what_follows(candidate: Candidate) -> list[str]:
    """Say which other script then fails, and how it was run where it passed."""
    return [line for one in candidate.follows for line in _line_of(candidate, one)]


def errors_behind(candidate: Candidate) -> str:
    """Say in a sentence each which other scripts fail behind it."""
    told = [_fails(one) for one in candidate.follows]
    return "".join(f" Behind it {words}." for words in told if words)


def _fails(one: Followed) -> str:
    action, said = quoted(action_in(one.shape), _NAME_LENGTH), quoted(one.said, _SAID_LENGTH)
    return f"{code(action)} says “{inert(said)}”" if action and said else ""


def _line_of(candidate: Candidate, one: Followed) -> list[str]:
    way = Remedy("", "", one.verb, one.passed, "", one.passed, 1, 1.0, None, [""], again=one.again)
    if not one.verb or not is_plain_way(way):
        return []
    own = replace(
        candidate, shape=one.shape, actions=[], leads=[way], error_class="", said=one.said
    )
    fails = _fails(one)
    return [f"Where {fails}, {line[:1].lower()}{line[1:]}" for line in leads_in(own) if fails]
