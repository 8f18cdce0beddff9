"""Making a team's store (`make team`)."""

from __future__ import annotations

import os

import pytest
from peewee import Model

from helix_tui.team import models
from helix_tui.team.roles import grant, make_schema
from tests.team.postgresql import TeamStore

pytestmark = pytest.mark.skipif("HELIX_TEAM" not in os.environ, reason="run by `make team`")


def test_making_it_twice_changes_nothing(team_store: TeamStore) -> None:
    shape = (
        "SELECT table_name, column_name, data_type FROM information_schema.columns "
        "WHERE table_schema = 'helix' ORDER BY 1, 2"
    )
    before = team_store.rows(shape)
    with team_store.admin() as opened, opened.atomic():
        assert make_schema(opened, team_store.name) == []
        grant(opened, team_store.name)
    assert team_store.rows(shape) == before
    member = team_store.member("kim")
    with member.signed_in() as opened:
        assert opened.role == member.role
        assert opened.fact("team") == team_store.name
        assert not opened.is_keeper


def test_models_have_the_columns_that_migrations_made(team_store: TeamStore) -> None:
    columns = {
        (table, name)
        for table, name in team_store.rows(
            "SELECT table_name::text, column_name::text FROM information_schema.columns "
            "WHERE table_schema = 'helix'"
        )
    }
    for model in vars(models).values():
        if isinstance(model, type) and issubclass(model, Model) and "Row" in model.__name__:
            table = model._meta.table_name
            own = {field.column_name for field in model._meta.sorted_fields}
            assert own == {name for other, name in columns if other == table}, table
