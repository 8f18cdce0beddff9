"""What the tests of the engine share: a real hub, and the bundled sample."""

from __future__ import annotations

from tests.cli.conftest import demo_store, sample_store, sampled
from tests.curate.conftest import certificates, server

__all__ = ["certificates", "demo_store", "sample_store", "sampled", "server"]
