"""What an edit call changes, whichever agent wrote it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix_tui.tui.kit.edit_diff import ChangedLine, diff_of, replaced

PATCH = """*** Begin Patch
*** Update File: src/a.py
@@ def retry
 tries = 0
-limit = 3
+limit = 5
*** Add File: src/b.py
+new
*** End Patch
"""
PATCHED = [
    ChangedLine("file", "src/a.py"),
    ChangedLine("same", "def retry"),
    ChangedLine("same", "tries = 0"),
    ChangedLine("old", "limit = 3"),
    ChangedLine("new", "limit = 5"),
    ChangedLine("file", "src/b.py  (add)"),
    ChangedLine("new", "new"),
]


@pytest.mark.parametrize(
    "said",
    [
        PATCH,
        json.dumps({"input": PATCH}),
        json.dumps({"command": ["bash", "-lc", f"apply_patch <<'EOF'\n{PATCH}EOF"]}),
        json.dumps({"command": ["apply_patch", PATCH]}),
    ],
    ids=["plain", "input", "shell", "command"],
)
def test_a_patch_is_a_diff_wherever_it_stands(said: str) -> None:
    assert diff_of(said) == PATCHED


def test_a_replacement_shows_what_changes_and_a_little_around() -> None:
    old = "\n".join(["a", "b", "c", "d", "x = 1", "e"])
    said = json.dumps({"file_path": "a.py", "old_string": old, "new_string": old.replace("1", "2")})
    assert diff_of(said) == [
        ChangedLine("file", "a.py"),
        ChangedLine("same", "c"),
        ChangedLine("same", "d"),
        ChangedLine("old", "x = 1"),
        ChangedLine("new", "x = 2"),
        ChangedLine("same", "e"),
    ]


def test_several_edits_of_one_call_stand_one_below_the_other() -> None:
    edits = [{"old_string": "a", "new_string": "b"}, {"old_string": "c", "new_string": ""}]
    said = json.dumps({"file_path": "a.py", "edits": edits})
    changes = [(one.change, one.text) for one in diff_of(said)]
    assert changes == [("file", "a.py"), ("old", "a"), ("new", "b"), ("same", "⋯"), ("old", "c")]


def test_a_written_file_is_all_new() -> None:
    said = json.dumps({"file_path": "a.py", "content": "x\ny"})
    assert [one.change for one in diff_of(said)] == ["file", "new", "new"]


@pytest.mark.parametrize(
    "said",
    ["", "{", "[]", "null", '{"command": "ls"}', '{"file_path": "a.py"}', '{"edits": 3}', "x"],
)
def test_what_is_no_edit_has_no_diff(said: str) -> None:
    assert diff_of(said) == []


@given(st.text(alphabet="ab\n", max_size=40), st.text(alphabet="ab\n", max_size=40))
def test_no_changed_line_is_left_out(old: str, new: str) -> None:
    lines = replaced(old, new)
    if old and new:
        gone = [one.text for one in lines if one.change == "old"]
        came = [one.text for one in lines if one.change == "new"]
        assert len(old.split("\n")) - len(gone) == len(new.split("\n")) - len(came)
