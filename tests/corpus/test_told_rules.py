"""Rules that logs of a real home recorded are found, and said of the sessions that saw them."""

from __future__ import annotations

from collections.abc import Sequence

from helix_tui.context.files import Disk
from helix_tui.context.matching.sought import sought_rules
from helix_tui.engine.context.told import ToldFinder
from helix_tui.schema.candidate import Member
from helix_tui.schema.context import SessionPlace
from helix_tui.store.database import reading
from helix_tui.store.layout import StoreLayout
from helix_tui.store.read.places import session_places
from tests.conftest import Workbench
from tests.corpus.conftest import OnSweptHome
from tests.truth.instructions_counter import given_in
from tests.truth.rule_lines import repos_with_and_without, rules_in


def members_of(places: Sequence[SessionPlace], repo: str) -> dict[str, Member]:
    return {one.root: Member(one.flavor, one.repo, 1) for one in places if one.repo == repo}


def test_rules_are_told_where_they_were_recorded_and_nowhere_else(
    bench: Workbench, on_swept_home: OnSweptHome
) -> None:
    on_swept_home(bench)
    given = given_in(bench.home)
    rules = rules_in(given)
    right: list[bool] = []
    elsewhere: list[bool] = []
    with reading(StoreLayout(bench.store)) as database:
        assert database is not None
        places = session_places(database.connection())
        repo_of = {one.id: one.repo for one in places}
        finder = ToldFinder.of_store(database.connection(), Disk())
        for rule, sessions in rules.items():
            inside, others = repos_with_and_without(sessions, repo_of, given)
            for repo in inside:
                saw = {one.root for one in places if one.repo == repo and one.id in sessions}
                told = finder.about(sought_rules(rule), members_of(places, repo))
                found = [line for line in told.lines if line.text.replace("**", "") in rule]
                is_found = [line.seen for line in found[:1]] == [len(saw)]
                right.append(is_found and told.state == "told")
            for repo in others:
                told = finder.about(sought_rules(rule), members_of(places, repo))
                elsewhere.append(told.state == "no")
    assert len(rules) >= 30
    assert min(len(right), len(elsewhere)) >= 30
    assert sum(right) >= 0.9 * len(right)
    assert sum(elsewhere) >= 0.95 * len(elsewhere)
