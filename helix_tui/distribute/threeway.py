"""Compare what was written into a block, what is wanted there, and what stands there now."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from helix_tui.distribute.blocks import Entry, entry_of
from helix_tui.schema.distribute import (
    DistributeRefusal,
    LedgerRule,
    Proposal,
    TargetState,
    Want,
)

MOST_RULES = 20
MOST_BYTES = 4_096
# From so much in common on a line is the other, edited; below, one was deleted and one added.
_ALIKE = 0.5


class Settled(NamedTuple):
    """What a block should hold, what the ledger should say of it, and what is to be decided.

    `are_own` is said where nothing of ours is left: what stays are a person's lines.
    """

    entries: tuple[Entry, ...]
    rules: tuple[LedgerRule, ...]
    are_own: bool
    states: dict[str, TargetState]
    proposals: list[Proposal]
    refusals: list[DistributeRefusal]


def settle(
    file: str,
    base: Sequence[LedgerRule],
    entries: Sequence[Entry],
    wants: Sequence[Want],
    now: str,
    *,
    restores: bool = False,
) -> Settled:
    """What becomes of each line: one that somebody edited stays until it is decided on."""
    wanted = {want.pattern: want for want in wants}
    owners, edited = _owners(base, entries, wants)
    written = {rule.pattern: rule for rule in base}
    states: dict[str, TargetState] = {}
    proposals: list[Proposal] = []
    refusals: list[DistributeRefusal] = []
    kept: list[Entry] = []
    rules: list[LedgerRule] = []
    for at, entry in enumerate(entries):
        pattern = owners.get(at, "")
        want, rule = wanted.get(pattern), written.get(pattern)
        if not pattern:
            kept.append(entry)
            proposals.append(Proposal("", file, entry.text))
        elif at not in edited:
            states[pattern] = "clean"
            if want is not None:
                kept.append(entry if entry.text == want.text else entry_of(want.text))
                rules.append(_rule(want, rule, now))
        else:
            assert rule is not None
            states[pattern] = "edited"
            if want is not None and restores:
                kept.append(entry_of(want.text))
                rules.append(_rule(want, None, now))
            elif want is not None:
                kept.append(entry)
                rules.append(rule)
                proposals.append(Proposal(pattern, file, entry.text, rule.text))
            else:
                kept.append(entry)
                message = "its line was edited by hand, so it stays as your own"
                refusals.append(DistributeRefusal(file, pattern, "edited", message))
    owned = set(owners.values())
    for rule in base:
        if rule.pattern in owned:
            continue
        states[rule.pattern] = "missing"
        want = wanted.get(rule.pattern)
        if want is None:
            continue
        if restores:
            kept.append(entry_of(want.text))
            rules.append(_rule(want, None, now))
        else:
            rules.append(rule)
            message = (
                "somebody took its line out: `helix distribute retract ID` confirms that, "
                "`helix distribute apply --restore` writes it again"
            )
            refusals.append(DistributeRefusal(file, rule.pattern, "missing", message))
    news = [want for want in wants if want.pattern not in owned | written.keys()]
    for want in sorted(news, key=lambda one: (-one.weight, one.pattern)):
        entry = entry_of(want.text)
        if any(one.text == want.text for one in kept):
            message = "another rule of the block says the same"
            refusals.append(DistributeRefusal(file, want.pattern, "told", message))
            continue
        if not _has_room([*kept, entry]):
            message = (
                f"a file takes {MOST_RULES} rules and {MOST_BYTES:,} bytes: "
                "retire one first (`helix distribute retract ID`)"
            )
            refusals.append(DistributeRefusal(file, want.pattern, "full", message))
            continue
        kept.append(entry)
        rules.append(_rule(want, None, now))
    return Settled(tuple(kept), tuple(rules), not rules, states, proposals, refusals)


def _owners(
    base: Sequence[LedgerRule], entries: Sequence[Entry], wants: Sequence[Want]
) -> tuple[dict[int, str], set[int]]:
    """Whose line each entry is, and which of them were edited."""
    owners: dict[int, str] = {}
    texts = [(rule.pattern, rule.text) for rule in base]
    # What somebody wrote by hand and the catalog says now is ours as well.
    texts += [(want.pattern, want.text) for want in wants]
    for pattern, text in texts:
        if pattern in owners.values():
            continue
        at = next(
            (at for at, one in enumerate(entries) if at not in owners and one.text == text), None
        )
        if at is not None:
            owners[at] = pattern
    edited: set[int] = set()
    lost = [rule for rule in base if rule.pattern not in owners.values()]
    free = [at for at in range(len(entries)) if at not in owners]
    ratios = sorted(
        (
            (SequenceMatcher(None, rule.text, entries[at].text).ratio(), number, at)
            for number, rule in enumerate(lost)
            for at in free
        ),
        key=lambda one: (-one[0], one[1], one[2]),
    )
    for ratio, number, at in ratios:
        pattern = lost[number].pattern
        if ratio >= _ALIKE and at not in owners and pattern not in owners.values():
            owners[at] = pattern
            edited.add(at)
    return owners, edited


def _rule(want: Want, before: LedgerRule | None, now: str) -> LedgerRule:
    since = before.since if before is not None and before.text == want.text else now
    return LedgerRule(want.pattern, want.version, want.text, since, list(want.agents))


def _has_room(entries: Sequence[Entry]) -> bool:
    size = sum(len(line.encode()) + 1 for entry in entries for line in entry.raw)
    return len(entries) <= MOST_RULES and size <= MOST_BYTES
