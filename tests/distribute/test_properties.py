"""What must always hold, over random trees, files, patterns and edits."""

from __future__ import annotations

import tempfile
from pathlib import Path
from unittest.mock import patch

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from helix_tui.distribute.blocks import BEGIN, END, BlockError, find_block
from tests.distribute.workplace import Workplace

_PIECES = (
    *("# Title", "Use tabs.", "- item", "", "  ", "```", "~~~", "`code`", "@AGENTS.md", "naïve ✓"),
    *(BEGIN, END, "<!-- a comment -->", "<!-- helix:end --> x", "\ttab", "x" * 500, "---"),
)
_ENDS = ("\n", "\r\n", "")


def has_block(data: bytes) -> bool:
    """Whether a sound block is there before anything was written: that one is ours."""
    try:
        return find_block(data) is not None
    except BlockError:
        return False


@st.composite
def contents(draw: st.DrawFn) -> bytes:
    """A file that somebody might have, most of them sound."""
    end = draw(st.sampled_from(_ENDS[:2]))
    pieces = draw(st.lists(st.sampled_from(_PIECES), max_size=8))
    last = draw(st.sampled_from(("", end, end * 2)))
    mark = draw(st.sampled_from(("", "", "\ufeff")))
    data = f"{mark}{end.join(pieces)}{last}".encode()
    assume(not has_block(data))
    return data


_TREES = st.dictionaries(
    st.sampled_from(
        ("one/AGENTS.md", "one/CLAUDE.md", "two/AGENTS.md", "two/.claude/CLAUDE.md",
         "home/.claude/CLAUDE.md", "home/.codex/AGENTS.md", "two/CLAUDE.local.md")
    ),
    contents(),
    max_size=5,
)  # fmt: skip
_PATTERNS = st.dictionaries(
    st.sampled_from(("p1", "p2", "p3", "p4")),
    st.tuples(
        st.sampled_from(("Use pnpm.", "Call `uv run`.", "1. a\n2. b\n3. c\n4. d", "Do it\nso.")),
        st.sampled_from(("repo:one", "repo:one, repo:two", "user", "repo:two, path:src/**")),
    ),
    min_size=1,
    max_size=4,
)


def made(folder: str, tree: dict[str, bytes], patterns: dict[str, tuple[str, str]]) -> Workplace:
    place = Workplace(Path(folder) / "at", "one", "two")
    for name, data in tree.items():
        path = place.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    for name, (guidance, scope) in patterns.items():
        place.teach(name, f"{guidance} ({name})", scope)
    return place


@settings(max_examples=settings().max_examples // 2)
@given(tree=_TREES, patterns=_PATTERNS)
def test_nothing_outside_changes_twice_is_once_and_out_is_as_before(
    tree: dict[str, bytes], patterns: dict[str, tuple[str, str]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = made(folder, tree, patterns)
        with patch.dict("os.environ", {"HOME": str(place.home)}):
            before, folders = place.files(), place.folders()
            plan = place.apply().plan
            after = place.files()
            for name, data in before.items():
                assert after[name].startswith(data)  # what is added is added behind it
            written = {one.file for one in plan.writes if one.is_write}
            changed = {name for name in after if after[name] != before.get(name)}
            assert {str(place.folder / name) for name in changed} == written
            assert not place.apply().written
            assert place.files() == after
            assert place.plan().is_clean
            place.retract()
            assert place.files() == before
            assert place.folders() - {str(place.folder / "review")} == folders
            assert place.plan().is_clean
            place.undo()
            assert place.files() == after
            place.undo()
            assert place.files() == before


@settings(max_examples=settings().max_examples // 2)
@given(
    tree=_TREES,
    patterns=_PATTERNS,
    edit=st.sampled_from(("word", "line", "end", "mark", "file")),
    data=st.data(),
)
def test_an_edit_is_noticed_and_kept(
    tree: dict[str, bytes], patterns: dict[str, tuple[str, str]], edit: str, data: st.DataObject
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = made(folder, tree, patterns)
        with patch.dict("os.environ", {"HOME": str(place.home)}):
            writes = [one for one in place.apply().plan.writes if one.is_write]
            if not writes:
                return
            one = data.draw(st.sampled_from(writes))
            path = Path(one.file)
            text = path.read_bytes()
            first = one.rules[0].text.split("\n")[0].encode()
            lines = text.split(b"\n")
            at = next(number for number, line in enumerate(lines) if first in line)
            if edit == "word":
                edited = text.replace(first, first + b" Really.", 1)
            elif edit == "line":
                edited = b"\n".join([*lines[:at], *lines[at + 1 :]])
            elif edit == "end":
                edited = b"\n".join([*lines[: at + 1], b"Mine.", *lines[at + 1 :]])
            elif edit == "mark" and one.kind == "block":
                edited = text.replace(END.encode(), b"", 1)
            else:
                edited = None
            if edited is None:
                path.unlink()
            else:
                path.write_bytes(edited)
            assert not place.plan().is_clean
            before = place.files()
            place.apply()
            now = place.files()
            name = str(path.relative_to(place.folder))
            assert now.get(name) == before.get(name)
            if edited is not None and edit != "line":
                place.retract()
                said = place.files().get(name, b"")
                words = {"word": b"Really.", "end": b"Mine."}.get(edit, first)
                assert words in said
