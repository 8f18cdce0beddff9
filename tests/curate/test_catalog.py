"""The catalog's folder holds just what it should, and a person's files stay theirs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helix_tui.curate.catalog.catalog import Catalog
from helix_tui.curate.catalog.index import MARKER
from helix_tui.errors import NotFoundError, RefusedError, StoreError
from helix_tui.schema.review import PatternFiles
from tests.curate.catalog_files import files, history, page, put
from tests.text.planted import KEYS, WORD, noise

KEY = f"gh{'p_'}{noise(WORD, 36)}"


@pytest.fixture
def catalog(tmp_path: Path) -> Catalog:
    return Catalog(tmp_path / "deep" / "catalog")


def bytes_of(root: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in root.iterdir()} if root.is_dir() else {}


def times_of(root: Path) -> dict[str, tuple[int, int]]:
    found = [root, *root.iterdir()]
    return {path.name: (path.stat().st_mtime_ns, path.stat().st_ino) for path in found}


class TestApply:
    """Files are a function of what was decided."""

    def test_writes_pages_and_histories_and_the_index_last(self, catalog: Catalog) -> None:
        assert put(catalog, b=files("b", history("b")), a=files("a")) == [
            *("a.md", "b.history.jsonl", "b.md", "INDEX.md"),
        ]
        assert catalog.texts() == {"a": page("a"), "b": page("b")}
        assert catalog.histories() == {"b": history("b")}
        assert "(a.md)" in (catalog.root / "INDEX.md").read_text()

    def test_a_second_time_touches_nothing(self, catalog: Catalog) -> None:
        wanted = {"a": files("a"), "b": files("b", history("b"))}
        put(catalog, **wanted)
        before = times_of(catalog.root)
        assert put(catalog, **wanted) == []
        assert Catalog(catalog.root).apply(wanted, set(wanted)) == []
        assert times_of(catalog.root) == before

    def test_an_update_touches_only_what_changed(self, catalog: Catalog) -> None:
        put(catalog, a=files("a"), b=files("b"))
        before = times_of(catalog.root)
        touched = put(catalog, a=files("a"), b=files("b", history("b"), version="1.0.1"))
        assert touched == ["b.history.jsonl", "b.md", "INDEX.md"]
        assert times_of(catalog.root)["a.md"] == before["a.md"]

    def test_what_is_taken_away_is_gone_with_the_index_of_nothing(self, catalog: Catalog) -> None:
        put(catalog, a=files("a", history("a")))
        gone = put(catalog, a=PatternFiles(None, ""))
        assert gone == ["a.history.jsonl", "a.md", "INDEX.md"]
        assert list(catalog.root.iterdir()) == []

    def test_nothing_to_write_makes_no_folder(self, catalog: Catalog) -> None:
        assert catalog.apply({}, ()) == []
        assert put(catalog, a=PatternFiles(None, "")) == []
        assert not catalog.root.exists()

    @pytest.mark.parametrize(
        ("umask", "folder", "file"), [(0o022, 0o755, 0o644), (0o77, 0o700, 0o600)]
    )
    def test_others_may_read_unless_the_umask_says_no(
        self, catalog: Catalog, umask: int, folder: int, file: int
    ) -> None:
        before = os.umask(umask)
        try:
            put(catalog, a=files("a"))
        finally:
            os.umask(before)
        assert catalog.root.stat().st_mode & 0o777 == folder
        assert {path.stat().st_mode & 0o777 for path in catalog.root.iterdir()} == {file}

    def test_a_catalog_that_cannot_be_written_is_said(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        with pytest.raises(StoreError):
            put(Catalog(tmp_path / "file"), a=files("a"))
        with pytest.raises(StoreError):
            put(Catalog(tmp_path / "file" / "catalog"), a=files("a"))


class TestPersons:
    """What a person put there is not written over."""

    def test_a_file_of_an_unknown_id_stays(self, catalog: Catalog) -> None:
        put(catalog, a=files("a"))
        theirs = page("b", title="By hand")
        (catalog.root / "b.md").write_text(theirs)
        touched = catalog.apply({"a": files("a"), "b": files("b")}, {"a"})
        assert [path.name for path in touched] == ["INDEX.md"]
        assert catalog.texts()["b"] == theirs
        assert "By hand" in (catalog.root / "INDEX.md").read_text()

    @pytest.mark.parametrize(
        "spoil",
        [
            lambda text: text.replace("version:", "versio:"),
            lambda text: f"{text}\n\n## Notes\n\nuse {KEY}\n",
            lambda text: f"{text}\n\n## Notes\n\nhid\u200bden\n",
            lambda text: text.replace("version:", 'note: "\\u202e"\nversion:'),
        ],
    )
    def test_a_page_that_is_bad_is_neither_replaced_nor_removed(
        self, catalog: Catalog, spoil: object
    ) -> None:
        put(catalog, a=files("a"), b=files("b"))
        spoiled = spoil(page("a"))  # type: ignore[operator]
        (catalog.root / "a.md").write_text(spoiled)
        put(catalog, a=files("a", history("a"), version="1.0.1"), b=PatternFiles(None, ""))
        put(catalog, a=PatternFiles(None, ""))
        assert catalog.texts() == {"a": spoiled}
        assert catalog.histories() == {}

    def test_a_bad_history_keeps_its_page_as_well(self, catalog: Catalog) -> None:
        put(catalog, a=files("a", history("a")))
        (catalog.root / "a.history.jsonl").write_text("{}\n")
        assert put(catalog, a=files("a", history("a"), version="1.0.1")) == []

    def test_links_and_folders_are_left(self, catalog: Catalog, tmp_path: Path) -> None:
        outside = tmp_path / "outside"
        outside.write_text("theirs")
        put(catalog, c=files("c"))
        (catalog.root / "a.md").symlink_to(outside)
        (catalog.root / "b.md").mkdir()
        put(catalog, a=files("a"), b=files("b"), c=files("c"))
        assert outside.read_text() == "theirs"
        assert (catalog.root / "a.md").is_symlink()
        assert (catalog.root / "b.md").is_dir()

    def test_an_index_without_the_marker_and_a_readme_are_theirs(self, catalog: Catalog) -> None:
        catalog.root.mkdir(parents=True)
        for name in ("INDEX.md", "README.md"):
            (catalog.root / name).write_text("# Ours\n")
        assert put(catalog, a=files("a")) == ["a.md"]
        assert (catalog.root / "INDEX.md").read_text() == "# Ours\n"
        (catalog.root / "INDEX.md").write_text(f"{MARKER}\nold\n")
        assert put(catalog, a=files("a")) == ["INDEX.md"]
        assert catalog.read().bad == []

    def test_a_secret_in_a_title_is_not_spread_by_the_index(self, catalog: Catalog) -> None:
        put(catalog, a=files("a"))
        (catalog.root / "b.md").write_text(page("b", title=f"Use {KEY}"))
        put(catalog, a=files("a", version="1.0.1"))
        listed = (catalog.root / "INDEX.md").read_text()
        assert KEY not in listed
        assert "(a.md)" in listed


class TestRefused:
    """A secret or a hidden sign refuses the whole, and nothing is written."""

    @pytest.mark.parametrize(("name", "start", "rest"), KEYS)
    def test_no_key_of_any_provider_reaches_a_file(
        self, catalog: Catalog, name: str, start: str, rest: str
    ) -> None:
        bad = page("b", guidance=f"Use {start.replace('|', '')}{rest}.")
        with pytest.raises(RefusedError) as raised:
            put(catalog, a=files("a"), b=PatternFiles(bad, ""))
        (place,) = raised.value.places
        assert place.where == "b.md"
        assert "Use" in bad.split("\n")[place.line - 1]
        assert rest[:8] not in str(raised.value)
        assert not catalog.root.exists()

    def test_nor_does_one_in_a_history_or_behind_an_escape(self, catalog: Catalog) -> None:
        was = history("a") + history("a", f"first\nuse {KEY}")
        with pytest.raises(RefusedError, match=r"a\.history\.jsonl, line 2: a key of github"):
            put(catalog, a=files("a", was))
        hidden = page("a").replace("version:", 'note: "a\\u202eb"\nversion:')
        line = hidden.split("\n").index('note: "a\\u202eb"') + 1
        with pytest.raises(RefusedError, match=rf"a\.md, line {line}: .*U\+202E"):
            put(catalog, a=PatternFiles(hidden, ""))
        with pytest.raises(RefusedError, match=r"U\+200B"):
            put(catalog, a=files("a", history("a", "hid\u200bden")))
        assert not catalog.root.exists()

    @pytest.mark.parametrize(
        "name", ["../x", "a/b", ".git", "", "a\n", "INDEX", "readme", "x" * 122]
    )
    def test_hostile_ids_name_no_file(self, catalog: Catalog, name: str) -> None:
        with pytest.raises(NotFoundError):
            catalog.apply({"a": files("a"), name: PatternFiles("x", "")}, {name})
        assert not catalog.root.exists()


class TestRead:
    """Whatever lies there is read or told, and nothing is waited for or followed."""

    def test_reads_patterns_and_tells_every_bad_file(
        self, catalog: Catalog, tmp_path: Path
    ) -> None:
        put(catalog, a=files("a"), b=files("b", history("b")))
        root = catalog.root
        (root / "folder.md").mkdir()
        (root / "latin.md").write_bytes(page("latin").encode() + b"\n## Notes\n\ncaf\xe9\n")
        (root / "large.md").write_text("x" * ((1 << 20) + 1))
        (root / "link.md").symlink_to(root / "a.md")
        (root / "no id.md").write_text(page("a"))
        (root / "other.md").write_text(page("another"))
        (root / "plain.md").write_text("# Notes\n")
        os.mkfifo(root / "pipe.md")
        (root / ".hidden.md").write_text("")
        (root / "notes.txt").write_text("ignored")
        found = catalog.read()
        assert list(found.patterns) == ["a", "b"]
        told = {(bad.path.name, bad.reason.split(";")[0].split(":")[0]) for bad in found.bad}
        assert {name for name, _ in told} == {
            *(".hidden.md", "folder.md", "large.md", "latin.md", "link.md"),
            *("no id.md", "other.md", "pipe.md", "plain.md"),
        }
        assert ("latin.md", "this is no UTF-8") in told
        assert ("link.md", "it is a link") in told
        lines = {bad.path.name: bad.line for bad in found.bad}
        assert lines["latin.md"] == page("latin").count("\n") + 4

    def test_an_unreadable_file_is_told(self, unprivileged: Path) -> None:
        (unprivileged / "a.md").write_text(page("a"))
        (unprivileged / "a.md").chmod(0)
        (bad,) = Catalog(unprivileged).read().bad
        assert "cannot be read" in bad.reason

    def test_no_folder_is_no_pattern(self, catalog: Catalog) -> None:
        assert catalog.read() == ({}, [])
        assert catalog.texts() == catalog.histories() == {}

    def test_a_folder_that_is_none_is_said(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        with pytest.raises(StoreError, match="cannot be read"):
            Catalog(tmp_path / "file").texts()


def test_killed_at_any_rename_the_next_one_makes_it_good(tmp_path: Path) -> None:
    script = (
        "import os, signal, sys; from pathlib import Path\n"
        "from helix_tui.curate.catalog.catalog import Catalog\n"
        "from tests.curate.catalog_files import files, history, put\n"
        "left, replace = int(sys.argv[2]), Path.replace\n"
        "def counted(self, target):\n"
        "    global left\n"
        "    left -= 1\n"
        "    if left < 0: os.kill(os.getpid(), signal.SIGKILL)\n"
        "    return replace(self, target)\n"
        "Path.replace = counted\n"
        "catalog = Catalog(Path(sys.argv[1]))\n"
        "put(catalog, a=files('a', history('a'), version='1.0.1'), b=files('b'))\n"
    )
    wanted = {"a": files("a", history("a"), version="1.0.1"), "b": files("b")}
    sound = Catalog(tmp_path / "sound")
    put(sound, **wanted)
    for point in range(4):
        catalog = Catalog(tmp_path / f"at-{point}")
        put(catalog, a=files("a"))
        command = [sys.executable, "-c", script, str(catalog.root), str(point)]
        assert subprocess.run(command, check=False).returncode == -9
        whole = {name for name in bytes_of(catalog.root) if not name.endswith("~")}
        assert all(bytes_of(catalog.root)[n] for n in whole)
        put(catalog, **wanted)
        assert bytes_of(catalog.root) == bytes_of(sound.root)


versions = st.sampled_from([None, "1.0.0", "1.0.1", "2.0.0"])
states = st.dictionaries(st.sampled_from("abc"), versions, min_size=3, max_size=3)


@settings(max_examples=10, deadline=None)
@given(st.lists(states, min_size=1, max_size=4))
def test_only_the_last_projection_shows(tmp_path_factory: pytest.TempPathFactory, steps) -> None:  # type: ignore[no-untyped-def]
    folder = tmp_path_factory.mktemp("catalogs")
    made = [
        {
            name: PatternFiles(None, "")
            if version is None
            else files(name, history(name) if version != "1.0.0" else "", version=version)
            for name, version in state.items()
        }
        for state in steps
    ]
    walked = Catalog(folder / "walked")
    for projection in made:
        walked.apply(projection, "abc")
    straight = Catalog(folder / "straight")
    straight.apply(made[-1], "abc")
    assert bytes_of(walked.root) == bytes_of(straight.root)
    shutil.rmtree(folder)
