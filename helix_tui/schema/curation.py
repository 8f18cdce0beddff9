"""Settings of curation and distribution: places, floors, the drafting program, the hub."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, NamedTuple

EvidenceDetail = Literal["excerpts", "counts"]


class Floors(NamedTuple):
    """What a candidate needs to be promoted, and to be handed to agents."""

    min_frequency: int = 3
    min_sessions: int = 3
    min_cost_impact: int = 500
    require_words: bool = True
    dist_require_cross_flavor: bool = True
    dist_min_frequency: int = 5
    dist_min_cost_impact: int = 2_000


class CurateSettings(NamedTuple):
    """Where verdicts and patterns are kept, and what a pattern's file shows of its evidence.

    `alike` is the similarity of guidance, of 100, from which on two patterns are near-duplicates.
    """

    catalog_dir: Path
    review_log: Path
    decision_queue: Path
    evidence: EvidenceDetail
    author: str
    commit: bool
    alike: int
    floors: Floors
    draft_command: tuple[str, ...]
    draft_timeout_seconds: int
    # Whether verdicts are told to the team as well: those that are given on its list.
    is_shared: bool = False


class DistributeFloors(NamedTuple):
    """What a pattern needs for the one repository that it is meant for."""

    min_frequency: int = 2
    min_sessions: int = 2
    min_cost_impact: int = 0


class DistributeSettings(NamedTuple):
    """The floors of one repository, and the folders of repositories by name."""

    floors: DistributeFloors = DistributeFloors()
    repos: Mapping[str, Path] = {}


class HubSettings(NamedTuple):
    """The hub that decisions are sent to; nothing is sent without a `url`."""

    url: str = ""
    token_env: str = "HELIX_HUB_TOKEN"
    token_file: Path | None = None
    ca_file: Path | None = None
    timeout_seconds: int = 10
