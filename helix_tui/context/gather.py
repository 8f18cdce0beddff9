"""What the rules of all agents share: reading a file, noting what becomes of it, and warnings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from helix_tui.context.files import Content, Files
from helix_tui.schema.context import (
    AgentName,
    Context,
    ContextFile,
    ContextWarning,
    FileScope,
    FileState,
    Skill,
    WarningKind,
)

# A text of which Claude Code itself says that it is too large to be followed well.
_LARGE_CHARACTERS = 40_000
_CHARACTERS_PER_TOKEN = 4
_BINARY_HEAD = 8_192
# Two short texts are alike by chance.
_LEAST_ALIKE = 40
_MOST_SKILLS = 500


class Asked(NamedTuple):
    """For whom and where: an agent of a version, its environment, a home and a folder.

    Without a version it is the newest whose rules are known. `subagent` is the kind of sub-agent
    that would load it; the agent itself where it is empty.
    """

    agent: AgentName
    cwd: str
    home: str
    version: str = ""
    environ: Mapping[str, str] = {}
    platform: str = "linux"
    subagent: str = ""


class Gathered:
    """The files of one context while they are found."""

    def __init__(self, asked: Asked, files: Files) -> None:
        self.asked = asked
        self.files = files
        self.loaded: list[ContextFile] = []
        self.left: list[ContextFile] = []
        self.warnings: list[ContextWarning] = []
        self.skills: list[Skill] = []

    def load(
        self,
        path: str,
        scope: FileScope,
        content: Content,
        reason: str,
        *,
        text: str | None = None,
        source: str | None = None,
        cut_at: int | None = None,
        imported_by: str | None = None,
    ) -> None:
        """Note a file that is loaded, or its beginning."""
        whole = decoded(content.data)
        sent = whole if text is None else text
        state: FileState = "loaded" if cut_at is None else "cut"
        self.loaded.append(
            ContextFile(
                path=path,
                scope=scope,
                state=state,
                reason=reason,
                bytes=content.size,
                lines=lines_of(whole),
                tokens=tokens_of(sent),
                cut_at=cut_at,
                imported_by=imported_by,
                text=sent,
                source=whole if source is None else source,
            )
        )
        if b"\0" in content.data[:_BINARY_HEAD]:
            self.warn("binary", path, "is not text, and is sent all the same")
        elif len(sent) > _LARGE_CHARACTERS:
            self.warn(
                "large",
                path,
                f"has {len(sent):,} characters, about {tokens_of(sent):,} tokens in every session; "
                "long files are followed worse",
            )

    def leave(
        self, path: str, scope: FileScope, state: FileState, reason: str, content: Content | None
    ) -> None:
        """Note a file that is not loaded; where it cannot be read, that is what is said of it."""
        if content is not None and content.trouble:
            state, reason = "unreadable", content.trouble
        whole = decoded(content.data) if content is not None else ""
        self.left.append(
            ContextFile(
                path=path,
                scope=scope,
                state=state,
                reason=reason,
                bytes=content.size if content is not None else 0,
                lines=lines_of(whole),
                tokens=tokens_of(whole),
                source=whole,
            )
        )
        if state == "unreadable":
            self.warn("unreadable", path, f"cannot be read: {reason}")

    def warn(self, kind: WarningKind, path: str, message: str) -> None:
        """Note something that its author would want to know, once."""
        warning = ContextWarning(kind, path, message)
        if warning not in self.warnings:
            self.warnings.append(warning)

    def find_skills(self, folder: str, scope: FileScope) -> None:
        """Note the skills of a folder."""
        for name in self.files.names(folder)[:_MOST_SKILLS]:
            path = f"{folder}/{name}/SKILL.md"
            if self.files.kind(path) == "file":
                self.skills.append(Skill(name, path, scope))

    def context(self, text: str, *, cap: int | None = None, used: int = 0) -> Context:
        """All of it, with what is said of texts that are loaded twice."""
        self._warn_of_same_texts()
        return Context(
            agent=self.asked.agent,
            version=self.asked.version,
            cwd=self.asked.cwd,
            files=[*self.loaded, *self.left],
            warnings=self.warnings,
            text=text,
            skills=self.skills,
            cap=cap,
            used=used,
        )

    def _warn_of_same_texts(self) -> None:
        first: dict[str, str] = {}
        for file in self.loaded:
            text = file.text.strip()
            if len(text) < _LEAST_ALIKE:
                continue
            other = first.setdefault(text, file.path)
            if other != file.path:
                self.warn("same_text", file.path, f"says the same as {other}, and is loaded too")


def decoded(data: bytes) -> str:
    """The text of a file; bytes that are none are replaced, as agents do."""
    return data.decode("utf-8", "replace")


def lines_of(text: str) -> int:
    """How many lines a text has; the last needs no line break."""
    return text.count("\n") + (1 if text and not text.endswith("\n") else 0)


def tokens_of(text: str) -> int:
    """About how many tokens a text has."""
    return -(-len(text) // _CHARACTERS_PER_TOKEN)


def line_at(data: bytes, byte: int) -> int:
    """The line, counted from one, that a byte stands in."""
    return data.count(b"\n", 0, byte) + 1


def ancestors(folder: str) -> list[str]:
    """A folder and all above it, the topmost first."""
    parts = [part for part in folder.split("/") if part]
    return ["/", *(f"/{'/'.join(parts[: n + 1])}" for n in range(len(parts)))]


def joined(folder: str, name: str) -> str:
    """A path in a folder, which may be the topmost one."""
    return f"/{name}" if folder == "/" else f"{folder}/{name}"


def root_by(files: Files, cwd: str, markers: list[str]) -> str | None:
    """The nearest folder from here upwards that holds one of the markers."""
    for folder in reversed(ancestors(cwd)):
        if any(files.kind(joined(folder, marker)) != "none" for marker in markers):
            return folder
    return None


def down_from(root: str | None, cwd: str) -> list[str]:
    """The folders from a root down to here; only this one where there is no root."""
    if root is None:
        return [cwd]
    return [
        folder
        for folder in ancestors(cwd)
        if folder == root or folder.startswith(joined(root, "").rstrip("/") + "/")
    ]
