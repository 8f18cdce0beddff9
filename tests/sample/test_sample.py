"""What `write_sample` writes, and what Helix makes of it."""

from __future__ import annotations

import re
from collections import Counter
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from helix_tui.sample import SEED, UNTIL, random_of, write_sample
from helix_tui.sample.stories import FLAVORS, TRIVIAL, WEEKS, Planned, months, plan
from helix_tui.schema import Digest, Session
from tests.conftest import Workbench

DATABASE = ".local/share/opencode/opencode.db"
OTHER_DAY = date(2026, 3, 1)
# How a story shows in the errors of its sessions, whichever agent tells of it.
SHOWS = {
    "rg": r"\brg: (?:command )?not found|command not found: rg",
    "jq": r"\bjq: (?:command )?not found|command not found: jq",
    "port": r"already in use",
    "docker": r"permission denied while trying to connect to the Docker daemon",
    "locked": r"database is locked",
    "mismatch": r"(?i)(?:string to replace|oldstring) (?:was )?not found"
    r"|failed to find expected lines|0 occurrences found",
    "unread": r"has not been read yet",
    "module": r"No module named",
    "push": r"fetch first",
    "migrate": r"port 5433 failed: Connection refused",
    "preview": r"another preview is running",
    "tides": r"has no tide tables",
}


def content(home: Path) -> dict[str, bytes]:
    files = [path for path in home.rglob("*") if path.is_file()]
    return {str(path.relative_to(home)): path.read_bytes() for path in files}


def planned(seed: int = SEED, until: date = UNTIL) -> list[Planned]:
    return [
        one
        for name, part in months().items()
        for one in plan(random_of(seed, until, name), until, part)
    ]


def letters(story: str) -> list[str]:
    """Which agents tell a story in each week."""
    parts = [part.stories.get(story, ("",) * WEEKS) for part in months().values()]
    return ["".join(week) for week in zip(*parts, strict=True)]


def week_of(session: Session) -> int:
    """0 for the oldest week."""
    assert session.first_ts is not None
    day = datetime.fromtimestamp(session.first_ts / 1000, UTC).date()
    return WEEKS - 1 - (UNTIL - day).days // 7


class TestFiles:
    """The same seed gives the same bytes, on every machine."""

    def test_seed_and_day_decide_every_byte(self, tmp_path: Path) -> None:
        for name in ("one", "two"):
            write_sample(tmp_path / name)
        write_sample(tmp_path / "seed", seed=7)
        write_sample(tmp_path / "day", until=OTHER_DAY)
        one = content(tmp_path / "one")
        assert content(tmp_path / "two") == one
        for name in ("seed", "day"):
            other = content(tmp_path / name)
            # One file for all sessions of an agent that keeps them in a database.
            assert [key for key in other if key in one] == [DATABASE]
            assert other[DATABASE] != one[DATABASE]

    def test_is_small(self, tmp_path: Path) -> None:
        write_sample(tmp_path)
        assert 1_000_000 < sum(map(len, content(tmp_path).values())) < 8_000_000

    @pytest.mark.parametrize("seed", range(6))
    def test_any_seed_finds_sessions_for_all_stories(self, tmp_path: Path, seed: int) -> None:
        write_sample(tmp_path, seed=seed, until=OTHER_DAY)
        told = Counter(story for one in planned(seed, OTHER_DAY) for story in one.stories)
        names = {name for part in months().values() for name in part.stories}
        assert told == {name: sum(map(len, letters(name))) for name in names}


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    bench = Workbench(tmp_path_factory.mktemp("sample"))
    write_sample(bench.home)
    report = bench.sweep()
    assert (report.new_problems, report.ingested) == (0, report.discovered)
    return bench


@pytest.fixture(scope="module")
def digests(swept: Workbench) -> dict[str, tuple[Session, Digest]]:
    engine = swept.engine()
    found = {}
    for session in swept.sessions().values():
        digest = engine.digest(session)
        assert digest is not None
        found[session.id] = session, digest
    return found


class TestSwept:
    """What a sweep finds is what was planned."""

    def test_every_planned_session_is_there(self, swept: Workbench) -> None:
        sessions = swept.sessions().values()
        own = [session for session in sessions if session.parent is None]
        plans = planned()
        assert Counter(s.flavor for s in own) == Counter(one.flavor for one in plans)
        assert Counter(s.repo for s in own) == Counter(one.product.name for one in plans)
        assert 150 <= len(own) <= 220
        assert {week_of(session) for session in own} == set(range(WEEKS))

    def test_sub_agents_have_parents(self, swept: Workbench) -> None:
        sessions = swept.sessions()
        children = [session for session in sessions.values() if session.parent]
        assert len(children) == sum(map(len, letters("delegate")))
        assert all(session.parent in sessions for session in children)

    def test_work_costs_tokens_and_trivial_sessions_are_trivial(self, swept: Workbench) -> None:
        sessions = swept.sessions().values()
        trivial = [session for session in sessions if not session.tool_calls]
        assert len(trivial) == len(TRIVIAL)
        for session in sessions:
            if session not in trivial:
                assert session.cost.output > 0
                assert session.cost.cache_read > session.cost.output
                assert session.cost.usd

    @pytest.mark.parametrize("story", SHOWS)
    def test_trouble_shows_in_the_sessions_it_was_planned_for(
        self, digests: dict[str, tuple[Session, Digest]], story: str
    ) -> None:
        found = Counter(
            (week_of(session), session.flavor)
            for session, digest in digests.values()
            if any(re.search(SHOWS[story], error.text) for error in digest.facts.errors)
        )
        assert found == Counter(
            (week, FLAVORS[letter])
            for week, sessions in enumerate(letters(story))
            for letter in sessions
        )

    def test_everything_else_a_month_has_in_it(
        self, digests: dict[str, tuple[Session, Digest]]
    ) -> None:
        facts = [digest.facts for _, digest in digests.values()]
        for name in ("interruptions", "compactions", "api_errors", "refusals", "cascades"):
            assert sum(getattr(fact, name) for fact in facts) >= 3, name
        assert sum(fact.benign_exits for fact in facts) >= 5
        assert sum(fact.commits for fact in facts) >= 30
        assert sum(len(fact.loops) for fact in facts) >= 1
        assert sum(fact.checks_passed for fact in facts) > 3 * sum(
            fact.checks_failed for fact in facts
        )
        corrections = [moment.text for fact in facts for moment in fact.corrections]
        assert len(corrections) >= 20
        assert len(set(corrections)) == len(corrections)

    def test_nothing_looks_like_a_secret(self, swept: Workbench) -> None:
        from helix_tui.text.redact import redact

        for session in swept.sessions().values():
            for event in swept.events(session.id):
                text = event.text.replace("/home/dev", "~").replace("git@git.example.net", "")
                assert redact(text) == text
