"""List an archive by its address, and find the agents' folders in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from helix_tui.capture.discover import Entries
from helix_tui.errors import UsageError
from helix_tui.text.hashing import hash64
from helix_tui.text.times import parse_iso

# What services call the mark that changes with an object's content, and when it last changed.
_MARKS = ("ETag", "etag", "md5Hash", "content_md5", "checksum", "ino")
_TIMES = ("mtime", "LastModified", "last_modified", "updated", "created")
_POSITIVE = (1 << 63) - 1


class ArchiveRoot(NamedTuple):
    """A folder of an archive that is laid out as an agent's own."""

    flavor: str
    url: str


class Archive:
    """An archive at an address that fsspec knows: s3://, gs://, file:// or a path."""

    def __init__(self, url: str) -> None:
        import fsspec

        self.url = url
        try:
            self._files, self._path = fsspec.core.url_to_fs(url)
        except (ValueError, ImportError) as error:
            raise UsageError(
                f"There is no way to read {url}: {error}.",
                "Install the package that it names, or give a path, s3://, gs:// or file://.",
            ) from error

    def roots(self, homes: Mapping[str, Sequence[str]], flavor: str = "") -> list[ArchiveRoot]:
        """The agents' folders below the archive, by the names that those have in a home.

        With a flavor the archive itself is such a folder.
        """
        top = self._path.rstrip("/")
        if flavor:
            return [ArchiveRoot(flavor, self._files.unstrip_protocol(top))]
        endings = {
            tuple(root.removeprefix("~/").split("/")): name
            for name, roots in homes.items()
            for root in roots
        }
        try:
            return list(self._walk_for(top, endings))
        except OSError as error:
            raise UsageError(
                f"{self.url} cannot be listed: {error.strerror or error}.",
                "Is the address right, and may you read there?",
            ) from error

    def _walk_for(self, top: str, endings: Mapping[tuple[str, ...], str]) -> Iterator[ArchiveRoot]:
        pending = [top]
        while pending:
            place = pending.pop()
            steps = tuple(place.split("/"))
            flavor = next(
                (name for ending, name in endings.items() if steps[-len(ending) :] == ending), ""
            )
            if flavor:
                yield ArchiveRoot(flavor, self._files.unstrip_protocol(place))
                continue
            folders = (info["name"] for info in self._infos(place) if _is_folder(info))
            pending += sorted((folder.rstrip("/") for folder in folders), reverse=True)

    def entries_in(self, url: str) -> Entries:
        """The entries of a folder, as a walk of this machine's own folders has them."""
        entries = Entries()
        for info in self._infos(self._files._strip_protocol(url)):
            name = info["name"].rstrip("/").rpartition("/")[2]
            if _is_folder(info):
                entries.folders.append(name)
            elif info.get("islink"):
                entries.odd[name] = "a link, which is not followed"
            elif name:
                entries.files.append((name, 0, _mark_of(info), info["size"] or 0, _time_of(info)))
        return entries

    def _infos(self, path: str) -> list[dict[str, Any]]:
        self._files.invalidate_cache(path)
        try:
            infos: list[dict[str, Any]] = self._files.ls(path, detail=True)
        except OSError:
            raise
        except Exception as error:
            # Each service has errors of its own: no credentials, no such bucket.
            raise OSError(0, f"{type(error).__name__}: {error}") from error
        # Object storage may list the folder itself as an empty object.
        return [info for info in infos if info["name"].rstrip("/") != path.rstrip("/")]


def _is_folder(info: Mapping[str, Any]) -> bool:
    return info["type"] == "directory" and not info.get("islink")


def _mark_of(info: Mapping[str, Any]) -> int:
    """What tells two versions of an object apart, as a number in the place of an inode."""
    mark = next((info[key] for key in _MARKS if info.get(key)), "")
    return mark & _POSITIVE if isinstance(mark, int) else hash64(str(mark).encode()) & _POSITIVE


def _time_of(info: Mapping[str, Any]) -> int:
    """When an object last changed, in nanoseconds; 0 where nothing says."""
    time = next((info[key] for key in _TIMES if info.get(key)), 0)
    if isinstance(time, datetime):
        time = time.timestamp()
    if isinstance(time, str):
        time = (parse_iso(time) or 0) / 1000
    return int(time * 1_000_000_000) & _POSITIVE
