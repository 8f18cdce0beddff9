"""A line that a person wrote as something to be measured: what it is about, and who saw it."""

from __future__ import annotations

from helix_tui.capture.repo import repo_of
from helix_tui.context.matching.index import BADGE
from helix_tui.engine.candidates.ranking import named_candidate
from helix_tui.engine.context.exposure import Exposures, plain
from helix_tui.engine.context.told_book import told_of
from helix_tui.engine.effect.before_after_control import Saw, Since, Subject
from helix_tui.engine.effect.rule_history import WrittenRule
from helix_tui.engine.effect.sessions import Place, Sessions, members, set_of
from helix_tui.errors import NotFoundError, UsageError
from helix_tui.schema.candidate import Candidate
from helix_tui.schema.context import AGENTS, Exposure, SessionPlace
from helix_tui.schema.effect import EffectFilter, EffectMoment
from helix_tui.store.database import Database
from helix_tui.store.detection.candidates import list_candidates

_LEAST = 2


def subjects_of_rule(
    rule: WrittenRule,
    name: str | None,
    database: Database,
    sessions: Sessions,
    wanted: EffectFilter,
) -> list[Subject]:
    """The line with each candidate that it is about, or with the one that is named."""
    moments = rule.moments
    if wanted.at is None and not moments:
        where = "it is not committed" if rule.root else "the file is in no git repository"
        raise UsageError(
            f"Nobody knows when line {rule.line} of {rule.file} came in: {where}.",
            "`--at TIME` says when.",
        )
    if name is not None:
        about = [named_candidate(database, name)]
    else:
        about = _about(rule, database)
        if not about:
            raise NotFoundError(
                f"Line {rule.line} of {rule.file} is about nothing that is known to recur.",
                "Name a candidate as well: `helix effect ID --rule FILE:LINE`.",
            )
    return [_subject(rule, one, sessions, wanted) for one in about]


def _about(rule: WrittenRule, database: Database) -> list[Candidate]:
    """The candidates of which instructions say something by this very line."""
    listed = list_candidates(database, _LEAST)
    told = told_of(database, listed)
    words = plain(rule.text)
    return [
        one
        for one in listed
        if any(
            line.coverage >= BADGE
            and (plain(line.text) == words or (line.file, line.line) == (rule.file, rule.line))
            for line in told[one.id].lines
        )
    ]


def _subject(
    rule: WrittenRule, candidate: Candidate, sessions: Sessions, wanted: EffectFilter
) -> Subject:
    ins = [one.at for one in rule.moments if one.kind != "out"]
    since = wanted.at if wanted.at is not None else ins[0]
    repo = repo_of(rule.root) if rule.root else None
    repos = None if repo is None else (repo,)
    exposures = _Exposed(rule.text, sessions)
    spans = _spans(rule.moments) if wanted.at is None else ((since, None),)

    def since_at(place: Place) -> Since | None:
        is_here = repos is None or place.repo in repos
        return Since(since, since, spans) if is_here and place.agent in AGENTS else None

    return Subject(
        id=candidate.id,
        version=rule.moments[-1].version if rule.moments else "",
        title=candidate.title,
        rule=rule.text,
        rung="",
        candidate=candidate,
        repos=repos,
        how="git" if wanted.at is None else "given",
        since=since,
        since_at=since_at,
        saw=exposures.saw,
        proof=exposures.of,
        moments=rule.moments,
    )


def _spans(moments: list[EffectMoment]) -> tuple[tuple[int, int | None], ...]:
    """The times between coming in and going out."""
    ends = [*(one.at for one in moments[1:]), None]
    return tuple((one.at, end) for one, end in zip(moments, ends, strict=True) if one.kind != "out")


class _Exposed:
    """Whether conversations saw a line: by their logs, else by their folder at that time."""

    def __init__(self, line: str, sessions: Sessions) -> None:
        self._line = line
        self._sessions = sessions
        recorded = {
            key: records
            for one, records in zip(sessions.all, sessions.records, strict=True)
            for key in one.keys[:1]
        }
        self._exposures = Exposures(recorded, sessions.texts)
        self._known: dict[int, Exposure] = {}

    def of(self, at: int) -> Exposure:
        """Whether one of them saw it."""
        if at not in self._known:
            one = self._sessions.all[at]
            place = SessionPlace(
                one.keys[0], one.root, one.root, one.agent, one.repo, one.cwd, one.at
            )
            self._known[at] = self._exposures.of(self._line, place)
        return self._known[at]

    def saw(self, domain: int) -> Saw:
        """Which of some conversations saw it."""
        sets: dict[str, list[int]] = {}
        for at in members(domain):
            sets.setdefault(self.of(at).state, []).append(at)
        names = ("observed_yes", "observed_no", "assumed_yes", "unknown")
        return Saw(*(set_of(sets.get(name, ())) for name in names))
