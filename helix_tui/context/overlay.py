"""A view of files as they would be with some of them written otherwise."""

from __future__ import annotations

from collections.abc import Mapping

from helix_tui.context.files import Content, Files, Kind


class Overlay:
    """Files with other bytes at some paths, by the paths behind all links; None takes one away."""

    def __init__(self, files: Files, changed: Mapping[str, bytes | None]) -> None:
        self._files = files
        self._changed = changed
        self._folders: dict[str, set[str]] = {}
        for path, data in changed.items():
            while data is not None and path.rpartition("/")[0]:
                folder, _, name = path.rpartition("/")
                self._folders.setdefault(folder, set()).add(name)
                path = folder

    def kind(self, path: str) -> Kind:
        """What would be there."""
        real = self._files.real(path)
        if real in self._changed:
            return "none" if self._changed[real] is None else "file"
        known = self._files.kind(path)
        return "folder" if known == "none" and real in self._folders else known

    def read(self, path: str) -> Content:
        """What it would hold."""
        real = self._files.real(path)
        if real not in self._changed:
            return self._files.read(path)
        data = self._changed[real]
        return Content(b"", 0, "not there") if data is None else Content(data, len(data))

    def names(self, folder: str) -> list[str]:
        """The names that a folder would have."""
        more = self._folders.get(self._files.real(folder), set())
        return sorted({*self._files.names(folder), *more})

    def real(self, path: str) -> str:
        """The path behind all links."""
        return self._files.real(path)
