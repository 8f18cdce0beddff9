"""What an agent loads in a folder: its instruction files in order, and what is wrong with them."""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec

AgentName = Literal[
    "claude",
    "codex",
    "grok",
    "copilot",
    "gemini",
    "qwen",
    "opencode",
    "kilo",
    "pi",
    "droid",
    "cursor",
]
AGENTS: tuple[AgentName, ...] = (
    *("claude", "codex", "grok", "copilot", "gemini", "qwen", "opencode"),
    *("kilo", "pi", "droid", "cursor"),
)
# The source of a record of what an agent read with a tool, beside those of its client.
READ = "read"
# Whose instructions they are: an organisation's, a person's own, a project's, a person's own in a
# project, or those of a folder further down.
FileScope = Literal["managed", "user", "project", "local", "nested"]
# What becomes of a file: all of it is loaded or its beginning; or it is dropped since others filled
# the budget, is blank, switched off by another file or a setting, ignored, reached before,
# unreadable, loaded only when a file that it is about is read, or read by other agents only.
FileState = Literal[
    "loaded", "cut", "beyond", "blank", "off", "ignored", "doubled", "unreadable", "lazy", "foreign"
]
WarningKind = Literal[
    "cut",
    "beyond",
    "switched_off",
    "same_text",
    "dead_import",
    "import_depth",
    "large",
    "unreadable",
    "binary",
    "blank_override",
    "untrusted",
    "ignored",
    "foreign",
    "settings",
    "disagrees",
]


class ContextFile(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One instruction file: what an agent takes of it, and why it does or does not.

    `text` is what is sent of it. `source` has the same lines as the file, as far as it was read,
    with what an agent takes out left blank. `cut_at` is the byte behind which nothing is loaded.
    """

    path: str
    scope: FileScope
    state: FileState
    reason: str
    bytes: int = 0
    lines: int = 0
    tokens: int = 0
    cut_at: int | None = None
    imported_by: str | None = None
    text: str = ""
    source: str = ""

    @property
    def is_loaded(self) -> bool:
        """Whether the agent sees it, or at least its beginning."""
        return self.state in ("loaded", "cut")


class ContextWarning(NamedTuple):
    """Something about instructions that their author would want to know."""

    kind: WarningKind
    path: str
    message: str


class Skill(NamedTuple):
    """A skill that an agent finds; only its name and description are loaded at first."""

    name: str
    path: str
    scope: FileScope


class Context(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What an agent loads in a folder: files in their order, those that it does not load behind.

    `cap` is the most bytes that it takes of a project's files, and `used` what these come to.
    """

    agent: AgentName
    version: str
    cwd: str
    files: list[ContextFile]
    warnings: list[ContextWarning]
    text: str
    skills: list[Skill] = []
    cap: int | None = None
    used: int = 0

    @property
    def loaded(self) -> list[ContextFile]:
        """The files that the agent sees."""
        return [file for file in self.files if file.is_loaded]


ExposureState = Literal["observed_yes", "observed_no", "assumed_yes", "assumed_no", "unknown"]
# Whether a line is where an agent loads it, was in what a log recorded, or is where none loads it.
LineState = Literal["loaded", "recorded", "unloaded"]
ToldState = Literal["no", "told", "unloaded", "cause"]


class Exposure(NamedTuple):
    """Whether a session saw a line, and the record that proves it or the reason to assume it."""

    state: ExposureState
    proof: str

    @property
    def is_seen(self) -> bool:
        """Whether it saw it, as far as can be told."""
        return self.state in ("observed_yes", "assumed_yes")


class RecordedText(NamedTuple):
    """A record of instructions in a session's log; the hash is 0 where it says there were none."""

    session: int
    hash: int
    source: str
    ts: int | None
    cut: int | None


class SessionPlace(NamedTuple):
    """A session that counts: where and when it ran, and the one that it counts as."""

    key: int
    id: str
    root: str
    flavor: str
    repo: str
    cwd: str
    first_ts: int
    last_ts: int = 0


class ToldLine(msgspec.Struct, frozen=True, gc=False):
    """A line that says what recurs, where it stands, and how much of it it says."""

    file: str
    line: int
    text: str
    coverage: float
    state: LineState = "loaded"
    # Why no agent concerned loads it, or that it asks for what fails.
    why: str = ""
    # What the sessions that could have seen it come to.
    observed: int = 0
    assumed: int = 0
    unknown: int = 0
    seen: int = 0
    violated: int = 0
    followed: int = 0


class Told(msgspec.Struct, frozen=True, gc=False):
    """Whether instructions already say what recurs: the lines, and what became of them.

    `seen` counts the conversations that saw a line that says it, `violated` those of them in which
    it happened all the same. Where the line asks for the very command that failed, these kept to it
    and are `followed` instead.
    """

    state: ToldState = "no"
    lines: list[ToldLine] = []
    seen: int = 0
    violated: int = 0
    followed: int = 0


NOT_TOLD = Told()


class LineAbout(NamedTuple):
    """A line that says something that recurs, and what that is."""

    candidate: str
    title: str
    state: ToldState
    line: ToldLine


class RepoContext(NamedTuple):
    """What an agent loads in a repository; no context where its folder is not there any more."""

    repo: str
    agent: AgentName
    cwd: str
    sessions: int
    context: Context | None
    lines: list[LineAbout]
