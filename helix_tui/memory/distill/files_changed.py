"""The files that were changed, by folder: those of the project first, none that are thrown away."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from helix_tui.memory.distill.prose import lines_of, sentences_of
from helix_tui.memory.distill.quoting import name_of
from helix_tui.schema.memory import Piece
from helix_tui.text.human import plural
from helix_tui.text.markdown import code_span

_MOST_FILES = 3
_MOST_LEFT = 3
_MOST_FOLDERS = 3
# More files are told by their number and folders.
_MOST_NAMED = 12
# What lies in such a folder is made for the moment.
_PASSING = re.compile(
    r"(?i)(?:^|/)(?:\.?tmp|temp|scratch(?:pad)?|node_modules|__pycache__)/|^/(?:private/)?var/folders/"
    # What agents keep for themselves beside the project.
    r"|(?:^|/)\.(?:claude|codex|gemini|grok|cursor|copilot)/(?:plans|todos|sessions|projects|tmp)/"
)
# A name of which nothing is left says nothing.
_HIDDEN = re.compile(r"\bREDACTED\b")
_ADDED = re.compile(r"\bgit add (?:-- )?(?P<names>[^;&|\n]{1,600})")
_NAME = re.compile(r"\"([^\"]+)\"|'([^']+)'|([^\s\"'\\]+)(?=\s|$)")
_IS_FILE = re.compile(r"[\w@./ ()\[\]+-]*[\w-]\.\w{1,8}")
_LEAST_OF_NAME = 6
_ORIGINAL = re.compile(r"(?i)\boriginal\b")
_BACK = re.compile(
    r"(?i)(?P<what>[^,;:]{1,90}?)\b(?:back to|restored to|reverted to|matches) (?:its|their|the)"
    r" original\b"
)


def files_changed(piece: Piece) -> str:
    """The files that were edited, or written by a shell, by folder; those edited most first.

    Behind them those that its commits took in by their names, whoever edited them.
    """
    edits = {
        name: tally.edits
        for name, tally in piece.facts.files.items()
        if tally.edits and name and name not in piece.tree.refused
    }
    names = sorted(edits, key=lambda name: (-edits[name], name))
    names += [name for name in piece.written if name not in edits]
    gone = {_plain(piece, name) for name in piece.deleted}
    told = [one for one in _worth_naming(piece, names or list(_edited(piece))) if one not in gone]
    known = {_plain(piece, name) for name in [*names, *told]} | gone
    also = [one for one in _worth_naming(piece, _committed(piece)) if not _is_known(one, known)]
    if len(told) + len(also) > _MOST_NAMED:
        return _in_folders([*told, *also])
    parts = ["; ".join(_by_folder(told))] if told else []
    if also:
        parts.append(f"committed{' with it' if told else ''}: {'; '.join(_by_folder(also))}")
    # What was moved is told by its new place.
    made = {name.rpartition("/")[2] for one in piece.commits for name in one.created}
    left = [name for name in piece.deleted if name.rpartition("/")[2] not in made]
    if deleted := _worth_naming(piece, left):
        parts.append(f"deleted: {'; '.join(_by_folder(deleted))}")
    return "; ".join(parts)


def files_left(piece: Piece) -> str:
    """The files that were changed behind the last commit that took them, in short."""
    gone = {_plain(piece, name) for name in piece.deleted}
    names = [one for one in _worth_naming(piece, piece.tree.open_files) if one not in gone]
    short = [one.rpartition("/")[2] for one in names]
    # Of one name there may be several.
    short = [
        one if short.count(one) == 1 else "/".join(names[at].split("/")[-2:])
        for at, one in enumerate(short)
    ]
    shown = ", ".join(map(code_span, short[:_MOST_LEFT]))
    more = len(names) - _MOST_LEFT
    return f"{shown} and {plural(more, 'more file')}" if more > 0 else shown


def _is_known(name: str, known: Collection[str]) -> bool:
    """Whether a name, or one that ends with it, is known: git names files from another folder."""
    return any(one == name or one.endswith(f"/{name}") or name.endswith(f"/{one}") for one in known)


def _worth_naming(piece: Piece, paths: Iterable[str]) -> list[str]:
    """The names of files, without those put back as they were; none made for the moment first."""
    restored = _restored(piece)
    plain = {path: _plain(piece, path) for path in paths}
    named = {
        path: name
        for path, name in plain.items()
        if not _HIDDEN.search(name) and not _is_among(name, restored)
    }
    lasting = [name for path, name in named.items() if not _is_passing(piece, path)]
    return list(dict.fromkeys(lasting or named.values()))


def _is_among(name: str, text: str) -> bool:
    """Whether a text names a file, by its name or by the last word of it."""
    stem = name.replace("\\", "/").rpartition("/")[2].partition(".")[0]
    last = re.split(r"[-_]", stem)[-1]
    words = {stem, last} if len(last) >= _LEAST_OF_NAME and not last.islower() else {stem}
    return any(re.search(rf"\b{re.escape(word)}\b", text) for word in words if word)


def _is_passing(piece: Piece, path: str) -> bool:
    """Whether a file lies in a folder for the moment, and not in a project that does."""
    inside = path.removeprefix(f"{piece.cwd}/") if piece.cwd else path
    return _PASSING.search(inside) is not None


def _folders_of(names: Iterable[str]) -> dict[str, list[str]]:
    folders: dict[str, list[str]] = {}
    for name in names:
        folder, _, file = name.replace("\\", "/").rpartition("/")
        folders.setdefault(folder, []).append(file)
    return folders


def _by_folder(names: Iterable[str]) -> Iterator[str]:
    folders = _folders_of(names)
    room = _MOST_FILES
    left = 0
    for number, (folder, files) in enumerate(folders.items()):
        shown = files[: max(0, room)] if number < _MOST_FOLDERS else []
        room -= len(shown)
        left += len(files) - len(shown)
        if shown:
            where = f" in {code_span(f'{folder}/')}" if folder else ""
            yield f"{', '.join(map(code_span, shown))}{where}"
    if left:
        yield f"and {plural(left, 'more file')}"


def _in_folders(names: Sequence[str]) -> str:
    """Very many files by how many lie in which folder."""
    folders = sorted(_folders_of(names).items(), key=lambda row: -len(row[1]))
    shown = ", ".join(
        f"{len(files)} in {code_span(f'{folder}/') if folder else 'the top folder'}"
        for folder, files in folders[:_MOST_FOLDERS]
    )
    return f"{plural(len(names), 'file')}: {shown}"


def _plain(piece: Piece, path: str) -> str:
    """A path as it is told, without quotes."""
    return name_of(piece, path.removeprefix("./")).strip("`").strip()


def _committed(piece: Piece) -> Iterator[str]:
    """The files that commits made or took in by name, and that nobody is known to have edited."""
    for commit in piece.commits:
        yield from commit.created
    for kept in piece.facts.kept:
        for added in _ADDED.finditer(kept.text):
            for match in _NAME.finditer(added["names"]):
                name = match[1] or match[2] or match[3]
                if _IS_FILE.fullmatch(name) and not name.startswith("-"):
                    yield name


def _edited(piece: Piece) -> Iterator[str]:
    """The files that replies on the way were followed by edits of, where no call names any."""
    for turn in piece.exchanges:
        for aside in turn.asides:
            if "/" in aside.edited and aside.edited not in piece.tree.refused:
                yield aside.edited


def _restored(piece: Piece) -> str:
    """What the agent says is as it was before: the words just before that."""
    return " ".join(
        match["what"]
        for turn in piece.exchanges
        if _ORIGINAL.search(turn.answered)
        for line in lines_of(turn.answered)
        for sentence in sentences_of(line.text)
        if _ORIGINAL.search(sentence)
        for match in _BACK.finditer(sentence)
    )
