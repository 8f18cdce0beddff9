"""A machine of a team: a home with logs, a store, and the secret that it signs in with."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from helix_tui.config import Config, load
from helix_tui.engine.team.joining import join
from helix_tui.engine.team.pushing import Pushed, push
from helix_tui.team.secret import joined_secret, own_secret_file, write_private
from tests.conftest import Workbench
from tests.team.postgresql import KEY, Member


class Machine:
    """One machine, which joined as a member."""

    def __init__(
        self,
        folder: Path,
        member: Member,
        *,
        repos: Sequence[str] = ("*",),
        names: Sequence[str] = ("*",),
        share: str = "excerpts",
        origin: str = "",
        hub: tuple[str, Path, str] | None = None,
        address: str = "",
    ) -> None:
        """A machine that joined; `hub` is the address, authority and token of one to go through."""
        self.bench = Workbench(folder)
        self.member = member
        self.file = folder / "config.toml"
        self.ca_file = hub[1] if hub else None
        self.set(repos=repos, names=names, share=share)
        self.bench.config = self.file
        secret = joined_secret(hub[2], KEY) if hub else member.secret
        write_private(own_secret_file(self.bench.store), secret)
        self.origin = join(self.config, hub[0] if hub else address or member.address, origin).origin

    def set(
        self, *, repos: Sequence[str] = ("*",), names: Sequence[str] = ("*",), share: str
    ) -> None:
        """Say what is shared."""
        self.file.write_text(
            f'[team]\nshare = "{share}"\nrepos = {list(repos)!r}\nnames = {list(names)!r}\n'
            + (f'ca_file = "{self.ca_file}"\n' if self.ca_file else "")
        )

    @property
    def config(self) -> Config:
        """The configuration in force."""
        return load(self.file, self.bench.store, self.bench.environ)

    def push(self) -> Pushed:
        """Push what changed."""
        return push(self.config)
