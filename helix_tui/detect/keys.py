"""Compute the bucket in which signals may meet, and the id of the candidate they form."""

from __future__ import annotations

import re

from helix_tui.schema.signal import Signal
from helix_tui.schema.speech import Saying
from helix_tui.text.hashing import hash64
from helix_tui.text.signature.join import bucket_of
from helix_tui.text.signature.version import GROUPING_VERSION

# Whether work went on elsewhere changes with every session: this is one bucket.
_TOGETHER = frozenset({"abandoned"})
# What people say. What they say in words is one bucket, since what it is about shows only beside
# everything else that is said; within it what changed is told by repository (`said_here.py`).
SPOKEN = frozenset({"user_correction", "user_reaction", "error_persistence", "user_request"})
_ON_ERRORS = frozenset(
    {
        "tool_error",
        "env_missing",
        "edit_mismatch",
        "permission",
        "repeated_error",
        "recovery",
    }
)
# Signals that are kept as figures and never make a candidate of their own.
UNGROUPED = frozenset({"permission_policy", "first_pass", "kept_work"})
_ALL_OF = frozenset({"lint", "hook", "check"})
# These run others, a formatter among them.
_OF_SEVERAL = frozenset({"hook", "check"})
_NOT_FORMATTED = "not_formatted"
_HOOK_FAILED = "hook_failed"
_SLUG = re.compile(r"[^a-z0-9]+")
_SLUG_LENGTH = 40


def is_on_error(signal: Signal) -> bool:
    """Whether a signal belongs to the candidate of an error."""
    return signal.name in _ON_ERRORS


def bucket(signal: Signal) -> int:
    """Return the bucket of a signal; signals of different buckets never form one candidate."""
    if signal.topic:
        return _number("topic", signal.topic)
    if is_on_error(signal):
        return _number("error", *_error_bucket(signal))
    if is_report(signal):
        return _number("reported")
    if is_in_words(signal):
        return SAID
    if signal.name in _TOGETHER:
        return _number(signal.name)
    if signal.name == "api_error":
        return _number(signal.name, *_error_bucket(signal))
    return _number(signal.name, signal.tool_class, signal.subject)


def is_in_words(signal: Signal) -> bool:
    """Whether a signal is what somebody said in words, not a command or a text used again."""
    return signal.name in SPOKEN and not (signal.name == "user_request" and signal.subject)


def is_report(signal: Signal) -> bool:
    """Whether a signal says that a check is red, or something, in a digest without turns."""
    is_of_old = signal.name == "error_persistence" and not signal.verb
    return signal.name == "error_persistence" and bool(signal.check or is_of_old)


def is_on_check(signal: Signal) -> bool:
    """Whether an error is one of those that a check finds, each time others.

    What a linter, a hook or a script that is named a check says counts so whatever it is; of other
    checks what has a class: words that no class knows may be one cause, in whatever check they are
    met.
    """
    is_of_several = signal.check in _OF_SEVERAL and signal.error_class == _NOT_FORMATTED
    tells = signal.template or signal.error_class == _HOOK_FAILED or is_of_several
    if not signal.step or not tells:
        return False
    return signal.check in _ALL_OF or bool(signal.error_class)


def _error_bucket(signal: Signal) -> tuple[str, str, str]:
    if is_on_check(signal):
        return "check", signal.check, signal.step
    if not signal.template:
        # A known failure is the same in whatever tool it happens.
        return "", signal.error_class, signal.subject
    where = f"{signal.subject}\n{bucket_of(signal.template)}"
    return signal.tool_class, signal.error_class, where


def _number(*words: str) -> int:
    return hash64("\0".join(words).encode("utf-8", "surrogatepass"))


# The bucket of what people say in words.
SAID = _number("said")


def said_bucket(saying: Saying) -> int:
    """Return the bucket of the candidate that one thing makes which people say."""
    return _number("said", saying.signal, saying.repo, *saying.words)


def candidate_id(kind: str, *key: str) -> str:
    """Return the id for a structured key: class, subject, and a hash that tells ids apart."""
    whole = "\0".join((str(GROUPING_VERSION), kind, *key))
    digest = hash64(whole.encode("utf-8", "surrogatepass")) & 0xFFFF_FFFF
    words = [slug for word in (kind, *key[:1]) if (slug := _slug(word))]
    return "-".join((*words, f"{digest:08x}"))


def _slug(text: str) -> str:
    return _SLUG.sub("-", text.lower()).strip("-")[:_SLUG_LENGTH].rstrip("-")
