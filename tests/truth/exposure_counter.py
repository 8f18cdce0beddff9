"""Which sessions of a home saw a line, read straight from the files.

Written from the notes on what logs record, not from the engine.
"""

from __future__ import annotations

from pathlib import Path

from tests.truth.instructions_counter import Given, given_in

_MARKS = ("- ", "* ", "+ ", "• ", "> ")


def lines_in(given: Given, every: int, shortest: int = 30) -> list[str]:
    """Some lines of what was given, each once."""
    found = {
        line.strip()
        for texts in given.values()
        for text in texts
        for line in text.split("\n")
        if len(line.strip()) >= shortest
    }
    return sorted(found)[::every]


def saw(given: Given, line: str) -> dict[str, bool]:
    """By session whose log tells: whether its instructions have a line."""
    wanted = _words(line)
    return {
        session: any(wanted in _words_of_all(text) for text in texts)
        for session, texts in given.items()
    }


def _words(line: str) -> str:
    text = line.strip()
    for mark in _MARKS:
        text = text.removeprefix(mark)
    head, _, rest = text.partition(" ")
    if rest and head[:-1].isdecimal() and len(head) <= 5 and head[-1] in ".)":
        text = rest
    return " ".join(text.replace("**", "").replace("__", "").split())


def _words_of_all(text: str) -> str:
    return " ".join(words for line in text.split("\n") if (words := _words(line)))


def seen_in_home(home: Path, every: int) -> dict[str, dict[str, bool]]:
    """By line: which sessions of a home saw it."""
    given = given_in(home)
    return {line: saw(given, line) for line in lines_in(given, every)}
