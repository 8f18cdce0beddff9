"""A list of a reply as one part: all of its items, each as short as the room asks for.

One item of several says something else than the list: so all are told by how they
begin, or the first few, and how many more there are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from helix_tui.memory.distill.prose import ProseLine, at_a_pause, sentences_of, shortened

# So many words of an item's bold beginning say what the item is about.
_LEAST_OF_HEAD = 3
# An item is told by no more than this.
_MOST_ROOM = 200
# Of longer lists the first items stand for the rest; names alone are read at a glance.
_MOST_WHOLE = 3
_MOST_HEADS = 4
_NAME_LENGTH = 24
_BETWEEN = "; "
_CUT = "…"
_CELLS = " · "
_PARTED = re.compile(r"(?<=\w)[`)\]\"']{0,2}(?::| -{1,2}| [—–→])\s")
# A number, or a file with a line.
_PLACE = re.compile(r"[#\d. ]{1,6}|`?[\w./@-]*\.\w{1,5}(?::[\d-]+)?`?")
_LEAST_OF_CLAUSE = 6
# Why, and what instead of what.
_WHY = re.compile(
    r"(?i)\b(?:because|since|so that|so (?:it|the|that|we|a)\b|to (?:avoid|prevent|keep|allow|match"
    r"|stop|ensure)|instead of|rather than|no longer|previously|otherwise|fall(?:s|ing)? back"
    r"|no-op|regardless|was (?:never|not|only|missing)|were (?:never|not)"
    r"|which (?:caused|made|broke|meant))"
)
_NAMED = re.compile(r"[`\w./-]*[./_`][`\w./:-]*(?: [+&,] [`\w./-]+)*")


def joined_items(items: Sequence[ProseLine], room: int, left_out: int = 0) -> str:
    """All items within the room: whole, else without what they go into.

    Where even that is too much, the first few, and how many more there are, with those that were
    `left_out` before.
    """
    whole = [item.text.rstrip(".:; ") for item in items]
    is_short = len(whole) <= _MOST_WHOLE or max(map(len, whole)) <= _NAME_LENGTH
    if _length(whole) <= room and is_short:
        return _listed(whole, left_out)
    top = _outer(items)
    heads = [item.head for item in top]
    # All by the bold words that they begin with say more than some with what stands behind.
    is_headed = all(heads) and len(set(heads)) == len(heads) and len(heads) <= _MOST_HEADS
    is_headed = is_headed and not all(map(_NAMED.fullmatch, heads))
    # A label or two words each say what the points are about, and not what they are.
    is_headed = is_headed and sum(len(one.split()) for one in heads) >= _LEAST_OF_HEAD * len(heads)
    if is_headed and _length(heads) <= room:
        return _listed(heads, left_out)
    # Some whole items say more than all of them halved.
    return _within([_short(item, _MOST_ROOM) for item in top], room, left_out)


def _listed(texts: Sequence[str], left_out: int) -> str:
    more = [f"and {left_out} more"] if left_out else []
    return _BETWEEN.join([*texts, *more])


def _outer(items: Sequence[ProseLine]) -> list[ProseLine]:
    """The items but those below another."""
    least = min(item.depth for item in items)
    outer = [item for item in items if item.depth == least]
    return outer if len(outer) > 1 else list(items)


def _short(item: ProseLine, room: int) -> str:
    """An item by its first cells, its bold beginning, its first sentence, or what has room."""
    text = item.text.rstrip(".:; ")
    if item.is_row:
        text = _of_row(text)
    if len(text) <= room:
        return text
    for start in (item.head, _before_sign(text), sentences_of(text)[0].rstrip(".")):
        is_name = _NAMED.fullmatch(start) is not None
        if len(start.split()) >= _LEAST_OF_HEAD and not is_name and len(start) <= room:
            return start
    told = at_a_pause(text, room)
    is_name = len(told.split()) < _LEAST_OF_HEAD or _NAMED.fullmatch(told.rstrip("…")) is not None
    return shortened(text, room) if is_name else told


def _before_sign(text: str) -> str:
    """What stands before the first colon or dash."""
    match = _PARTED.search(text)
    return text[: match.start()] + match[0].split(":")[0].rstrip(" -—–→") if match else ""


def _of_row(text: str) -> str:
    """The first cells of a row, as far as they say something, without numbers and places."""
    cells = [cell for cell in text.split(_CELLS) if not _PLACE.fullmatch(cell)] or [text]
    for count in range(1, len(cells)):
        if len(" ".join(cells[:count]).split()) > _LEAST_OF_HEAD:
            return _CELLS.join(cells[:count])
    return _CELLS.join(cells)


def _within(texts: Sequence[str], room: int, left_out: int) -> str:
    """The items that tell most, in their order, as many as have room: those that say why first."""
    ranked = sorted(range(len(texts)), key=lambda at: (-_weight(texts[at]), at))
    kept: list[int] = []
    for at in ranked:
        told = [texts[one] for one in (*kept, at)]
        if kept and (_length(told) > room or len(kept) == _MOST_WHOLE):
            continue
        kept.append(at)
    left_out += len(texts) - len(kept)
    told = [texts[at] for at in sorted(kept)]
    return _listed(told if len(texts) > 1 else [shortened(told[0], room)], left_out)


def _weight(text: str) -> int:
    """How much an item tells: why it is so, or what became of what, and whole."""
    is_whole = not text.endswith(_CUT) and len(text.split()) >= _LEAST_OF_CLAUSE
    return 2 * (_WHY.search(text) is not None) + is_whole


def _length(texts: Sequence[str]) -> int:
    return sum(map(len, texts)) + len(_BETWEEN) * (len(texts) - 1)
