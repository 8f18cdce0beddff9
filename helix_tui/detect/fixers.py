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
from helix_tui.text.scripts import is_own_script
from helix_tui.text.shape_change import BEFORE, FORMAT, ITS_FORMATTER, OTHER

_FIXER = re.compile(r"(?:^|[ :])(?:format|fmt|fix)$| --(?:fix|write|apply|autocorrect)| -[aAF]$")
_MENDS_MORE = re.compile(r"fix|--(?:write|apply|autocorrect)| -[aAF]$")
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
    """Return the conversations by each command that was enough; the one to be named first.

    That is the repository's own script which mends more than the layout, then what several
    conversations ran, then any script of its own.
    """
    found: dict[str, set[str]] = {}
    for session, signal in cured:
        if signal.fixer:
            found.setdefault(signal.fixer, set()).add(session.root)
    order = sorted(found, key=lambda one: (*_rank(one, len(found[one])), one))
    return {fixer: found[fixer] for fixer in order}


def _rank(fixer: str, conversations: int) -> tuple[bool, bool, bool, int]:
    # A script of the repository itself knows what is to be formatted, and how.
    is_own, is_more = is_own_script(fixer), _MENDS_MORE.search(fixer) is not None
    return not (is_own and is_more), conversations < RECURRING, not is_own, -conversations


def fixed_by(
    name: str, step: str, cured: Sequence[SessionSignal], *, is_of_style: bool
) -> Remedy | None:
    """Return the commands behind which a check passed in two conversations, as its remedy.

    Behind a check of style it may have been another one each time: what counts is that a fixer is
    enough. What only one conversation ran is named where it is the repository's own.
    """
    fixers = fixers_of(cured)
    if not is_of_style:
        fixers = {one: found for one, found in fixers.items() if len(found) >= RECURRING}
    members: set[str] = set().union(*fixers.values())
    of = len({each.session.root for each in cured})
    is_enough = len(members) >= RECURRING and (is_of_style or 2 * len(members) >= of)
    named = (one for one, found in fixers.items() if is_own_script(one) or len(found) >= RECURRING)
    fixer = next(named, "")
    if not is_enough or not fixer:
        return formatted(name, step, cured) if is_enough and is_of_style else None
    number = len(fixers[fixer])
    rate = f"then `{step}` passed, in {len(members)} of the {of} conversations that got past it"
    is_one_of = number < len(members)
    told = f"a fixer, such as `{fixer}` (in {number})" if is_one_of else f"`{fixer}`"
    verb = fixer if _FIXER.search(fixer) else FORMAT
    others = {other: len(found) for other, found in fixers.items() if other != fixer}
    text, ways = f"{told}, {rate}", {verb: number, **others}
    return _remedy(name, text, verb, _ran(fixer, cured), step, of, members, ways, fixer)


def formatted(name: str, step: str, cured: Sequence[SessionSignal]) -> Remedy | None:
    """Return that formatting turned a check green, where no one command did so twice."""
    members = {each.session.root for each in cured if is_fixed(each)}
    of = len({each.session.root for each in cured})
    if len(members) < RECURRING:
        return None
    rate = f"then `{step}` passed, in {len(members)} of the {of} conversations that got past it"
    text = f"run {ITS_FORMATTER}, {rate}"
    ways = {FORMAT: len(members)}
    return _remedy(name, text, FORMAT, "", step, of, members, ways, ITS_FORMATTER)


def _remedy(
    name: str,
    text: str,
    verb: str,
    ran: str,
    step: str,
    of: int,
    members: set[str],
    ways: dict[str, int],
    fixer: str,
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
        fixer=fixer,
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
