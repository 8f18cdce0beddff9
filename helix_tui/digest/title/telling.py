"""Which words of a title tell what the work is about."""

from __future__ import annotations

import re
from functools import lru_cache

from helix_tui.text.clauses import telling
from helix_tui.text.request_words import ACTS, WEAK

# So many telling words say what is meant, even where a title points at something as well.
ENOUGH = 2
# What people have to do with in every repository, as stems.
_TRADE = frozenset(
    (
        *(
            "addres",
            "applicabl",
            "appli",
            "apply",
            "branch",
            "bug",
            "ci",
            "comment",
            "conflict",
            "feedback",
        ),
        *(
            "finding",
            "diff",
            "patch",
            "latest",
            "lint",
            "linter",
            "lot",
            "main",
            "master",
            "merg",
            "new",
            "origin",
        ),
        *(
            "pending",
            "relat",
            "com",
            "pipelin",
            "pr",
            "pull",
            "request",
            "reviewer",
            "session",
            "suit",
            "there",
        ),
        *("depth", "local", "bas"),
        *("thorough", "todo", "unit", "warn", "warning", "bunch", "batch", "som", "further"),
        *(
            "propos",
            "quickly",
            "handl",
            "suggestion",
            "answer",
            "explain",
            "tak",
            "whil",
            "determin",
            "entir",
            "whol",
        ),
    )
)
_NOT_TELLING = _TRADE | ACTS | WEAK
# A request that points at something that is not named in it.
_POINTS = re.compile(
    r"(?i)\b(?:it|them|below|above|what else|(?:this|that|these|those)"
    r"(?! (?:is|was|are|were|has|repo|repository|project|folder|branch|codebase)\b))\b"
)
# Names of files, programs and identifiers say what is meant, whatever else is said.
_NAMED = re.compile(r"`[^`\n]{2,80}`|\b\w[\w-]{0,60}\.[A-Za-z]{1,5}\b|\w_\w|[a-z][A-Z]")
_WORD = re.compile(r"[^\W_][\w./:@#+'-]{0,60}")
# A hash or an address says where something is, and not what.
_WHERE = re.compile(r"(?i)(?=[a-f]{0,39}\d)[0-9a-f]{7,40}$|https?://")


# A title is looked at several times over.
@lru_cache(maxsize=1024)
def telling_words(title: str) -> tuple[str, ...]:
    """The words of a title that tell what it is about, as stems, in order."""
    words = _WORD.findall(title.replace("’", "'"))
    found = (telling(word) for word in words if not _WHERE.match(word))
    return tuple(stem for stem in dict.fromkeys(found) if stem and stem not in _NOT_TELLING)


def has_name(title: str) -> bool:
    """Whether a title names a file, a program or an identifier."""
    return _NAMED.search(title) is not None


def is_telling(title: str) -> bool:
    """Whether a title says what the work is about, and does not only point at it."""
    if has_name(title):
        return True
    return len(telling_words(title)) >= (ENOUGH if _POINTS.search(title) else 1)
