"""What stands beside a model's lines: what was measured of the session, and no model has to tell.

How it stands, what was changed, checked and committed, and where it broke off are Helix's own to
say. So an entry has them whoever wrote the rest, and a model's line does not stand against them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from helix_tui.memory.distill.committed import commits_by_turn, committed_in
from helix_tui.memory.distill.conclusion import is_said, plain_words
from helix_tui.memory.distill.context import context
from helix_tui.memory.distill.extract import extract
from helix_tui.memory.distill.open_ends import open_ends
from helix_tui.memory.distill.standing import standing_of
from helix_tui.schema.memory import Distilled, Piece
from helix_tui.text.markdown import said_in

# Open ends in an agent's words: a model has read them, and tells those that matter.
_IN_WORDS = re.compile(
    r"(?:Remains|Offered|Asked|Could not|Put off|On the agent's list): "
    r"|Left open: `+ ?(?:found|reported|and \d+ more)"
)
_RED = re.compile(
    r"(?P<name>[\w .:@/-]{2,40}?) (?:fails|was last seen red|failed, and was not run again)"
)
_CLAIM = re.compile(
    r"(?i)\b(?P<what>all|everything|checks?|tests?|test suite|lint\w*|types?|type ?check\w*|tsc"
    r"|mypy|build)\b[^.;]{0,40}"
    r"\b(?:pass(?:es|ed|ing)?|(?:is|are|was|were) (?:green|clean)|succeed\w*)\b"
)
_QUALIFIED = re.compile(r"(?i)\b(?:fail\w*|red|broken|except|but|not|still|only|one)\b")
_KINDS = (
    ("test", re.compile(r"(?i)test|jest|mocha|spec|phpunit|\ball\b|everything|checks?\b")),
    ("lint", re.compile(r"(?i)lint|flake8|ruff|biome|rubocop|clippy|\ball\b|everything|checks?\b")),
    ("types", re.compile(r"(?i)tsc|types?\b|mypy|pyright|\bty\b|\ball\b|everything|checks?\b")),
    ("build", re.compile(r"(?i)build|\ball\b|everything|checks?\b")),
)


def beside_model(piece: Piece, distilled: Distilled | None) -> Distilled | None:
    """An entry of a model's lines with what was measured; a noop is one unless it broke off.

    So is an answer that only says what a session was about in which nothing was done.
    """
    opened = list(open_ends(piece))
    measured = [line for line in opened if not _IN_WORDS.match(line)]
    if distilled is None:
        if not measured or extract(piece) is None:
            return None
        return Distilled(_measured(piece), [], [], [], measured)
    told_of = (distilled.key_exchanges, distilled.decisions, distilled.lessons, distilled.actions)
    if not any(told_of) and extract(piece) is None:
        return None
    red = list(_red_checks(piece))
    told = {
        name: [line for line in lines if not _claims_green(_words_of(line), red)]
        for name, lines in _lists(distilled)
    }
    known = list(map(plain_words, measured))
    actions = [one for one in told["actions"] if not is_said(_words_of(one), known)]
    # Where the model left all of it out, the agent's words stand.
    left = measured if told["actions"] else opened
    told["context"] += _measured(piece)
    return Distilled(**(told | {"actions": [*left, *actions]}))


def _measured(piece: Piece) -> list[str]:
    """How it stands, what was changed, what passed, and what was committed."""
    kept = committed_in(piece, [one for some in commits_by_turn(piece).values() for one in some])
    return [*context(piece, ""), *([f"{kept[0].upper()}{kept[1:]}"] if kept else [])]


def _lists(distilled: Distilled) -> Iterator[tuple[str, list[str]]]:
    for name in Distilled.__struct_fields__:
        yield name, list(getattr(distilled, name))


def _words_of(line: str) -> str:
    return said_in(standing_of(line)[0])


def _red_checks(piece: Piece) -> Iterator[str]:
    """The checks that were red when they were seen last, by name."""
    for text in (piece.state, *piece.unfinished):
        yield from (match["name"] for match in _RED.finditer(text))


def _claims_green(line: str, red: Sequence[str]) -> bool:
    """Whether a line says without reserve that a kind of check passes of which one was last red."""
    claim = _CLAIM.search(line)
    if claim is None or _QUALIFIED.search(line):
        return False
    return any(
        kind.search(claim["what"]) and kind.search(name) for name in red for _, kind in _KINDS
    )
