"""The bundled sample for tests of the workstation: a real store, journal and catalog."""

from __future__ import annotations

from tests.cli.conftest import sample_store, sampled

__all__ = ["sample_store", "sampled"]
