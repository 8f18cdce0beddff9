"""Candidates over many machines are those of one store that swept all their logs (`make team`)."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from helix_tui.cli.commands.detect_json import candidates_json
from helix_tui.engine.facade import Engine
from helix_tui.sample import write_sample
from helix_tui.schema import quality
from helix_tui.schema.candidate import CandidateFilter
from tests.team.grouped import grouped, pulled, swept
from tests.team.machines import split
from tests.team.postgresql import TeamStore
from tests.team.pushed import join, push_rows, revised, rows_of

pytestmark = pytest.mark.skipif("HELIX_TEAM" not in os.environ, reason="run by `make team`")

EVERYTHING = CandidateFilter(is_all=True)
# What depends on where sessions lie: their ids, and what could have happened in them.
_OWN = ("opportunities", "opportunity", "rates", "told", "notes", "team")


def shown(engine: Engine) -> list[dict[str, object]]:
    """What `detect --all --json` says, without ids of sessions and what lies only at home."""
    listed = candidates_json(engine.candidates.detect(EVERYTHING))
    found = []
    for one in listed:
        kept = {name: value for name, value in one.items() if name not in _OWN}
        # Of very many conversations a team keeps those by name that were read.
        is_few = int(str(one["sessions"])) <= quality.MOST_DRAWN
        kept["members"] = len(one["members"]) if is_few else 0
        kept["evidence"] = [(cited["fingerprint"], cited["ts"]) for cited in one["evidence"]]
        if kept["remedy"]:
            kept["remedy"] = {**kept["remedy"], "members": len(kept["remedy"]["members"])}
        found.append(kept)
    return sorted(found, key=lambda one: str(one["id"]))


def differences(team: list[dict[str, object]], one: list[dict[str, object]]) -> list[object]:
    """What is another, field by field, so that a failure can be read."""
    ours, theirs = ({str(each["id"]): each for each in some} for some in (team, one))
    found: list[object] = [("only one has", sorted(ours.keys() ^ theirs.keys()))]
    found = [] if ours.keys() == theirs.keys() else found
    for name in sorted(ours.keys() & theirs.keys()):
        for field, value in theirs[name].items():
            if ours[name][field] != value:
                found.append((name, field, ours[name][field], value))
    return found


@pytest.mark.parametrize("most", [quality.MOST_DRAWN, 2])
@pytest.mark.parametrize("seed", range(5 if "HELIX_EXAMPLES" in os.environ else 1))
def test_many_machines_give_what_one_gives(
    team_store: TeamStore,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    seed: int,
    most: int,
) -> None:
    """Also where nearly all is of more conversations than are read."""
    monkeypatch.setattr(quality, "MOST_DRAWN", most)
    write_sample(tmp_path / "all", seed)
    chance = random.Random(seed)
    homes = [tmp_path / f"home{number}" for number in range(4)]
    split(tmp_path / "all", homes, chance)
    one = swept(tmp_path / "all", tmp_path / "one")
    rows = [
        row
        for number, home in enumerate(homes)
        for row in rows_of(swept(home, tmp_path / f"store{number}").config.store, f"origin{number}")
    ]
    chance.shuffle(rows)
    keeper = team_store.member("kim", is_keeper=True)
    with keeper.signed_in() as opened:
        for number in range(4):
            join(opened, f"origin{number}")
        for at in range(0, len(rows), 40):
            push_rows(opened, [revised(row, 1) for row in rows[at : at + 40]])
            if chance.random() < 0.5:
                grouped(opened, one.config.detect)
            # Some come a second time, some later as they were before.
            again = chance.sample(rows[: at + 40], min(10, len(rows[: at + 40])))
            push_rows(opened, [revised(row, chance.choice((0, 1))) for row in again])
        grouped(opened, one.config.detect)
        team = pulled(opened, tmp_path / "me", "origin0", keeper.role)
    found = differences(shown(team), shown(one))
    assert not found, "\n".join(map(str, found))
