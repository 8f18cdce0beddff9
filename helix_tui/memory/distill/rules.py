"""Sentences by which a person lays down how to work in a repository, whatever the task."""

from __future__ import annotations

import re
from collections.abc import Iterator

from helix_tui.memory.distill.prose import sentences_of

_RULE = re.compile(
    r"(?i)^(?:and |but |also,? |please |no,? |ok(?:ay)?,? |just )*"
    r"(?:use `?[\w./@-]+`?(?: \w+)?,? (?:not|instead of|rather than|over) "
    r"(?!this|that|it|the)`?[\w.@-]+"
    r"|(?:never|always) (?!mind)[a-z]+ \w+|from now on\b|as a rule\b|never push\b"
    r"|we (?:always|never) (?:use|do|commit|push|run|write|call|name|test|want)\b"
    r"|(?:do not|don'?t) ever\b|every time (?:you|we)\b)"
)
_LONGEST_SENTENCE = 160


def rules_in(request: str) -> Iterator[str]:
    """The rules that a request has, each a whole sentence."""
    for sentence in sentences_of(" ".join(request.split())):
        rule = sentence.strip()
        if len(rule) <= _LONGEST_SENTENCE and not rule.endswith("…") and _RULE.match(rule):
            yield rule
