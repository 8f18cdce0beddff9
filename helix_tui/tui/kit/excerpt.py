"""The occurrences of a candidate, and the excerpt of one line by line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from helix_tui.text.safe import safe, safe_line
from helix_tui.tui.kit.moment import day, moment

if TYPE_CHECKING:
    from helix_tui.schema.candidate import Candidate


_LINE_LIMIT = 2_000
_LEFT_OUT = "…"
_SHORT = 8  # signs that many lines begin with
_NOT_FOUND = 127
# What begins something else than the output before it.
_NEXT = ("then ", "$ ", "user: ", "agent: ")


Mark = Literal["call", "wrong", "right", "said", "plain", "why", "dim", "title"]


class Occurrence(NamedTuple):
    """One place where a candidate was seen."""

    session: str
    fingerprint: int
    flavor: str
    repo: str
    ts: int | None
    text: str


def occurrences_of(
    candidate: Candidate, excerpts: Mapping[tuple[str, int], str]
) -> list[Occurrence]:
    """The occurrences of a candidate that something is known of, as it cites them."""
    occurrences: list[Occurrence] = []
    for cited in candidate.evidence:
        root = cited.session.rpartition(".")[0]
        member = candidate.members.get(cited.session) or candidate.members.get(root)
        flavor = cited.session.partition(":")[0]
        repo = member.repo if member else ""
        excerpt = excerpts.get((cited.session, cited.fingerprint), "")
        occurrences.append(
            Occurrence(cited.session, cited.fingerprint, flavor, repo, cited.ts, excerpt)
        )
    return occurrences


def evidence_title(at: int, occurrences: Sequence[Occurrence]) -> str:
    """What stands in the title of the evidence pane."""
    if not occurrences:
        return ""
    occurrence = occurrences[at]
    repo = f" · repo {safe_line(occurrence.repo, 40)}" if occurrence.repo else ""
    flavor = safe_line(occurrence.flavor, 20)
    return f"{at + 1} of {len(occurrences):,} · {flavor}{repo} · {moment(occurrence.ts)}"


def shorter_titles(at: int, occurrences: Sequence[Occurrence]) -> tuple[str, ...]:
    """The same where there is less room: without the time, then without the repository."""
    if not occurrences:
        return ()
    occurrence = occurrences[at]
    place = f"{at + 1} of {len(occurrences):,} · {safe_line(occurrence.flavor, 20)}"
    seen = day(occurrence.ts)
    repo = safe_line(occurrence.repo, 40)
    named = (f"{place} · repo {repo} · {seen}", f"{place} · {repo} · {seen}") if repo else ()
    return (*named, f"{place} · {seen}")


def excerpt_lines(text: str, kind: str, error_class: str = "") -> list[tuple[Mark, str]]:
    """An excerpt line by line, each with what it is: a call, the decisive line, what came next.

    With a class it is that of an error, in whose output words of a user are only printed.
    """
    raw = _without_blanks(_without_repeats(text.split("\n")))
    decisive = _decisive(raw, kind, error_class)
    lines: list[tuple[Mark, str]] = []
    for at, line in enumerate(raw):
        shown = safe(line[:_LINE_LIMIT]) + ("…" if len(line) > _LINE_LIMIT else "")
        if at == decisive:
            lines.append(("right" if kind == "success" else "wrong", shown))
        elif line.startswith("then "):
            lines.append(("call", shown.removeprefix("then ")))
        elif at == 0 or line.startswith("$ "):
            lines.append(("call", shown))
        elif line.startswith(("user: ", "agent: ")):
            lines.append(("said", shown))
        else:
            lines.append(("plain", shown))
    return lines


def _without_repeats(lines: Sequence[str]) -> list[str]:
    """The lines of an excerpt, without what one output prints a second time below a blank line."""
    kept: list[str] = []
    first = 0  # where the output begins that is read
    for at, line in enumerate(lines):
        kept.append(line)
        is_last = at + 1 == len(lines) or lines[at + 1].startswith(_NEXT)
        if line.startswith(_NEXT):
            first = len(kept)
        elif is_last:
            kept[first:] = _once(kept[first:])
    return kept


def _without_blanks(lines: Sequence[str]) -> list[str]:
    """The lines of an excerpt with one blank line at most between others, none behind a gap."""
    kept: list[str] = []
    for line in lines:
        if line.strip() or (kept and kept[-1].strip() not in ("", _LEFT_OUT)):
            kept.append(line)
    return kept


def _once(output: list[str]) -> list[str]:
    for blank in (at for at, line in enumerate(output) if at and not line.strip()):
        before, again = output[:blank], output[blank + 1 :]
        if again and before[-len(again) :] == again:
            return before
    return output


def _decisive(lines: Sequence[str], kind: str, error_class: str) -> int:
    """The line that an occurrence is about: what a user said, what passed, or what failed."""
    user = [at for at, line in enumerate(lines) if line.startswith("user: ")]
    if user and not error_class:
        return user[-1]
    if kind == "success":
        passed = [at for at, line in enumerate(lines) if line.startswith("passed")]
        return passed[-1] if passed else len(lines) - 1
    body = [at for at, line in enumerate(lines) if at and not line.startswith("then ")]
    if not body:
        return 0
    # A line that names the error from further down stands first, over a sign of that.
    hoisted = [
        at - 1
        for at in body
        if lines[at] == _LEFT_OUT and at - 1 in body and lines[at - 1] in "\n".join(lines[at:])
    ]
    if hoisted:
        return hoisted[0]
    from helix_tui.text.signature.naming import error_line

    exit_code = _NOT_FOUND if error_class == "command_not_found" else None
    named = error_line("\n".join(lines[at] for at in body), exit_code)
    return next((at for at in body if _is_named(lines[at], named)), body[0])


def _is_named(line: str, named: str) -> bool:
    """Whether a line is the one that names an error, or the first of two that do together."""
    begun = line.strip()
    return bool(named) and (named in line or (len(begun) > _SHORT and named.startswith(begun)))
