"""Which errors of a repository's scripts come behind those of another of its scripts."""

from __future__ import annotations

from collections.abc import Sequence

from helix_tui.detect.assemble import SessionSignal
from helix_tui.schema.quality import RECURRING
from helix_tui.schema.signal import Followed
from helix_tui.text.shape import action_in


def behind_of(failed: Sequence[SessionSignal]) -> str:
    """The script behind whose error this one came in each conversation, of two or more.

    What that script did not make, this one misses.
    """
    if not failed[0].signal.behind:
        return ""
    roots: dict[str, set[str]] = {}
    for session, signal in failed:
        roots.setdefault(signal.behind, set()).add(session.root)
    (behind,) = roots if len(roots) == 1 else ("",)
    is_often = len(roots.get(behind, ())) >= RECURRING
    return behind.partition(": ")[0] if behind and is_often else ""


def follows_of(failed: Sequence[SessionSignal]) -> list[Followed]:
    """The errors of other scripts that came behind this one in two conversations or more.

    Each is told by the one that got past it, where one did.
    """
    found: dict[tuple[str, str], dict[str, Followed]] = {}
    for session, signal in failed:
        for one in signal.follows:
            by_root = found.setdefault((action_in(one.shape), one.template), {})
            known = by_root.get(session.root)
            by_root[session.root] = max(known, one, key=_how_sure) if known else one
    every = {session.root for session, _ in failed}
    often = {key: some for key, some in found.items() if RECURRING <= len(some) == len(every)}
    return [
        max((some[root] for root in sorted(some)), key=_how_sure)
        for _, some in sorted(often.items())
    ]


def _how_sure(one: Followed) -> tuple[bool, int, str, str]:
    return bool(one.verb), one.again, one.said, one.passed
