"""One store, opened for reading when somebody asks it something."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fnmatch import fnmatchcase
from functools import cached_property
from typing import TYPE_CHECKING, NoReturn

from helix_tui.config import Config
from helix_tui.errors import StoreError
from helix_tui.store.database import Database, reading
from helix_tui.store.layout import StoreLayout

if TYPE_CHECKING:
    from helix_tui.pricing import PriceTable


class OpenStore:
    """The store of one configuration, and how its parts are reached."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self._layout = StoreLayout(config.store)

    def has_store(self) -> bool:
        """Whether a store exists; nothing is opened for that."""
        return self._layout.database.exists()

    def domain_of(self, repo: str | None) -> str | None:
        """Return the configured domain of a repository; exact names come first."""
        if repo is None:
            return None
        domains = self.config.domains
        if repo in domains:
            return domains[repo]
        return next((domain for glob, domain in domains.items() if fnmatchcase(repo, glob)), None)

    @cached_property
    def _prices(self) -> PriceTable:
        """The prices in force, read when first needed."""
        from helix_tui.pricing import price_table

        return price_table(self.config.prices)

    @contextmanager
    def _reading(self) -> Iterator[Database]:
        with reading(self._layout) as database:
            if database is None:
                self._refuse_missing()
            yield database

    def _require_store(self) -> None:
        """Refuse to go on without a store: a command that only changes one creates none."""
        if not self._layout.database.exists():
            self._refuse_missing()

    def _refuse_missing(self) -> NoReturn:
        raise StoreError(f"There is no store in {self._layout.root}.", "Run `helix --sweep` first.")
