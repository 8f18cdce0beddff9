"""Take out of a text what must not leave the machine, and look once more at what is about to.

Beside secrets, mail addresses and home folders (`helix_tui/text/redact.py`) these are the folders
that sessions ran in, the names of this machine and its user, of hosts inside a network, and of
repositories whose names are not shared.
"""

from __future__ import annotations

import getpass
import re
import socket
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from helix_tui.schema.signal import Followed, Signal
from helix_tui.text.redact import redact
from helix_tui.text.valid import valid

HOST, USER, REPO, FOLDER = "[host]", "[user]", "[repo]", "[folder]"
# Hosts that only a network of one's own knows, and addresses that are private in any.
_INSIDE = re.compile(
    r"(?<![A-Za-z0-9.-])[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}\.){1,6}"
    r"(?:local|lan|internal|intranet|corp|home|localdomain|private)(?![A-Za-z0-9-])"
    r"|(?<![A-Za-z0-9.])(?:10\.\d{1,3}|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.\d{1,3}\.\d{1,3}(?![0-9])"
)
# Within a path as well: what is shared is not read by whoever would know what it means.
_HOME = re.compile(r"/(?:home|Users)/[A-Za-z0-9][\w.-]*")
_GIT_HOST = re.compile(r"^(?:[a-z+]+://)?(?:[^@/]+@)?([A-Za-z0-9.-]+)[:/]")
# Names that are nobody's: to take them out would only spoil texts.
_NOBODY = frozenset({"root", "localhost", "user", "admin", "runner", "ubuntu", "debian", "app"})
_TOLD = {
    HOST: "it holds the name of a host",
    USER: "it holds the name of a user",
    REPO: "it holds the name of a repository that is not shared",
}
_LEAST_NAME = 3
# A name that long is taken out within other words too: nothing else is called so by chance.
_DISTINCT = 6
_LEAST_FOLDERS = 2
# What a person or a tool wrote; the other fields are words of Helix's own.
_TEXTS = (
    *("subject", "template", "text", "before", "verb", "shape", "failed", "passed", "change"),
    *("topic", "step", "hint", "hinted", "fixer", "taken_back", "warned", "behind"),
)


class Masking:
    """What is taken out on this machine."""

    def __init__(
        self,
        folders: Iterable[str],
        hidden_repos: Iterable[str],
        remotes: Iterable[str] = (),
        machine: Sequence[str] | None = None,
    ) -> None:
        names = machine_names() if machine is None else list(machine)
        hosts = [found[1] for remote in remotes if (found := _GIT_HOST.match(remote))]
        every = list(folders)
        self._folders = _outermost(every)
        self._parts = {part.lower() for one in every for part in re.split(r"[/\\]", one) if part}
        masks = [(name, HOST) for name in names if _is_telling(name)]
        masks += [(host, HOST) for host in hosts if "." in host and not _is_public(host)]
        masks += [(user, USER) for user in _users() if _is_telling(user)]
        masks += [(repo, REPO) for repo in hidden_repos if repo.strip("./")]
        self._instead = {name.lower(): mask for name, mask in reversed(masks)}
        self._names = _pattern(self._instead)
        self._distinct = [name for name in self._instead if len(name) >= _DISTINCT]

    def text(self, text: str) -> str:
        """The text without all that must not leave."""
        if not text:
            return ""
        text = redact(valid(text))
        for folder in self._folders:
            if folder in text:
                text = text.replace(folder, FOLDER)
        text = _INSIDE.sub(HOST, _HOME.sub("~", text))
        return self._names.sub(self._mask, text) if self._names else text

    def _mask(self, found: re.Match[str]) -> str:
        return self._instead[found[0].lower()]

    def signal(self, signal: Signal) -> Signal:
        """A signal with all its texts masked."""
        changed: dict[str, Any] = {
            name: masked
            for name in _TEXTS
            if (value := getattr(signal, name)) and (masked := self.text(value)) != value
        }
        if signal.led_to:
            changed["led_to"] = [self.text(step) for step in signal.led_to]
        if signal.lies:
            changed["lies"] = [one for one in signal.lies if self._may_lie(one)]
        if signal.shapes:
            changed["shapes"] = self.tally(signal.shapes)
        if signal.follows:
            changed["follows"] = [self._followed(one) for one in signal.follows]
        return msgspec.structs.replace(signal, **changed) if changed else signal

    def _followed(self, one: Followed) -> Followed:
        """An error that came behind, with all its texts masked."""
        text = self.text
        return Followed(
            text(one.shape),
            text(one.template),
            text(one.said),
            text(one.verb),
            text(one.passed),
            one.again,
        )

    def _may_lie(self, name: str) -> bool:
        """Whether the name of a folder inside a repository says nothing of where that lies."""
        return name.lower() not in self._parts and self.text(name) == name

    def tally(self, counts: dict[str, int]) -> dict[str, int]:
        """Counts by text, those that become alike together."""
        found: dict[str, int] = {}
        for text, count in counts.items():
            masked = self.text(text)
            found[masked] = found.get(masked, 0) + count
        return found

    def objection(self, leaving: Iterable[str], words: str = "") -> str:
        """Why texts may not leave as they are, or nothing; the reason never quotes them.

        The words of a search are each by itself: what is left of a secret is no secret any more.
        """
        for text in leaving:
            if redact(text) != text:
                return "it holds what looks like a secret, a mail address or a home folder"
            if why := self._objection(text):
                return why
        return self._objection(words)

    def _objection(self, text: str) -> str:
        if any(folder in text for folder in self._folders):
            return "it holds the folder of a session"
        if _HOME.search(text):
            return "it holds a home folder"
        lowered = text.lower()
        for name in self._distinct:
            if name in lowered:
                return _TOLD[self._instead[name]]
        return "it holds the name of a host inside a network" if _INSIDE.search(text) else ""


def machine_names() -> list[str]:
    """What this machine is called, in full and in short."""
    names = {socket.gethostname(), socket.getfqdn()}
    return sorted({*names, *(name.partition(".")[0] for name in names)} - {""})


def _users() -> list[str]:
    try:
        return [getpass.getuser()]
    except (OSError, KeyError):
        return []  # a container's number without a name


def _is_telling(name: str) -> bool:
    return len(name) >= _LEAST_NAME and name.lower() not in _NOBODY


def _is_public(host: str) -> bool:
    return host.lower() in ("github.com", "gitlab.com", "bitbucket.org", "codeberg.org")


def _outermost(folders: Iterable[str]) -> list[str]:
    """Folders in every form that a text may have them in, without those inside of others."""
    plain = sorted({folder.rstrip("/\\") for folder in folders if _is_deep(folder)}, key=len)
    outer: list[str] = []
    for folder in plain:
        if not any(folder == one or folder.startswith((f"{one}/", f"{one}\\")) for one in outer):
            outer.append(folder)
    forms: set[str] = set()
    for folder in outer:
        bare = redact(folder)
        forms |= {folder, bare} | ({folder.replace("/", "-")} if folder.count("/") > 1 else set())
    # A home as it stands in any redacted text is no folder that tells anything.
    return sorted((form for form in forms if _is_deep(form)), key=lambda form: (-len(form), form))


def _is_deep(folder: str) -> bool:
    return len([part for part in re.split(r"[/\\-]", folder) if part.strip("~. ")]) >= (
        1 if folder.startswith("~") else _LEAST_FOLDERS
    )


def _pattern(names: Iterable[str]) -> re.Pattern[str] | None:
    """Names as words; distinct ones wherever they stand, the longest first."""
    parts = [
        re.escape(name)
        if len(name) >= _DISTINCT
        else rf"(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])"
        for name in sorted(names, key=lambda name: (-len(name), name))
    ]
    return re.compile("|".join(parts), re.IGNORECASE) if parts else None
