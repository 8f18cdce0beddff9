"""Work out one plan: what catalog, ledger and files come to at every site that is asked about."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from pathlib import Path

from helix_tui.config import Config
from helix_tui.context.files import Disk
from helix_tui.context.overlay import Overlay
from helix_tui.curate.catalog.catalog import Catalog, CatalogListing
from helix_tui.distribute.ledger import Distributed, fold
from helix_tui.distribute.plan import make_plan
from helix_tui.distribute.wanted import as_written, asked_for, wanted_at
from helix_tui.engine.context.effective import agent_homes
from helix_tui.engine.distribute.doubles import doubles
from helix_tui.engine.distribute.files import look_at
from helix_tui.engine.distribute.ledger import DistributionLedger
from helix_tui.engine.distribute.target_files import (
    contexts_at,
    repo_folders,
    repo_site,
    user_site,
)
from helix_tui.engine.distribute.teachings import teachings_of
from helix_tui.engine.review.transaction import now_text
from helix_tui.errors import NotFoundError
from helix_tui.schema.context import SessionPlace
from helix_tui.schema.distribute import (
    USER,
    DistributeRefusal,
    DistributeRequest,
    Found,
    Plan,
    Site,
    TargetStatus,
    Teaching,
    Want,
)

Places = Callable[[], Sequence[SessionPlace]]

_NO_AGENT = "no agent has a folder in this home (~/.claude, ~/.codex, ~/.grok, ~/.gemini, …)"


class Planning:
    """One plan: catalog, ledger and files are read once."""

    def __init__(
        self, config: Config, places: Places, ledger: DistributionLedger, request: DistributeRequest
    ) -> None:
        self._config = config
        self._places = places
        self._request = request
        self._disk = Disk()
        self._distributed: Distributed = fold(ledger.read()[0])
        self._refusals: list[DistributeRefusal] = []
        self._roots: dict[str, str] = {}

    @cached_property
    def _listing(self) -> CatalogListing:
        return Catalog(self._config.curate.catalog_dir).read()

    @cached_property
    def _homes(self) -> list[str]:
        return list(agent_homes().values())

    @cached_property
    def _known(self) -> list[str]:
        """The sites that the ledger knows and the request is about."""
        held = [*self._distributed.files.values(), *self._distributed.earlier.values()]
        return sorted({one.site for one in held if self._is_asked(one.site)})

    def _is_asked(self, site: str) -> bool:
        if self._request.is_user or self._request.repo:
            return site == (USER if self._request.is_user else self._request.repo)
        return True

    def plan(self) -> Plan:
        """The plan."""
        self._refuse_unknown()
        if self._request.is_retract:
            return self._retracting()
        teachings = teachings_of(self._listing.patterns.values(), self._config.distribute.floors)
        sites = self._sites(teachings)
        wants = self._wants(teachings, sites)
        self._roots = {want.file: want.root for want in wants}
        names = {site.name for site in sites} | set(self._known)
        plan = make_plan(
            wants,
            self._distributed,
            self._look,
            names,
            now_text(),
            restores=self._request.restores,
        )
        plan.refusals[:0] = self._refusals
        self._tell_unloaded(plan, sites)
        return plan._replace(warnings=tuple(doubles(plan.writes, sites, self._disk)))

    def _refuse_unknown(self) -> None:
        known = {
            *self._listing.patterns,
            *(rule.pattern for one in self._distributed.files.values() for rule in one.rules),
        }
        for name in self._request.patterns:
            if name not in known:
                raise NotFoundError(
                    f"There is no pattern {name!r}.", "`helix catalog list` shows them."
                )

    def _retracting(self) -> Plan:
        files = [one for one in self._distributed.files.values() if one.site in self._known]
        asked = self._request.patterns
        going = {
            (want.site, want.pattern)
            for want in as_written(files)
            if not asked or want.pattern in asked
        }
        wants = [one for one in as_written(files) if (one.site, one.pattern) not in going]
        return make_plan(
            wants, self._distributed, self._look, self._known, now_text(), retracted=going
        )

    def _sites(self, teachings: Sequence[Teaching]) -> list[Site]:
        names = {
            repo
            for one in teachings
            for repo in one.scope.repos
            if self._is_concerned(one) and self._is_asked(repo)
        }
        names |= set(self._known) - {USER}
        # Also where a folder is named: who worked in a repository is to see its rules.
        places = self._places() if names else ()
        sites: dict[str, Site] = {}
        for name, folder in repo_folders(self._config, places, names).items():
            real = os.path.realpath(folder.folder) if folder.folder else ""
            trouble = folder.trouble
            if real in sites:
                trouble = f"{name} and {sites[real].name} are the same folder, {folder.folder}"
            if trouble:
                self._refuse(teachings, partial(_is_of, name), trouble)
            else:
                sites[real] = repo_site(name, folder, self._disk)
        is_user = any(one.scope.is_user for one in teachings) or USER in self._known
        if is_user and self._is_asked(USER):
            if self._config.is_sample:
                why = "this is the bundled sample: nothing of it goes into your own files"
                self._refuse(teachings, lambda one: one.scope.is_user, why)
            else:
                sites[USER] = user_site(self._disk)
                if not sites[USER].agents:
                    self._refuse(teachings, lambda one: one.scope.is_user, _NO_AGENT)
        return list(sites.values())

    def _refuse(
        self, teachings: Sequence[Teaching], is_meant: Callable[[Teaching], bool], why: str
    ) -> None:
        self._refusals += [
            DistributeRefusal("", one.id, "folder", why)
            for one in teachings
            if is_meant(one) and self._is_concerned(one)
        ]

    def _is_concerned(self, one: Teaching) -> bool:
        return not self._request.patterns or one.id in self._request.patterns

    def _wants(self, teachings: Sequence[Teaching], sites: Sequence[Site]) -> list[Want]:
        wants: list[Want] = []
        for one in teachings:
            if one.trouble and self._is_concerned(one):
                self._refusals.append(DistributeRefusal("", one.id, "scope", one.trouble))
        sound = [one for one in teachings if not one.trouble]
        unseen: set[tuple[str, str]] = set()
        for site in sites:
            some, refused = wanted_at(site, sound)
            lost = {one.pattern for one in refused if one.kind == "unloaded"}
            unseen |= {(site.name, name) for name in lost - {one.pattern for one in some}}
            wants += [one for one in some if not self._is_held(one)]
            self._refusals += [
                one
                for one in refused
                if (not self._request.patterns or one.pattern in self._request.patterns)
                and (site.name, one.pattern) not in self._distributed.held
                and self._request.agent in (None, one.agent or self._request.agent)
            ]
        files = [one for one in self._distributed.files.values() if one.site in self._known]
        reached = {site.name for site in sites}
        asked = asked_for(wants, files, self._request.patterns, self._request.agent)
        have = {(one.file, one.pattern) for one in asked}
        return asked + self._kept(have, reached, unseen)

    def _kept(
        self, have: set[tuple[str, str]], reached: set[str], unseen: set[tuple[str, str]]
    ) -> list[Want]:
        """What stays though it is not wanted: of pages that cannot be read, in folders that are not
        found, and where no file is left that an agent would see it in.
        """
        bad = {path.stem for path, _, _ in self._listing.bad}
        kept = []
        for want in as_written(self._distributed.files.values()):
            if want.site not in self._known or (want.file, want.pattern) in have:
                continue
            if want.pattern in bad:
                message = "its page cannot be read (`helix catalog check`), so it stays as it is"
                self._refusals.append(
                    DistributeRefusal(want.file, want.pattern, "unreadable", message)
                )
                kept.append(want)
            elif want.site not in reached or (want.site, want.pattern) in unseen:
                kept.append(want)
        return kept

    def _is_held(self, want: Want) -> bool:
        """Whether somebody took it out there, and nobody asks for it by its name."""
        is_named = want.pattern in self._request.patterns
        return not is_named and (want.site, want.pattern) in self._distributed.held

    def _look(self, path: str) -> Found:
        root = self._roots.get(path)
        if root is None:
            held = self._distributed.files.get(path) or self._distributed.earlier.get(path)
            root = held.root if held else str(Path(path).parent)
        return look_at(path, root, self._homes)

    def _tell_unloaded(self, plan: Plan, sites: Sequence[Site]) -> None:
        """Say which agents do not see what stands in a file, or would not see what is written."""
        for site in sites:
            writes = [one for one in plan.writes if one.site == site.name]
            if not writes:
                continue
            texts = {
                one.file: {rule.pattern: rule for rule in one.rules}
                for one in writes
                if one.kind == "block"
            }
            now = contexts_at(site, self._disk)
            for at, status in enumerate(plan.targets):
                if status.site == site.name and status.state == "clean":
                    rule = texts.get(status.file, {}).get(status.pattern)
                    words = rule.text.split("\n")[0] if rule else ""
                    seen = [agent for agent in now if agent in status.agents]
                    if words and any(words not in now[agent].text for agent in seen):
                        plan.targets[at] = _unloaded(plan, status)
            changed = {os.path.realpath(one.file): one.after for one in writes if one.is_write}
            if not changed:
                continue
            then = contexts_at(site, Overlay(self._disk, changed))
            for one in writes:
                for rule in one.rules if one.kind == "block" and one.is_write else ():
                    words = rule.text.split("\n")[0]
                    for agent in then:
                        if agent in rule.agents and words not in then[agent].text:
                            message = f"{agent} would not see it: what it loads is full"
                            plan.refusals.append(
                                DistributeRefusal(
                                    one.file, rule.pattern, "unloaded", message, agent
                                )
                            )


def _is_of(repo: str, one: Teaching) -> bool:
    return repo in one.scope.repos


def _unloaded(plan: Plan, status: TargetStatus) -> TargetStatus:
    is_written = any(one.file == status.file and one.is_write for one in plan.writes)
    return status if is_written else status._replace(state="unloaded")
