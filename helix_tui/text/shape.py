"""The shape of an action: what stays of a call when its values are forgotten."""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec

SHELL = "shell"
# What tools other than a shell are called, whichever agent has them.
TOOL_WORDS = frozenset({"Edit", "Write", "Delete", "Read", "Search", "Web", "Agent", "Plan"})
# What an action works on, by kind.
KINDS = frozenset({"test", "source", "config", "generated", "docs", "file", "folder", "url"})
# A value that had to be there and was forgotten.
VALUE = "{}"
HERE = "."
_HOME = re.compile(r"^/(?:Users|home)/[^/]+")
# The part of a shape's text that stands before the folder's name, and that behind it.
_CD, _AND = "cd ", " && "


class Shape(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """What an action does, without its values; parts that say nothing are empty.

    `tool` is `shell`, one of `TOOL_WORDS`, or the name of a tool that is no other's like. `env` are
    names of variables that are set for it, `wrappers` what stands before the program (`uv run`,
    `sudo`, `.venv/bin/`; `escalated` where a sandbox is left). `verb` is the sub-command, `script`
    what a project names (`lint` in `npm run lint`). `flags` are names without values, `kinds` what
    it works on. `folder` is where it runs, as it was written; `.` where nothing was said. `filters`
    are programs that only saw its output: they are no part of the text.
    """

    tool: str = SHELL
    env: tuple[str, ...] = ()
    wrappers: tuple[str, ...] = ()
    program: str = ""
    verb: str = ""
    script: str = ""
    flags: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    folder: str = HERE
    filters: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The shape on one line, which reads like a command and is one's own shape again."""
        where = f"{_CD}{quoted(self.folder)}{_AND}" if self.folder != HERE else ""
        return where + self.text_anywhere

    @property
    def text_anywhere(self) -> str:
        """The same, wherever it runs."""
        head = self.program if self.tool == SHELL else self.tool
        wrappers = [name for name in self.wrappers if not name.endswith("/")]
        places = "".join(name for name in self.wrappers if name.endswith("/"))
        words = [
            *(f"{name}=" for name in self.env),
            *wrappers,
            f"{places}{head}",
            self.verb,
            self.script,
            *self.flags,
            *(f"{{{kind}}}" for kind in self.kinds),
        ]
        return " ".join(word for word in words if word)

    @property
    def base(self) -> str:
        """What it runs, without how: program, sub-command and script, or the tool."""
        if self.tool != SHELL:
            return self.tool
        return " ".join(word for word in (self.program, self.verb, self.script) if word)


def quoted(folder: str) -> str:
    """A folder's name as a shell takes it for one word."""
    return f"'{folder}'" if " " in folder else folder


def relative_text(text: str, root: str) -> str:
    """A shape's text with the folder as seen from `root`, where it lies below that."""
    if not text.startswith(_CD) or not root:
        return text
    folder, _, rest = text[len(_CD) :].partition(_AND)
    inner = relative_folder(folder.strip("'"), root)
    return rest if inner == HERE else f"{_CD}{quoted(inner)}{_AND}{rest}"


def relative_folder(folder: str, root: str) -> str:
    """A folder as seen from `root`, where it lies below that."""
    base = root.rstrip("/")
    if folder.startswith("~"):  # as redaction leaves it
        base = _HOME.sub("~", base)
    if not base or not (folder + "/").startswith(base + "/"):
        return folder
    return folder[len(base) :].strip("/") or HERE


def text_anywhere(text: str) -> str:
    """A shape's text without the folder."""
    return text.partition(_AND)[2] if text.startswith(_CD) else text


@lru_cache(maxsize=4096)
def action_in(text: str) -> str:
    """What a shape's text runs, without where, on what and with which options."""
    words = text_anywhere(text).split()
    return " ".join(word for word in words if word[0] not in "-{" and not word.endswith("="))
