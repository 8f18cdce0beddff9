"""The commits and pull requests of a piece, each with the turn in which it was made."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from helix_tui.memory.distill import cues
from helix_tui.memory.distill.prose import plain_line
from helix_tui.memory.distill.quoting import quoted
from helix_tui.schema import Facts
from helix_tui.schema.memory import CommitMade, Exchange, Piece
from helix_tui.text.human import plural

_TITLE_LENGTH = 100
# Of many commits of one turn the last are told.
_MOST_OF_TURN = 2
_MANY_COMMITS = 7
_MOST_THEMES = 6
_THEME_LENGTH = 90
_CONVENTIONAL = re.compile(r"(?P<kind>[a-zA-Z]{2,12})(?:\((?P<scope>[^)]{1,40})\))?!?: (?=\S)")
# What mends how it looks, and no more.
_COSMETIC = re.compile(
    r"(?i)^(?:style|format|lint|typo|wip|merge|bump)\b|^\w+(?:\([^)]*\))?: (?:fix )?(?:lint|format"
    r"|typos?|whitespace|prettier)\b"
)
_OPENED = "opened"
_COMMITTED = "committed"
_RENAMED = re.compile(r"\b(?:gh|glab) (?:pr|mr) (?:edit|update)\b")
_CUT_WORD = re.compile(r"\s\S*…$")
_NO_COMMIT = re.compile(r"\b(?:gh|glab) (?:pr|mr) create\b|\bgit merge\b")
_OWN_COMMIT = re.compile(r"\bgit\b[^|;&]{0,80}\bcommit\b.{0,20}\s-")
_AMENDED = re.compile(r"\bcommit\b.{0,60}--amend\b")


class Kept(NamedTuple):
    """A commit, or a pull request that was opened: its title, and what git said of it."""

    how: str
    title: str
    said: str = ""

    @property
    def told(self) -> str:
        """Its title, quoted, with hash and files."""
        return f"{quoted(self.title, _TITLE_LENGTH)}{f' ({self.said})' if self.said else ''}"


def commits_by_turn(piece: Piece) -> dict[int, list[Kept]]:
    """By prompt, what was committed or opened in its turn; without a turn, by 0.

    A turn that only commits what one before it changed belongs to that.
    """
    found: dict[int, list[Kept]] = {}
    for kept, at in _placed(piece):
        turns = piece.exchanges
        while 0 < at < len(turns) and not turns[at].edits and _only_keeps(turns[at]):
            at -= 1
        event = turns[at].asked_event if 0 <= at < len(turns) else 0
        found.setdefault(event, []).append(kept)
    return found


def committed_in(piece: Piece, kept: Sequence[Kept]) -> str:
    """What was committed, and opened, in a few words: the last titles, and how many more."""
    parts = []
    for how in (_COMMITTED, _OPENED):
        some = [one for one in kept if one.how == how]
        if how == _OPENED:
            titles = {one.title for one in kept if one.how == _COMMITTED}
            some = [one for one in some if one.title not in titles] or some[-1:]
        telling = [one for one in some if not _COSMETIC.match(one.title)] or some
        told = [one.told for one in telling[-_MOST_OF_TURN:]]
        if len(some) > len(told):
            told.append(f"and {len(some) - len(told)} more")
        if told:
            parts.append(f"{how}: {', '.join(told)}")
    return "; ".join(parts)


def commits_by_theme(piece: Piece) -> str:
    """Very many commits by the scope, or the kind, that their titles begin with; else nothing.

    Of each theme the commit of most files stands for the others.
    """
    titles = [(one.title, one.files) for one in piece.commits]
    if len(titles) < _MANY_COMMITS:
        return ""
    themes: dict[str, list[tuple[str, int]]] = {}
    for title, files in titles:
        if match := _CONVENTIONAL.match(title):
            theme = (match["scope"] or match["kind"]).casefold()
            themes.setdefault(theme, []).append((title[match.end() :], files))
    if 2 * sum(map(len, themes.values())) < len(titles):
        return ""
    ranked = sorted(themes.items(), key=lambda row: -len(row[1]))[:_MOST_THEMES]
    told = []
    for theme, some in ranked:
        best = max(some, key=lambda row: row[1])[0]
        often = f" {len(some)} times" if len(some) > 1 else ""
        told.append(f"{quoted(theme)}{often}: {quoted(best, _THEME_LENGTH)}")
    rest = len(titles) - sum(len(some) for _, some in ranked)
    more = f"; and {rest} more" if rest else ""
    return f"Commits by theme: {'; '.join(told)}{more}"


def _only_keeps(turn: Exchange) -> bool:
    """Whether a prompt asks in a few words for what was done to be kept."""
    words = plain_line(turn.asked).split()
    return len(words) <= _FEW_WORDS


_FEW_WORDS = 12


def _placed(piece: Piece) -> list[tuple[Kept, int]]:
    """What was kept with the number of its turn; -1 where no turn is known."""
    opened = [
        (Kept(_OPENED, title), _turn_at(piece, one.ts))
        for one in piece.facts.kept
        if (title := _opened(one.text))
    ]
    opened = _renamed(piece, opened)
    of_commands = [
        (Kept(_COMMITTED, title), _turn_at(piece, one.ts))
        for one in piece.facts.kept
        if not _opened(one.text) and (title := _committed(one.text))
    ]
    of_commands = list({kept.title: (kept, at) for kept, at in of_commands}.values())
    made = {one.title: one for one in piece.commits}
    if len(made) < len(of_commands):
        return [*of_commands, *opened]
    of_git = [
        (Kept(_COMMITTED, one.title, _said(one)), _turn_of(piece, one)) for one in made.values()
    ]
    return [*of_git, *opened]


def _said(commit: CommitMade) -> str:
    files = plural(commit.files, "file")
    return f"{commit.hash}, {files}" if commit.hash else files


def _turn_of(piece: Piece, commit: CommitMade) -> int:
    return max(
        (at for at, turn in enumerate(piece.exchanges) if commit.title in turn.commits), default=-1
    )


def _turn_at(piece: Piece, ts: int | None) -> int:
    """The turn in which something happened, by its time."""
    begun = [at for at, turn in enumerate(piece.exchanges) if ts and turn.ts and turn.ts <= ts]
    return begun[-1] if begun else len(piece.exchanges) - 1


def _renamed(piece: Piece, opened: list[tuple[Kept, int]]) -> list[tuple[Kept, int]]:
    """The one pull request that was opened by its last name; else as they were."""
    later = [one for one in piece.facts.commands if _RENAMED.search(one) and cues.TITLE.search(one)]
    if len(opened) == 1 and later:
        kept, at = opened[0]
        return [(kept._replace(title=_opened(later[-1]) or kept.title), at)]
    return opened


def _opened(command: str) -> str:
    """The title of a pull request, from its command."""
    match = cues.TITLE.search(command)
    return plain_line(match["title"]) if match else ""


def _committed(command: str) -> str:
    """The title of a commit, from its command."""
    match = cues.HEREDOC.search(command) or cues.MESSAGE.search(command)
    if match is None:
        return ""
    title = plain_line(match["title"])
    if len(title) > cues.SUMMARY // 2 and (body := cues.BODY.search(title, 20)):
        title = title[: body.start()]
    return _CUT_WORD.sub("…", title)


def commits_made(facts: Facts) -> int:
    """How many commits stand: a pull request, a merge or an amended commit is no further one."""
    others = sum(
        1
        for one in facts.kept
        if _AMENDED.search(one.text)
        or (_NO_COMMIT.search(one.text) and not _OWN_COMMIT.search(one.text))
    )
    return max(0, facts.commits - others - facts.reverts)


def title_of_kept(command: str) -> str:
    """The title of a commit or a pull request, from its command, in a line of its own."""
    for how, title in ((_OPENED, _opened(command)), (_COMMITTED, _committed(command))):
        if title:
            return f"{how.capitalize()}: {quoted(title, _TITLE_LENGTH)}"
    return ""
