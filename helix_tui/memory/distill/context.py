"""What a piece was about, how it stands, and what was changed: files by folder, commits."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from helix_tui.memory.distill import cues
from helix_tui.memory.distill.headline import gist
from helix_tui.memory.distill.prose import plain_line, shortened
from helix_tui.memory.distill.quoting import LINE_LENGTH, name_of, quoted
from helix_tui.memory.distill.turns_told import calls_in, is_about, words
from helix_tui.schema import Facts
from helix_tui.schema.memory import Piece
from helix_tui.text.human import plural
from helix_tui.text.markdown import code_span

_STATE_LENGTH = 180
_TITLE_LENGTH = 120
_MOST_FILES = 8
_MOST_FOLDERS = 5
_MOST_COMMITS = 4
_HEAD_LENGTH = 140
# A longer prompt is a template, or a brief.
_TEMPLATE = 1_000
_LONG_WORD = 5
_FEW = 1
# That nobody objected says nothing that is not seen.
_UNSAID = "the person did not object"
# An open end tells how it broke off, and at what.
_BROKEN_OFF = re.compile(
    r"(?:the last prompt was never answered|it ends (?:within|with|before) [^;]*"
    r"|the person (?:stopped|refused) [^;]*)(?:; |$)"
)
_COULD_NOT = "the agent says that it could not"
_NO_COMMIT = re.compile(r"\b(?:gh|glab) (?:pr|mr) create\b|\bgit merge\b")
_OWN_COMMIT = re.compile(r"\bgit\b[^|;&]{0,80}\bcommit\b.{0,20}\s-")
_AMENDED = re.compile(r"\bcommit\b.{0,60}--amend\b")
_REDIRECTED = re.compile(r"\s+(?:2>&1|\|).*", re.DOTALL)
_COMMITTING = re.compile(r": (?:cd \S+ && )?git .*", re.DOTALL)
# How it went, in a word; `success` is only as sure as what tells it.
_OUTCOMES = {
    "partial": "partly done",
    "failed": "not done",
    "abandoned": "broken off",
    "unknown": "not known",
}


def context(piece: Piece, task: str) -> Iterator[str]:
    """What was asked, how it stands, what was changed, and how much was done."""
    is_other = bool(piece.title) and not is_about(words(piece.title), task)
    if task and not is_told_by(piece.title, task) and not (is_other and _is_template(piece, task)):
        # The head of a brief is only to be recognized.
        yield f"Asked: {quoted(task, _HEAD_LENGTH if is_other else LINE_LENGTH)}"
    if state := _state(piece):
        yield f"How it stands: {state}"
    if changed := _changed(piece):
        # Whoever comes back finds these in the tree, and in no commit.
        ending = piece.facts.ending
        is_left = bool(ending.edits_since_commit)
        since = " (the last edits not committed)" if commits_made(piece.facts) else ""
        left = since or " (not committed in this session)"
        yield f"Changed{left if is_left else ''}: {changed}"
    if piece.passed:
        commands = (code_span(shortened(one, _STATE_LENGTH)) for one in piece.passed)
        when = " before the last edits" if piece.facts.ending.code_edits else ""
        yield f"Passed{when}: {', '.join(commands)}"
    titles = [title for one in piece.facts.kept if (title := title_of_kept(one.text))]
    yield from list(dict.fromkeys(titles))[-_MOST_COMMITS:]
    yield f"{'; '.join(_work(piece))}."


def _is_template(piece: Piece, task: str) -> bool:
    """Whether the task is the head of a long prompt that says nothing of what the title says."""
    return any(
        len(turn.asked) > _TEMPLATE and gist(turn.asked, piece.title) == task
        for turn in piece.exchanges
    )


def is_told_by(title: str, task: str) -> bool:
    """Whether a title has all words of a request but a few small ones."""
    left = words(task) - words(title)
    return bool(title) and sum(len(word) >= _LONG_WORD for word in left) <= _FEW


def _work(piece: Piece) -> Iterator[str]:
    facts = piece.facts
    if facts.active_ms >= 60_000:
        yield f"{facts.active_ms // 60_000:,} min active"
    yield plural(facts.prompts, "prompt")
    yield plural(calls_in(piece), "tool call")
    if commits := commits_made(facts):
        yield f"{plural(commits, 'commit')}{', pushed' if _is_pushed(piece) else ''}"
    if facts.compactions:
        yield f"context compacted {plural(facts.compactions, 'time')}"


def commits_made(facts: Facts) -> int:
    """How many commits stand: a pull request, a merge or an amended commit is no further one."""
    others = sum(
        1
        for one in facts.kept
        if _AMENDED.search(one.text)
        or (_NO_COMMIT.search(one.text) and not _OWN_COMMIT.search(one.text))
    )
    return max(0, facts.commits - others - facts.reverts)


def _is_pushed(piece: Piece) -> bool:
    """Whether git answered that the last commit was pushed."""
    behind: list[str] = []
    for run in piece.facts.runs:
        if run.name == "git commit" and run.state == "passed":
            behind = []
        elif run.name == "git push":
            behind.append(run.state)
    return behind[-1:] == ["passed"]


def _state(piece: Piece) -> str:
    """How it stands, unless an open end tells the same; a commit that ran checks is not quoted."""
    if piece.state.startswith(_COULD_NOT) or piece.state in piece.unfinished:
        return ""
    if piece.state.endswith(_UNSAID):
        return ""
    state = _COMMITTING.sub("", _REDIRECTED.sub("", piece.state))
    if _COMMITTING.search(piece.state):
        state = state.replace("the last check passed", "the checks of the commit passed")
    state = re.sub(r"={3,}", "", state).replace(" red where it ends:", " red:").strip()
    if piece.unfinished and piece.outcome != "success":
        state = _BROKEN_OFF.sub("", state)
    # The command stands among those that passed.
    head, _, command = state.partition(": ")
    if command in piece.passed and head.startswith("the last check passed"):
        state = head
    if not state:
        return ""
    word = _OUTCOMES.get(piece.outcome, "")
    # What is red, or was never seen, says so itself.
    return f"{word}: {quoted(state, _STATE_LENGTH)}" if word else quoted(state, _STATE_LENGTH)


def _changed(piece: Piece) -> str:
    """The files that were edited, or written by a shell, by folder; those edited most first."""
    edits = {name: tally.edits for name, tally in piece.facts.files.items() if tally.edits and name}
    names = sorted(edits, key=lambda name: (-edits[name], name))
    known = {_plain(piece, name) for name in names}
    names += [name for name in piece.written if _plain(piece, name) not in known]
    folders: dict[str, list[str]] = {}
    for name in dict.fromkeys(_plain(piece, name) for name in names):
        folder, _, file = name.replace("\\", "/").rpartition("/")
        folders.setdefault(folder, []).append(file)
    if not folders:
        return ""
    return "; ".join(_by_folder(folders))


def _by_folder(folders: dict[str, list[str]]) -> Iterator[str]:
    room = _MOST_FILES
    left = 0
    for number, (folder, files) in enumerate(folders.items()):
        shown = files[: max(0, room)] if number < _MOST_FOLDERS else []
        room -= len(shown)
        left += len(files) - len(shown)
        if shown:
            where = f" in {code_span(f'{folder}/')}" if folder else ""
            yield f"{', '.join(map(code_span, shown))}{where}"
    if left:
        yield f"and {plural(left, 'more file')}"


def _plain(piece: Piece, path: str) -> str:
    """A path as it is told, without quotes."""
    return name_of(piece, path.removeprefix("./")).strip("`").strip()


def title_of_kept(command: str) -> str:
    """The title of a commit or a pull request, from its command."""
    if match := cues.TITLE.search(command):
        return f"Opened: {quoted(plain_line(match['title']), _TITLE_LENGTH)}"
    if match := cues.HEREDOC.search(command) or cues.MESSAGE.search(command):
        title = plain_line(match["title"])
        if len(title) > cues.SUMMARY // 2 and (body := cues.BODY.search(title, 20)):
            title = title[: body.start()]
        return f"Committed: {quoted(title, _TITLE_LENGTH)}"
    return ""


def without_titles(lines: Sequence[str], titles: Sequence[str]) -> list[str]:
    """The lines of which none only repeats a commit's title."""
    said = [title.partition("`")[2].rstrip("`… ") for title in titles]
    return [line for line in lines if not any(one and one in line for one in said)]
