"""Which class of error a line tells of, and of what: by a table of wordings."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from helix_tui.text.lazy import lazy
from helix_tui.text.literal import literal_of
from helix_tui.text.signature.classes import ROWS, ClassRow
from helix_tui.text.signature.lead import LEAD
from helix_tui.text.signature.module import module_in
from helix_tui.text.signature.program import program_of
from helix_tui.text.signature.service import service_of

NO_CLASS = ("", "")
MISSING = "command_not_found"
_NOT_FOUND = 127
_LONGEST = 400  # characters of a line that are kept, and that are looked at here

# Everything but letters parts words; bytes are folded many times as fast as text.
_FOLD = bytes(
    code if 97 <= code <= 122 else 32 for code in (ord(chr(n).lower()) for n in range(128))
)
_FOLD += b" " * 128
# Where a shell stood when it met the error.
_SHELL = lazy(
    r"(?:-?(?:[^\s:<>]{1,200}/)?(?:ba|z|da|k|a|fi|c|tc)?sh(?:\.exe)?:(?:(?: line)? ?\d{1,7}:)? "
    r"|[^\s:<>]{1,200}+: (?:line )?\d{1,7}: |\(eval\):(?:\w{1,20}:)?\d{1,7}: ){1,9}"
)
# What tools write before the error itself.
_LEAD = lazy(
    rf"(?:{LEAD}|E {{2,12}}|● {{1,8}}|<tool_use_error>|Caused by: |Uncaught |Unhandled "
    r"|Exception in thread \S{1,80} |Script error: ?|> (?=(?i:error|fatal|command failed)\b)"
    r"|\[(?!rejected|remote)[\w:./-]{1,40}\]:? {1,4}|hint: "
    r"|\[?(?:[Ee]rror|ERROR|FATAL|[Ff]atal(?: error)?|ERR!?|E)(?:\]|:) {1,8}"
    r"|[A-Z][a-z]{2,20} Error: |error {1,4}(?=[A-Z\"'`])|\d{4}[-/]\d\d[-/]\d\d (?=[a-z])"
    r"|\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d\S{0,12} "
    r"(?:(?:ERROR|FATAL|WARN(?:ING)?|INFO)\S{0,40} )?)"
)
_NPM = lazy(r"(?:npm (?:ERR!|error)|ERR_PNPM_\w{1,60}) {1,4}")
_THROWN = lazy(
    r"(?:[A-Za-z_][\w.$]{0,150}(?:Error|Exception|Failure|Exit)(?: \[\w{1,60}\])?: {1,4}){1,4}"
)
# A place in a file. A search tells the line only, a compiler the column, or that it is an error.
_PLACE = lazy(
    r"(?:\[[\w:./-]{1,40}\] )?(?:[^\s:()\"'`]{1,300}+"
    r"(?::\d{1,7}(?P<column>:\d{1,7})?(?::| -|(?= error))|(?P<pair>\(\d{1,7},\d{1,7}\)):)"
    r"|(?P<bare>\d{1,7}:\d{1,7})(?= {1,20}\S))\s{0,20}"
)
_ERROR = lazy(r"(?:fatal )?error\b")
# Diagnostics that begin with their rule, as of ruff and oxlint, and headings of Biome.
_RULED = lazy(
    r"[A-Z]{1,6}\d{3,4} (?:\[\*\] )?[`A-Z]|[a-z][\w-]{1,30}\([a-z@][\w/-]{2,60}\): \S"
    r"|\S{1,300} (?:lint/\S|format {1,4}━)"
)
# Text that only speaks of an error: source, prose, tables, differences.
_MENTION = lazy(
    r"(?:(?:if|elif|return|def|function|const|let|var|echo|printf?|raise|throw|assert|expect|class"
    r"|describe|console\.\w{1,10})\b ?[\"'(\w]|#|//|/\*|\* |[+>] |\| (?!The term ')"
    r"|-(?!-) (?!\[)|\"|```|@@ |<!--|\+{3} |-{3}(?! FAIL) )"
)
_PROSE = lazy(r"(?i:if you (?:see|get)|when you see|shows? up as|you may see)")


def _by_word() -> dict[str, list[int]]:
    table: dict[str, list[int]] = {}
    for number, row in enumerate(ROWS):
        table.setdefault(row.word, []).append(number)
    return table


BY_WORD = _by_word()
_BY_BYTES = {word.encode(): numbers for word, numbers in BY_WORD.items() if word}
_KEYS = frozenset(_BY_BYTES)


@cache
def _compiled(number: int) -> re.Pattern[str]:
    # A run meets few of the rows, and a start has to be quick.
    return re.compile(ROWS[number].pattern, re.IGNORECASE)


# What a saying is marked with is not in the line itself.
_MARKED = lazy(r"\A\^(?:npm|sh): ")


@cache
def _needle(number: int) -> tuple[str, frozenset[bytes]]:
    """A literal that a row needs, and the words that are whole in it."""
    needle = max(literal_of(_MARKED.sub("", ROWS[number].pattern)), ROWS[number].word, key=len)
    words = _words(needle)
    return needle, frozenset(words[not needle.startswith(" ") : -1 if needle[-1:] != " " else None])


def _words(lowered: str) -> list[bytes]:
    return lowered.encode("ascii", "replace").translate(_FOLD).split()


def _candidates(lowered: str) -> list[int]:
    """The rows that a text in small letters may fit, by words and literals of theirs."""
    listed = _words(lowered)
    met = _KEYS.intersection(listed)
    if not met:
        return []
    words = set(listed)
    numbers = []
    for word in met:
        for number in _BY_BYTES[word]:
            needle, required = _needle(number)
            if required <= words and needle in lowered:
                numbers.append(number)
    return numbers


def needles_of(lowered: str) -> set[str]:
    """Literals of which a line has one wherever it fits a row, out of those that a text has."""
    return {_needle(number)[0] for number in _candidates(lowered) if ROWS[number].is_sought}


@lru_cache(maxsize=64)  # the line that names an error is looked at before and after it is found
def row_of(line: str) -> tuple[ClassRow, str] | None:
    """The row of the table that a line fits, with the subject as the line has it."""
    numbers = _candidates(line.lower())
    place = _PLACE.match(line) if ":" in line else None
    if _RULED.match(line):
        message = line
        row = _fitting([*numbers, *BY_WORD[""]], (line,))
    elif place is not None and not _SHELL.match(line):
        message = line[place.end() :]
        if place.lastgroup or _ERROR.match(message):
            numbers = [number for number in numbers if ROWS[number].in_code] + BY_WORD[""]
        else:
            numbers = [number for number in numbers if ROWS[number].is_whole]
        row = _fitting(numbers, (message, line))
    else:
        message = line
        row = _fitting(numbers, _sayings(line)) if numbers else None
    return None if row is None or _MENTION.match(message) or _PROSE.search(line) else row


def _fitting(numbers: list[int], sayings: tuple[str, ...]) -> tuple[ClassRow, str] | None:
    for number in sorted(numbers):
        pattern = _compiled(number)
        for saying in sayings:
            if match := pattern.search(saying):
                row = ROWS[number]
                return row, match["s"] if "s" in pattern.groupindex else row.subject
    return None


def _sayings(line: str) -> tuple[str, ...]:
    """A line as rows want it: what stands before the error is taken off or made the same."""
    saying, mark = line, ""
    for _ in range(6):
        if lead := _SHELL.match(saying):
            saying, mark = saying[lead.end() :], "sh: "
        elif lead := _NPM.match(saying):
            saying, mark = saying[lead.end() :], "npm: "
        elif lead := _LEAD.match(saying):
            saying = saying[lead.end() :]
        else:
            break
    thrown = _THROWN.match(saying)
    bare = saying[thrown.end() :] if thrown else saying.removeprefix("code ")
    return tuple(dict.fromkeys((mark + saying, saying, bare, line)))


def classify(
    line: str, tool_class: str = "", exit_code: int | None = None, command: str = ""
) -> tuple[str, str]:
    """The class and the subject of an error's line; two empty texts where no class is known."""
    row = row_of(line[:_LONGEST]) if line else None
    if row is None:
        if exit_code == _NOT_FOUND and tool_class in ("", "shell") and _says_nothing(line):
            program = program_of(command) if command else ""
            return (MISSING, program) if program else NO_CLASS
        return NO_CLASS
    name, subject = row[0].name, row[1]
    if name == MISSING:
        if not (subject := _executable(subject, line)) and _is_unnamed(line):
            subject = program_of(command, is_started=True)
    elif name == "module_not_found":
        subject = module_in(subject, line)
    elif name == "package_not_found":
        subject = subject.rstrip(".,:;")
    elif name == "unknown_option":
        subject = _option(subject)
    elif name == "runtime_version_unsupported":
        subject = _RUNTIMES.get(subject.lower(), subject.lower())
    elif name == "http_error":
        return _BY_STATUS.get(subject, (name, subject))
    elif name == "connection_refused":
        subject = service_of(line, command)
        return ("docker_not_running", "") if subject == "docker" else (name, subject)
    return name, subject


_RUNTIMES = {"node.js": "node", "nodejs": "node", "rustc": "rust", "jdk": "java", "jvm": "java"}
# Statuses that say what a class says.
_BY_STATUS = {"429": ("rate_limited", ""), "529": ("service_overloaded", "")}
_CODE_LINE = lazy(r"(?:Error: )?Exit code:? \d{1,10}$|Process exited with code |Exited? \d")


def _is_unnamed(line: str) -> bool:
    return "not found" not in line.lower()


def _says_nothing(line: str) -> bool:
    return not line or _CODE_LINE.match(line) is not None


_CARGO = lazy(r"\bno such (?:sub)?command: ")


def _executable(name: str, line: str) -> str:
    name = name.removesuffix(".exe").removesuffix(".cmd").rstrip(".")
    if "git command" in line:
        return f"git-{name}"
    if _CARGO.search(line):
        return f"cargo-{name}"
    return name


def _option(name: str) -> str:
    return name if name.startswith("-") else f"-{name}" if len(name) == 1 else f"--{name}"
