"""Applies the configuration to discovery: which roots of which flavors are walked."""

from __future__ import annotations

import os
from collections.abc import Iterator

from helix_tui.capture.adapters import adapters
from helix_tui.capture.discover import FoundPart, Source, discover
from helix_tui.config import Config
from helix_tui.schema import Problem


def sources_of(config: Config, flavor: str) -> list[Source]:
    """The roots of a flavor, each place once however often it is named."""
    settings = config.sources.get(flavor)
    if settings is None or not settings.enabled:
        return []
    places: dict[str, Source] = {}
    for root in settings.roots:
        place = os.path.realpath(root)
        places.setdefault(
            place, Source(flavor, str(root), settings.exclude, settings.has_own_roots)
        )
    return list(places.values())


def find_parts(
    config: Config, problems: list[Problem]
) -> Iterator[tuple[str, Iterator[FoundPart]]]:
    """The parts of every flavor that has an adapter."""
    for flavor, adapter in adapters().items():
        yield flavor, (
            part
            for source in sources_of(config, flavor)
            for part in discover(source, adapter, problems)
        )
