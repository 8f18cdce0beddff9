"""What tests of curation share: a real hub."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.curate.hub_server import Certificates, HubServer, running


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    """An authority of the tests' own."""
    return Certificates(tmp_path_factory.mktemp("certificates"))


@pytest.fixture
def server(certificates: Certificates) -> Iterator[HubServer]:
    """A hub that runs as long as a test."""
    with running(certificates) as hub_server:
        yield hub_server
