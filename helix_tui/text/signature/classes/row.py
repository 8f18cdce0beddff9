"""A row of the table of classes: a word that a line must hold, and what it must look like."""

from __future__ import annotations

from typing import NamedTuple

# Fragments that rows are made of. `s` is the named thing that makes the failure another one.
GONE = r"no such file or directory"
QUOTE = r"[\"'`‘’“”]?"
NAME = rf"{QUOTE}(?P<s>[A-Za-z_@][\w.+@/:-]{{0,119}}+){QUOTE}"
EXE = rf"{QUOTE}(?:[^\s'\"`:]{{0,200}}/)?(?P<s>[A-Za-z0-9_][\w.+@-]{{0,63}}+){QUOTE}"
# A module by name: what starts like a path is a file of the project, not a package.
MODULE = rf"{QUOTE}(?P<s>(?!@/)[A-Za-z_@][\w.+@/:-]{{0,119}}+){QUOTE}"
LOCAL = rf"{QUOTE}(?:\.{{1,2}}/|/|~|@/|[A-Za-z]:[\\/])"


class ClassRow(NamedTuple):
    """One wording of a class."""

    name: str
    word: str
    pattern: str
    subject: str = ""
    is_weak: bool = False
    in_code: bool = False
    is_sought: bool = True
    is_whole: bool = False


def row(name: str, word: str, pattern: str, subject: str = "") -> ClassRow:
    """A wording of a failure that ends what was asked for."""
    return ClassRow(name, word, pattern, subject)


def weak(name: str, word: str, pattern: str, subject: str = "") -> ClassRow:
    """A wording that also occurs on the way: another line that names an error goes before it."""
    return ClassRow(name, word, pattern, subject, is_weak=True)


def placed(name: str, word: str, pattern: str, subject: str = "") -> ClassRow:
    """A wording of compilers and linters, which write the place in a file before it."""
    return ClassRow(name, word, pattern, subject, in_code=True)


def told(name: str, word: str, pattern: str, subject: str = "") -> ClassRow:
    """A wording, in code or not, of a line that is found by what it looks like anyway."""
    return ClassRow(name, word, pattern, subject, is_weak=True, in_code=True, is_sought=False)


def whole(name: str, word: str, pattern: str) -> ClassRow:
    """A wording that is the whole line but for a place before it, as zsh has it."""
    return ClassRow(name, word, pattern, in_code=True, is_whole=True)
