"""The table of error classes: names with their meanings, and the wordings that tell them."""

from __future__ import annotations

from helix_tui.text.signature.classes import code, git, harness, network, packages, system
from helix_tui.text.signature.classes.row import ClassRow

_TABLES = (harness, git, packages, network, system, code)
ROWS: tuple[ClassRow, ...] = tuple(row for table in _TABLES for row in table.ROWS)
MEANINGS: dict[str, str] = {
    name: meaning for table in _TABLES for name, meaning in table.MEANINGS.items()
}
__all__ = ["MEANINGS", "ROWS", "ClassRow"]

# Classes that say of what kind a failure is, and not yet which: their template tells them apart.
OPEN = frozenset(
    {
        "",
        "compile_error",
        "crashed",
        "lint_error",
        "syntax_error",
        "test_failure",
        "text_encoding",
        "type_error",
        "undefined_name",
    }
)


def is_open(error_class: str) -> bool:
    """Whether failures of a class are the same only where their templates are."""
    return error_class in OPEN
