"""What keeps files of a catalog from being written is looked for once in each line of a history."""

from __future__ import annotations

from unittest.mock import patch

from helix_tui.curate.catalog import scan
from helix_tui.curate.catalog.scan import history_refusals, page_refusals
from helix_tui.text.refuse import refusals

_SECRET = "AKIA" + "QX7RZ2LM4TN8VB3K"


def test_a_history_that_grows_is_looked_through_once_a_line() -> None:
    lines = [f'{{"note": "seen {number} times in test_scan"}}' for number in range(30)]
    with patch.object(scan, "refusals", wraps=refusals) as looked:
        for count in range(1, 31):
            assert history_refusals("\n".join(lines[:count])) == []
    assert looked.call_count == 2 * len(lines)  # a name and a value in each


def test_a_secret_is_told_at_every_look_and_on_its_line() -> None:
    bad = f'{{"note": "the key is {_SECRET}"}}'
    clean = '{"note": "nothing"}'
    assert [found.line for found in history_refusals(f"{clean}\n{bad}\n")] == [2]
    assert [found.line for found in history_refusals(f"{bad}\n{clean}\n{bad}")] == [1, 3]
    page = f"# A page\n\nThe key is {_SECRET}.\n"
    assert [found.line for found in page_refusals(page)] == [3]
    page_refusals(page).clear()
    assert [found.line for found in page_refusals(page)] == [3]
