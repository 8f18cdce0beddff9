"""Sessions of a real home are found by the titles that their agents gave them, and by their day."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from helix_tui.schema import Session, SessionFilter
from helix_tui.tui.sessions.rows import line_of
from helix_tui.tui.sessions.session_filter import parse_session_filter
from tests.conftest import Workbench

_DAY = 86_400_000
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_MOST_KEYS = 15


@pytest.fixture(scope="module")
def home(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    bench = Workbench(tmp_path_factory.mktemp("home"))
    bench.home = shared / "corpus" / "home"
    bench.helix("--sweep", check=False)
    return bench


def titles_of(bench: Workbench) -> list[tuple[str, str]]:
    """Sessions with titles that no other has, those that agents gave themselves first."""
    engine = bench.engine()
    sessions = engine.sessions(SessionFilter())
    counts = Counter(session.title for session in sessions)
    digests = {session.id: engine.digest(session) for session in sessions}

    def is_given(session: Session) -> bool:
        digest = digests[session.id]
        return digest is not None and bool(digest.facts.own_title)

    unique = [one for one in sessions if one.title and counts[one.title] == 1]
    unique.sort(key=lambda one: (not is_given(one), one.parent is None))
    return [(one.id, one.title or "") for one in unique]


def test_titles_are_found_as_they_stand(home: Workbench) -> None:
    engine = home.engine()
    found = {
        name: name in [hit.session for hit in engine.search(title, SessionFilter(), 10).hits]
        for name, title in titles_of(home)
    }
    first = list(found.values())[:40]
    assert sum(first) >= 38, [name for name, is_found in found.items() if not is_found][:10]
    assert sum(found.values()) >= 0.95 * len(found)


def test_every_title_of_a_list_finds_its_session_in_the_list(home: Workbench) -> None:
    rows = [line_of(session) for session in home.engine().sessions(SessionFilter())]
    for row in rows:
        title = row.session.title or ""
        wanted = parse_session_filter(title.rstrip("…"))
        assert row.id in {one.id for one in wanted.by_words(wanted.by_fields(rows))}, title


def keys_to(session: Session, word: str, rows: list[Session]) -> int:
    """The fewest keys until the cursor is on a session, some days after it ended.

    `f3` and `/` open the list and the filter; what is typed narrows it; `enter` keeps it, and the
    cursor goes down to where the session is.
    """
    assert session.last_ts is not None
    now_ms = session.last_ts // _DAY * _DAY + 6 * _DAY
    day = _WEEKDAYS[(session.last_ts // _DAY + 3) % 7]
    lines = [line_of(one) for one in rows if (one.last_ts or 0) <= now_ms]
    typed = f"on:{day} {word}"
    keys = []
    for length in range(len("on:mon"), len(typed) + 1):
        wanted = parse_session_filter(typed[:length], now_ms)
        shown = [row.id for row in wanted.by_words(wanted.by_fields(lines))]
        if session.id in shown:
            keys.append(3 + length + shown.index(session.id))
    return min(keys)


def test_what_was_fixed_last_tuesday_is_found_in_few_keys(home: Workbench) -> None:
    rows = home.engine().sessions(SessionFilter())
    mended = [
        session
        for session in rows
        if session.parent is None
        and session.last_ts
        and any(
            word in (session.title or "").lower() for word in ("fix", "add", "update", "change")
        )
    ][:10]
    assert len(mended) == 10
    for session in mended:
        # What somebody remembers of it is the word that no other has.
        words = [word for word in (session.title or "").lower().split() if len(word) > 3]
        telling = min(words, key=lambda word: sum(word in str(one.title).lower() for one in rows))
        assert keys_to(session, telling, rows) <= _MOST_KEYS, session.title
