"""Facts as Markdown, and what of it a reader takes for more than text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from markdown_it import MarkdownIt
from markdown_it.token import Token

from helix_tui.schema import CommandTally, ErrorGroup, Facts, FileTally, Moment, Recovery, ToolTally
from helix_tui.schema.memory import Aside, Exchange, Piece, Told

PARSER = MarkdownIt("commonmark").enable("table")

BESIDE = re.compile(r"[a-z0-9._-]+\.md")

AT = datetime(2026, 3, 2, 11, 5).astimezone()

MARK = "0123456789abcdef"


def _flat(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from _flat(token.children or [])


def outside_of_code(text: str) -> str:
    """All that a page says but its code, with what is HTML and where links lead elsewhere."""
    return "\n".join(
        f"{token.content} {'' if BESIDE.fullmatch(str(token.attrs.get('href'))) else token.attrs}"
        for token in _flat(PARSER.parse(text))
        if token.type not in ("inline", "code_inline", "code_block", "fence")
    )


def facts_of(said: str) -> Facts:
    moment = Moment(1, 1, said)
    return Facts(
        first_prompt=said,
        last_prompt=said,
        last_reply=said,
        last_check=said,
        last_check_passed=True,
        ended="question",
        ended_text=said,
        prompts=2,
        tools={"shell": ToolTally(90)},
        files={said: FileTally(1, 1), f"/x/{said}": FileTally(1, 1)},
        commands={said: CommandTally(2, 0)},
        corrections=[moment],
        false_claims=[moment],
        loops=[moment],
        slow=[moment],
        kept=[Moment(1, 1, f'git commit -m "{said} is said here"')],
        first_passes={said: moment},
        groups={"a": ErrorGroup(said, "shell", 1, said)},
        recoveries=[
            Recovery(group="a", remedy=said, verb=said, passed=said, ts=1, fingerprint=1),
            Recovery(
                group="a", remedy=f"edit {said}", verb="edit a file", passed="", ts=1, fingerprint=1
            ),
        ],
    )


def piece_of(said: str) -> Piece:
    answered = (
        f"The problem was that {said} was there. We decided to use {said} instead of it.\n\n"
        f"{said}\n\n## Next steps\n\n- {said}\n"
    )
    asked = f"please do {said} rather than that, and never anything else"
    asides = [Aside(answered, 1, f"/x/{said}")]
    turns = [Exchange(1, asked, answered, 5), Exchange(2, asked, answered, 6, 1, asides)]
    return Piece(
        session=f"claude:{said}",
        flavor="claude",
        native_id="12345678-" + said,
        repo=said,
        branch=said,
        cwd=said,
        first_ts=1,
        last_ts=2,
        is_first=True,
        exchanges=turns,
        facts=facts_of(said),
        fingerprints=[1],
        unfinished=[f"remains: {said}", f"{said} fails: {said}"],
        title=said,
        state=f"the last check passed: {said}",
        told=[Told("correction", said * 3, 3.0), Told("instruction", said * 3, 2.0)],
        summaries=[f"# Errors and fixes\n\n- it was {said} that did not work here at first"],
    )
