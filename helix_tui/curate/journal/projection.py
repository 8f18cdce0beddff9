"""What the catalog's files are by the journal, and how files that are found differ from it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from xxhash import xxh3_64_hexdigest

from helix_tui.curate.journal.links import is_adoption
from helix_tui.curate.page.versions import history_line
from helix_tui.schema.review import VERDICT_ACTIONS, JournalLine, PatternFiles, Write

_NO_FILES = PatternFiles(None, "")
_NO_MARK = "-"
_VERSION = re.compile(r"^version:[ \t]*[\"']?([^\"'\s]+)", re.MULTILINE)


class Differences(NamedTuple):
    """How the catalog's folder differs from the journal.

    `unfinished` are patterns whose files are to be written as `project` has them, or taken away
    where it has none; `edited` are files that a person made or changed, `removed` such that a
    person took away.
    """

    unfinished: set[str]
    edited: dict[str, PatternFiles]
    removed: set[str]


class _Touch(NamedTuple):
    """A line that says something of one pattern's files; without a write it takes a line back.

    `place` counts from 1: numbers of lines may be there twice where git merged two journals.
    """

    place: int
    line: JournalLine
    write: Write | None


class _State(NamedTuple):
    """A pattern's files after some of its lines, and whether they are there at all."""

    files: PatternFiles = _NO_FILES
    lives: bool = False

    def shown(self) -> PatternFiles:
        return self.files if self.lives else _NO_FILES


class Projection:
    """The files that the lines of a journal make; takes further lines as they are written.

    `files` has every pattern that lives, by its id. Text None is a page that was taken away, whose
    history is still there.
    """

    def __init__(self, lines: Iterable[JournalLine] = ()) -> None:
        self.files: dict[str, PatternFiles] = {}
        self._touches: dict[str, list[_Touch]] = {}
        self._patterns_of: dict[str, list[str]] = {}
        self._place = 0
        self.add(lines)

    def add(self, lines: Iterable[JournalLine]) -> None:
        """Take in the next lines; only the files of patterns that they name are made anew."""
        names = dict.fromkeys(name for line in lines for name in self._touch(line))
        for name in names:
            state = _state_of(self._touches[name])
            if state.lives:
                self.files[name] = state.files
            else:
                self.files.pop(name, None)

    def names(self) -> list[str]:
        """Every pattern that a line ever wrote, those that are gone too."""
        return sorted(self._touches)

    def touches(self, name: str) -> list[_Touch]:
        """The lines that say something of one pattern's files, in order."""
        return self._touches.get(name, [])

    def text_before(self, name: str, line_id: str) -> str | None:
        """Return a pattern's page as it was before a line wrote it, without what was undone."""
        kept = _kept(self.touches(name))
        until = next((n for n, touch in enumerate(kept) if touch.line.id == line_id), 0)
        return _folded(kept[:until], is_adopted=_is_adopted(self.touches(name))).files.text

    def is_only_edited_since(self, name: str, line_id: str) -> bool:
        """Whether a person changed a pattern's page since a line wrote it, and no verdict did."""
        kept = _kept(self.touches(name))
        since = next((n for n, touch in enumerate(kept) if touch.line.id == line_id), len(kept))
        later = [touch.line.action for touch in kept[since + 1 :]]
        return bool(later) and set(later) == {"edit"}

    def _touch(self, line: JournalLine) -> Iterable[str]:
        self._place += 1
        names = [write.pattern for write in line.writes]
        if line.action == "undo":
            undone = self._patterns_of.get(line.undoes, [])
            for name in undone:
                self._touches[name].append(_Touch(self._place, line, None))
            names = [*undone, *names]
        if line.action in VERDICT_ACTIONS and names:
            self._patterns_of[line.id] = names
        for write in line.writes:
            touch = _Touch(self._place, line, write)
            self._touches.setdefault(write.pattern, []).append(touch)
        return names


def project(lines: Iterable[JournalLine]) -> dict[str, PatternFiles]:
    """The files that all lines of a journal make, by the id of their pattern."""
    return Projection(lines).files


def compare(
    projection: Projection,
    applied: int,
    found: Mapping[str, PatternFiles],
    written: Mapping[str, str] | None = None,
) -> Differences:
    """What is to be done where files are not what the journal says.

    Of the first `applied` lines the files are known to be written. Only what a later line changed
    can be unfinished, or what is as it was left by `written`, the marks of all files as they were
    written here: lines of another clone may have come in between, and what was never written here
    cannot have been removed. Where no file is left at all, the folder is gone, not emptied.
    """
    is_gone = all(files == _NO_FILES for files in found.values())
    differences = Differences(set(), {}, set())
    for name in sorted({*projection.names(), *found}):
        there, own = found.get(name, _NO_FILES), projection.touches(name)
        now = projection.files.get(name, _NO_FILES)
        if _agrees(there, now):
            continue
        is_untouched = written is not None and mark_of(there) == written.get(name, _NO_MARK)
        if is_gone or (own and is_untouched) or _is_unfinished(own, applied, there):
            differences.unfinished.add(name)
        elif there.text is not None:
            differences.edited[name] = there
        elif now.text is not None:
            differences.removed.add(name)
    return differences


def mark_of(files: PatternFiles) -> str:
    """What tells a pattern's files from what else they may have been."""
    if files == _NO_FILES:
        return _NO_MARK
    return xxh3_64_hexdigest(f"{files.text}\0{files.history}".encode("utf-8", "surrogatepass"))


def version_of(text: str) -> str:
    """The version that a page states, without reading the rest of it."""
    found = _VERSION.search(text, 0, max(text.find("\n---", 3), 0))
    return found[1] if found else ""


def _state_of(touches: list[_Touch]) -> _State:
    """A pattern's files after all of its lines."""
    return _folded(_kept(touches), is_adopted=_is_adopted(touches))


def _kept(touches: list[_Touch]) -> list[_Touch]:
    """The lines that write a pattern's files and were not undone."""
    undone = {touch.line.undoes for touch in touches if touch.write is None}
    return [touch for touch in touches if touch.write is not None and touch.line.id not in undone]


def _states(touches: list[_Touch]) -> Iterator[_State]:
    """A pattern's files before its first line, and after each."""
    is_adopted = _is_adopted(touches)
    kept: list[_Touch] = []
    state = _State()
    yield state
    for touch in touches:
        if touch.write is None:
            kept = [one for one in kept if one.line.id != touch.line.undoes]
            state = _folded(kept, is_adopted=is_adopted)
        else:
            kept.append(touch)
            state = _stepped(state, touch, is_adopted=is_adopted)
        yield state


def _is_adopted(touches: list[_Touch]) -> bool:
    """Whether a pattern began as a person's file, which no undo takes away."""
    return bool(touches) and touches[0].line.action == "edit"


def _folded(kept: Iterable[_Touch], *, is_adopted: bool) -> _State:
    state = _State()
    for touch in kept:
        state = _stepped(state, touch, is_adopted=is_adopted)
    return state


def _stepped(state: _State, touch: _Touch, *, is_adopted: bool) -> _State:
    _, line, write = touch
    if write is None:
        return state
    (before, history), text = state.files, write.text
    if is_adoption(line):
        history = write.history or ""
    elif line.action == "edit":
        history = history if write.history is None else write.history
    elif before is not None and text is not None:
        old, new = version_of(before), version_of(text)
        if old and new and old != new:
            history += history_line(before, old, new, line.at, line.author)
    lives = state.lives or is_adopted or line.action != "edit" or is_adoption(line)
    return _State(PatternFiles(text, history), lives)


def _agrees(there: PatternFiles, state: PatternFiles) -> bool:
    """Whether files are as they should be; the history of a page that is gone may be gone, too."""
    return there == state or (state.text is None and there == _NO_FILES)


def _is_unfinished(touches: list[_Touch], applied: int, there: PatternFiles) -> bool:
    """Whether files are what they were meant to be at some time since the last that was written.

    Page and history are two files: one may be written where the other is not.
    """
    if not touches or touches[-1].place <= applied:
        return False
    first = sum(touch.place <= applied for touch in touches)
    has_text = has_history = False
    for passed, state in enumerate(_states(touches)):
        if passed < first:
            continue
        text, history = state.shown()
        has_text |= there.text == text
        has_history |= there.history == history or (text is None and not there.history)
        if has_text and has_history:
            return True
    return False
