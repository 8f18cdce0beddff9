"""Which program a command line runs: for errors that do not name it."""

from __future__ import annotations

import re

from helix_tui.text.lazy import lazy

_WORD = r"(?:[^\s'\"\\;|&()<>]|\\.|'[^']{0,2000}'|\"(?:[^\"\\]|\\.){0,2000}\"){1,400}"
_WORDS = lazy(
    rf"[^\S\n]*(?:(?P<end>&&|\|\|?|[;&\n()])|(?P<redirect>\d?[<>]{{1,2}}&?\s*{_WORD})|(?P<word>{_WORD})|\S)"
)
_ASSIGNMENT = lazy(r"[A-Za-z_]\w{0,80}=")
# Words before a program that say how to run it, and those that only prepare what follows.
_RUNNERS = frozenset(
    ("sudo", "doas", "env", "time", "nice", "nohup", "command", "exec", "builtin", "stdbuf")
)
_TIMED = frozenset({"timeout"})
# Of these, those that are programs themselves and no part of a shell.
_STARTED = frozenset({"sudo", "doas", "env", "nice", "nohup", "stdbuf", "timeout"})
_PREPARING = frozenset(
    ("cd", "pushd", "popd", "export", "set", "source", ".", "ulimit", "umask", "unset", "true", ":")
)
_SHELLS = frozenset(["bash", "sh", "zsh", "dash", "ksh", "ash", "fish"])
_MOST_WORDS = 200
_DEEPEST = 3


def program_of(command: str, depth: int = 0, *, is_started: bool = False) -> str:
    """The first program of a command line that does something, or nothing; or that is started,
    which may be one that only runs another."""
    words: list[str] = []
    for number, match in enumerate(_WORDS.finditer(_flat(command)[:4000])):
        if number >= _MOST_WORDS:
            break
        if match["end"]:
            if program := _program(words, depth, is_started):
                return program
            words = []
        elif match["word"]:
            words.append(match["word"])
    return _program(words, depth, is_started)


def _flat(command: str) -> str:
    """A list of arguments as JSON has it, as a command line."""
    command = command.strip()
    if command.startswith('["') and command.endswith("]"):
        parts = re.findall(r'"((?:[^"\\]|\\.){0,4000})"', command)
        plain = [part.replace('\\"', '"').replace("\\n", "\n") for part in parts]
        return " ".join(
            part if part.isalnum() else "'" + part.replace("'", "") + "'" for part in plain
        )
    return command


def _program(words: list[str], depth: int, is_started: bool) -> str:
    at = 0
    while at < len(words):
        word = _bare(words[at])
        name = word.rpartition("/")[2]
        if is_started and name in _STARTED:
            return name
        if _ASSIGNMENT.match(word) or name in _RUNNERS or word.startswith("-"):
            at += 1
        elif name in _TIMED:
            at += 1
            while at < len(words) and (words[at].startswith("-") or words[at][0].isdigit()):
                at += 1
        elif name in _PREPARING:
            return ""
        elif name in _SHELLS and depth < _DEEPEST:
            return _of_shell(words[at + 1 :], depth, is_started) or name
        else:
            return name
    return ""


def _of_shell(words: list[str], depth: int, is_started: bool) -> str:
    for at, word in enumerate(map(_bare, words)):
        if not word.startswith("-"):
            return word.rpartition("/")[2]  # a script
        if "c" in word and not word.startswith("--") and at + 1 < len(words):
            return program_of(_bare(words[at + 1]), depth + 1, is_started=is_started)
    return ""


def _bare(word: str) -> str:
    if len(word) > 1 and word[0] == word[-1] and word[0] in "'\"":
        return word[1:-1]
    return word
