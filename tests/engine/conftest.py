"""What the tests of the engine share: a real hub."""

from __future__ import annotations

from tests.curate.conftest import certificates, server

__all__ = ["certificates", "server"]
