"""Classes that name a kind of failure, in which every time has a cause of its own."""

from __future__ import annotations

_MENDED = "a checker found faults of the change at hand, each time others"
# Why nobody learns anything from all of them together, by class.
KINDS = {
    "file_not_found": "paths are guessed and looked up again; each time another one",
    "test_failure": "tests that are red while they are worked on are the work itself",
    "type_error": _MENDED,
    "compile_error": _MENDED,
    "undefined_name": _MENDED,
    "import_name_missing": _MENDED,
    "local_import_unresolved": _MENDED,
    "syntax_error": "code that cannot be parsed is mended on the spot, each time another",
}
