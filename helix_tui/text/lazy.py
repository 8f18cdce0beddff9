"""Regular expressions that are compiled when they are first needed: a start has to be quick."""

from __future__ import annotations

import re
from typing import Any, cast


class _Lazy:
    """Stands for an expression; its methods are those of the compiled one from the first use on."""

    def __init__(self, pattern: str, flags: int) -> None:
        self._asked = (pattern, flags)

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(*self._asked)
        self.__dict__.update(
            (method, getattr(compiled, method))
            for method in ("match", "search", "sub", "fullmatch", "finditer", "findall", "pattern")
        )
        return getattr(compiled, name)


def lazy(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """An expression like any other, that costs nothing before it is used."""
    return cast("re.Pattern[str]", _Lazy(pattern, flags))
