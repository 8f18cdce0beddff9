"""What leaves of a session, made of what the store has of it: masked, or numbers alone."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256

import msgspec
from msgspec.structs import replace

from helix_tui.curate.hub.outward import is_plain_subject
from helix_tui.detect.keys import bucket
from helix_tui.digest.extractor import EXTRACTOR
from helix_tui.engine.candidates.grouping import signals_version
from helix_tui.engine.sweep.analysis import digest_of_stored
from helix_tui.engine.team.figures import runs_in, usage_in
from helix_tui.engine.team.masking import Masking
from helix_tui.engine.team.repos import RepoNames
from helix_tui.errors import StoreError
from helix_tui.schema.signal import Profile, Signal
from helix_tui.schema.team import SharedFold, TeamRow
from helix_tui.schema.team_settings import Share
from helix_tui.store.read import shared
from helix_tui.store.read.shared import Marks, SharedSession
from helix_tui.team.secret import TeamSecret
from helix_tui.text.safe import safe_line

# A tsvector holds 1 MB: words are counted once each, and so much of them is kept.
_MOST_WORDS = 400_000
_MOST_READ = 2_000_000
_LONGEST_WORD = 40
_WORD = re.compile(r"[^\W_]+")
_MOST_EXCERPT = 400
_MOST_ERRORS = 20
_MOST_NAME = 120
# An agent's name and the id that it gave; whatever looks like a path is none.
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,160}(?:/[A-Za-z0-9][A-Za-z0-9._-]{0,80})?")
_encode = msgspec.json.Encoder().encode


class RowMaker:
    """Makes rows of one store's sessions."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        origin: str,
        secret: TeamSecret,
        masking: Masking,
        repos: RepoNames,
        share: Share,
    ) -> None:
        self._connection = connection
        self._origin = origin
        self._secret = secret
        self._masking = masking
        self._repos = repos
        self._share = share
        self._marks = Marks(connection, origin)

    def row(self, session: SharedSession, earlier_marks: Sequence[int] = ()) -> TeamRow:
        """All that leaves of a session, without a revision."""
        repo = self._repos.of(session.repo, session.cwd)
        signals = self._signals(session)
        row = TeamRow(
            uid=self.uid(session.id),
            origin=self._origin,
            flavor=session.flavor,
            native_id=self._native(session.native_id),
            parent=self.uid(session.parent) if session.parent else None,
            repo=repo.id,
            repo_name=repo.name,
            branch=self._secret.name_of("branch", repo.id, session.branch or "")
            if session.branch
            else "",
            is_placeless=session.cwd is None,
            first_ts=session.first_ts,
            last_ts=session.last_ts,
            model=self._model(session.model or ""),
            events=session.events,
            turns=session.turns,
            prompts=session.prompts,
            tool_calls=session.tool_calls,
            tool_errors=session.tool_errors,
            compactions=session.compactions,
            input=session.input,
            output=session.output,
            cache_read=session.cache_read,
            cache_write=session.cache_write,
            reasoning=session.reasoning,
            ended=session.ended,
            outcome=session.outcome,
            outcome_confidence=session.outcome_confidence,
            profile=self._profile(session),
            triggers=self._when_excerpts(lambda: self._triggers(session)),
            exposure=[],
            marks=self._all_marks(session, earlier_marks),
            share=self._share,
            signals_version=signals_version(),
            extractor=EXTRACTOR,
            revision=0,
            hash="",
            signals=signals,
            fold=self._fold(session),
            words=self._when_excerpts(lambda: self._words(session)),
        )
        return replace(row, hash=sha256(_encode(row)).hexdigest()[:32])

    def uid(self, session_id: str) -> str:
        """A session's name in the team."""
        return f"{self._named(session_id)}.{self._origin}"

    def _named(self, name: str) -> str:
        """An id as it is, or a name made of it where it may be a path or somebody's words."""
        if _ID.fullmatch(name) and self._masking.text(name) == name:
            return name
        return f"id-{self._secret.name_of('id', name)}"

    def _native(self, name: str) -> str:
        return self._named(name)

    def _model(self, name: str) -> str | None:
        return safe_line(self._masking.text(name), _MOST_NAME) or None

    def _when_excerpts(self, make: Callable[[], str]) -> str:
        return make() if self._share == "excerpts" else ""

    def _triggers(self, session: SharedSession) -> str:
        return self._masking.text(shared.triggers_in(self._connection, session.key))

    def _all_marks(self, session: SharedSession, earlier: Sequence[int]) -> list[int]:
        """Marks of now, and those of before where events that made them may be gone."""
        made = self._marks.of(session)
        return sorted({*made, *earlier}) if session.evicted_events else made

    def _profile(self, session: SharedSession) -> Profile:
        profile = shared.profile_in(self._connection, session.key)
        if self._share == "numbers":
            return replace(profile, checks=None, title="", left_open=None, links=[])
        text = self._masking.text
        return replace(
            profile,
            checks=None
            if profile.checks is None
            else {text(name): fact for name, fact in profile.checks.items()},
            title=text(profile.title),
            left_open=None if profile.left_open is None else [*map(text, profile.left_open)],
            links=[],
        )

    def _signals(self, session: SharedSession) -> dict[str, list[Signal]]:
        found: dict[str, list[Signal]] = {}
        for signal in shared.signals_in(self._connection, session.key):
            kept = self._masking.signal(signal)
            if self._share == "numbers":
                plain = in_numbers(kept)
                if plain is None:
                    continue
                kept = plain
            found.setdefault(str(bucket(kept)), []).append(kept)
        return found

    def _fold(self, session: SharedSession) -> SharedFold:
        text, profile = self._masking.text, self._profile(session)
        spent, messages = usage_in(
            self._connection, session.key, session.flavor, lambda name: self._model(name) or ""
        )
        try:
            facts = digest_of_stored(shared.folds_in(self._connection, session.key)).facts
        except StoreError:
            # The fold is damaged: `helix doctor` tells, and figures and signals are stored apart.
            return SharedFold(
                title=profile.title,
                left_open=profile.left_open or [],
                spent=spent,
                messages=messages,
            )
        corrections, runs = runs_in(facts, text if self._share == "excerpts" else lambda _: "")
        figures = SharedFold(spent=spent, messages=messages, corrections=corrections, runs=runs)
        if self._share == "numbers":
            return figures
        return replace(
            figures,
            title=profile.title,
            first_prompt=_cut(text(facts.first_prompt)),
            outcome_reason=_cut(text(session.outcome_reason or "")),
            left_open=[_cut(one) for one in profile.left_open or []],
            errors=[_cut(text(error.line)) for error in facts.errors[:_MOST_ERRORS]],
            checks={text(name): fact.state for name, fact in facts.checks.items()},
            tools={text(name): (one.calls, one.errors) for name, one in facts.tools.items()},
        )

    def _words(self, session: SharedSession) -> str:
        """Each word once, in order, and split as the search splits a question."""
        found: set[str] = set()
        read = size = 0
        for _, _, text in shared.texts_in(self._connection, session.key):
            read += len(text)
            if read > _MOST_READ:
                break
            found |= words_of(self._masking.text(text))
        kept = []
        for word in sorted(found):
            size += len(word.encode()) + 1
            if size > _MOST_WORDS:
                break
            kept.append(word)
        return " ".join(kept)


def words_of(text: str) -> set[str]:
    """The words of a text as they are searched for: a path is several."""
    return {word for word in _WORD.findall(text.lower()) if len(word) <= _LONGEST_WORD}


def in_numbers(signal: Signal) -> Signal | None:
    """A signal without any words: an error of a known kind about a program, module or code.

    All others are left out: what they are grouped by is words.
    """
    kind = signal.error_class or signal.name
    if signal.template or signal.topic or signal.name == "recovery":
        return None
    if signal.subject and not is_plain_subject(kind, signal.subject):
        return None
    if not signal.error_class and not is_plain_subject(signal.name, signal.subject):
        return None
    return replace(
        signal,
        text="",
        before="",
        verb="",
        shape="",
        shapes={},
        failed="",
        passed="",
        change="",
        check="",
        step="",
        led_to=[],
        edited=[],
        hint="",
        taken_back="",
        follows=[],
        behind="",
    )


def texts_of_row(row: TeamRow) -> Iterator[str]:
    """Every text of a row that somebody else wrote; not the words of Helix's own vocabulary."""
    yield from filter(None, (row.uid, row.native_id, row.parent, row.repo_name, row.model))
    yield from row.triggers.split("\n")
    fold = row.fold
    yield from (one.model for one in fold.spent)
    yield from (run.name for run in fold.runs)
    # What is counted has kinds and states besides, which are Helix's own words.
    yield from _strings(msgspec.to_builtins(replace(fold, spent=[], messages=[], runs=[])))
    yield from _strings(msgspec.to_builtins(row.profile))
    for signals in row.signals.values():
        for signal in signals:
            # The first three are a name, a class of tools and a class of errors.
            yield from _strings(msgspec.to_builtins(signal)[3:])


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _strings(key)
            yield from _strings(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _strings(item)


def encoded(row: TeamRow) -> bytes:
    """A row as it leaves: one line of JSON."""
    return _encode(row)


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_EXCERPT else f"{text[: _MOST_EXCERPT - 1]}…"
