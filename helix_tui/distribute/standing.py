"""What was really written into a file: behind a batch that was cut off, or a folder that moved."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from helix_tui.distribute.blocks import BlockError, Entry, find_block
from helix_tui.distribute.ledger import Distributed
from helix_tui.schema.distribute import FileKind, Found, Held, Want

FindFile = Callable[[str], Found]


def moved_here(
    path: str, wants: Sequence[Want], known: Mapping[str, Held], look: FindFile
) -> Held | None:
    """What was written into a file when its repository was in a folder that is gone."""
    site, root = wants[0].site, wants[0].root
    for one in known.values():
        is_same = one.site == site and one.file.removeprefix(one.root) == path.removeprefix(root)
        if is_same and one.root != root and (look(one.file).trouble or ("",))[0] == "folder":
            return one._replace(file=path, root=root)
    return None


def state_of_pending(
    distributed: Distributed, files: Iterable[str], look: FindFile
) -> dict[str, bool]:
    """Of the files of a batch that was cut off, whether each is as the batch wanted it."""
    return {
        path: as_it_is(
            path,
            distributed.files.get(path),
            distributed.earlier.get(path),
            distributed.pending,
            look,
        )
        == distributed.files.get(path)
        for path in files
    }


def as_it_is(
    path: str, now: Held | None, earlier: Held | None, pending: str, look: FindFile
) -> Held | None:
    """What was written into a file; of a batch that was cut off that or what was before it."""
    if not pending or now == earlier:
        return now
    data = look(path).data
    known = now or earlier
    kind = known.kind if known else "block"
    matches = [_matching(one, data, kind) for one in (now, earlier)]
    return earlier if matches[1] > matches[0] else now


def _matching(held: Held | None, data: bytes | None, kind: FileKind) -> int:
    """How much of what was written stands there, less what does not."""
    if held is None:
        is_there = data is not None and (kind == "file" or bool(_entries_of(data)))
        return 0 if is_there else 1
    if kind == "file":
        return 1 if data is not None and data == held.rules[0].text.encode() else -1
    texts = [entry.text for entry in _entries_of(data or b"")]
    hits = sum(rule.text in texts for rule in held.rules)
    return 2 * hits - len(held.rules) - (len(texts) - hits)


def _entries_of(data: bytes) -> tuple[Entry, ...]:
    try:
        block = find_block(data)
    except (BlockError, UnicodeDecodeError):
        return ()
    return block.entries if block else ()
