"""Says of a repository's scripts which errors came behind those of another of its scripts.

What one script did not make, another one misses: the second error follows from the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from helix_tui.schema import Recovery
from helix_tui.schema.signal import Followed, Signal
from helix_tui.text.scripts import is_script
from helix_tui.text.shape import action_in

_MOST = 3


def in_sequence(errors: Sequence[Signal], recoveries: Sequence[Recovery]) -> Iterator[Signal]:
    """The errors of a session, in the order in which they were met, those of scripts linked."""
    of_scripts = [at for at, one in enumerate(errors) if _script_of(one)]
    for at, one in enumerate(errors):
        if at not in of_scripts or len(of_scripts) < 2:
            yield one
            continue
        own = _script_of(one)
        before = [errors[place] for place in of_scripts if place < at]
        first = next((each for each in before if _script_of(each) != own), None)
        later = [errors[place] for place in of_scripts if place > at]
        follows = [_followed(each, recoveries) for each in later if _script_of(each) != own]
        behind = f"{action_in(first.shape)}: {first.template}" if first else ""
        yield replace(one, behind=behind, follows=follows[:_MOST])


def _script_of(signal: Signal) -> str:
    """The script that failed with a message of its own; nothing of other errors.

    What a check finds in the code is nothing that another script misses.
    """
    is_own = bool(signal.template) and not signal.check
    program = action_in(signal.shape).partition(" ")[0] if is_own else ""
    return program if is_script(program) else ""


def _followed(signal: Signal, recoveries: Iterable[Recovery]) -> Followed:
    past = next((one for one in recoveries if one.shape == signal.shape and one.verb), None)
    if past is None or past.is_further:
        return Followed(signal.shape, signal.template, signal.text)
    return Followed(signal.shape, signal.template, signal.text, past.verb, past.passed, past.again)
