"""A tree of files in memory, as golden cases and generated ones write them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from helix_tui.context.files import MOST_BYTES, Content, Kind
from helix_tui.context.gather import Asked
from helix_tui.context.simulate import effective_context
from helix_tui.schema.context import AgentName, Context

HOME = "/home/u"
BASE = "/work"


class Link(NamedTuple):
    """A symbolic link to an absolute path."""

    target: str


def place(name: str) -> str:
    """The absolute path of a name in a tree: `~/` is the home, others are below one folder."""
    path = f"{HOME}{name[1:]}" if name.startswith("~/") else name
    return (path if path.startswith("/") else f"{BASE}/{path}").rstrip("/")


class Tree:
    """Files by their paths; a name that ends in `/` is a folder."""

    def __init__(self, files: Mapping[str, str | bytes | Link]) -> None:
        self._files: dict[str, bytes] = {}
        self._links: dict[str, str] = {}
        self._folders: set[str] = {"/"}
        for name, value in files.items():
            path = place(name)
            if isinstance(value, Link):
                self._links[path] = place(value.target)
            elif name.endswith("/"):
                self._folders.add(path)
            else:
                self._files[path] = value.encode() if isinstance(value, str) else value
            while path != "/":
                path = path.rpartition("/")[0] or "/"
                self._folders.add(path)

    def real(self, path: str) -> str:
        return self._followed(path) or path

    def _followed(self, path: str) -> str | None:
        """The path behind links; None in a loop of them."""
        done = ""
        parts, steps = [part for part in path.split("/") if part], 0
        while parts:
            done = f"{done}/{parts.pop(0)}"
            target = self._links.get(done)
            if target is not None:
                steps += 1
                if steps > 40:
                    return None
                parts = [part for part in target.split("/") if part] + parts
                done = ""
        return done or "/"

    def kind(self, path: str) -> Kind:
        real = self._followed(path)
        if real is None:
            return "error"
        if real in self._files:
            return "file"
        return "folder" if real in self._folders else "none"

    def read(self, path: str) -> Content:
        data = self._files.get(self.real(path))
        if data is None:
            return Content(b"", 0, "No such file or directory")
        return Content(data[:MOST_BYTES], len(data))

    def names(self, folder: str) -> list[str]:
        real = self.real(folder)
        head = "/" if real == "/" else f"{real}/"
        everything = (*self._files, *self._links, *self._folders)
        inside = {
            path[len(head) :].partition("/")[0] for path in everything if path.startswith(head)
        }
        return sorted(inside - {""})


def context_of(
    agent: AgentName, files: Mapping[str, str | bytes | Link], cwd: str, **more: Any
) -> Context:
    """What an agent loads in a folder of a tree."""
    return effective_context(Asked(agent, place(cwd), HOME, **more), Tree(files))


def loaded_paths(context: Context) -> list[str]:
    """The paths of what is loaded, in order."""
    return [file.path for file in context.loaded]
