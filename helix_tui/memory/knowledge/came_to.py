"""What a session came to at its end: what its agent reported last, and nobody contradicted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from helix_tui.memory.distill.prose import at_a_pause
from helix_tui.memory.flush.entry import DailyEntry
from helix_tui.memory.knowledge.accounts import Account, Report, standing
from helix_tui.memory.knowledge.session_facts import SPANS, facts_of, matter_of, title_of_entry
from helix_tui.memory.knowledge.work import WORK
from helix_tui.text.markdown import code_span, said_in

REPORTED = "the agent"
_LENGTH = 240
_ASKED_LENGTH = 80
_LEAST = 40
_LEAST_ASKED = 2
# What a report says of the state of a moment, or offers, or of how to use what was made.
_IDLE = re.compile(
    r"(?i)^\W*(?:push status|branch status|current branch|(?:the )?commits?\b|you can\b"
    r"|you['’]re all set|you just\b"
    r"|(?:if [^,]{1,60}, )?i (?:can|could)\b|want me\b|to (?:use|try|test|run|bring|see) "
    r"|(?:note|tip|caveats?|uncommitted)\b|now (?:you|run|try)\b|because i already\b"
    r"|next(?: steps?)?:)"
)
# What might be done is not what was.
_SUPPOSED = re.compile(r"(?i)\bwould (?:be|need|require|have to)\b")
# Signs of what was pasted, or made by a program, and is no request in a person's words.
_PASTED = re.compile(r"[<>{}$%|@]|://|^\W|\d{3}")
# A red check that the agent says was red before, or is no matter of its work.
_NOT_OURS = re.compile(
    r"(?i)\b(?:pre-?existing|unrelated|not (?:related|caused|introduced)|already (?:failing|broken)"
    r"|outside (?:of )?(?:the |this |my )?\w* ?scope|before (?:my|these|this|the) (?:edit|change))"
)
# That a remote was out of reach is of its moment.
OUT_OF_REACH = re.compile(
    r"(?i)\b(?:push|pull|fetch|remote|ssh|network|https|sandbox\w*)\b.{0,120}\b(?:timed? ?out"
    r"|failed|blocked|could not|did not|denied|restricted|not have (?:push )?permission|cannot"
    r"|can['’]?t)\b"
    r"|\bcan(?:no|['’])?t access (?:external|the (?:internet|network))"
)
_RED = re.compile(r"last seen red|failed, and was not run")


def came_to(entry: DailyEntry, most: int, told: str = "") -> list[str]:
    """The last reports of a session that stand, in their order, but for what is `told` already.

    Each says who said it, and on which request where that is not the one of the title.
    """
    facts = facts_of(entry)
    has_worked = facts.has_edits or facts.is_committed
    chosen: list[tuple[int, Account, list[Report]]] = []
    count = 0
    for at, account in _best_first(entry, has_worked):
        reports = [one for one in account.reports if _is_telling(one, told, has_worked)]
        if (reports := reports[: most - count]) and not (chosen and reports[0].is_proposed):
            chosen.append((at, account, reports))
            count += len(reports)
    chosen.sort(key=lambda row: row[0])
    return [line for _, account, reports in chosen for line in _lines(account, reports)]


def _best_first(entry: DailyEntry, has_worked: bool) -> Iterator[tuple[int, Account]]:
    """The accounts that stand: the last that tells of work, that nearest to the title, others."""
    accounts = list(enumerate(standing(entry)))
    title = matter_of(title_of_entry(entry.text))
    told = [row for row in accounts if not has_worked or _tells_of_work(row[1].reports)]
    # Where none speaks of work in known words, what was said of the title's matter may.
    told = told or [row for row in accounts if _nearness(row[1], title)]
    yield from told[-1:]
    rest = [row for row in told[:-1] if not row[1].reports[0].is_proposed]
    yield from sorted(rest, key=lambda row: (-_nearness(row[1], title), -row[0]))


def _tells_of_work(reports: Sequence[Report]) -> bool:
    return any(WORK.search(one.said) and not _IDLE.match(one.said) for one in reports)


def _is_telling(report: Report, told: str, has_worked: bool) -> bool:
    said = report.said
    if has_worked and _SUPPOSED.search(said):
        return False
    if len(said) < _LEAST or _IDLE.match(said) or said in told or OUT_OF_REACH.search(said):
        return False
    return not (has_worked and report.is_proposed)


def _nearness(account: Account, title: frozenset[str]) -> int:
    if account.is_on_title:
        return len(title) + 1
    return len(title & (account.words | matter_of(account.asked)))


def _lines(account: Account, reports: Sequence[Report]) -> Iterator[str]:
    for number, report in enumerate(reports):
        who = f"{REPORTED} proposed" if report.is_proposed else "and" if number else REPORTED
        asked = at_a_pause(account.asked, _ASKED_LENGTH)
        if not number and len(matter_of(asked)) >= _LEAST_ASKED and not _PASTED.search(asked):
            who = f"on {code_span(asked)} {who}"
        yield f"{who}: {code_span(at_a_pause(report.said, _LENGTH))}"


def caveat(entry: DailyEntry, line: str) -> str:
    """Where a line tells of a red check: the agent's word that it was red before its work."""
    if not _RED.search(line):
        return ""
    for field in ("lessons", "key_exchanges", "actions"):
        for said in entry.lines.get(field, []):
            span = _last_span(said)
            if span and _NOT_OURS.search(span) and span not in line:
                return f" (the agent: {code_span(at_a_pause(said_in(span), _LENGTH))})"
    return ""


def _last_span(line: str) -> str:
    spans = [match[0] for match in SPANS.finditer(line)]
    return spans[-1] if spans else ""
