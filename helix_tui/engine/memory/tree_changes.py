"""What became of files beside edits: what git itself says of commits, and what was deleted."""

from __future__ import annotations

import re

from msgspec.structs import replace

from helix_tui.digest.excerpt import excerpt_line
from helix_tui.schema.memory import CommitMade

_FILE_LENGTH = 200
_TITLE_LENGTH = 120
_MOST_CALLS = 50
_MOST_FILES = 200
_EXAMINED = 20_000
# `[main 4e4af59] Fix it` and, some lines on, ` 3 files changed, 2 insertions(+)`.
_COMMIT = re.compile(
    r"(?m)(?:^|stdout: )\[(?P<branch>[^\]\n]{1,120}?) (?:\([^)\n]{1,40}\) )?"
    r"(?P<hash>[0-9a-f]{7,40})\]"
    r" (?P<title>[^\n]{1,300})\n(?P<rest>(?:(?!^\[)[^\n]*\n?){0,300})"
)
_COUNT = re.compile(r"(?m)^ (\d{1,6}) files? changed\b")
# Git says when an amended commit was made first.
_AMENDED = re.compile(r"(?: Author: [^\n]*\n)? Date: ")
_WORD = re.compile(r"[^\W_]{3,}")
_REBASED = "Successfully rebased"
_MODE = re.compile(r"(?m)^ (?P<how>create|delete) mode \d{6} (?P<path>[^\n]{1,300})$")
_RENAMED = re.compile(r"(?m)^ rename (?P<path>[^\n]{1,300}) \(\d+%\)$")
_BRACES = re.compile(r"\{(?P<old>[^{}]*) => (?P<new>[^{}]*)\}")
_REMOVING = re.compile(
    r"(?:^|[;&|\n]|&&)\s*(?:(?:git )?rm|del|Remove-Item)(?P<options>(?: -\w+)*)"
    r"(?P<names>(?: [^\s;&|<>*$`]+)+)"
)
_RECURSIVE = re.compile(r"-\w*[rR]")
_IS_FILE = re.compile(r"(?:[\w@+.~-]+/)*[\w@+.-]+\.\w{1,12}")
_DELETED_BY_PATCH = re.compile(r"\*\*\* Delete File: ([^\n\\]{1,500})")
_ADDED_BY_PATCH = re.compile(r"\*\*\* (?:Add|Update) File: ([^\n\\]{1,500})")


class TreeChanges:
    """What git said of commits, in their order, and which files were deleted and not made again."""

    def __init__(self) -> None:
        self._commits: dict[str, CommitMade] = {}
        self._removing: dict[str, list[str]] = {}
        self._deleted: dict[str, None] = {}
        self._made: set[str] = set()

    def call(self, call_id: str | None, given: str, command: str) -> None:
        """Take a call: what it is about to delete counts where it does not fail."""
        names = [
            name.strip("\"'")
            for match in _REMOVING.finditer(command[:_EXAMINED])
            if not _RECURSIVE.search(match["options"])
            for name in match["names"].split()
        ]
        if "*** Begin Patch" in given:
            names += _DELETED_BY_PATCH.findall(given)
            for name in _ADDED_BY_PATCH.findall(given):
                # A patch may delete a file and make it anew.
                names = [one for one in names if one.strip() != name.strip()]
        named = [name.strip() for name in names if _IS_FILE.fullmatch(name.strip().lstrip("/"))]
        if named and call_id and len(self._removing) < _MOST_CALLS:
            self._removing[call_id] = named

    def made(self, name: str) -> None:
        """Take that a file was edited or written: it is there again."""
        named = excerpt_line(name, _FILE_LENGTH)
        self._deleted.pop(named, None)
        if len(self._made) < _MOST_FILES:
            self._made.add(named.replace("\\", "/"))

    def result(self, call_id: str | None, text: str, *, has_failed: bool) -> list[str]:
        """Take a result; return the titles of the commits that it tells of."""
        removed = self._removing.pop(call_id or "", [])
        if not has_failed and len(self._deleted) < _MOST_FILES:
            self._deleted |= dict.fromkeys(excerpt_line(name, _FILE_LENGTH) for name in removed)
        if _REBASED in text:
            self._commits = {key: replace(one, hash="") for key, one in self._commits.items()}
        self._name_anew(text)
        titles: list[str] = []
        if " changed" not in text or "[" not in text:
            return titles
        for match in _COMMIT.finditer(text[:_EXAMINED]):
            count = _COUNT.search(match["rest"])
            if count:
                if _AMENDED.match(match["rest"]):
                    self._amend(match["title"])
                self._commits[match["hash"]] = _commit(match, int(count[1]))
                titles.append(self._commits[match["hash"]].title)
        return titles

    def _amend(self, title: str) -> None:
        """Drop the last commit where it was made anew, under nearly the same title."""
        last = next(reversed(self._commits.values()), None)
        words = set(_WORD.findall(title.casefold()))
        if last and 2 * len(words & set(_WORD.findall(last.title.casefold()))) > len(words):
            self._commits.popitem()

    def _name_anew(self, text: str) -> None:
        """Take the hash that a commit has since it was rebased, where git shows it by its title."""
        for key, one in self._commits.items():
            if not one.hash and one.title in text[:_EXAMINED]:
                line = re.search(
                    rf"\b([0-9a-f]{{7,40}})\b[^\n]{{0,80}}{re.escape(one.title)}", text
                )
                self._commits[key] = replace(one, hash=line[1] if line else "")

    def commits(self) -> list[CommitMade]:
        """Return the commits that git said were made."""
        return list(self._commits.values())

    def deleted(self) -> list[str]:
        """Return the files that were deleted, by the agent or in a commit."""
        of_commits = [name for one in self._commits.values() for name in one.deleted]
        # What was neither edited nor in a commit may have been made by a tool for the moment.
        removed = [name for name in self._deleted if self._is_known(name)]
        created = {name for one in self._commits.values() for name in one.created}
        return [name for name in dict.fromkeys([*removed, *of_commits]) if name not in created]

    def _is_known(self, name: str) -> bool:
        plain = name.replace("\\", "/").removeprefix("./")
        return any(one == plain or one.endswith(f"/{plain}") for one in self._made)


def _commit(match: re.Match[str], count: int) -> CommitMade:
    created: list[str] = []
    deleted: list[str] = []
    for mode in _MODE.finditer(match["rest"]):
        name = excerpt_line(mode["path"].strip('"'), _FILE_LENGTH)
        (created if mode["how"] == "create" else deleted).append(name)
    for renamed in _RENAMED.finditer(match["rest"]):
        old, new = _ends_of(renamed["path"])
        created.append(excerpt_line(new, _FILE_LENGTH))
        deleted.append(excerpt_line(old, _FILE_LENGTH))
    title = excerpt_line(match["title"], _TITLE_LENGTH)
    return CommitMade(title, match["hash"], count, created[:_MOST_FILES], deleted[:_MOST_FILES])


def _ends_of(path: str) -> tuple[str, str]:
    """The two names of a renaming: `a => b`, or `folder/{a => b}`."""
    if braces := _BRACES.search(path):
        head, tail = path[: braces.start()], path[braces.end() :]
        old, new = (f"{head}{braces[one]}{tail}".replace("//", "/") for one in ("old", "new"))
        return old, new
    old, _, new = path.partition(" => ")
    return old, new
