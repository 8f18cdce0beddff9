"""The facts that a model reads of a piece: what was edited, checked, committed, and went amiss.

Facts that say something: how each check came out, and not how somebody looked around.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from helix_tui.memory.distill.cured import is_cure
from helix_tui.schema.digest import ErrorGroup, Facts, RunFact
from helix_tui.schema.memory import Piece
from helix_tui.text.human import plural

_MOST_FILES = 30
_MOST_COMMANDS = 10
_MOST_ERRORS = 12
_MOST_CHECKS = 15
_MOST_COMMITS = 20
_LINE_LENGTH = 300
# Commands that only look, behind those that only go somewhere.
_LOOKING = re.compile(
    r"(?:(?:cd|pushd) [^&;|]+(?:&&|;)\s*|command )*"
    r"(?:ls|cat|sed -n|head|tail|r?grep|rg|find|fd|pwd|tree|wc|which|echo|printf|stat|file|date|env"
    r"|sleep|true|mkdir|cp|git (?:-C \S+ )?(?:status|diff|log|show|branch|remote|rev-parse|fetch"
    r"|ls-files|add|worktree list))\b"
)
_SLIP = re.compile(
    r"(?i)string to replace|\bold_?(?:text|string)\b|found \d+ (?:matches|occurrences)|be unique"
    r"|could not find (?:the exact|edits|old)|expected lines|\bhunk\b|read (?:it )?(?:first|before)"
    r"|not been read|modified since|no (?:changes|match)|file (?:not found|does not exist)"
)
_SILENT = re.compile(r"(?i)^\W*(?:\(?no (?:output|content)\)?|exit (?:code|status) \d+)?\W*$")
_OPENING = re.compile(r"\b(?:gh|glab) (?:pr|mr) create\b")
_OF_KEPT = re.compile(r"\bgit\b.*\bcommit\b|\bgit push\b|\b(?:gh|glab) (?:pr|mr) create\b")

Row = tuple[str, int, str]


def fact_rows(piece: Piece) -> Iterator[Row]:
    """Facts by whose they are, with their events."""
    facts = piece.facts
    yield from (("edited", 0, name) for name in _files(piece))
    yield from (("check", 0, text) for text in _checks(piece))
    yield from _kept(piece)
    yield from (("command", 0, text) for text in _commands(piece))
    yield from _overcome(facts)
    yield from _errors(facts)
    yield from _corrections(piece)


def _files(piece: Piece) -> Iterator[str]:
    files = piece.facts.files
    edited = [name for name, tally in files.items() if name and tally.edits]
    edited.sort(key=lambda name: -files[name].edits)
    names = dict.fromkeys([*edited, *piece.written])
    yield from (_name_in(piece, name) for name in list(names)[:_MOST_FILES])
    if len(names) > _MOST_FILES:
        yield f"and {len(names) - _MOST_FILES} more files"
    yield from (f"{_name_in(piece, name)} was deleted" for name in piece.deleted[:_MOST_FILES])


def _name_in(piece: Piece, name: str) -> str:
    return name.removeprefix(f"{piece.cwd}/") if piece.cwd else name


def _checks(piece: Piece) -> Iterator[str]:
    """Each check by its last run that is known; a red one that was made up for is red no more."""
    by_name: dict[str, list[RunFact]] = {}
    for run in piece.facts.runs:
        if run.name != "git commit":
            by_name.setdefault(run.name, []).append(run)
    still = " ".join((piece.state, *piece.unfinished))
    for name, runs in list(by_name.items())[-_MOST_CHECKS:]:
        known = [run for run in runs if run.state != "unknown"]
        last = known[-1] if known else runs[-1]
        failed = sum(run.state == "failed" for run in runs)
        if last.state == "failed" and name not in still:
            yield f"{name} failed in its last run by itself, and does not count as red at the end"
            continue
        how = "its outcome was not seen" if last.state == "unknown" else f"{last.state} at last"
        reason = f": {last.reason}" if last.reason and last.state == "failed" else ""
        yield f"{name} {how} ({plural(len(runs), 'run')}, {failed} failed){reason}"


def _kept(piece: Piece) -> Iterator[Row]:
    """Commits by what git said of them, else by their commands; and what was opened."""
    for commit in piece.commits[-_MOST_COMMITS:]:
        behind = f"{commit.hash}, " if commit.hash else ""
        yield "kept", 0, f"committed: {commit.title} ({behind}{plural(commit.files, 'file')})"
    for moment in piece.facts.kept[-_MOST_COMMITS:]:
        if not piece.commits or _OPENING.search(moment.text):
            yield "kept", moment.fingerprint, moment.text


def _commands(piece: Piece) -> Iterator[str]:
    """How checks were run, and what was run again or failed; not how somebody looked around."""
    commands = piece.facts.commands
    done = [
        command
        for command, tally in commands.items()
        if command.strip() and (tally.runs > 1 or tally.failures) and not _is_look(command)
    ]
    for command in list(dict.fromkeys([*piece.passed, *done]))[:_MOST_COMMANDS]:
        plain = " ".join(command.split())[:_LINE_LENGTH]
        tally = commands.get(command)
        runs = f" ({plural(tally.runs, 'run')}, {tally.failures} failed)" if tally else ""
        yield f"{plain}{runs}"


def _is_look(command: str) -> bool:
    return bool(_LOOKING.match(command) or _OF_KEPT.search(command))


def _overcome(facts: Facts) -> Iterator[Row]:
    for recovery in facts.recoveries:
        group = facts.groups.get(recovery.group)
        if _is_slip(group) or recovery.is_further or not is_cure(recovery):
            continue
        error = group.line if group else recovery.group
        yield "overcome", recovery.fingerprint, f"{error[: _LINE_LENGTH // 2]} -> {recovery.remedy}"


def _errors(facts: Facts) -> Iterator[Row]:
    """The last errors that have words, each once; none of an edit that did not apply."""
    told = {
        error.line: error.fingerprint
        for error in facts.errors
        if not (_is_slip(facts.groups.get(error.group)) or _SILENT.match(error.line))
    }
    for line, fingerprint in list(told.items())[-_MOST_ERRORS:]:
        yield "error", fingerprint, line


def _is_slip(group: ErrorGroup | None) -> bool:
    """Whether an edit did not apply; one that something refused tells more than that."""
    return group is not None and group.tool_class == "edit" and _SLIP.search(group.line) is not None


def _corrections(piece: Piece) -> Iterator[Row]:
    """What people objected to or laid down in words that no turn begins with."""
    asked = {turn.asked_event for turn in piece.exchanges}
    said = [" ".join(turn.asked.split()) for turn in piece.exchanges]
    told = [(one.event, one.text) for one in piece.told]
    told += [(moment.fingerprint, moment.text) for moment in piece.facts.corrections]
    for event, text in dict(told).items():
        plain = " ".join(text.split()).rstrip("…")
        if event not in asked and not any(plain in one for one in said):
            yield "correction", event, text
