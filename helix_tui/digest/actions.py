"""What a tool call does, in one vocabulary: the command it runs, or the file it touches."""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec

from helix_tui.digest.excerpt import excerpt, excerpt_line
from helix_tui.digest.programs import QUOTED
from helix_tui.digest.runs.recognise import Plan, may_run, plan_of
from helix_tui.digest.runs.speakers import has_unheard, may_hide_failure
from helix_tui.digest.shape.call import Given, escalated, shape_of_tool
from helix_tui.digest.shape.command import parts_of
from helix_tui.digest.shape.safe import safe_shape
from helix_tui.schema import ToolClass
from helix_tui.text.hashing import hash64
from helix_tui.text.shape import Shape
from helix_tui.tools import tool_class

COMMAND_LENGTH = 200
SUMMARY_LENGTH = 300
_COMMIT = re.compile(
    r"(?:^|[\s;&|(])(?:git(?: -[Cc] \S{1,200}| -\S{1,80}){0,6} commit|gh pr create)(?=$|[\s;&|)])"
)
_OF_FOLDERS = ("LS",)
_SHELLS = ("bash", "sh", "zsh", "dash", "fish")
_SHELL_OPTIONS = ("-c", "-lc", "-ic", "-lic")
_PATCHERS = ("apply_patch", "applypatch")
# The patches of Codex name each file on a line of its own, or within a JSON string.
_PATCHED = re.compile(r"\*\*\* (Add|Update|Delete) File: ([^\n\\]{1,1000})")
_PATCH_WINDOW = 100_000
# The tools of other agents that do what a patch does to a file.
_DOING = {"Add": "Write", "Update": "apply_patch", "Delete": "delete_file"}
_NO_COMMIT = ("--dry-run", "git commit --help")


class _Given(msgspec.Struct, gc=False):
    """The fields of a call's input that say what it does; agents differ in their names."""

    command: str | list[str] | None = None
    cmd: str | list[str] | None = None
    file_path: str | None = None
    path: str | None = None
    target_file: str | None = None
    notebook_path: str | None = None
    camel_path: str | None = msgspec.field(default=None, name="filePath")
    pattern: str | None = None
    query: str | None = None
    url: str | None = None
    description: str | None = None
    # The kind of agent that is called, of its collection where it has one.
    subagent_type: str | None = None
    run_in_background: bool | None = None
    # Agents are not agreed on what these hold.
    workdir: object = None
    old_string: object = None
    camel_old: object = msgspec.field(default=None, name="oldString")
    short_old: object = msgspec.field(default=None, name="old_str")
    pi_old: object = msgspec.field(default=None, name="oldText")
    new_string: object = None
    camel_new: object = msgspec.field(default=None, name="newString")
    short_new: object = msgspec.field(default=None, name="new_str")
    pi_new: object = msgspec.field(default=None, name="newText")
    replace_all: object = None
    camel_all: object = msgspec.field(default=None, name="replaceAll")
    with_escalated_permissions: object = None
    sandbox_permissions: object = None
    disable_sandbox: object = msgspec.field(default=None, name="dangerouslyDisableSandbox")


_decode = msgspec.json.Decoder(_Given).decode
_decode_any = msgspec.json.Decoder().decode
_QUOTED_WINDOW = 20_000
_MOST_LINES = 60
_MOST_FIELDS = 16
_NOTHING = _Given()


class Check(msgspec.Struct, frozen=True):
    """Whether a command runs a check, which may pass and fail."""

    tells_pass: bool = False
    tells_failure: bool = False


class Action(msgspec.Struct, frozen=True):
    """A call as the digest sees it; every text is redacted, but for `whole`.

    That is a command that was cut, as the log has it.
    """

    tool: str
    kind: ToolClass
    identity: int
    command: str
    file: str
    summary: str
    check: Check
    is_commit: bool
    whole: str = ""
    # All of a command that runs a check, a commit or a push, or of which a program may have failed
    # without a status that says so, as far as it fits.
    asked: str = ""
    # What it runs, without values, and the programs behind pipes.
    shapes: tuple[Shape, ...] = ()
    behind: tuple[Shape, ...] = ()
    # The folder that the call names to run in.
    workdir: str = ""
    # Hashes of the lines that an edit quotes.
    lines: list[int] = []
    # An edit as a hash of its file, what it replaces and what it puts there, and of the edit that
    # would take it back.
    edit: int = 0
    inverse: int = 0


NO_CHECK = Check()
RUNS_CHECK = Check(True, True)
_NOTHING_RUN = Plan((), (), False, False)
_ASKED_LENGTH = 4000


def _identity(tool: str, what: str) -> int:
    return hash64(f"{tool}\0{what}".encode("utf-8", "replace"))


# The same few tools and files come up again and again.
@lru_cache(maxsize=256)
def _name_of(tool: str) -> str:
    return excerpt_line(tool, 80)


@lru_cache(maxsize=2048)
def _file_of(path: str) -> str:
    return excerpt_line(path, COMMAND_LENGTH)


def _check_of(plan: Plan) -> Check:
    """Whether a command line runs a check; what came of it, its output tells."""
    runs_one = any(part.kind != "git" for part in plan.parts)
    return RUNS_CHECK if runs_one else NO_CHECK


def _is_commit(command: str) -> bool:
    # Most commands hold neither word, and taking out what is quoted is dear.
    if "commit" not in command and "pr create" not in command:
        return False
    return _COMMIT.search(QUOTED.sub("''", command)) is not None and not any(
        word in command for word in _NO_COMMIT
    )


def _plain_command(words: list[str]) -> str:
    """A command given as words; what a shell is handed stands for itself."""
    if len(words) == 3 and words[1] in _SHELL_OPTIONS and words[0].rpartition("/")[2] in _SHELLS:
        return words[2]
    return " ".join(words)


def _patch_in(command: str | None) -> str | None:
    """The patch that a command line applies, if that is all it does."""
    return command if command is not None and command.startswith(_PATCHERS) else None


def _edit(name: str, tool: str, patch: str) -> Action:
    named = _PATCHED.findall(patch[:_PATCH_WINDOW])
    files = [path for _, path in named]
    file = _file_of(files[0].strip()) if files else ""
    more = f" and {len(files) - 1} more" if len(files) > 1 else ""
    summary = f"apply_patch {file}{more}".rstrip()
    does = _DOING[named[0][0]] if named else "apply_patch"
    shape = shape_of_tool("edit", does, Given(path=file, patch=patch[:_PATCH_WINDOW]))
    identity = _identity(tool, patch)
    edit, inverse = _exchanged(file, *_changed(patch)) if len(files) == 1 else (0, 0)
    return Action(
        *(name, "edit", identity, "", file, summary, NO_CHECK, False),
        shapes=(shape,),
        edit=edit,
        inverse=inverse,
    )


def _changed(patch: str) -> tuple[str, str]:
    """The lines that a patch takes out, and those that it puts in; within JSON breaks are words."""
    lines = patch[:_PATCH_WINDOW].split("\n" if "\n" in patch else "\\n")
    gone, come = ([line[1:] for line in lines if line[:1] == sign] for sign in "-+")
    return "\n".join(gone), "\n".join(come)


def _run(name: str, tool: str, whole: str, is_in_background: bool) -> Action:
    command = excerpt_line(whole, COMMAND_LENGTH)
    # What the agent says of its command changes from one try to the next.
    identity = _identity(tool, whole)
    shown = whole[:2000]
    looked_at = whole[:_ASKED_LENGTH]
    hides = may_hide_failure(looked_at)
    # What names no runner and hides no failure is looked at no further.
    asked = excerpt(whole, _ASKED_LENGTH) if hides or may_run(looked_at) else ""
    plan = plan_of(asked) if asked else _NOTHING_RUN
    check = NO_CHECK if is_in_background else _check_of(plan)
    is_long = len(whole) > COMMAND_LENGTH
    parts = parts_of(whole)
    return Action(
        name,
        "shell",
        identity,
        command,
        "",
        f"$ {command}",
        check,
        _is_commit(shown),
        whole if is_long else "",
        asked if plan.parts or (hides and has_unheard(plan)) else "",
        tuple(dict.fromkeys(safe_shape(part.shape) for part in parts if not part.is_behind)),
        tuple(safe_shape(part.shape) for part in parts if part.is_behind),
    )


# Short commands are run again and again; long ones hardly, and would take room.
_known_run = lru_cache(maxsize=1024)(_run)


def command_of(given: str) -> str | None:
    """The command line that a shell's call is given, as the log has it."""
    try:
        fields = _decode(given)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    line = fields.command if fields.command is not None else fields.cmd
    return line if line is None or isinstance(line, str) else _plain_command(line)


def action_of(flavor: str, tool: str, given: str) -> Action:
    """What a call with this input does."""
    try:
        fields = _decode(given)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        fields = _NOTHING
    kind = tool_class(flavor, tool)
    name = _name_of(tool)
    line = fields.command if fields.command is not None else fields.cmd
    whole = line if line is None or isinstance(line, str) else _plain_command(line)
    if patch := given if tool in ("apply_patch", "ApplyPatch") else _patch_in(whole):
        return _edit(name, tool, patch)
    if kind == "shell" and whole is not None:
        run = _known_run if len(whole) <= COMMAND_LENGTH else _run
        return _placed(run(name, tool, whole, fields.run_in_background is True), fields)
    identity = _identity(tool, given)
    path = fields.file_path or fields.camel_path or fields.target_file
    path = path or fields.notebook_path or fields.path
    shape = safe_shape(
        shape_of_tool(kind, tool, _of_tool(fields, path or ""), _field_names(kind, given))
    )
    if path and kind in ("read", "edit") and tool not in _OF_FOLDERS:
        file = _file_of(path)
        old = fields.old_string or fields.camel_old or fields.short_old or fields.pi_old
        new = fields.new_string or fields.camel_new or fields.short_new or fields.pi_new
        edit, inverse = _exchanged(file, old, new)
        return Action(
            *(name, kind, identity, "", file, f"{name} {file}", NO_CHECK, False),
            shapes=(shape,),
            lines=_lines_of(old),
            edit=edit,
            inverse=inverse,
        )
    words = fields.pattern or fields.query or fields.url or fields.description or path or given
    called = f"{fields.subagent_type}: " if fields.subagent_type and words is not given else ""
    summary = f"{name} {excerpt_line(f'{called}{words}', SUMMARY_LENGTH - 100)}"
    return Action(name, kind, identity, "", "", summary, NO_CHECK, False, shapes=(shape,))


def _of_tool(fields: _Given, path: str) -> Given:
    is_all = fields.replace_all is True or fields.camel_all is True
    return Given(path=path, url=fields.url or "", replaces_all=is_all)


def _lines_of(quoted: object) -> list[int]:
    """Hashes of the lines that an edit quotes, to see whether a later one quotes more."""
    if not isinstance(quoted, str):
        return []
    lines = quoted[:_QUOTED_WINDOW].splitlines()[:_MOST_LINES]
    return [hash64(line.strip().encode("utf-8", "replace")) for line in lines]


def _exchanged(file: str, old: object, new: object) -> tuple[int, int]:
    """An edit and the one that would take it back, as hashes; nothing of what only adds."""
    if not (isinstance(old, str) and isinstance(new, str) and old and new):
        return 0, 0
    return _identity(file, f"{old}\0{new}"), _identity(file, f"{new}\0{old}")


def _field_names(kind: ToolClass, given: str) -> tuple[str, ...]:
    """The names of what a tool is given that no other agent has."""
    if kind not in ("mcp", "other"):
        return ()
    try:
        fields = _decode_any(given)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ()
    return tuple(sorted(fields))[:_MOST_FIELDS] if isinstance(fields, dict) else ()


def _placed(action: Action, fields: _Given) -> Action:
    """A command with what its call says of where and how it runs."""
    workdir = _file_of(fields.workdir) if isinstance(fields.workdir, str) else ""
    is_escalated = (
        fields.with_escalated_permissions is True
        or fields.disable_sandbox is True
        or fields.sandbox_permissions == "require_escalated"
    )
    if is_escalated:
        return msgspec.structs.replace(
            action, workdir=workdir, shapes=tuple(escalated(shape) for shape in action.shapes)
        )
    return msgspec.structs.replace(action, workdir=workdir) if workdir else action
