"""In which folder a session worked whose log does not say so: by whole paths of its own files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

_PATH = re.compile(
    r"(?<![\w.:/~])(?:~|/(?:Users|home|root|opt|srv|work|workspace|mnt|Volumes))/[\w@.+/-]{3,300}"
)
_OF_OTHERS = re.compile(
    r"/(?:node_modules|site-packages|\.venv|venv|vendor|target|dist|\.cache|tmp)(?:/|$)|/\."
)
_HINT = ("~/", "/Users/", "/home/", "/root/", "/opt/", "/srv/", "/work", "/mnt/", "/Volumes/")
_EXAMINED = 20_000
_MOST = 400


class WholePaths:
    """Whole paths that calls and results name; the first so many."""

    def __init__(self) -> None:
        self._found: dict[str, None] = {}

    def take(self, text: str) -> None:
        """Take the paths of a call or a result."""
        if len(self._found) >= _MOST or not any(hint in text[:_EXAMINED] for hint in _HINT):
            return
        for path in _PATH.findall(text[:_EXAMINED])[:_MOST]:
            self._found[path.rstrip("./")] = None

    def folder_of(self, files: Iterable[str]) -> str:
        """The name of the folder below which most of these files were named whole.

        Empty where none was, or where two folders have it alike.
        """
        roots: Counter[str] = Counter()
        for file in {name.removeprefix("./") for name in files if name}:
            if file.startswith(("/", "~", "..")):
                continue
            ending = f"/{file}"
            for path in self._found:
                root = path.removesuffix(ending)
                if root != path and not _OF_OTHERS.search(root) and root.count("/") >= 2:
                    roots[root] += 1
        best = roots.most_common(2)
        is_sure = len(best) == 1 or (len(best) == 2 and best[0][1] > best[1][1])
        return best[0][0].rpartition("/")[2] if is_sure else ""
