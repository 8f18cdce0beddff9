"""What sessions of a real home saw, as a separate counter confirms."""

from __future__ import annotations

from helix_tui.engine.context.exposure import Exposures, hashes_of
from helix_tui.schema.context import SessionPlace
from helix_tui.store.database import reading
from helix_tui.store.layout import StoreLayout
from helix_tui.store.read.places import recorded_texts, texts_by_hash
from tests.conftest import Workbench
from tests.corpus.conftest import OnSweptHome
from tests.truth.exposure_counter import seen_in_home

EVERY = 1


def test_exposure_in_a_real_home(bench: Workbench, on_swept_home: OnSweptHome) -> None:
    on_swept_home(bench)
    with reading(StoreLayout(bench.store)) as database:
        assert database is not None
        connection = database.connection()
        recorded = recorded_texts(connection)
        exposures = Exposures(recorded, texts_by_hash(connection, hashes_of(recorded)))
        keys = {str(name): key for key, name in connection.execute("SELECT key, id FROM session")}
        counted = seen_in_home(bench.home, EVERY)
        wrong = [
            (line, session)
            for line, sessions in counted.items()
            for session, is_seen in sessions.items()
            if session in keys and exposures.of(line, _place(keys[session])).is_seen != is_seen
        ]
    assert wrong == []
    assert len(counted) > 50
    assert sum(is_seen for sessions in counted.values() for is_seen in sessions.values()) > 100


def _place(key: int) -> SessionPlace:
    return SessionPlace(key, "", "", "", "", "", 0)
