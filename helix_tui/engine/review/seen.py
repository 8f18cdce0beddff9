"""What a reviewer had before them, and what others did to a candidate since."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from xxhash import xxh3_64_hexdigest

from helix_tui.curate.journal.standings import ReviewState
from helix_tui.schema.candidate import Candidate
from helix_tui.schema.review import JournalLine, PatternFiles, Review, Seen
from helix_tui.text.human import plural


def seen_of(
    lines: Iterable[JournalLine],
    files: Mapping[str, PatternFiles],
    *found: Mapping[str, PatternFiles],
) -> Seen:
    """What is seen by lines and by files; what is `found` in the folder goes before the others."""
    pages = {name: one.text for name, one in files.items()}
    for several in found:
        pages = dict.fromkeys(pages) | {name: one.text for name, one in several.items()}
    digests = frozenset((name, _digest(text)) for name, text in pages.items())
    return Seen(frozenset(line.id for line in lines), digests)


def is_seen(line: JournalLine, seen: Seen) -> bool:
    """Whether somebody had a line before them: itself, or the page that it only takes note of."""
    if line.id in seen.lines or line.action == "rename":
        return True  # grouping gives an id another name: nobody decided anything by that
    return line.action == "edit" and all(
        (write.pattern, _digest(write.text)) in seen.pages for write in line.writes
    )


def is_page_seen(name: str, text: str | None, seen: Seen) -> bool:
    """Whether somebody had a page before them as it is."""
    return (name, _digest(text)) in seen.pages


def what_changed(
    candidate: Candidate,
    owners: Mapping[str, str],
    lines: Sequence[JournalLine],
    known: Sequence[JournalLine],
) -> str:
    """What lines that its author does not know did to a candidate; nothing where they did not."""
    before = ReviewState(known).review_of(candidate, owners)
    now = ReviewState(lines).review_of(candidate, owners)
    if before != now:
        return _told(before, now)
    ids = {line.id for line in known}
    edits = [line for line in lines if line.id not in ids and line.action == "edit"]
    if now.pattern and any(write.pattern == now.pattern for one in edits for write in one.writes):
        return f"its page {now.pattern} was changed by hand"
    return ""


def concerned(
    lines: Sequence[JournalLine], theirs: Sequence[JournalLine], pages: Iterable[str]
) -> list[str]:
    """The candidates on which others said something, and those of pages that were touched."""
    by_id = {line.id: line for line in lines}
    lines_behind = [by_id.get(line.undoes, line) for line in theirs]
    names = [name for line in lines_behind if line.action != "rename" for name in _named(line)]
    touched = {*pages, *(write.pattern for line in lines_behind for write in line.writes)}
    # Whoever is part of a page that changed shows it, whoever changed the page.
    for line in lines:
        if line.pattern is not None and line.pattern.id in touched:
            names += _named(line)
    return [name for name in dict.fromkeys(names) if name]


def _named(line: JournalLine) -> list[str]:
    return [line.candidate, *line.others]


def news_told(theirs: Sequence[JournalLine], pages: Sequence[str]) -> str:
    """What others did, in one sentence."""
    verdicts = [line for line in theirs if line.action != "edit"]
    edited = {*pages, *(w.pattern for one in theirs if one.action == "edit" for w in one.writes)}
    sentences = []
    if len(verdicts) == 1 and verdicts[0].action != "undo":
        line = verdicts[0]
        sentences.append(f"{line.author} gave a verdict elsewhere: {line.action} {line.candidate}")
    elif verdicts:
        sentences.append(f"{plural(len(verdicts), 'verdict')} given or taken back elsewhere")
    if edited:
        count = f"{sorted(edited)[0]} was" if len(edited) == 1 else f"{len(edited):,} pages were"
        sentences.append(f"{count} changed in the catalog")
    return "; ".join(sentences) + ". The list shows it."


def _told(before: Review, now: Review) -> str:
    if before.merged_into and not now.merged_into:
        return f"it was split from {before.merged_into}"
    if now.merged_into != before.merged_into:
        return f"{_who(now)} merged it into {now.merged_into}"
    if (now.verdict, now.at) != (before.verdict, before.at):
        if now.verdict == "open":
            return f"that it was {before.verdict} is taken back"
        if now.verdict == "discussed":
            return f"{_who(now)} wrote a note: {now.notes[-1].text}" if now.notes else _who(now)
        into = f" into {now.pattern}" if now.verdict == "approved" else ""
        return f"{_who(now)} {now.verdict} it{into} at {now.at[:16].replace('T', ' ')} UTC"
    if now.merged != before.merged:
        return f"{len(now.merged):,} others count as it now, {len(before.merged):,} before"
    return "another note was written, or taken back"


def _who(review: Review) -> str:
    return review.author or "somebody"


def _digest(text: str | None) -> str:
    return "" if text is None else xxh3_64_hexdigest(text.encode("utf-8", "surrogatepass"))
