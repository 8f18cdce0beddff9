"""Whether an action is like one before it, and in what it differs."""

from __future__ import annotations

import re
from functools import lru_cache

from helix_tui.digest.programs import changes_files
from helix_tui.digest.remedies.causal import (
    CHECKING,
    asked_step,
    is_fixer,
    only_checks,
    only_looks,
    step_of,
)
from helix_tui.digest.remedies.hosted import named_repository
from helix_tui.digest.runs.recognise import name_of
from helix_tui.digest.runs.shell import is_assigned, pipelines
from helix_tui.digest.shape.call import UNPREFIXED
from helix_tui.digest.state import Pending, Watched
from helix_tui.text.alternatives import ALTERNATIVES
from helix_tui.text.shape import SHELL, Shape
from helix_tui.text.shape_change import (
    ABSOLUTE,
    AGAIN,
    BEFORE,
    EDIT_FIRST,
    MORE_LINES,
    MOST_EDITS,
    OTHER,
    OTHER_TEXT,
    PARTED,
    PATH,
    QUOTED,
    READ_FIRST,
    REPOSITORY,
    VALUE_OF,
    edits_between,
    exchanged,
    joined,
)


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Options by which a check looks at less.
_NARROWING = _set(
    "-k -m -t -run -x --lf --last-failed --ff --grep --testNamePattern --testPathPattern --filter"
    " --bail --collect-only --list --listTests --help --version --passWithNoTests --maxfail"
)
# Options that take words of one's own.
_FREE = _set("-- -m --message --body --title -b -t --notes -c -e -f -F --field --raw-field --jq -q")
_NOT_UNIQUE = "edit_not_unique"
_NO_AND_LIST = "and_list_unsupported"
_NO_REPOSITORY = "remote_not_found"
_OF_FLAGS = _set("unknown_option syntax_error timeout output_too_large argument_list_too_long")
_CUT = "…"
_SAYING = re.compile(r"[^\W\d_].{0,40}[^\W\d_]")
_SOON = 6
_QUOTES = str.maketrans("", "", "'\"\\")
_LONGEST_PATH = 80
_EDITING = frozenset({"Edit", "Write"})


def change_since(before: Watched, call: Pending) -> str | None:
    """How an action differs from one before it; None where it is another action."""
    if not call.shapes:
        return None
    if before.shape.tool != SHELL:
        return _change_of_tool(before, call)
    return _change_of_command(before, call) if call.command else None


def _change_of_tool(before: Watched, call: Pending) -> str | None:
    shape, old = call.shapes[0], before.shape
    if old.tool in _EDITING:
        return _change_of_edit(before, call, shape)
    if shape.tool != old.tool:
        return None
    if call.file != before.file:
        return _other_path(before.file, call.file)
    edits = edits_between(old, shape)
    if edits:
        return joined(edits) if len(edits) <= MOST_EDITS else OTHER
    return _unchanged(before) if call.identity == before.identity or before.file else None


def _change_of_edit(before: Watched, call: Pending, shape: Shape) -> str | None:
    if shape.tool not in _EDITING or not before.file or call.file != before.file:
        return None
    edits = edits_between(before.shape, shape)
    if not before.blames_bare:  # lines without a sign were not what was wrong
        edits = [edit for edit in edits if edit != f"-flag {UNPREFIXED}"]
    if shape.tool != before.shape.tool:
        edits.append(exchanged(before.shape, shape))
    if edits:
        return joined(edits)
    is_longer = len(call.lines) > len(before.lines) > 0 and set(before.lines) <= set(call.lines)
    if is_longer and before.error_class in (_NOT_UNIQUE, ""):
        return MORE_LINES
    if before.was_read:
        return READ_FIRST
    return AGAIN if call.identity == before.identity else OTHER_TEXT


def _unchanged(before: Watched) -> str:
    """Why an action passes that did not change: a step before it, an edit, or nothing known."""
    if before.step:
        return f"{BEFORE}{before.step}"
    return EDIT_FIRST if before.edits else AGAIN


def _change_of_command(before: Watched, call: Pending) -> str | None:
    ran = (*call.shapes, *call.behind)
    old = before.shape
    program = old.program  # what it runs begins with that: others are passed over at once
    alike = [shape for shape in ran if shape.program == program and shape.base == old.base]
    if not alike or not program:
        return _change_of_program(before, call)
    shape = alike[0]
    if len(alike) > 1:
        shape = min(alike, key=lambda one: (len(edits_between(old, one)), one.text))
    edits = edits_between(old, shape)
    if _looks_at_less(before, shape, edits) or len(edits) > MOST_EDITS:
        return None
    if only_checks(before.shape, shape):
        return None  # a step towards the check, which has yet to pass
    if _is_looking(shape) and before.error_class not in _OF_FLAGS:
        edits = [edit for edit in edits if edit[1:6] != "flag "]  # only other things to look at
    if _is_only_quoted(before.command, call.command):
        return QUOTED
    if before.error_class == _NO_AND_LIST and "&&" not in call.command:
        return PARTED
    if before.error_class == _NO_REPOSITORY and (named := _other_repository(before, call)):
        return f"{REPOSITORY}{named}"
    path = _changed_words(before, call)
    if path is None:
        return None
    step = _step_within(before, call, shape)
    if before.is_red and not is_fixer(step) and _is_mended_by_hand(before, call):
        return EDIT_FIRST  # what was wrong stood in a file
    edits += [path] if path else _changed_values(before, call, shape)
    if not edits and (folder := _other_program_folder(before, call, program)):
        edits.append(f"+wrapper {folder}/")
    if edits:
        return joined(edits[:MOST_EDITS])
    if step:
        return f"{BEFORE}{step}"
    change = _unchanged(before)
    is_same = call.identity == before.identity or not call.command.endswith(_CUT)
    return change if is_same or change != AGAIN else OTHER


def _is_mended_by_hand(before: Watched, call: Pending) -> bool:
    """Whether a file was edited since, or in the line of a check before it, and no fixer ran then.

    An edit takes back the step before it, so a fixer that is known still was the last to mend.
    """
    head = call.command.rpartition(before.shape.program)[0]
    return changes_files(head) or (before.edits > 0 and not is_fixer(before.step))


def _other_repository(before: Watched, call: Pending) -> str:
    """The repository that is named in the place of one that the host does not know."""
    old, new = named_repository(before.command), named_repository(call.command)
    return new if old and old != new else ""


def _other_program_folder(before: Watched, call: Pending, program: str) -> str:
    """The folder of a program that is named by its path now, and was looked up by its name."""
    olds, news = (_program_word(one.command, program) for one in (before, call))
    return news.rpartition("/")[0] if olds == program and "/" in news else ""


def _program_word(command: str, program: str) -> str:
    words = (word for line in pipelines(command) for stage in line.stages for word in stage.words)
    return next((word for word in words if word.rpartition("/")[2] == program), "")


def _is_only_quoted(old: str, new: str) -> bool:
    """Whether two command lines differ in quotation marks alone."""
    is_whole = not old.endswith(_CUT) and not new.endswith(_CUT)
    return is_whole and old != new and old.translate(_QUOTES) == new.translate(_QUOTES)


def _looks_at_less(before: Watched, shape: Shape, edits: list[str]) -> bool:
    """Whether a check now runs on a part of what it ran on."""
    if not before.is_check:
        return False
    if any(edit.startswith("+flag ") and edit[6:] in _NARROWING for edit in edits):
        return True
    return not set(shape.kinds) <= set(before.shape.kinds)


def _changed_words(before: Watched, call: Pending) -> str | None:
    """The path that was put right, nothing where all words are still there; None where others went.

    A check or a commit is the same whatever it names, and of what was cut not all words are known.
    """
    if before.identity == call.identity:
        return ""
    old, new = _words(before.command), _words(call.command)
    wrapped = {word for name in before.shape.wrappers for word in name.split()}
    gone = old - new - wrapped - {before.shape.program}
    paths = [_other_path(word, other) for word in sorted(gone) for other in sorted(new - old)]
    path = next((path for path in paths if path), "")
    is_free = before.is_check or call.command.endswith(_CUT) or not gone
    return path if is_free or (path and len(gone) == 1) else None


def _changed_values(before: Watched, call: Pending, shape: Shape) -> list[str]:
    """The options that both have with another value, such as a port; words that are free differ."""
    if before.is_red or call.identity == before.identity or _is_looking(shape):
        return []
    old, new = _values(before.command, shape.program), _values(call.command, shape.program)
    flags = [
        flag
        for flag in before.shape.flags
        if flag in shape.flags and flag not in (_FREE | CHECKING)
    ]
    return [f"{VALUE_OF}{flag}" for flag in flags if old.get(flag, "") != new.get(flag, "")]


def _values(command: str, program: str) -> dict[str, str]:
    """The values that a program's options have in a command line."""
    for line in pipelines(command):
        for stage in line.stages:
            if program in [name_of(word) for word in stage.words]:
                pairs = zip(stage.words, (*stage.words[1:], ""), strict=True)
                return {
                    word.partition("=")[0]: word.partition("=")[2] or behind
                    for word, behind in pairs
                    if word.startswith("-") and ("=" in word or behind[:1] not in ("-", ""))
                }
    return {}


# Each is compared with the one before it and the one behind it.
@lru_cache(maxsize=512)
def _words(command: str) -> frozenset[str]:
    """The words of a command line that say something: no options, no numbers, no signs."""
    return frozenset(
        word
        for line in pipelines(command)
        for stage in line.stages
        for word in stage.words
        if word[:1] != "-" and _SAYING.search(word) and not is_assigned(word)
    )


def _other_path(old: str, new: str) -> str | None:
    """How a path differs from one that names the same thing elsewhere, or in other letters."""
    if not old or not new or old == new or "/" not in old + new or len(new) > 4 * _LONGEST_PATH:
        return None
    if new.endswith("/" + old.removeprefix("./")):
        return ABSOLUTE if new.startswith(("/", "~")) else f"{PATH}{new[:_LONGEST_PATH]}"
    olds, news = old.split("/"), new.split("/")
    if olds[-1].casefold() != news[-1].casefold():
        return None
    while olds and news and olds[-1] == news[-1]:
        olds.pop()
        news.pop()
    while olds and news and olds[0] == news[0]:
        olds.pop(0)
        news.pop(0)
    return f"{PATH}{'/'.join(news)[:_LONGEST_PATH]}" if news else None


def _step_within(before: Watched, call: Pending, shape: Shape) -> str:
    """A step that the same command line takes before the action, and did not when that failed."""
    if asked := asked_step(call.command, before.asked):
        return asked
    found = ""
    for other in call.shapes:
        if other is shape:
            break
        is_new = other.base not in before.bases or only_checks(before.shape, other)
        step = step_of(other, before.shape) if is_new else ""
        if step and not (other.program == "git" and step == other.base):  # what goes with a commit
            if not before.is_red:
                return step
            found = step  # of several that mend, the check passed behind the last
    return found


def _change_of_program(before: Watched, call: Pending) -> str | None:
    """Something else that was run soon in the place of what could not be run at all."""
    if before.calls > _SOON or not (before.is_missing or before.shape.script):
        return None
    old = before.shape
    for shape in (*call.shapes, *call.behind):
        if not shape.program or shape.program == old.program or shape.base in before.bases:
            continue  # what ran beside it then, too
        if shape.program == old.script:  # `pnpm tsc` and `npx tsc` run the same
            return exchanged(old, shape)
        # What only goes on with what another one found replaces no program that stood by itself.
        is_filter = shape in call.behind and not _is_filter(before)
        if before.is_missing and (
            _are_alternatives(old, shape) or (not is_filter and _does_the_same(before, call, shape))
        ):
            return exchanged(old, shape)
    return None


def _are_alternatives(old: Shape, shape: Shape) -> bool:
    return any(old.program in names and shape.program in names for names in ALTERNATIVES)


def _is_filter(before: Watched) -> bool:
    """Whether a program that failed stood behind a pipe."""
    behind = (stage for line in pipelines(before.command) for stage in line.stages[1:])
    return any(before.shape.program in map(name_of, stage.words[:1]) for stage in behind)


def _is_looking(shape: Shape) -> bool:
    return only_looks(shape.program, shape.verb)


def _does_the_same(before: Watched, call: Pending, shape: Shape) -> bool:
    old = before.shape
    if _are_alternatives(old, shape):
        return True
    if _is_looking(shape) and not _is_looking(old):
        return False
    ends = {old.verb, old.script} & {shape.verb, shape.script}
    if ends - {""} or {flag for flag in old.flags if len(flag) > 4} & set(shape.flags):
        return True
    names = {*old.base.split(), *shape.base.split(), "cd", old.folder, shape.folder}
    return bool((_words(before.command) & _words(call.command)) - names)
