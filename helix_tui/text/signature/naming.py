"""Which line of an output names its error: the cause rather than what follows from it."""

from __future__ import annotations

from helix_tui.text.lazy import lazy
from helix_tui.text.signature.classes import is_open
from helix_tui.text.signature.classify import MISSING, needles_of, row_of
from helix_tui.text.signature.clean import clean, lines_of, visible
from helix_tui.text.signature.passing import without_passing
from helix_tui.text.signature.saying import is_consequence, is_harmless, says_most
from helix_tui.text.signature.service import port_service, service_of

MAX_LINE = 400
_NOT_FOUND = 127

# Sentences of a harness. As the first line they are the whole error, whatever they quote below.
_HARNESS = (
    r"(?:Error: )?(?:(?:The )?[Ss]tring to replace (?:was )?(?:not )?found"
    r"|Found \d{1,6} matches of the string to replace|You must read the file"
    r"|File (?:has (?:not been read yet|been (?:unexpectedly )?modified)|does not exist|not found: "
    r"|content \()|No changes to make|failed to parse function arguments"
    r"|Path does not exist|The user doesn't want to|No such tool available|InputValidationError"
    r"|\[?Request interrupted|Sibling tool call errored|Cancelled: parallel tool call"
    r"|(?i:command) timed out after|This (?:Bash )?command (?:requires|contains)"
    r"|Claude requested permissions|Permission to use |apply_patch verification failed"
    r"|Failed to find (?:expected lines|context)|invalid hunk at line|unsupported call: )"
)
# A bare `Error:` says no more than `error:` does.
_THROWN = (
    r"(?!Error:)[A-Za-z_][\w.$]{2,150}+(?:(?<=Error)|(?<=Exception)|(?<=Interrupt))"
    r"(?=:|$| \[\w{1,60}\]:)"
)
_TASK = r"(?:\[[\w:./-]{1,40}\] )?"  # a task runner's `[lint] `
_PLACE = rf"{_TASK}[^\s:()]{{1,200}}+(?:(?::\d{{1,7}}){{1,2}}|\(\d{{1,7}},\d{{1,7}}\))"
# What a stripped line begins with, best first. No group may capture: a row is a rank.
_RANKS = (
    rf"E {{2,12}}{_THROWN}",
    r"E {3,12}\S",
    rf"Caused by: {_THROWN}",
    rf"(?:Uncaught |Unhandled |Exception in thread \S{{1,80}} )?{_THROWN}"
    r"|panic: |thread '[^']{1,80}' (?:\(\d{1,20}\) )?panicked at |error\[[\w:-]{1,60}\]: ",
    rf"{_TASK}(?:[\w.@+-]{{1,40}}+: ){{0,2}}(?:[A-Z]\w{{1,15}}+ )?(?:[Ff]atal(?: error)?"
    r"|[Ee]rror|ERROR)(?: [A-Z]{1,3}\d{1,6})?: |\d{1,7}:\d{1,7} {1,8}error |E: |CONFLICT \(",
    r"(?:FAILED|ERROR) \S{1,300}(?:::| - )|--- FAIL: |● |\[ERROR\] |ERROR in "
    r"|\S{1,300} (?:lint/[a-z]\w{1,60}(?:/\w{2,60})?|format|assist/\S{3,80}|organizeImports)"
    r" {1,4}(?:FIXABLE {1,4})?━|[a-z][\w-]{1,30}\([a-z@][\w/-]{2,60}\): [A-Z]",
    rf"{_PLACE}(?:(?: -|:)? (?:fatal )?error\b|(?: -|:) (?!(?:warning|note|info)\b)\S)",
    r"make(?:\[\d{1,3}\])?: \*\*\* |npm (?:ERR!|error) code "
    r"|={3,}+ (?:no tests|\d{1,7} (?:failed|errors?|deselected))",
    _HARNESS,
)
_PYTEST, _CAUSE, _EXCEPTION, _ERROR, _PLACED, _VAGUE = 2, 3, 4, 5, 7, 8
_NAMING = lazy("|".join(f"({pattern})" for pattern in _RANKS))
# The two dear rows need a colon, which most lines of an output have not.
_BARE_RANKS = ("(?!)" if n in (_ERROR, _PLACED) else row for n, row in enumerate(_RANKS, 1))
_NAMING_BARE = lazy("|".join(f"({pattern})" for pattern in _BARE_RANKS))
_AT_ONCE = lazy(_HARNESS)
# What a harness puts around an output: the error only where nothing else was said.
_WRAPPER = lazy(
    r"(?:Error: )?Exit code:? \d{1,10}$|exit: \d{1,10}$"
    r"|Process exited with code |Chunk ID: |Wall time: "
    r"|Original token count: |Total output lines: |Output:$"
)
# A record of a log may begin with the place that wrote it.
_LOGGED = lazy(r"\b(?:INFO|DEBUG|TRACE)\b")
_LEVEL_WITHIN = 160
# Below its heading Biome marks warnings and remarks.
_MINOR = lazy(r"[!i] ")
_NO_ERROR = lazy(r"(?:warning|note|help|info|hint)\b")
_TRACEBACK = "Traceback (most recent call last):"
_RAISED = lazy(r"[A-Za-z_][\w.]{0,150}(?::|$)")


def is_wrapper(line: str) -> bool:
    """Whether a line is only what a harness puts around an output."""
    return _WRAPPER.match(line) is not None


def error_line(text: str, exit_code: int | None = None) -> str:
    """The line of an output that names its error, or nothing where nothing is said."""
    text, is_tagged = clean(text)
    text = without_passing(text)
    lines = lines_of(text)
    line = _naming_line(text, lines, is_tagged, exit_code)
    if ("efused" in line or "ECONNREFUSED" in line) and not service_of(line):
        # Which service it is may stand beside it only.
        beside = next((other for other in lines if port_service(other)), "")
        line = f"{line[: MAX_LINE // 2]} ({beside})" if beside else line
    return visible(line[:MAX_LINE]).strip()


def _naming_line(text: str, lines: list[str], is_tagged: bool, exit_code: int | None) -> str:
    start = 0
    while start < len(lines) and _WRAPPER.match(lines[start]):
        start += 1
    if start == len(lines):
        return next((line for line in lines if " code" in line), lines[0]) if lines else ""
    if is_tagged or _AT_ONCE.match(lines[start]):
        first = _continued(lines, start)
        # Behind the sentence stand advice and the user's own words.
        return first[: first.find(". ") + 1] or first
    if len(lines) == start + 1:
        return lines[start]
    rank, at = _best(lines, start)
    if exit_code != _NOT_FOUND:
        if rank <= _PYTEST:
            return lines[at]
        if _TRACEBACK in text and (raised := _last_raised(text)):
            if not is_consequence(raised):
                return raised
            if rank > len(_RANKS):
                lines = [*lines[: _traceback_at(lines)], raised]
        if rank < _PLACED and _is_strong(lines[at]):
            return lines[at]
    classed = _classed(lines, start, exit_code)
    if exit_code == _NOT_FOUND:
        if MISSING in classed:
            return lines[classed[MISSING]]
        if rank > _PYTEST and _TRACEBACK in text and (raised := _last_raised(text)):
            return raised
    elif exit_code is None and classed.get("") == classed.get(MISSING, -1):
        # A script goes on behind a program that is missing: what failed later ended it.
        later = _later(lines, classed[MISSING] + 1)
        if later is not None:
            return lines[later]
    if rank > _PYTEST and "" in classed:
        return lines[classed[""]]
    if rank < _VAGUE:
        return _continued(lines, at) if _CAUSE <= rank <= _EXCEPTION else lines[at]
    if "weak" in classed:
        return lines[classed["weak"]]
    if rank <= len(_RANKS):
        return lines[at]
    return says_most(lines[start:]) or lines[0]


def _is_strong(line: str) -> bool:
    fitting = row_of(line[:MAX_LINE])
    return fitting is not None and not fitting[0].is_weak and fitting[0].name != MISSING


def _classed(lines: list[str], start: int, exit_code: int | None) -> dict[str, int]:
    """Where lines that tell a class stand first: by class, strong (`""`) and weak ones."""
    counts: dict[str, int] = {}
    lowered = "\n".join(lines[start:]).lower()
    needles = needles_of(lowered)
    if not needles:
        return counts
    for at, line in enumerate(lowered.split("\n"), start):
        if any(needle in line for needle in needles) and (fitting := row_of(lines[at][:MAX_LINE])):
            row = fitting[0]
            if is_consequence(lines[at]) or is_harmless(lines[at]):
                continue
            counts.setdefault(row.name, at)
            is_elsewhere = row.name == MISSING and exit_code not in (None, _NOT_FOUND)
            # A kind of failure tells less than what failed: a red test names its reason below.
            is_weak = row.is_weak or is_elsewhere or is_open(row.name)
            counts.setdefault("weak" if is_weak else "", at)
            if "" in counts and (exit_code != _NOT_FOUND or MISSING in counts):
                break
    return counts


def _later(lines: list[str], start: int) -> int | None:
    """Where another error is named behind a missing program, if one is."""
    for at in range(start, len(lines)):
        line = lines[at]
        fitting = row_of(line[:MAX_LINE])
        if fitting is not None and fitting[0].name != MISSING and not fitting[0].is_weak:
            return at
        named = (_NAMING if ":" in line else _NAMING_BARE).match(line)
        if named is None or is_consequence(line):
            continue
        if (named.lastindex or _VAGUE) < _PLACED and "127" not in line:
            return None if fitting is not None and fitting[0].name == MISSING else at
    return None


def _best(lines: list[str], start: int) -> tuple[int, int]:
    best, best_at = len(_RANKS) + 1, start
    for at in range(start, len(lines)):
        line = lines[at]
        if line.startswith("-->") and best > _PLACED and _is_titled(lines, at, start):
            best, best_at = _PLACED, at - 1
            continue
        match = (_NAMING if ":" in line else _NAMING_BARE).match(line)
        if match is not None and not is_consequence(line):
            if line.endswith("━") and at + 1 < len(lines) and _MINOR.match(lines[at + 1]):
                continue
            rank = match.lastindex or best
            if rank == _PLACED:
                if _LOGGED.search(line[:_LEVEL_WITHIN]):
                    continue
                rank = _ERROR if match[0].endswith("error") else rank
            # A chain of causes ends with its root; of anything else the rest is a consequence.
            if rank < best or rank == best == _CAUSE:
                best, best_at = rank, at
                if rank == 1:
                    break
    return best, best_at


def _is_titled(lines: list[str], at: int, start: int) -> bool:
    """Whether a place below a line, as ruff and rustc show it, is that of an error."""
    return at > start and not _NO_ERROR.match(lines[at - 1]) and not is_consequence(lines[at - 1])


def _continued(lines: list[str], at: int) -> str:
    is_open = lines[at].endswith(":") and at + 1 < len(lines)
    return f"{lines[at]} {lines[at + 1]}" if is_open else lines[at]


def _traceback_at(lines: list[str]) -> int:
    return next(at for at, line in enumerate(lines) if _TRACEBACK in line)


def _last_raised(text: str) -> str:
    at = text.rfind(_TRACEBACK)
    # A log may put the same words before each line of a traceback.
    prefix = text[text.rfind("\n", 0, at) + 1 : at]
    for line in text[at:].splitlines()[1:]:
        message = line.removeprefix(prefix)
        if _RAISED.match(message):
            return message
    return ""
