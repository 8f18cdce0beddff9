"""Name the module or package that an error misses, as far as its name tells one cause."""

from __future__ import annotations

from helix_tui.text.lazy import lazy

# Python names the first part that is not there: whatever stands before the last dot was imported.
_OF_PYTHON = lazy(r"(?i)(?<!for )\bno module named ")

# What a package needs that is to be started.
_STARTED = ".__main__"


def module_in(name: str, line: str) -> str:
    """Return the name that an error's line gives, without what is inside of a missing package."""
    name = name.rstrip(".,:;'\"`").removesuffix(_STARTED)
    if name.startswith("@"):
        return "/".join(name.split("/")[:2])
    if "::" in name:
        return name.partition("::")[0]
    first, _, rest = name.partition("/")
    if rest:
        return "/".join(name.split("/")[:3]) if "." in first else first
    is_whole = _is_class(name) or _OF_PYTHON.search(line) is not None
    return name if is_whole else first.partition(".")[0]


def found_above(name: str) -> str:
    """Return the package in which a module is not found, though it was found itself; else nothing.

    Such a package may be another copy of it, as one of another checkout that comes first on the
    path.
    """
    if "/" in name or "::" in name or _is_class(name):
        return ""
    return name.rpartition(".")[0]


def _is_class(name: str) -> bool:
    """Whether it is a class of Java, which has its package before it."""
    return name.count(".") > 1 and name.rpartition(".")[2][:1].isupper()
