"""The rules file by which Grok gets what its hooks cannot hand to it: one in each repository.

It is a file of ours that git is told not to see, so that nobody commits it; both go again byte for
byte.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import msgspec
from xxhash import xxh3_64_hexdigest

from helix_tui.errors import HelixError, StoreError
from helix_tui.files.durable import FILE_MODE, remove_durably, told, write_atomically
from helix_tui.files.regular import read_regular
from helix_tui.memory.places import MemoryPlaces

RULES = ".grok/rules/helix-recall.md"
STATE = "grok.json"
_EXCLUDED = f"/{RULES}"
_ABOUT = (
    "<!-- Kept by Helix and written anew by its sweeps; `helix hooks uninstall grok` ends it. -->"
)
_OPEN_MODE = 0o644


class GrokFile(msgspec.Struct):
    """A rules file as it was written, and what was made for it."""

    hash: str
    folders: list[str] = []
    exclude: str = ""
    excluded: str = ""
    is_exclude_made: bool = False


def is_on(places: MemoryPlaces) -> bool:
    """Whether somebody asked for rules files."""
    return os.path.isfile(places.recall / STATE)  # noqa: PTH113


def begin(places: MemoryPlaces) -> None:
    """Ask for them; the next sweep writes them."""
    if not is_on(places):
        _write_state(places, {})


def keep(places: MemoryPlaces, texts: dict[str, str]) -> tuple[list[str], list[str]]:
    """Bring the rules files up to these texts by repository; return those written, and troubles."""
    state = _read_state(places)
    written, troubles = [], []
    for root in [*state, *(root for root in texts if root not in state)]:
        text = texts.get(root, "")
        try:
            if text and _put(state, root, f"{_ABOUT}\n{text}"):
                written.append(root)
            elif not text:
                _take_out(state, root)
        except (HelixError, OSError) as error:
            troubles.append(f"{root}/{RULES} was left as it is: {error}")
        _write_state(places, state)
    return written, troubles


def end(places: MemoryPlaces) -> list[str]:
    """Take all rules files out; return what had to be left."""
    if not is_on(places):
        return []
    _, troubles = keep(places, {})
    remove_durably(places.recall / STATE)
    return troubles


def files(places: MemoryPlaces) -> list[str]:
    """The rules files that are there."""
    return [f"{root}/{RULES}" for root in _read_state(places)] if is_on(places) else []


def _put(state: dict[str, GrokFile], root: str, text: str) -> bool:
    path, known = Path(root, RULES), state.get(root)
    data = text.encode()
    now = _content(path)
    if now == data:
        return False
    _refuse_foreign(root, path, now, known)
    made = known or GrokFile("")
    if known is None:
        made.folders = [str(one) for one in (path.parent.parent, path.parent) if not one.exists()]
        _exclude(root, made)
    # Whoever is killed before the state is written leaves a file that its first line tells as ours.
    with told(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, data, _OPEN_MODE)
    made.hash = xxh3_64_hexdigest(data)
    state[root] = made
    return True


def _refuse_foreign(root: str, path: Path, now: bytes | None, known: GrokFile | None) -> None:
    real = os.path.realpath(path)
    if real != os.path.join(os.path.realpath(root), RULES):
        raise StoreError(f"it leads to {real}.")
    is_ours = now is None or (known is not None and xxh3_64_hexdigest(now) == known.hash)
    if not is_ours and not (now or b"").startswith(_ABOUT.encode()):
        raise StoreError("somebody else wrote it.", "Move it away.")


def _take_out(state: dict[str, GrokFile], root: str) -> None:
    path, known = Path(root, RULES), state[root]
    now = _content(path)
    if now is not None:
        _refuse_foreign(root, path, now, known)
        remove_durably(path)
    if known.excluded:
        _include(known)
    for folder in reversed(known.folders):
        with suppress(OSError):
            Path(folder).rmdir()  # left alone where anything else is in it
    del state[root]


def _exclude(root: str, made: GrokFile) -> None:
    """Tell git not to see the file, in the list that is nobody's but this clone's."""
    git = Path(root, ".git")
    if not git.is_dir():
        return
    path = git / "info" / "exclude"
    before = _content(path)
    if before is not None and _EXCLUDED.encode() in before.split(b"\n"):
        return
    added = f"{_EXCLUDED}\n"
    if before and not before.endswith(b"\n"):
        added = f"\n{added}"
    with told(path):
        path.parent.mkdir(exist_ok=True)
    write_atomically(path, (before or b"") + added.encode(), _OPEN_MODE)
    made.exclude, made.excluded, made.is_exclude_made = str(path), added, before is None


def _include(known: GrokFile) -> None:
    path = Path(known.exclude)
    now = _content(path)
    if now is None or known.excluded.encode() not in now:
        return  # somebody took it out already
    rest = now.replace(known.excluded.encode(), b"", 1)
    if known.is_exclude_made and not rest:
        remove_durably(path)
    else:
        write_atomically(path, rest, _OPEN_MODE)


def _content(path: Path) -> bytes | None:
    try:
        return read_regular(path)
    except (FileNotFoundError, NotADirectoryError):
        return None


def _read_state(places: MemoryPlaces) -> dict[str, GrokFile]:
    path = places.recall / STATE
    with told(path):
        try:
            return msgspec.json.decode(read_regular(path), type=dict[str, GrokFile])
        except FileNotFoundError:
            return {}
        except msgspec.MsgspecError as error:
            raise StoreError(
                f"{path} cannot be read: {error}.",
                f"Take {RULES} out of your repositories by hand, and move that file away.",
            ) from error


def _write_state(places: MemoryPlaces, state: dict[str, GrokFile]) -> None:
    write_atomically(places.recall / STATE, msgspec.json.encode(state), FILE_MODE)
