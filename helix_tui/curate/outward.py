"""Ids as they leave the machine: with a program or a module in them, and no other word of a log.

An id is a kind, the subject and a hash. What kind of subject it has, the kind tells; where that may
be the word of a user, the name of a file or of anything else, the subject is left out: the hash
tells ids apart. An id of any other form, such as a page that a person named, is all hash.
"""

from __future__ import annotations

import re
from functools import cache
from typing import get_args

from helix_tui.schema.signal import SignalName
from helix_tui.text.hashing import hash64

# Kinds whose subject is a program, a module or a package, a service, or a number or code.
_NAMED = frozenset(
    {
        *("command_not_found", "module_not_found", "package_not_found", "build_failed_for_package"),
        *("runtime_version_unsupported", "connection_refused", "auth_required"),
        *("credentials_expired", "http_error", "syntax_error", "type_error", "compile_error"),
        *("lint_error", "retry_loop", "edit_test_fix", "slow_command", "false_claim"),
        *("first_pass", "interruption", "abandoned"),
    }
)
_CORRECTION = "user_correction"
_ID = re.compile(r"(?P<words>[a-z0-9]+(?:-[a-z0-9]+)*)-(?P<hash>[0-9a-f]{8})")
# A name such as `go test` or `google.cloud.storage`; what is longer may be a sentence.
_SHORT = re.compile(r"[a-z0-9]{1,30}(?:-[a-z0-9]{1,30}){0,2}")
_OTHER = re.compile(r"id-[0-9a-f]{16}")


def outward(name: str) -> str:
    """An id as others may see it, the same for the same id; one that is so already stays."""
    found = _ID.fullmatch(name)
    kind = _kind_of(found["words"]) if found else ""
    if found is None or not kind:
        is_done = _OTHER.fullmatch(name) is not None
        return name if is_done else f"id-{hash64(name.encode()) & (1 << 64) - 1:016x}"
    subject = found["words"][len(kind) + 1 :]
    if not subject or _is_named(kind, subject):
        return name
    return f"{kind}-{found['hash']}"


def _is_named(kind: str, subject: str) -> bool:
    if kind == _slug(_CORRECTION):
        return subject in _topics()
    return kind in map(_slug, _NAMED) and _SHORT.fullmatch(subject) is not None


def _kind_of(words: str) -> str:
    """The longest kind that an id begins with."""
    parts = words.split("-")
    for count in range(len(parts), 0, -1):
        if (kind := "-".join(parts[:count])) in _kinds():
            return kind
    return ""


@cache
def _kinds() -> frozenset[str]:
    from helix_tui.text.classes import MEANINGS

    kinds = {_slug(name) for name in (*MEANINGS, *get_args(SignalName))}
    return frozenset(kinds | {f"recovery-{kind}" for kind in kinds})


@cache
def _topics() -> frozenset[str]:
    """What corrections are known to be about; any other subject is a word that users said."""
    from helix_tui.curate.advice import advice_table

    return frozenset(map(_slug, advice_table().topic))


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower())
