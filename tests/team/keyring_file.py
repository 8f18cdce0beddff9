"""A keyring in a file, for tests: the package's real way of finding what is kept."""

from __future__ import annotations

import json
import os
from pathlib import Path

from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked


class FileKeyring(KeyringBackend):  # type: ignore[misc]  # the package is not here everywhere
    """What `$HELIX_TEST_KEYRING` holds, by service and name."""

    priority = 1.0

    def get_password(self, service: str, username: str) -> str | None:
        if os.environ["HELIX_TEST_KEYRING"] == "locked":
            raise KeyringLocked("it is locked")
        known: dict[str, str] = json.loads(Path(os.environ["HELIX_TEST_KEYRING"]).read_text())
        return known.get(f"{service} {username}")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise NotImplementedError

    def delete_password(self, service: str, username: str) -> None:
        raise NotImplementedError
