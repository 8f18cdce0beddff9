"""What a pipeline lets through: where a filter cut, and what it could not have shown."""

from __future__ import annotations

import re
from typing import NamedTuple

from helix_tui.digest.runs.shell import Stage

_NUMBER = re.compile(r"\d+")
_DEFAULT = 10
_THROUGH = frozenset(
    {"tee", "cat", "less", "more", "ts", "nl", "fold", "unbuffer", "rich", "strings"}
)
_SIFTING = frozenset({"grep", "egrep", "fgrep", "rg", "ag", "ack"})
_VALUED = frozenset({"-e", "-A", "-B", "-C", "-m", "-f", "--max-count", "--regexp"})
# PowerShell's, whose names have no case: what lets everything through, and what cuts.
_CMDLETS_THROUGH = frozenset({"out-string", "out-host", "out-default", "tee-object", "tee"})
_SELECTING = frozenset({"select-object", "select"})
_STRIPPING = re.compile(r"s/|s\||s,|s#|s~")


class View(NamedTuple):
    """What is seen of an output: its beginning, its end, all lines between.

    `sieve` finds the lines that were let through; `is_counted` where only their number was.
    """

    has_start: bool = True
    has_end: bool = True
    has_all: bool = True
    sieve: re.Pattern[str] | None = None
    is_counted: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether nothing is hidden."""
        return self.has_start and self.has_end and self.has_all


WHOLE = View()
_NOTHING = View(False, False, False)


def view_through(stages: tuple[Stage, ...], shown: int) -> View:
    """What a pipeline shows of its first command, if so many lines were printed in all.

    More lines may be of other commands: then a limit counts as reached too early, which hides
    more than was hidden.
    """
    first, *filters = stages
    view = WHOLE
    if first.hides_out or (filters and any(one.hides_out for one in filters)):
        view = _NOTHING
    elif first.hides_errors:
        view = view._replace(has_all=False)
    for stage in filters:
        view = _through(view, stage, shown)
    return view


def _through(view: View, stage: Stage, shown: int) -> View:
    name = stage.words[0].rpartition("/")[2]
    if name in _THROUGH:
        return view
    if name.lower() in _CMDLETS_THROUGH:
        return view
    if name.lower() in _SELECTING:
        return _selected(view, stage.words[1:], shown)
    if name == "tail":
        return _tail(view, stage.words[1:], shown)
    if name == "head":
        return view._replace(has_end=view.has_end and shown < _limit(stage.words[1:]))
    if name in _SIFTING:
        return _sifted(view, name, stage.words[1:])
    if name == "sed" and any(_STRIPPING.match(word) for word in stage.words[1:]):
        return view
    if name == "wc":
        return _NOTHING._replace(is_counted=True)
    return view._replace(has_all=False, has_start=False, has_end=False)


def _tail(view: View, words: tuple[str, ...], shown: int) -> View:
    if any(word.startswith("+") for word in words):
        return view._replace(has_start=False)
    if "-f" in words or "-F" in words:
        return _NOTHING
    return view._replace(has_start=view.has_start and shown < _limit(words))


def _selected(view: View, words: tuple[str, ...], shown: int) -> View:
    """What PowerShell's own filter of so many lines lets through."""
    option = words[0].lower() if len(words) == 2 and words[1].isdigit() else ""
    if option == "-last":
        return view._replace(has_start=view.has_start and shown < int(words[1]))
    if option == "-first":
        return view._replace(has_end=view.has_end and shown < int(words[1]))
    return view._replace(has_all=False, has_start=False, has_end=False)


def _limit(words: tuple[str, ...]) -> int:
    """How many lines come through at most; in bytes, none for sure."""
    if any(word.startswith(("-c", "--bytes")) for word in words):
        return 0
    for word in words:
        if found := _NUMBER.search(word):
            return int(found[0])
    return _DEFAULT


def _sifted(view: View, name: str, words: tuple[str, ...]) -> View:
    flags = "".join(word[1:] for word in words if re.fullmatch(r"-[A-Za-z]+\d*", word))
    if "q" in flags or "l" in flags:
        return _NOTHING
    pattern = _pattern(words)
    is_plain = name == "fgrep" or "F" in flags
    sieve = None
    if pattern is not None and "v" not in flags:
        sieve = _compiled(
            pattern, is_plain, name == "grep" and "E" not in flags and "P" not in flags
        )
        if sieve is not None and "i" in flags:
            sieve = re.compile(sieve.pattern, re.IGNORECASE | re.MULTILINE)
    is_counted = "c" in flags or "--count" in words
    return View(False, False, False, sieve, is_counted)


def _pattern(words: tuple[str, ...]) -> str | None:
    skips = False
    for index, word in enumerate(words):
        if skips:
            skips = False
        elif word in ("-e", "--regexp", "-E") and word != "-E":
            return words[index + 1] if index + 1 < len(words) else None
        elif word.startswith("-"):
            skips = word in _VALUED
        else:
            return word
    return None


def _compiled(pattern: str, is_plain: bool, is_basic: bool) -> re.Pattern[str] | None:
    if is_plain:
        return re.compile(re.escape(pattern), re.MULTILINE)
    if is_basic:  # there `\|` is what `|` is elsewhere
        pattern = pattern.replace("\\|", "\0").replace("|", "\\|").replace("\0", "|")
        pattern = pattern.replace("\\(", "(").replace("\\)", ")")
    pattern = pattern.replace("[[:space:]]", r"\s").replace("[[:digit:]]", r"\d")
    try:
        return re.compile(pattern, re.MULTILINE)
    except re.error:
        return None
