"""Ways in which logs are damaged: stretches of bytes, and whole lines that nobody expects."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

Damage = Callable[[bytearray, random.Random], None]
Poison = Callable[[bytes, random.Random], bytes]


def cut(content: bytearray, chance: random.Random) -> None:
    """A stretch is missing."""
    start = chance.randrange(len(content))
    del content[start : start + chance.randrange(1, 3000)]


def truncate(content: bytearray, chance: random.Random) -> None:
    """The end is missing."""
    del content[chance.randrange(len(content)) :]


def flip(content: bytearray, chance: random.Random) -> None:
    """A byte has another value."""
    content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)


def swap(content: bytearray, chance: random.Random) -> None:
    """Two bytes have changed places."""
    one, two = (chance.randrange(len(content)) for _ in range(2))
    content[one], content[two] = content[two], content[one]


def double(content: bytearray, chance: random.Random) -> None:
    """A line stands there twice."""
    lines = content.split(b"\n")
    number = chance.randrange(len(lines))
    lines.insert(number, lines[number])
    content[:] = b"\n".join(lines)


def tear(content: bytearray, chance: random.Random) -> None:
    """A line was cut off and then written again behind what was left of it."""
    lines = content.split(b"\n")
    number = chance.randrange(len(lines))
    line = lines[number]
    lines[number] = line[: chance.randrange(len(line) + 1)] + line
    content[:] = b"\n".join(lines)


def blank(content: bytearray, chance: random.Random) -> None:
    """A crash left a run of NULs."""
    start = chance.randrange(len(content))
    content[start:start] = bytes(chance.randrange(1, 5000))


DAMAGES: tuple[Damage, ...] = (cut, truncate, double, tear, blank)


# Bytes of another value may say something else that is as good: no counter need agree on them.
SCRAMBLES: tuple[Damage, ...] = (flip, flip, swap, swap, cut, blank)


def damage(content: bytes, chance: random.Random) -> bytes:
    """The content with some damage done to it."""
    damaged = bytearray(content)
    for _ in range(chance.randrange(1, 6)):
        if damaged:
            chance.choice(DAMAGES)(damaged, chance)
    return bytes(damaged)


def scramble(content: bytes, chance: random.Random) -> bytes:
    """The content with wrong bytes in it, some of them where they still make sense."""
    scrambled = bytearray(content)
    for _ in range(chance.randrange(1, 20)):
        if scrambled:
            chance.choice(SCRAMBLES)(scrambled, chance)
    return bytes(scrambled)


def cut_off(content: bytes, chance: random.Random) -> bytes:
    """The content without its last half."""
    return content[: chance.randrange(len(content) // 2, len(content))]


ODD_VALUES: tuple[object, ...] = (
    None, True, -1, 0, 2**31, 2**63, 2**64, 10**30, 1e308, 0.5, "", "x", "NaN",
    [], {}, [[]], [1, "two", None], {"a": {"b": []}}, ["x"] * 50,
)  # fmt: skip
ODD_NUMBERS = (b"1e999", b"-1e999", b"9" * 400, b"-0", b"1e-999", b"NaN", b"Infinity")


def other_types(line: bytes, chance: random.Random) -> bytes:
    """A field holds something else than usual."""
    try:
        record = json.loads(line)
    except ValueError:
        return line
    place: Any = record
    while True:
        key = chance.choice(list(place) if isinstance(place, dict) else range(len(place)))
        inner = place[key]
        if not (isinstance(inner, dict | list) and inner) or chance.randrange(3) == 0:
            break
        place = inner
    place[key] = chance.choice(ODD_VALUES)
    return json.dumps(record, separators=(",", ":")).encode()


def odd_number(line: bytes, chance: random.Random) -> bytes:
    """A number is too large, or none that JSON knows."""
    marked = other_types(line, chance)
    return marked.replace(b":null", b":" + chance.choice(ODD_NUMBERS), 1)


def bad_utf8(line: bytes, chance: random.Random) -> bytes:
    """Bytes that are no text."""
    at = chance.randrange(len(line))
    return (
        line[:at] + chance.choice((b"\xff", b"\xc3\x28", b"\xed\xa0\x80", b"\xf0\x9f")) + line[at:]
    )


def in_a_string(insert: bytes) -> Poison:
    """Something unusual within a text."""

    def poison(line: bytes, chance: random.Random) -> bytes:
        return line.replace(b'":"', b'":"' + insert, chance.randrange(1, 4))

    return poison


def deep(line: bytes, chance: random.Random) -> bytes:
    """Nested so deeply that parsers give up."""
    opening, closing = chance.choice(((b"[", b"]"), (b'{"a":', b"}")))
    inner = opening * 100_000 + b"1" + closing * 100_000
    return line[:-1] + b',"content":' + inner + b"}"


def torn(line: bytes, chance: random.Random) -> bytes:
    """Cut off in the middle."""
    return line[: chance.randrange(len(line))]


def nuls(line: bytes, chance: random.Random) -> bytes:
    """A run of NULs before, within or behind."""
    at = chance.choice((0, len(line), chance.randrange(len(line))))
    return line[:at] + bytes(chance.randrange(1, 300)) + line[at:]


def no_record(line: bytes, chance: random.Random) -> bytes:
    """JSON, but no record."""
    return chance.choice((b"[]", b"7", b'"text"', b"null", b"{}", b'{"type":{}}', b"{{", b"\xfe"))


POISONS: tuple[Poison, ...] = (
    other_types,
    other_types,
    other_types,
    odd_number,
    bad_utf8,
    in_a_string(b"\\ud800"),
    in_a_string("\u2028".encode()),
    in_a_string(b"\\u0000"),
    deep,
    torn,
    nuls,
    no_record,
)


def poisoned(content: bytes, chance: random.Random) -> bytes:
    """The content with all of its lines, and bad ones made from them in between."""
    lines: list[bytes] = []
    for line in content.split(b"\n"):
        lines.append(line)
        if line and len(line) < 20_000 and chance.randrange(4) == 0:
            lines.append(chance.choice(POISONS)(line, chance).replace(b"\n", b" "))
    return b"\n".join(lines)
