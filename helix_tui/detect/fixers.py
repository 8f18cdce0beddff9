"""Which formatter or fixer turned a red check green.

A command is named only where the check passed behind it in two conversations, with nothing mended
in between; one that was merely run before tells nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from helix_tui.detect.assemble import SessionSignal
from helix_tui.detect.remedies import change_of
from helix_tui.schema.candidate import Remedy
from helix_tui.schema.quality import RECURRING
from helix_tui.text.command_difference import links_of
from helix_tui.text.shape_change import BEFORE, FORMAT, OTHER

_FIXER = re.compile(r"(?:^|[ :])(?:format|fmt|fix)$| --(?:fix|write|apply|autocorrect)| -[aAF]$")
# A script of the repository itself knows what is to be formatted, and how.
_OWN = re.compile(
    r"(?:npm|pnpm|yarn|bun|mise) run |deno task |(?:make|just|task|composer|rake|poe|nox|invoke) "
)
_LEAST_SHARE = 0.5
_SHELL = "$ "


def is_fixed(occurrence: SessionSignal) -> bool:
    """Whether a formatter or fixer is what an error was overcome by."""
    change = change_of(occurrence)
    is_fixer = occurrence.signal.fixer or _FIXER.search(change)
    return change.startswith(BEFORE) and bool(is_fixer)


def without_fixers(cured: Sequence[SessionSignal]) -> list[SessionSignal]:
    """Return the same, where what a formatter or fixer overcame counts as overcome, and no more."""
    return [
        SessionSignal(each.session, msgspec.structs.replace(each.signal, verb="", change=OTHER))
        if is_fixed(each)
        else each
        for each in cured
    ]


def fixers_of(cured: Sequence[SessionSignal]) -> dict[str, set[str]]:
    """Return the conversations by each command that did so in several; own scripts first."""
    found: dict[str, set[str]] = {}
    for session, signal in cured:
        if signal.fixer:
            found.setdefault(signal.fixer, set()).add(session.root)
    recurring = [fixer for fixer, members in found.items() if len(members) >= RECURRING]
    recurring.sort(key=lambda one: (not _OWN.match(one), -len(found[one]), one))
    return {fixer: found[fixer] for fixer in recurring}


def fixed_by(name: str, step: str, cured: Sequence[SessionSignal]) -> Remedy | None:
    """Return the commands behind which a check passed as its remedy, where they mostly did."""
    fixers = fixers_of(cured)
    members: set[str] = set().union(*fixers.values())
    of = len({each.session.root for each in cured})
    if not members or len(members) < _LEAST_SHARE * of:
        return None
    fixer = next(iter(fixers))
    number = len(fixers[fixer])
    rate = f"then `{step}` passed, in {len(members)} of the {of} conversations that got past it"
    is_one_of = number < len(members)
    told = f"a fixer, such as `{fixer}` (in {number})" if is_one_of else f"`{fixer}`"
    verb = fixer if _FIXER.search(fixer) else FORMAT
    others = {other: len(found) for other, found in fixers.items() if other != fixer}
    text = f"{told}, {rate}"
    ways = {verb: number, **others}
    return _remedy(name, text, verb, _ran(fixer, cured), step, of, members, ways)


def formatted(name: str, step: str, cured: Sequence[SessionSignal]) -> Remedy | None:
    """Return that formatting turned a check green, where no one command did so twice."""
    members = {each.session.root for each in cured if is_fixed(each)}
    of = len({each.session.root for each in cured})
    if len(members) < RECURRING or len(members) < _LEAST_SHARE * of:
        return None
    rate = f"then `{step}` passed, in {len(members)} of the {of} conversations that got past it"
    text = f"run its formatter, {rate}"
    return _remedy(name, text, FORMAT, "", step, of, members, {FORMAT: len(members)})


def _remedy(
    name: str,
    text: str,
    verb: str,
    ran: str,
    step: str,
    of: int,
    members: set[str],
    ways: dict[str, int],
) -> Remedy:
    return Remedy(
        id=name,
        text=text,
        verb=verb,
        ran=ran,
        failed=f"{_SHELL}{step}",
        works=f"{_SHELL}{step}",
        of=of,
        share=round(len(members) / of, 3),
        lift=None,
        members=sorted(members),
        ways=ways,
    )


def _ran(fixer: str, cured: Sequence[SessionSignal]) -> str:
    """Return a fixer as it was run, the shortest of all; its name where that is not seen."""
    words = set(fixer.split()) - {"run"}
    links = {
        link
        for _, signal in cured
        if signal.fixer == fixer
        for link in links_of(signal.text.removeprefix(_SHELL))
        if all(any(word in one for one in link.split()) for word in words)
    }
    return _SHELL + min(links, key=lambda link: (len(link), link), default=fixer)
