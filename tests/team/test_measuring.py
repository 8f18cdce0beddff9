"""Whether patterns helped over many machines is what one store finds that has all (`make team`)."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from helix_tui.engine.facade import Engine
from helix_tui.engine.team.effects import effects_from
from helix_tui.engine.team.measuring import measured_rows
from helix_tui.places import SAMPLE_HOME
from helix_tui.schema.effect import Effect, EffectFilter
from helix_tui.schema.team import EffectRow
from helix_tui.store.database import reading
from helix_tui.store.layout import StoreLayout
from helix_tui.team.asking import PostgresAsker
from helix_tui.team.carrier import PostgresCarrier
from helix_tui.team.database import TeamDatabase
from helix_tui.team.secret import TeamSecret
from tests.conftest import Workbench
from tests.team.grouped import grouped, pulled, swept
from tests.team.machines import split
from tests.team.postgresql import KEY, TeamStore
from tests.team.pushed import join, push_rows, revised, rows_of

pytestmark = pytest.mark.skipif("HELIX_TEAM" not in os.environ, reason="run by `make team`")
SECRET = TeamSecret("", KEY)


class Taught(NamedTuple):
    """A home in which patterns were taught, one store of all of it, and the stores of parts."""

    one: Engine
    parts: list[Engine]


@pytest.fixture
def has_copies(request: pytest.FixtureRequest) -> bool:
    """Whether some conversations lie on two machines, where a test says so."""
    return bool(getattr(request, "param", False))


@pytest.fixture
def taught(tmp_path: Path, has_copies: bool) -> Taught:
    """The sample, whole and split over three machines that all know what was distributed."""
    demo = Workbench(tmp_path / "demo")
    demo.helix("--demo", "--sweep")
    homes = [tmp_path / f"home{number}" for number in range(3)]
    source = demo.store / SAMPLE_HOME
    split(source, homes, random.Random(5))
    made = []
    for number, home in enumerate((source, *homes)):
        store = tmp_path / f"store{number}"
        for folder in ("review", "catalog"):
            shutil.copytree(demo.store / folder, store / folder)
        engine = swept(home, store)
        shares = engine.config.team._replace(repos=("*",))
        made.append(Engine(replace(engine.config, team=shares)))
    if has_copies:
        shutil.copytree(homes[0], homes[1], dirs_exist_ok=True)
        for _ in made[2].sweep():
            pass
    return Taught(made[0], made[1:])


def rows_measured(engine: Engine, origin: str, others: list[EffectRow]) -> list[EffectRow]:
    with reading(StoreLayout(engine.config.store)) as database:
        assert database is not None
        return measured_rows(
            engine.config, database, SECRET, others, lambda name: f"{name}.{origin}"
        )


@pytest.fixture
def opened(team_store: TeamStore, taught: Taught, tmp_path: Path) -> Iterator[TeamDatabase]:
    """The team's store with the sessions of all parts, grouped, and the list pulled by each."""
    keeper = team_store.member("kim", is_keeper=True)
    with keeper.signed_in() as opened:
        for number, part in enumerate(taught.parts):
            join(opened, f"origin{number}")
            rows = rows_of(part.config.store, f"origin{number}")
            push_rows(opened, [revised(row, 1) for row in rows])
        grouped(opened, taught.one.config.detect)
        for number, part in enumerate(taught.parts):
            pulled(opened, part.config.store, f"origin{number}", keeper.role)
        yield opened


def told(opened: TeamDatabase, number: int, rows: list[EffectRow]) -> None:
    carrier = PostgresCarrier(opened)
    carrier.tell_effects(f"origin{number}", rows)


def shown(effect: Effect) -> tuple[object, ...]:
    counts = (effect.before, effect.after, effect.control_before, effect.control)
    return (
        effect.state,
        *((one.did, one.opportunities) if one else None for one in counts),
        effect.exposure,
        effect.since,
    )


@pytest.mark.parametrize("has_copies", [False, True], indirect=True)
def test_a_team_measures_what_one_store_measures(
    taught: Taught, opened: TeamDatabase, has_copies: bool
) -> None:
    for number, part in enumerate(taught.parts):
        told(opened, number, rows_measured(part, f"origin{number}", []))
    asker = PostgresAsker(opened)
    ours = effects_from(asker, taught.one.config, SECRET)
    theirs = taught.one.effects.all()
    assert ours.unmeasured == theirs.unmeasured == []
    assert {one.effect.state for one in theirs.measured} == {"helped", "worse", "too_few"}
    assert {one.id: shown(one.effect) for one in ours.measured} == {
        one.id: shown(one.effect) for one in theirs.measured
    }
    # Of candidates that were not picked only sums are shared, and copies stay in these.
    off = 0.05 if has_copies else 0.0
    for mine, whole in zip(ours.measured, theirs.measured, strict=True):
        assert mine.effect.baseline == pytest.approx(whole.effect.baseline, rel=off or 1e-9)
        assert has_copies or mine.effect.p == pytest.approx(whole.effect.p)
    claude = EffectFilter(agent="claude")
    assert [one.effect.before for one in effects_from(asker, taught.one.config, SECRET, claude)[0]]
    before = opened.rows("SELECT * FROM helix.effect ORDER BY 1, 2, 3")
    for number, part in enumerate(taught.parts):
        told(opened, number, rows_measured(part, f"origin{number}", []))
    assert opened.rows("SELECT * FROM helix.effect ORDER BY 1, 2, 3") == before


def test_figures_name_nothing_and_are_forgotten(taught: Taught, opened: TeamDatabase) -> None:
    for number, part in enumerate(taught.parts):
        told(opened, number, rows_measured(part, f"origin{number}", []))
    kept = "\n".join(
        " ".join(row) for row in opened.rows("SELECT pattern, version, figures FROM helix.effect")
    )
    patterns = [one.id for one in taught.one.effects.all().measured]
    for word in ("driftwood", "alembic", "AGENTS.md", *patterns):
        assert word not in kept
    uid = opened.value("SELECT uid FROM helix.session WHERE origin = 'origin1' LIMIT 1")
    PostgresCarrier(opened).bury("session", "origin1", uid)
    left = opened.rows("SELECT DISTINCT origin FROM helix.effect ORDER BY 1")
    assert left == [("origin0",), ("origin2",)]
    # What is told again of a session that the team does not have counts for nothing.
    told(opened, 1, rows_measured(taught.parts[1], "origin1", []))
    whole = effects_from(PostgresAsker(opened), taught.one.config, SECRET)
    assert whole.measured


def test_what_another_distributed_is_measured_here_too(
    taught: Taught, opened: TeamDatabase, tmp_path: Path
) -> None:
    first, other = taught.parts[0], taught.parts[2]
    (other.config.curate.review_log.with_name("distributed.jsonl")).unlink()
    assert rows_measured(other, "origin2", []) == []
    rows = rows_measured(first, "origin0", [])
    assert {one.version for one in rows_measured(other, "origin2", rows)} == {
        one.version for one in rows
    }
