"""Turn ids into the form that leaves the machine, with no words from a log but program names.

An id is made of a kind, a subject and a hash. The kind says what its subject is. Where that may be
a user's word, the name of a file or anything else, the subject is left out, and the hash tells ids
apart. An id of any other form, such as a page that a person named, becomes a hash.
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
_ID = re.compile(r"(?P<words>[a-z0-9]+(?:-[a-z0-9]+)*)-(?P<hash>[0-9a-f]{8})")
# A name such as `go test` or `google.cloud.storage`; what is longer may be a sentence.
_SHORT = re.compile(r"[a-z0-9]{1,30}(?:-[a-z0-9]{1,30}){0,2}")
_OTHER = re.compile(r"id-[0-9a-f]{16}")


def outward(name: str) -> str:
    """Return an id as others may see it; an outward id stays as it is."""
    match = _ID.fullmatch(name)
    kind = _kind_of(match["words"]) if match else ""
    if match is None or not kind:
        is_outward = _OTHER.fullmatch(name) is not None
        return name if is_outward else f"id-{hash64(name.encode()) & (1 << 64) - 1:016x}"
    subject = match["words"][len(kind) + 1 :]
    if not subject or _is_named(kind, subject):
        return name
    return f"{kind}-{match['hash']}"


def is_plain_subject(kind: str, subject: str) -> bool:
    """Whether the subject of an error or a signal is the name of a program, a module or a code."""
    return _is_named(_slug(kind), _slug(subject))


def _is_named(kind: str, subject: str) -> bool:
    return kind in map(_slug, _NAMED) and _SHORT.fullmatch(subject) is not None


def _kind_of(words: str) -> str:
    """Return the longest kind that an id begins with."""
    parts = words.split("-")
    for count in range(len(parts), 0, -1):
        if (kind := "-".join(parts[:count])) in _kinds():
            return kind
    return ""


@cache
def _kinds() -> frozenset[str]:
    from helix_tui.text.signature.classes import MEANINGS

    kinds = {_slug(name) for name in (*MEANINGS, *get_args(SignalName))}
    return frozenset(kinds | {f"recovery-{kind}" for kind in kinds})


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower())
