"""Instructions that a log records its agent was given, made ready for keeping."""

from __future__ import annotations

import re
from functools import lru_cache

from helix_tui.schema import Instructed
from helix_tui.store.packs.zstd import Zstd
from helix_tui.text.hashing import hash64
from helix_tui.text.redact import redact
from helix_tui.text.valid import without_nul

# No agent gives so much; what is longer is a damaged record.
_LONGEST = 1 << 20
_LEVEL = 3
_zstd = Zstd(_LEVEL)
# How Codex wraps the same text in a message.
_WRAPPED = re.compile(
    r"\s{0,20}(?:# AGENTS\.md instructions[^\n]{0,4096}\s{1,20}<INSTRUCTIONS>\n?(?P<new>.*?)"
    r"\n?</INSTRUCTIONS>|<user_instructions>\s{0,4}(?P<old>.*?)\s{0,4}</user_instructions>)",
    re.DOTALL,
)
# Between what is a person's own and what is the project's; only the latter has a limit.
_PROJECT = "\n\n--- project-doc ---\n\n"
_CODEX_LIMIT = 32_768
# A character that was cut in two is written as one of three bytes.
_MARGIN = 3


def codex_message(text: str) -> str | None:
    """The instructions that a message of Codex holds, if that is what it is."""
    head = text.lstrip()[:32]
    if not head.startswith(("# AGENTS.md instructions", "<user_instructions>")):
        return None
    found = _WRAPPED.match(text)
    if found is None:
        return None
    return found["new"] if found["new"] is not None else found["old"]


def codex_cut(text: str) -> int | None:
    """The byte at which Codex cut the project's instructions; it leaves no mark."""
    before, sign, project = text.rpartition(_PROJECT)
    size = len(project.encode("utf-8", "replace"))
    if abs(size - _CODEX_LIMIT) > _MARGIN:
        return None
    return len((before + sign).encode("utf-8", "replace")) + size


def instructed(source: str, ts: int | None, text: str | None, cut: int | None = None) -> Instructed:
    """What a record says was given; None where it says that nothing was."""
    if text is None or not text.strip():
        return Instructed(0, source, ts)
    digest, size, data = _packed(text[:_LONGEST].strip())
    return Instructed(digest, source, ts, size, cut, data)


# Every turn of a log repeats it, and so do the logs of a project.
@lru_cache(maxsize=32)
def _packed(text: str) -> tuple[int, int, bytes]:
    plain = text.encode("utf-8", "replace")
    kept = redact(without_nul(text)).encode("utf-8", "replace")
    return hash64(plain) or 1, len(plain), _zstd.compress(kept)
