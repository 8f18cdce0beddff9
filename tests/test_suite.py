"""How tests are written: what two files share is in a module of its own."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parent
_OF_A_TEST_FILE = re.compile(r"(?:from|import) +tests(?:\.\w+)*\.test_\w+")


def test_no_file_takes_anything_from_a_file_of_tests() -> None:
    taken = {path: _OF_A_TEST_FILE.findall(path.read_text()) for path in TESTS.rglob("*.py")}
    assert {path: imports for path, imports in taken.items() if imports} == {}
