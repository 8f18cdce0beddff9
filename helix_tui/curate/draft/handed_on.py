"""Say where a runner of scripts handed `--` on: what stood behind it was no option any more."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from helix_tui.curate.draft.names import code, quoted
from helix_tui.schema.candidate import Candidate, Evidence
from helix_tui.schema.quality import RECURRING
from helix_tui.text.shape import action_in

_CLASS = "no_tests_found"
_LENGTH = 80
# A runner prints what it runs; npm leaves the `--` out there, since it takes it for itself.
_ECHOED = re.compile(r"[>$] (?P<ran>[A-Za-z][^\n]{0,200}? -- --?[A-Za-z][\w-]{0,40})(?:[= ]|$)")


_GREEN = re.compile(r"(?i)no tests found, exiting with code 0|passWithNoTests")


def is_green_all_the_same(candidate: Candidate, texts: Mapping[Evidence, str]) -> bool:
    """Whether a runner that found no test ended well, as the outputs of two conversations show."""
    green = {cited.session for cited, text in texts.items() if _GREEN.search(text)}
    return candidate.error_class == _CLASS and len(green) >= RECURRING


def handed_on(candidate: Candidate, texts: Mapping[Evidence, str]) -> list[str]:
    """Say that options were read as names, where the outputs of two conversations show it."""
    if candidate.error_class != _CLASS:
        return []
    shown = {cited.session: ran for cited, text in texts.items() if (ran := _echoed(text))}
    action = quoted(action_in(candidate.shape), _LENGTH)
    if len(shown) < RECURRING or not action:
        return []
    ran = code(quoted(min(shown.values(), key=lambda one: (len(one), one)), _LENGTH))
    return [
        f"Give {code(action)} paths of tests, or parts of them, behind {code('--')}, and no "
        f"options: it hands the {code('--')} on, as in {ran}, so that an option is read as "
        "a path and no test runs."
    ]


def _echoed(text: str) -> str:
    """Return what a script ran, as far as the option behind `--`; the call itself comes first."""
    lines: Iterable[str] = text.splitlines()[1:]
    found = (_ECHOED.match(line) for line in lines)
    return next((match["ran"] for match in found if match), "")
