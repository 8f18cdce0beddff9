"""Have the team forget a session, a repository, or all that is one's own; it stays forgotten."""

from __future__ import annotations

from typing import NamedTuple

from helix_tui.config import Config
from helix_tui.engine.team.pushing import outbox_path, push_only_tombstones
from helix_tui.engine.team.repos import RepoNames
from helix_tui.engine.team.ways import secret_of
from helix_tui.errors import NotFoundError
from helix_tui.files.durable import remove_durably
from helix_tui.schema.team import TombstoneKind
from helix_tui.store.database import reading
from helix_tui.store.layout import StoreLayout
from helix_tui.store.read import shared
from helix_tui.team.membership import membership_file, require_membership
from helix_tui.team.outbox import Outbox


class Forgotten(NamedTuple):
    """What the team was told to forget, and whether it heard it yet."""

    kind: TombstoneKind
    targets: list[str]
    is_told: bool
    problem: str


def forget(
    config: Config, *, session: str = "", repo: str = "", is_everything: bool = False
) -> Forgotten:
    """Note first what is to be forgotten, then tell the team; what it did not hear waits."""
    require_membership(config.store)
    outbox = Outbox(outbox_path(config.store))
    try:
        kind: TombstoneKind
        if is_everything:
            kind, targets = "origin", [""]
        elif repo:
            kind, targets = "repo", _repo_ids(config, outbox, repo)
        else:
            kind, targets = "session", [_session_id(outbox, session)]
        for target in targets:
            outbox.bury(kind, target)
    finally:
        outbox.close()
    problem = push_only_tombstones(config)
    if is_everything and not problem:
        # Those origins are closed for good: whoever shares again joins as somebody new.
        leave(config)
    return Forgotten(kind, [target for target in targets if target], not problem, problem)


def leave(config: Config) -> None:
    """Make this data folder one of no team; what was pushed is not touched."""
    for path in (outbox_path(config.store), membership_file(config.store)):
        remove_durably(path)


def _session_id(outbox: Outbox, name: str) -> str:
    """A session by its id or the beginning of it; also one that is gone from this machine."""
    known = outbox.all()
    if name in known:
        return name
    alike = [one for one in known if one.startswith(name)]
    if len(alike) == 1:
        return alike[0]
    what = (
        f"{len(alike)} sessions begin with" if alike else "The team has no session of here that is"
    )
    raise NotFoundError(f"{what} {name}.", "`helix sessions` lists those of this machine.")


def _repo_ids(config: Config, outbox: Outbox, name: str) -> list[str]:
    """Every name by which the team knows a repository of this machine."""
    membership = require_membership(config.store)
    secret = secret_of(config, membership)
    with reading(StoreLayout(config.store)) as database:
        folders = {} if database is None else shared.repositories(database.connection())
    names = RepoNames(folders, secret, ())
    found = {names.of(name, cwd).id for cwd in [*folders.get(name, ()), None]}
    known = {one.repo for one in outbox.all().values() if one.state == "sent"}
    if name not in folders and not found & known:
        raise NotFoundError(f"No session of this machine is of a repository {name}.")
    return sorted(found)
