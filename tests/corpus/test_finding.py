"""Sessions of a real home are found by the titles that their agents gave them."""

from __future__ import annotations

from collections import Counter

import pytest

from helix_tui.schema import Session, SessionFilter
from helix_tui.tui.sessions.rows import line_of
from helix_tui.tui.sessions.session_filter import parse_session_filter
from tests.conftest import Workbench
from tests.corpus.conftest import OnSweptHome


@pytest.fixture(scope="module")
def home(on_swept_home: OnSweptHome, tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    return on_swept_home(Workbench(tmp_path_factory.mktemp("home")))


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
