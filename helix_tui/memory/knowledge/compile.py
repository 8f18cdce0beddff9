"""Compile daily logs into the knowledge base: those that changed and are due."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal

import msgspec
from filelock import FileLock, Timeout
from xxhash import xxh3_64_hexdigest

from helix_tui.errors import StoreBusyError
from helix_tui.files.durable import FILE_MODE, make_folder, remove_leftovers, told, write_atomically
from helix_tui.files.regular import read_regular, read_regular_text
from helix_tui.files.set_aside import set_aside
from helix_tui.memory.distill.prose import shortened
from helix_tui.memory.flush.daily import daily_logs
from helix_tui.memory.flush.entry import read_entries
from helix_tui.memory.knowledge.article import (
    IsWritten,
    Lesson,
    best_line,
    cited_lines,
    count_lines,
    day_of,
    held_line,
    is_new,
    last_day,
    lines_in,
    new_article,
    slug_of,
    with_lessons,
    without_lines,
)
from helix_tui.memory.knowledge.holding import held_entries, is_worth_holding, with_what_holds
from helix_tui.memory.knowledge.holds import hash_of
from helix_tui.memory.knowledge.judge import Judge
from helix_tui.memory.knowledge.refuted import refuted_lines
from helix_tui.memory.knowledge.session_facts import Held
from helix_tui.memory.knowledge.worth import lessons_of
from helix_tui.memory.places import MemoryPlaces
from helix_tui.model.failure import ModelError
from helix_tui.schema.memory import ArticleChange, Compiled, DistillerName, WaitingLog
from helix_tui.text.markdown import code_span, said_in

INDEX = "index.md"
_SUMMARY_LENGTH = 140
_REPORTS = re.compile(r"; (?:the agent(?: proposed)?|committed): .*$")
# With fewer lines there is nothing to judge.
_LEAST_JUDGED = 2


class _Log(msgspec.Struct):
    """A daily log as last compiled: its hash, when, and the hash of each entry.

    `said` has the hashes of lines by session: an entry that is written anew with what came since
    says them again, and what a person took out of an article does not come back.
    """

    hash: str
    at: int
    entries: dict[str, str] = {}
    said: dict[str, list[str]] = {}


def compile_logs(
    places: MemoryPlaces,
    interval_minutes: int,
    now: datetime,
    *,
    is_now: bool = False,
    judge: Judge | None = None,
    is_between: bool = False,
) -> Compiled:
    """Bring the knowledge base up to date with every daily log that is due.

    A log is due when it changed and was not compiled within the interval; `is_now` does not wait.
    A `judge` is asked once for each article that gets lines which no line says yet. What is
    compiled `is_between` two times that one is asked leaves the time of the next as it is.
    """
    logs = daily_logs(places)
    if not logs:
        return Compiled([], [], [])
    with compiling(places):
        state = _read_state(places)
        changed = {path: hash_ for path in logs if (hash_ := _hash(path)) != _known(state, path)}
        due = {path for path in changed if is_now or _is_due(state, path, interval_minutes, now)}
        waiting = [
            WaitingLog(path.stem, state[path.stem].at + interval_minutes * 60_000)
            for path in changed
            if path not in due
        ]
        if not due:
            return Compiled([], waiting, [])
        remove_leftovers(places.knowledge)
        lessons: dict[str, list[Lesson]] = {}
        for path in sorted(due):
            known = state.get(path.stem)
            at = known.at if known and is_between else int(now.timestamp() * 1000)
            state[path.stem] = _compiled(path, changed[path], known, lessons, at)
        held = held_entries(places, lessons)
        changes = [
            _write_article(places, title, lines, judge, held[title])
            for title, lines in lessons.items()
            if lines or is_worth_holding(held[title])
        ]
        if any(change.action != "unchanged" for change in changes):
            write_index(places)
        _write(_state_path(places), msgspec.json.encode(state))
    return Compiled(sorted(path.stem for path in due), waiting, changes)


def _compiled(
    path: Path, hash_: str, earlier: _Log | None, lessons: dict[str, list[Lesson]], at: int
) -> _Log:
    """Collect the lessons of a log's entries that are new or changed since it was compiled."""
    log = _Log(hash_, at)
    for entry in read_entries(read_regular_text(path, "replace")):
        log.entries[entry.mark] = xxh3_64_hexdigest(entry.text.encode())
        before = earlier.said.get(entry.short_id, []) if earlier else []
        found = list(lessons_of(entry, path.stem))
        now_said = [hash_of(lesson.text) for lesson in found]
        if earlier is None or earlier.entries.get(entry.mark) != log.entries[entry.mark]:
            is_edited = earlier is not None and entry.mark in earlier.entries
            lessons.setdefault(entry.repo, []).extend(
                lesson
                for lesson, known in zip(found, now_said, strict=True)
                if is_edited or known not in before
            )
        said = dict.fromkeys([*log.said.get(entry.short_id, []), *before, *now_said])
        if said:
            log.said[entry.short_id] = list(said)
    return log


def _write_article(
    places: MemoryPlaces,
    title: str,
    lessons: list[Lesson],
    judge: Judge | None,
    held: Sequence[Held],
) -> ArticleChange:
    path = places.knowledge / f"{slug_of(title)}.md"
    with told(path):
        before = read_regular_text(path) if path.exists() else ""
    article = before or new_article(title)
    by: DistillerName = "extractive"
    reason = ""
    if judge is not None:
        try:
            lessons = _judged(judge, article, lessons)
            by = "model"
        except ModelError as error:
            reason = str(error)
    is_written = written_in(places)
    after = with_lessons(article, lessons, is_written)
    after = without_lines(after, set(refuted_lines(cited_lines(after), held)), is_written)
    after = with_what_holds(after, held)
    if after == before:
        return ArticleChange(title, str(path), count_lines(after), "unchanged", by, reason)
    _write(path, after.encode())
    action: Literal["created", "updated"] = "updated" if before else "created"
    return ArticleChange(title, str(path), count_lines(after), action, by, reason)


def _judged(judge: Judge, article: str, lessons: list[Lesson]) -> list[Lesson]:
    """The lessons as a model sees them: in the words of a line that says the same, or left out."""
    old = lines_in(article)
    new = [lesson for lesson in lessons if is_new(article, lesson)]
    if not new or len(old) + len(new) < _LEAST_JUDGED:
        return lessons
    judgement = judge(old, new)
    known = [lesson for lesson in lessons if lesson not in new]
    judged = [
        lesson._replace(text=judgement.same.get(at, lesson.text))
        for at, lesson in enumerate(new)
        if at not in judgement.dropped
    ]
    return [*known, *judged]


def written_in(places: MemoryPlaces) -> IsWritten:
    """Asks whether the log that a citation leads to has a line word by word."""
    logs: dict[str, str] = {}

    def is_written(cited: str, text: str) -> bool:
        day = day_of(cited)
        if day not in logs:
            log = places.daily / f"{day}.md"
            logs[day] = read_regular_text(log, "replace") if log.exists() else ""
        return any(f"- {text}{end}" in logs[day] for end in ("\n", " (source: "))

    return is_written


def write_index(places: MemoryPlaces) -> None:
    """Write the list of articles, each with its last session, or the line seen most often."""
    rows = [
        "# Knowledge",
        "",
        "| Article | Lines | Last | What was last, or seen most |",
        "| --- | ---: | --- | --- |",
    ]
    for path in articles(places):
        text = read_regular_text(path, "replace")
        title = code_span(title_of(text, path), is_cell=True)
        # What was reported of it stands in the article.
        last = _REPORTS.sub("", held_line(text))
        said = last or best_line(text)
        best = code_span(shortened(said.replace("`", ""), _SUMMARY_LENGTH), is_cell=True)
        rows.append(f"| [{title}]({path.name}) | {count_lines(text)} | {last_day(text)} | {best} |")
    _write(places.knowledge / INDEX, ("\n".join(rows) + "\n").encode())


def articles(places: MemoryPlaces) -> list[Path]:
    """All articles by name, without the index."""
    paths = sorted(places.knowledge.glob("*.md"))
    return [path for path in paths if path.name != INDEX and not path.name.startswith(".")]


def title_of(text: str, path: Path) -> str:
    """An article's title."""
    first = text.partition("\n")[0]
    return said_in(first[2:].strip()) if first.startswith("# ") else path.stem


@contextmanager
def compiling(places: MemoryPlaces) -> Iterator[None]:
    """Hold the knowledge base for writing."""
    lock = FileLock(places.knowledge / ".lock", mode=FILE_MODE, thread_local=False)
    # In a folder that cannot be written, the lock cannot be made either.
    with told(places.knowledge):
        make_folder(places.knowledge)
        try:
            lock.acquire(timeout=0)
        except Timeout as error:
            raise StoreBusyError(
                f"Another process is compiling the knowledge base in {places.knowledge}.",
                "Wait until it is done; nothing was changed.",
            ) from error
        try:
            yield
        finally:
            lock.release()


def _state_path(places: MemoryPlaces) -> Path:
    return places.knowledge / ".state.json"


def _read_state(places: MemoryPlaces) -> dict[str, _Log]:
    path = _state_path(places)
    with told(path):
        try:
            return msgspec.json.decode(read_regular(path), type=dict[str, _Log])
        except FileNotFoundError:
            return {}
        except msgspec.DecodeError:
            set_aside(path)
            return {}  # every log is compiled again, which repeats no line of an article


def _write(path: Path, data: bytes) -> None:
    write_atomically(path, data, FILE_MODE)


def _hash(path: Path) -> str:
    with told(path):
        return xxh3_64_hexdigest(read_regular(path))


def _known(state: dict[str, _Log], path: Path) -> str | None:
    log = state.get(path.stem)
    return log.hash if log else None


def _is_due(state: dict[str, _Log], path: Path, minutes: int, now: datetime) -> bool:
    log = state.get(path.stem)
    if log is None:
        return True
    passed = now.timestamp() * 1000 - log.at
    # A clock that was set back must not hold anything up.
    return passed < 0 or passed >= timedelta(minutes=minutes).total_seconds() * 1000
