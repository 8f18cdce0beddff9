"""Remove from memory what forgotten sessions left there."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from helix_tui.files.durable import FILE_MODE, remove_durably, told, write_atomically
from helix_tui.files.regular import read_regular_text
from helix_tui.hook import prepared_name
from helix_tui.memory.distill.standing import standing_of
from helix_tui.memory.flush.agenda import Agenda
from helix_tui.memory.flush.daily import daily_logs, writing
from helix_tui.memory.flush.entry import marked, read_entries
from helix_tui.memory.flush.flush_log import Begun, flush_log
from helix_tui.memory.hooks.spool import Spool
from helix_tui.memory.knowledge.article import cite, without_citations
from helix_tui.memory.knowledge.compile import (
    INDEX,
    articles,
    compiling,
    title_of,
    write_index,
    written_in,
)
from helix_tui.memory.knowledge.holding import held_entries, with_what_holds
from helix_tui.memory.notes.file import notes_path
from helix_tui.memory.places import MemoryPlaces, file_name
from helix_tui.memory.recall import prepared
from helix_tui.memory.recall.handed import forget_handed
from helix_tui.memory.save_edit import beside


def forget(places: MemoryPlaces, session_ids: Collection[str]) -> None:
    """Drop notes, entries of daily logs and what only these taught; the ledgers last.

    The ledgers know the entries: after an interruption the same call does the rest.
    """
    states = [flush_log(places, name).state() for name in session_ids]
    begun = [one for state in states for one in (*state.entries, *state.replaced)]
    marks = {entry.mark for entry in begun}
    for name in session_ids:
        notes = notes_path(places, name)
        for path in (notes, *notes.parent.glob(f"{notes.name}.yours-*")):
            if path.exists():
                remove_durably(path)
    if marks:
        _forget_entries(places, marks, begun)
    # What is kept ready may quote it; what remains is made ready again.
    for one in prepared.all_prepared(places):
        remove_durably(places.recall / prepared_name(one.root))
    forget_spooled(Spool(places.spool), session_ids)
    forget_handed(places, session_ids)
    Agenda(places).put(dict.fromkeys(session_ids))
    for name in session_ids:
        for path in places.flushes.glob(f"{file_name(name)}.jsonl*"):
            remove_durably(path)


def forget_spooled(spool: Spool, session_ids: Collection[str]) -> None:
    """Drop the lines of the spool that are of these sessions."""
    lines = [line for line in spool.read() if f"{line.flavor}:{line.session}" in session_ids]
    if lines:
        spool.drop(lines)


def _forget_entries(
    places: MemoryPlaces, marks: Collection[str], begun_by_them: Sequence[Begun]
) -> None:
    cited = {
        cite(begun.day, entry.time, entry.short_id)
        for begun in begun_by_them
        for entry in read_entries(begun.text)
    }
    said: set[str] = set()
    with writing(places):
        for path in [*daily_logs(places), *beside(places.daily)]:
            with told(path):
                content = read_regular_text(path, "surrogateescape")
            remaining = content
            for entry in read_entries(content):
                if entry.mark in marks and marked(entry.mark) in remaining:
                    cited.add(cite(path.stem, entry.time, entry.short_id))
                    lines = (line for section in entry.lines.values() for line in section)
                    said |= {standing_of(line)[0] for line in lines}
                    remaining = remaining.replace(f"{entry.text}\n", "", 1)
            if remaining != content:
                write_atomically(path, remaining.encode("utf-8", "surrogateescape"), FILE_MODE)
    if not places.knowledge.is_dir():
        return
    with compiling(places):
        for path in [*articles(places), *beside(places.knowledge)]:
            with told(path):
                before = read_regular_text(path, "surrogateescape")
            after = without_citations(before, cited, said, written_in(places))
            if after != before:  # what holds is made of all entries, and those are fewer now
                title = title_of(after, path)
                after = with_what_holds(after, held_entries(places, [title])[title])
            if after != before:
                write_atomically(path, after.encode("utf-8", "surrogateescape"), FILE_MODE)
        if (places.knowledge / INDEX).exists():
            write_index(places)  # it quotes a line of each article
