"""What an entry tells of its session as facts: its title, how it stands, what passed, what git has.

An entry is all that an article is made of: a person may have changed it, and the session be gone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from helix_tui.memory.flush.entry import DailyEntry
from helix_tui.memory.knowledge.article import cite
from helix_tui.text.function_words import FUNCTION_WORDS
from helix_tui.text.markdown import said_in

_TITLE = re.compile(r"^## [^\n]*? · [^\s<:]*: (?P<title>`.*`) <!-- helix [0-9a-f]{16} -->")
SPANS = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_STATE = "How it stands: "
_CHANGED = re.compile(r"Changed(?: \((?P<state>[^)]*)\))?: ")
# Names of files, and those that nearly every session of some repositories changes.
_FILE = re.compile(r"[\w.@+\[\]-]+\.\w{1,8}")
_OF_ANY = re.compile(
    r"(?:readme|changelog|agents|claude|context|index|main|mod|__init__|package(?:-lock)?|pnpm-lock"
    r"|cargo|go|pyproject|mise|tsconfig|biome|types|utils?|config|settings|setup)\."
)
_ISSUE = re.compile(
    r"(?<![\w/-])(?P<series>[A-Z]{2,8}-)(?P<numbers>\d{1,6}(?:/\d{1,6})*)(?![\w.-])"
)
_PASSED = "Passed: "
_KEPT = ("Committed: ", "Opened: ")
_COMMITS = re.compile(r"(?:^|; )\d+ commits?\b")
_PUSHED = re.compile(r"(?:^|; )\d+ commits?, pushed\b|^How it stands: .*\bcommitted and pushed\b")
_UNCOMMITTED = re.compile(
    r"(?:^|[;,] )(the last edits not committed|not committed in this session"
    r"|changed and in no commit: .*)$"
)
_COMMIT = re.compile(r"(?:^C|[;→] c)ommitted: (?=`)")
_KEPT_BEHIND = re.compile(r"(?:; |→ )(?P<how>committed|opened): (?P<told>`.*)$")
_SPAN_WITH_HASH = re.compile(rf"(?:{SPANS.pattern})(?: \([^)`]*\))?")
_LAST_GREEN = re.compile(
    r"^(?:the last check|the checks of the commit) passed(?:, and [^:]*)?(?:: (.+))?$"
)
_GREEN_NOW = re.compile(
    r"^(?:`[^`]+`(?:, | and \d+ more)?)+ passed (?:after the last edit|with the last)"
)
_NO_CALLS = re.compile(r"(?:^|; )0 tool calls\b")
# The person was content, or what was edited ran.
_HELD_UP = re.compile(r"content with the work|ran well after the last edit")
_LAST_RED = re.compile(r"last seen red|failed, and was not run")
_RED_END = re.compile(r"Left open: `+ ?.{2,40}? (?:was last seen red|failed, and was not run)")
_WORD = re.compile(r"[^\W\d_]{3,}|\d+")
_KINDS_OF_COMMITS = frozenset(("feat", "fix", "chore", "docs", "refactor", "test", "style", "perf"))
_MORE = re.compile(r"\(\+\d+ more\)")


class Held(NamedTuple):
    """An entry with its day."""

    day: str
    entry: DailyEntry

    @property
    def cited(self) -> str:
        """The link to it."""
        return cite(self.day, self.entry.time, self.entry.short_id)


class SessionFacts(NamedTuple):
    """What one entry tells; `state` and `title` are as they stand there, `green` are commands.

    `uncommitted` says which of the changes are in no commit, in the words of the entry.
    """

    title: str
    state: str
    green: tuple[str, ...]
    kept: tuple[str, ...]
    is_green: bool
    is_committed: bool
    is_pushed: bool
    has_edits: bool
    is_begun: bool
    uncommitted: str = ""
    changed: frozenset[str] = frozenset()
    # Numbers of issues that it names, and the words of its title and of its commits.
    issues: frozenset[str] = frozenset()
    has_red_end: bool = False
    matters: tuple[frozenset[str], ...] = ()

    @property
    def is_proved(self) -> bool:
        """Whether something was changed, and a check, a run or the person bears it out.

        Where a check was red to the last, it is not known what it was red of.
        """
        has_held = self.is_green or _HELD_UP.search(self.state) is not None
        return (self.has_edits or self.is_committed) and has_held and not self.is_red

    @property
    def is_red(self) -> bool:
        """Whether a check was red when it was run last."""
        return self.has_red_end or _LAST_RED.search(self.state) is not None


def facts_of(entry: DailyEntry) -> SessionFacts:
    """The facts of an entry."""
    context = entry.lines.get("context", [])
    state = _after(context, _STATE)
    green = [
        said_in(match[0])
        for line in context
        if line.startswith(_PASSED)
        for match in SPANS.finditer(line)
    ]
    said = " ".join(said_in(match[0]) for match in SPANS.finditer(state))
    last = _LAST_GREEN.search(said or state.partition(";")[0])
    kept = [*context, *entry.lines.get("key_exchanges", [])]
    left = _UNCOMMITTED.search(state)
    if last and last[1]:
        green.append(last[1].strip())
    return SessionFacts(
        title_of_entry(entry.text),
        state,
        tuple(dict.fromkeys(green)),
        tuple(_kept_in(kept)),
        bool(green) or last is not None or _GREEN_NOW.match(state) is not None,
        any(map(_COMMITS.search, context)) or any(map(_COMMIT.search, kept)),
        any(_PUSHED.search(line) for line in context),
        any(_CHANGED.match(line) for line in context),
        bool(entry.lines.get("key_exchanges")) or not any(map(_NO_CALLS.search, context)),
        left[1]
        if left
        else next((match["state"] or "" for match in map(_CHANGED.match, context) if match), ""),
        frozenset(_files_in(context)),
        issues_in(" ".join([title_of_entry(entry.text), *chain(*entry.lines.values())])),
        any(map(_RED_END.match, entry.lines.get("actions", []))),
        tuple(
            map(
                matter_of, [title_of_entry(entry.text), *_after_all(list(_kept_in(kept)), _KEPT[0])]
            )
        ),
    )


def _kept_in(lines: Iterable[str]) -> Iterator[str]:
    """Commits and pull requests, each as a line that begins with how it was kept.

    A line on a request names them at its end.
    """
    for line in lines:
        if line.startswith(_KEPT):
            how, _, told = line.partition(": ")
        elif match := _KEPT_BEHIND.search(line):
            how, told = match["how"].capitalize(), match["told"]
        else:
            continue
        first, _, opened = told.partition("; opened: ")
        yield from (f"{how}: {span}" for span in _spans_with_hash(first))
        if opened:
            yield f"Opened: {opened}"


def _spans_with_hash(told: str) -> Iterator[str]:
    yield from (match[0] for match in _SPAN_WITH_HASH.finditer(told))


def issues_in(text: str) -> frozenset[str]:
    """The numbers of issues that a text names, those of one series each by itself."""
    return frozenset(
        f"{match['series']}{number}"
        for match in _ISSUE.finditer(text)
        for number in match["numbers"].split("/")
    )


def _files_in(context: list[str]) -> Iterator[str]:
    """The names of the files that a session changed, but for those of any repository."""
    for line in context:
        for match in SPANS.finditer(line) if _CHANGED.match(line) else ():
            name = said_in(match[0]).rstrip("/").rpartition("/")[2].casefold()
            if _FILE.fullmatch(name) and not _OF_ANY.match(name):
                yield name


def title_of_entry(text: str) -> str:
    """The title of an entry as its heading quotes it; empty where it has none."""
    match = _TITLE.match(text.partition("\n")[0])
    return match["title"] if match else ""


def matter_of(text: str) -> frozenset[str]:
    """The words and numbers that tell what a title or a request is about."""
    found = _WORD.findall(_MORE.sub("", text).casefold())
    return frozenset(found) - FUNCTION_WORDS - _KINDS_OF_COMMITS


def is_one_matter(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two titles, or two requests, share nearly all of their words, and all numbers."""
    numbers = {word for word in one ^ other if word.isdigit()}
    if min(len(one), len(other)) < _LEAST_SHARED or numbers:
        return False
    return len(one & other) >= _SHARE * len(one | other)


_LEAST_SHARED = 4
_SHARE = 0.75


def _after_all(lines: list[str], label: str) -> list[str]:
    return [line.removeprefix(label) for line in lines if line.startswith(label)]


def _after(lines: list[str], label: str) -> str:
    return next((line.removeprefix(label) for line in lines if line.startswith(label)), "")
