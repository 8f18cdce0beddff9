"""A report over many machines says what one store says that swept all their logs (`make team`)."""

from __future__ import annotations

import os
import random
import shutil
from pathlib import Path

import msgspec
import pytest

from helix_tui.engine.team.reporting import report_from
from helix_tui.pricing import price_table
from helix_tui.sample import write_sample
from helix_tui.schema.report import Period, Report
from helix_tui.team.asking import PostgresAsker
from tests.team.grouped import grouped, pulled, swept
from tests.team.machines import split
from tests.team.postgresql import TeamStore
from tests.team.pushed import join, push_rows, revised, rows_of

pytestmark = pytest.mark.skipif("HELIX_TEAM" not in os.environ, reason="run by `make team`")


def shown(report: Report) -> object:
    """A report without ids of sessions: how many there are instead."""

    def plain(value: object) -> object:
        if isinstance(value, dict):
            return {
                name: len(item) if name == "sessions" and isinstance(item, list) else plain(item)
                for name, item in value.items()
                if name not in ("taught", "verdict")
            }
        if isinstance(value, list):
            return [plain(item) for item in value]
        return round(value, 6) if isinstance(value, float) else value

    made = msgspec.to_builtins(report)
    dearest = [{**one, "key": ""} for one in made.pop("sessions")]
    made["waste"] = [(*one[:6], len(one[6])) for one in made["waste"]]
    return plain(made), plain(dearest)


def test_a_team_reports_what_one_store_reports(team_store: TeamStore, tmp_path: Path) -> None:
    write_sample(tmp_path / "all", 3)
    chance = random.Random(3)
    homes = [tmp_path / f"home{number}" for number in range(3)]
    split(tmp_path / "all", homes, chance)
    # A part of what one machine has lies on another as well, as where a home is copied.
    for path in sorted(homes[0].rglob("*.jsonl"))[::3]:
        copy = homes[1] / path.relative_to(homes[0])
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, copy)
    one = swept(tmp_path / "all", tmp_path / "one")
    rows = [
        row
        for number, home in enumerate(homes)
        for row in rows_of(swept(home, tmp_path / f"store{number}").config.store, f"origin{number}")
    ]
    chance.shuffle(rows)
    keeper = team_store.member("kim", is_keeper=True)
    with keeper.signed_in() as opened:
        for number in range(3):
            join(opened, f"origin{number}")
        push_rows(opened, [revised(row, 1) for row in rows])
        grouped(opened, one.config.detect)
        team = pulled(opened, tmp_path / "me", "origin0", keeper.role)
        prices = price_table(one.config.prices)
        whole = one.report(Period())
        assert whole.first_day is not None
        assert whole.last_day is not None
        middle = (whole.first_day + whole.last_day) // 2
        for period in (Period(), Period(middle - 9, middle), Period(repo=whole.repos[0].key)):
            ours = report_from(PostgresAsker(opened), team, prices, period)
            assert shown(ours) == shown(one.report(period))
    assert len(rows) > len(whole.total.sessions)
