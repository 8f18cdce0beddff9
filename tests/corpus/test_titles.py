"""Titles on the shared corpus: every session has one, short, on one line, and not the client's."""

from __future__ import annotations

from helix_tui.digest.title.line import LENGTH
from tests.conftest import Workbench
from tests.corpus.conftest import OnSweptHome

_CLIENTS = ("<", "Caveat:", "[Request", "# AGENTS.md", "This session is being continued", "/clear")


def test_every_session_has_a_title(bench: Workbench, on_swept_home: OnSweptHome) -> None:
    on_swept_home(bench)
    sessions = bench.sessions()
    assert len(sessions) > 100
    for session in sessions.values():
        title = session.title or ""
        assert 0 < len(title) <= LENGTH, session.id
        assert title == " ".join(title.split()), session.id
        assert not title.startswith(_CLIENTS), session.id
        assert session.conversation in sessions
    prompted = [session for session in sessions.values() if session.parent is None]
    assert len({session.title for session in prompted}) > len(prompted) * 0.9
