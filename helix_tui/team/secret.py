"""The one secret of a member: the password or token, and the team's key behind a point.

It comes from the environment, from a file that only its owner may read, or from the system's
keyring; never from a command line, and it is in no log and no error. The key makes the names of
repositories unreadable to whoever has the database alone.
"""

from __future__ import annotations

import hmac
import os
import re
import secrets
from collections.abc import Mapping
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from helix_tui.errors import ConfigError, StoreError, UsageError
from helix_tui.files.durable import FILE_MODE, make_folder, told, write_atomically
from helix_tui.files.private import read_private
from helix_tui.schema.team_settings import TeamSettings
from helix_tui.team.membership import team_folder

_KEY = re.compile(r"[0-9a-f]{64}")
_SERVICE = "helix-team"
_SHORT = 16


class TeamSecret:
    """What a member signs in with, and the key that all members share; it shows nowhere."""

    def __init__(self, password: str, key: str) -> None:
        self.password = password
        self._key = bytes.fromhex(key)

    def __repr__(self) -> str:
        return "[secret]"

    def name_of(self, *parts: str) -> str:
        """A name that only members can make of this: 16 hex digits; empty for nothing."""
        text = "\0".join(parts)
        if not text.strip("\0"):
            return ""
        return hmac.new(self._key, text.encode(), sha256).hexdigest()[:_SHORT]


def new_key() -> str:
    """A team's key."""
    return secrets.token_hex(32)


def joined_secret(password: str, key: str) -> str:
    """The secret of a member, as it is handed over."""
    return f"{password}.{key}"


def own_secret_file(store: Path) -> Path:
    """Where `join` keeps the secret, if nothing else is named."""
    return team_folder(store) / "secret"


def key_file(store: Path) -> Path:
    """Where whoever made the team keeps its key, to invite others."""
    return team_folder(store) / "key"


def find_secret(
    settings: TeamSettings, store: Path, role: str, environ: Mapping[str, str] = os.environ
) -> TeamSecret:
    """The member's secret, from wherever it is kept."""
    where, text = _found(settings, store, role, environ)
    password, _, key = text.strip().rpartition(".")
    if not _KEY.fullmatch(key):
        raise ConfigError(
            [
                f"{where} holds no secret of a team: what `helix team invite` printed, one line "
                "with the team's key behind the last point."
            ]
        )
    return TeamSecret(password, key)


def _found(
    settings: TeamSettings, store: Path, role: str, environ: Mapping[str, str]
) -> tuple[str, str]:
    if settings.secret_env and (text := environ.get(settings.secret_env, "")):
        return f"${settings.secret_env}", text
    for path in (settings.secret_file, own_secret_file(store)):
        if path is not None and (path.exists() or path == settings.secret_file):
            return str(path), read_private(path, "The team's secret")
    if text := _in_keyring(role):
        return f"The keyring's entry {_SERVICE} of {role}", text
    raise UsageError(
        "There is no secret to sign in with.",
        f"Put what `helix team invite` printed into ${settings.secret_env or 'HELIX_TEAM_SECRET'}, "
        f"into {own_secret_file(store)} (mode 0600), or into the keyring as {_SERVICE}.",
    )


def _in_keyring(role: str) -> str:
    """What the system's keyring has, where there is one and the package for it."""
    if find_spec("keyring") is None:
        return ""
    import keyring
    from keyring.errors import KeyringError, NoKeyringError

    try:
        return keyring.get_password(_SERVICE, role) or ""
    except NoKeyringError:
        return ""  # a server or a container: there is none
    except KeyringError as error:
        raise UsageError(
            f"The keyring does not give the team's secret: {error}.",
            "Unlock it, or keep the secret in a file or a variable.",
        ) from error


def write_private(path: Path, text: str) -> None:
    """Keep a secret in a file of the owner alone."""
    with told(path):
        make_folder(path.parent)
    write_atomically(path, text.encode() + b"\n", FILE_MODE)


def own_key(store: Path) -> str:
    """The key of the team that was made from this data folder; made with the first call."""
    path = key_file(store)
    if path.exists():
        key = read_private(path, "The team's secret").strip()
        if not _KEY.fullmatch(key):
            raise StoreError(f"{path} holds no team's key.", "Put it back from a backup.")
        return key
    key = new_key()
    write_private(path, key)
    return key
