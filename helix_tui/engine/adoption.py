"""Patterns that the journal does not know: a file that is there counts as an approve."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from helix_tui.config import Config
from helix_tui.schema.review import Line


def adopted_lines(config: Config, lines: Sequence[Line]) -> Iterator[Line]:
    """What the journal would say of such files, were it opened for writing now."""
    from helix_tui.curate.folder import PAGE, find

    known = {write.pattern for line in lines for write in line.writes}
    unknown = {
        name: text
        for name, text in find(config.curate.catalog_dir, PAGE).texts.items()
        if name not in known
    }
    if not unknown:
        return
    from helix_tui.curate.page import BadPageError, read_page
    from helix_tui.engine.sitting import ref_of

    for name, text in sorted(unknown.items()):
        try:
            pattern = read_page(text, name)
        except BadPageError:
            continue  # told by `catalog check`, and by whoever writes
        yield Line(
            id=f"found-{name}",
            seq=0,
            at=pattern.provenance.at,
            author=pattern.provenance.author,
            action="edit",
            candidate=pattern.candidates[0],
            others=pattern.candidates,
            pattern=ref_of(pattern),
        )
