"""Which repository a session belongs to, named alike on every machine and for members alone."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from configparser import ConfigParser
from configparser import Error as ConfigParserError
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from helix_tui.capture.repo import main_repository
from helix_tui.team.secret import TeamSecret

_SCP = re.compile(r"^(?:[^@/]+@)?([^:/]+):(?!//)(.+)$")
_URL = re.compile(r"^[a-z+]+://(?:[^@/]*@)?([^/]+?)(?::\d+)?/(.+)$")
_MOST_FOLDERS = 30


class RepoName(NamedTuple):
    """A repository as the team knows it: a name only members can make, and one to read."""

    id: str
    name: str | None


class RepoNames:
    """The repositories of a store, by name and folder."""

    def __init__(
        self, folders: Mapping[str, Sequence[str]], secret: TeamSecret, shown: Sequence[str]
    ) -> None:
        self._secret = secret
        self._shown = shown
        self._remotes = {
            repo: {cwd: remote for cwd in some[:_MOST_FOLDERS] if (remote := remote_of(cwd))}
            for repo, some in folders.items()
        }

    @property
    def remotes(self) -> list[str]:
        """Every remote that is known."""
        return sorted({remote for some in self._remotes.values() for remote in some.values()})

    def of(self, repo: str, cwd: str | None) -> RepoName:
        """The repository of a session: by its remote, else by its name.

        Where all folders of that name have one remote, a folder that is gone had it too.
        """
        known = self._remotes.get(repo, {})
        only = set(known.values())
        remote = known.get(cwd or "") or (next(iter(only)) if len(only) == 1 else "")
        name = repo if is_named(repo, self._shown) else None
        return RepoName(self._secret.name_of("repo", normalised(remote) or repo), name)


def is_named(repo: str, patterns: Sequence[str]) -> bool:
    """Whether a setting's names or globs mean a repository."""
    return any(fnmatchcase(repo, pattern) for pattern in patterns)


def remote_of(cwd: str) -> str:
    """The address that the repository around a folder is fetched from, if it is still there."""
    root = main_repository(Path(cwd)) if cwd.startswith("/") else None
    if root is None:
        return ""
    parser = ConfigParser(strict=False, interpolation=None, allow_no_value=True)
    try:
        text = (root / ".git" / "config").read_text(encoding="utf-8", errors="replace")
        parser.read_string("\n".join(line.strip() for line in text.split("\n")))
    except (OSError, ConfigParserError):
        return ""
    section = 'remote "origin"'
    return (parser.get(section, "url", fallback="") or "").strip()


def normalised(remote: str) -> str:
    """An address of git as host and path, the same for https, ssh and scp forms."""
    match = _URL.match(remote) or _SCP.match(remote)
    if match is None:
        return ""  # a folder of this machine, which another one does not know
    path = match[2].strip("/").removesuffix(".git")
    return f"{match[1].lower()}/{path}"
