"""What an agent said it came to, request by request, and which of it stood at the session's end."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from helix_tui.memory.flush.entry import DailyEntry
from helix_tui.memory.knowledge.session_facts import SPANS, matter_of, title_of_entry
from helix_tui.memory.knowledge.work import WORK
from helix_tui.text.markdown import said_in

_ON_THAT = "On that the agent"
_GOES_ON = ("and: ", "and proposed: ")
_BY_AGENT = re.compile(r"^(?:On that the|The) agent(?: proposed)?: |`+ → the agent(?: proposed)?: ")
_PROPOSED = re.compile(r"(?:the agent|and) proposed: `", re.IGNORECASE)
_ASKED = re.compile(r"^The user: (?P<asked>`+.+?`+) → the agent")
_CORRECTED = "Corrected by the user: "
_HAD_SAID = " (the agent had said: "
# What did not stand.
FELL = re.compile(
    r"\((?:the user objected|the user reported trouble|the agent took it back) next\)$"
)
# So many signs of two quotations tell that both are of one passage.
_ENOUGH = 24
_SHORT = 3
_SAME_THINGS = 3
_OF_TITLE = 2


# What was committed stands behind what the agent said.
_KEPT = re.compile(r"(?:; |(?<=→ ))(?:committed|opened): `.*$")


def _reaction(line: str) -> str:
    """What came next of a line, where what was committed stands before it."""
    match = FELL.search(line) if _KEPT.search(line) else None
    return f" {match[0]}" if match else ""


class Report(NamedTuple):
    """A passage of what an agent said, and whether it was only proposed."""

    said: str
    is_proposed: bool


class Account(NamedTuple):
    """What an agent said on one request; `asked` is empty where the request is not known."""

    asked: str
    is_on_title: bool
    has_fallen: bool
    reports: list[Report]

    @property
    def words(self) -> frozenset[str]:
        """What the account is about."""
        return matter_of(" ".join(report.said for report in self.reports))


def accounts_of(entry: DailyEntry) -> list[Account]:
    """The accounts of an entry in their order."""
    found: list[Account] = []
    for whole in entry.lines.get("key_exchanges", []):
        line = f"{_KEPT.sub('', whole)}{_reaction(whole)}"
        spans = [match[0] for match in SPANS.finditer(line)]
        if not spans:
            continue
        report = Report(said_in(spans[-1]), _PROPOSED.search(line) is not None)
        if found and line.startswith(_GOES_ON):
            found[-1].reports.append(report)
        elif _BY_AGENT.search(line):
            asked = _ASKED.match(line)
            request = said_in(asked["asked"]) if asked else ""
            has_fallen = FELL.search(line) is not None
            found.append(Account(request, line.startswith(_ON_THAT), has_fallen, [report]))
    return found


def standing(entry: DailyEntry) -> list[Account]:
    """The accounts that nobody contradicted: those behind the last that did not stand.

    What was said before an objection may have been thrown out with what was objected to, and what
    a later account speaks of again stands in its words.
    """
    accounts = accounts_of(entry)
    begin = max((at for at, one in enumerate(accounts, 1) if one.has_fallen), default=0)
    corrections = [line for line in entry.lines.get("lessons", []) if line.startswith(_CORRECTED)]
    for line in corrections:
        begin = max(begin, _after_objection(line, accounts))
    rest = accounts[begin:]
    if corrections and begin == 0:
        rest = rest[-max(1, len(rest) // 2) :]  # it is not known which of them was objected to
    title = matter_of(title_of_entry(entry.text))
    last = max((at for at, one in enumerate(rest) if _is_of(one, title)), default=0)
    found = []
    for at, one in enumerate(rest):
        later = rest[at + 1 :]
        said = [report for report in one.reports if not is_overtaken(report.said, later)]
        is_replaced = at < last and (one.is_on_title or _is_of(one, title))
        if said and not is_replaced:
            found.append(one._replace(reports=said))
    return found


def is_overtaken(said: str, later: Sequence[Account]) -> bool:
    """Whether a later account speaks of the same things."""
    telling = _things(matter_of(said))
    return any(len(telling & _things(one.words)) >= _SAME_THINGS for one in later)


def _is_of(account: Account, title: frozenset[str]) -> bool:
    """Whether an account is on the matter of the session's title."""
    return len(_things(account.words) & _things(title)) >= _OF_TITLE


def _things(words: frozenset[str]) -> set[str]:
    """Words that tell what something is about, with one form for one and many."""
    telling = (word for word in words if len(word) > _SHORT and not WORK.fullmatch(word))
    return {word.removesuffix("s") for word in telling}


def _after_objection(line: str, accounts: Sequence[Account]) -> int:
    """How many accounts stand before a correction; none where it is not known."""
    words, _, had_said = line.partition(_HAD_SAID)
    objection = said_in(words.removeprefix(_CORRECTED))[:_ENOUGH]
    objected = next(_spans(had_said), "")[:_ENOUGH]
    for at, one in reversed(list(enumerate(accounts))):
        if one.asked[:_ENOUGH].startswith(objection[: len(one.asked)]) and one.asked:
            return at
        if objected and any(objected in report.said for report in one.reports):
            return at + 1
    return 0


def _spans(text: str) -> Iterator[str]:
    return (said_in(match[0]) for match in SPANS.finditer(text))
