"""Takes out of memory what sessions left there that a person wants forgotten."""

from __future__ import annotations

from collections.abc import Collection

from helix_tui.memory.agenda import Agenda
from helix_tui.memory.article import cite, without_citations
from helix_tui.memory.by_hand import beside
from helix_tui.memory.compile import articles, compiling
from helix_tui.memory.daily import daily_logs, writing
from helix_tui.memory.entry import marked, read_entries
from helix_tui.memory.flush_log import flush_log
from helix_tui.memory.notes.file import notes_path
from helix_tui.memory.places import MemoryPlaces, file_name
from helix_tui.regular import read_regular_text
from helix_tui.store.durable import remove_durably, told, write_atomically
from helix_tui.store.layout import FILE_MODE


def forget(places: MemoryPlaces, session_ids: Collection[str]) -> None:
    """Drops notes, entries of daily logs and what only these taught; the ledgers last.

    These know which entries there are: what is cut off is done again by whoever asks again.
    """
    marks = {one.mark for name in session_ids for one in flush_log(places, name).state().entries}
    for name in session_ids:
        notes = notes_path(places, name)
        for path in (notes, *notes.parent.glob(f"{notes.name}.yours-*")):
            if path.exists():
                remove_durably(path)
    if marks:
        _forget_entries(places, marks)
    Agenda(places).put(dict.fromkeys(session_ids))
    for name in session_ids:
        for path in places.flushes.glob(f"{file_name(name)}.jsonl*"):
            remove_durably(path)


def _forget_entries(places: MemoryPlaces, marks: Collection[str]) -> None:
    cited = set()
    with writing(places):
        for path in [*daily_logs(places), *beside(places.daily)]:
            with told(path):
                content = read_regular_text(path, "surrogateescape")
            kept = content
            for entry in read_entries(content):
                if entry.mark in marks and marked(entry.mark) in kept:
                    cited.add(cite(path.stem, entry.time, entry.short_id))
                    kept = kept.replace(f"{entry.text}\n", "", 1)
            if kept != content:
                write_atomically(path, kept.encode("utf-8", "surrogateescape"), FILE_MODE)
    if not places.knowledge.is_dir():
        return
    with compiling(places):
        for path in [*articles(places), *beside(places.knowledge)]:
            with told(path):
                before = read_regular_text(path, "surrogateescape")
            after = without_citations(before, cited)
            if after != before:
                write_atomically(path, after.encode("utf-8", "surrogateescape"), FILE_MODE)
