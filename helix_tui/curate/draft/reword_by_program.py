"""Let a program reword a draft; its words are marked, checked and never trusted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta
from msgspec.structs import asdict, replace

from helix_tui.curate.page.mistakes import BadPageError
from helix_tui.curate.page.page import write_page
from helix_tui.curate.page.pattern import Pattern
from helix_tui.curate.page.pattern_json import pattern_json
from helix_tui.program import ProgramError, run_program
from helix_tui.text.refuse import refusals
from helix_tui.text.safe import safe_line

_REASON_LENGTH = 200

_Line = Annotated[str, Meta(min_length=1, max_length=140)]
_Text = Annotated[str, Meta(min_length=1, max_length=2_000)]
_Guidance = Annotated[str, Meta(min_length=1, max_length=4_000)]


class DrafterReply(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The answer of a drafting program: any of these fields, and nothing else."""

    title: _Line | None = None
    problem: _Text | None = None
    applies: _Text | None = None
    does_not_apply: _Text | None = None
    guidance: _Guidance | None = None


class Worded(NamedTuple):
    """A draft as a program worded it, or the draft unchanged with the reason for refusing."""

    pattern: Pattern
    refused: str = ""

    @property
    def is_worded(self) -> bool:
        """Whether it holds words of the program."""
        return not self.refused


def word(pattern: Pattern, command: Sequence[str], timeout: float) -> Worded:
    """Let a program word a draft; on any failure return the draft unchanged, and the reason."""
    try:
        answer = run_program(command, request_of(pattern), timeout)
        return Worded(_merged(pattern, _checked(answer)))
    except ProgramError as refused:
        return Worded(pattern, safe_line(refused.what, _REASON_LENGTH))


def request_of(pattern: Pattern) -> bytes:
    """Encode what the program receives: the draft without excerpts and repository names."""
    bare = replace(pattern, excerpts=[], evidence=replace(pattern.evidence, repo_names=[]))
    return msgspec.json.encode(pattern_json(bare))


def _checked(answer: bytes) -> dict[str, str]:
    """Return the fields of an answer; one mistake in it refuses the whole."""
    try:
        reply = msgspec.json.decode(answer, type=DrafterReply)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ProgramError(f"the program's answer is not as it should be: {error}") from error
    words = {name: text.strip() for name, text in asdict(reply).items() if text is not None}
    if not words:
        raise ProgramError("the program's answer has none of the fields of a draft")
    for name, text in words.items():
        if not text or (name == "title" and "\n" in text):
            raise ProgramError(f"`{name}` of the program's answer is to be one line of text")
        for refusal in refusals(text):
            raise ProgramError(f"`{name}` of the program's answer has {refusal.what}")
    return words


def _merged(pattern: Pattern, words: dict[str, str]) -> Pattern:
    provenance = replace(pattern.provenance, guidance="command")
    worded = replace(pattern, **words, provenance=provenance)
    try:
        write_page(worded)
    except BadPageError as error:
        reason = error.mistakes[0].reason
        raise ProgramError(f"the program's answer makes no page: {reason}") from error
    return worded
