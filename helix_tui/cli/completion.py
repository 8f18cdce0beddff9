"""What a shell offers behind a command: sessions, candidates, patterns, agents, repositories.

Nothing is printed but names: where there is no store, or it cannot be read, nothing is offered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import typer

from helix_tui.errors import HelixError

if TYPE_CHECKING:
    from helix_tui.config import Config
    from helix_tui.store.database import Database

_MOST = 60
_HELP_LENGTH = 60
Offered = list[tuple[str, str]]


def complete_session(ctx: typer.Context, incomplete: str) -> Offered:
    """Offer sessions, the latest first; without the agent, since bash parts words at colons."""
    from helix_tui.store.read.names import session_names

    return _offered(ctx, lambda database: session_names(database, incomplete, _MOST))


def complete_candidate(ctx: typer.Context, incomplete: str) -> Offered:
    """Offer candidates with their titles."""
    from helix_tui.detect.rank import brief_of
    from helix_tui.store.detection.candidates import list_briefs

    def named(database: Database) -> Offered:
        briefs = list_briefs(database, 1, 1, brief_of)
        return [(one.id, one.title) for one in briefs if one.id.startswith(incomplete)][:_MOST]

    return _offered(ctx, named)


def complete_pattern(ctx: typer.Context, incomplete: str) -> Offered:
    """Offer patterns of the catalog by the names of their pages."""

    def named(config: Config) -> Offered:
        pages = sorted(config.curate.catalog_dir.glob("*.md"))
        return [(page.stem, "") for page in pages if page.stem.startswith(incomplete)]

    return _quietly(ctx, named)


def complete_flavor(ctx: typer.Context, incomplete: str) -> Offered:
    """Offer agents that sessions are of."""
    from helix_tui.store.read.names import agent_names

    return _offered(ctx, lambda database: _beginning(agent_names(database), incomplete))


def complete_repo(ctx: typer.Context, incomplete: str) -> Offered:
    """Offer repositories that sessions are of."""
    from helix_tui.store.read.names import repo_names

    return _offered(ctx, lambda database: _beginning(repo_names(database), incomplete))


def _beginning(names: Iterable[str], incomplete: str) -> Offered:
    return [(name, "") for name in names if name.startswith(incomplete)]


def _offered(ctx: typer.Context, read: Callable[[Database], Offered]) -> Offered:
    def look(config: Config) -> Offered:
        from helix_tui.store.database import reading
        from helix_tui.store.layout import StoreLayout

        with reading(StoreLayout(config.store)) as database:
            return [] if database is None else read(database)

    return _quietly(ctx, look)


def _quietly(ctx: typer.Context, read: Callable[[Config], Offered]) -> Offered:
    """What is read under the options given so far; an error would garble the line being typed."""
    from helix_tui.config import load

    options: dict[str, Any] = {**(ctx.parent.params if ctx.parent else {}), **_given(ctx)}
    try:
        offered = read(load(options.get("config"), options.get("store")))
    except (HelixError, OSError):
        return []
    return [(name, _plain_words(title)) for name, title in offered if _is_plain(name)]


def _given(ctx: typer.Context) -> dict[str, Any]:
    return {name: value for name, value in ctx.params.items() if value is not None}


def _is_plain(name: str) -> bool:
    """Whether a name of a log can stand on a command line without being read as anything else."""
    return all(sign.isalnum() or sign in "-_.:/+@" for sign in name) and not name.startswith("-")


def _plain_words(title: str) -> str:
    """A title without any sign that a shell reads: zsh evaluates what it shows beside a name."""
    plain = "".join(sign if sign.isalnum() or sign in "-_./,+" else " " for sign in title)
    return " ".join(plain.split())[:_HELP_LENGTH]
