"""Whether a line speaks of files that are gone."""

from __future__ import annotations

import re
from collections.abc import Callable

# A file of a project: folders and a name with an ending, relative or below a home.
_PATH = re.compile(
    r"(?<![\w./~@:-])(?P<path>(?:~/|/)?(?:[\w.@+-]{1,80}/){1,20}[\w.@+-]{0,80}\.[A-Za-z]{1,5})"
    r"(?![\w/-])"
)
_ADDRESS = re.compile(r"\w{2,10}://\S{1,500}")
_MOST = 20


def paths_in(text: str) -> list[str]:
    """The files that a text names, but for those of addresses."""
    plain = _ADDRESS.sub(" ", text)
    found = (match["path"] for match in _PATH.finditer(plain))
    return list(dict.fromkeys(path for path in found if ".." not in path.split("/")))[:_MOST]


def is_stale(text: str, is_there: Callable[[str], bool]) -> bool:
    """Whether a text names files, and none of them is there any more."""
    paths = paths_in(text)
    return bool(paths) and not any(map(is_there, paths))
