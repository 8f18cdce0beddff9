"""What an agent itself calls the work: the heading of a plan, a pull request's title, a commit's
subject, the task of a sub-agent."""

from __future__ import annotations

import re

import msgspec

from helix_tui.digest.excerpt import excerpt_line
from helix_tui.schema import Facts, WorkName

# Classes of tools by which an agent says what the work is.
NAMING = frozenset({"agent", "plan"})
# How much each counts: the first of the highest is taken.
LOOKED_AT, BY_AGENT, BY_COMMIT, BY_REQUEST, BY_PLAN = range(5)
_MOST = 12
_LENGTH = 160
_HEADING = re.compile(
    r"(?m)^\s{0,3}#{1,4}\s+(?:(?:implementation )?plan(?: to| for)?:?\s+)?(.{4,200})$", re.I
)
_BARE = re.compile(
    r"(?i)^(?:the |my |refactoring |implementation )*(?:plan|overview|summary|context)\W*$"
)
# How git answers a commit, and what it was given.
_ANSWER = re.compile(r"(?m)^\[[^\]\n]{1,200} [0-9a-f]{7,40}\] (.{3,300})$")
_SUBJECT = re.compile(
    r"\bcommit\b[^\n]{0,300}?\s-[a-z]{0,3}m\s{0,2}"
    r"(?:\"\$\(cat <<'?\"?EOF'?\"?\s{1,4}|[\"'])([^\"'\n]{3,200})"
)
# What only replays commits: their subjects are work of before, and that is said.
_REPLAYED = re.compile(r"\bgit (?:-\S{1,80} (?:[^\s-]\S{0,80} )?){0,3}?(rebase|cherry-pick|am)\b")
_REQUEST = re.compile(
    r"\bgh pr create\b[^\n]{0,300}?--title[ =](?:\"([^\"\n]{3,200})\"|'([^'\n]{3,200})')"
)


_VIEW = re.compile(r"\bgh (?:pr|issue) view (?:https?://\S{1,200}/)?#?(\d{1,6})\b")
_TITLE_FIELD = re.compile(r'(?m)"title":\s?"([^"\\\n]{3,200})"|^title:\t(.{3,200})$')


class _Given(msgspec.Struct, gc=False):
    plan: object = None
    description: object = None


_FIELDS = {"agent": '"description"', "plan": '"plan"'}
_decode = msgspec.json.Decoder(_Given).decode


def note_planned_work(facts: Facts, tool_class: str, given: str) -> str:
    """Take the heading of a plan that an agent hands over, or the task that it gives another.

    Returns what it took, so that a session can be found by it.
    """
    if _FIELDS[tool_class] not in given:
        return ""
    try:
        fields = _decode(given)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ""  # a call that the harness refuses as well
    if tool_class == "agent" and isinstance(fields.description, str):
        return _add(facts, BY_AGENT, fields.description)
    if not isinstance(fields.plan, str):
        return ""
    headings = (found[1] for found in _HEADING.finditer(fields.plan[:2000]))
    return _add(facts, BY_PLAN, next((one for one in headings if not _BARE.match(one)), ""))


def note_kept_work(facts: Facts, call: str, answer: str) -> None:
    """Take the subject of a commit that was made, or the title of a pull request."""
    if request := _REQUEST.search(call):
        _add(facts, BY_REQUEST, request[1] or request[2])
    elif subject := _subject(call, answer):
        if "--amend" in call and facts.named and facts.named[-1].rank == BY_COMMIT:
            del facts.named[-1]  # the commit before is no more
        _add(facts, BY_COMMIT, subject)


def _subject(call: str, answer: str) -> str:
    """A commit's subject as git answers it, else as it was given."""
    given, answered = _SUBJECT.search(call), _ANSWER.search(answer[:20_000])
    replayed = _REPLAYED.search(call)
    if replayed is None or given is not None:
        found = given if replayed else answered or given
        return found[1] if found else ""
    return f"{replayed[1].capitalize()}: {answered[1]}" if answered else ""


def note_looked_at(facts: Facts, command: str, answer: str) -> None:
    """Take the title of a pull request or an issue that was looked at, behind its number."""
    looked = _VIEW.search(command)
    titled = _TITLE_FIELD.search(answer[:40_000]) if looked else None
    if looked and titled and not any(name.rank == LOOKED_AT for name in facts.named):
        _add(facts, LOOKED_AT, f"#{looked[1]}: {titled[1] or titled[2]}")


def _add(facts: Facts, rank: int, text: str) -> str:
    name = excerpt_line(text, _LENGTH)
    if not name:
        return ""
    if len(facts.named) >= _MOST:
        del facts.named[_MOST // 2]  # what came first and what came last tell more
    facts.named.append(WorkName(rank, name, facts.prompts))
    return name
