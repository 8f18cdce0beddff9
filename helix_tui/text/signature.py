"""Which recurring error a text is: the line that names it, and that line without its accidents."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from helix_tui.text.grouping import GROUPING_VERSION
from helix_tui.text.hashing import hash64

MAX_LINE = 400
_WINDOW = 8192  # characters looked at from either end: a text may be a whole build log

# Sentences of a harness. As the first line they are the whole error, whatever they quote below.
_HARNESS = (
    r"(?:Error: )?(?:String to replace not found|Found \d{1,6} matches of the string to replace"
    r"|File (?:has (?:not been read yet|been (?:unexpectedly )?modified)|does not exist|content \()"
    r"|Path does not exist|The user doesn't want to|No such tool available|InputValidationError"
    r"|\[?Request interrupted|Sibling tool call errored|Cancelled: parallel tool call"
    r"|(?i:command) timed out after|This (?:Bash )?command (?:requires|contains)"
    r"|Claude requested permissions|Permission to use |apply_patch verification failed)"
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
    r"(?:FAILED|ERROR) \S{1,300}(?:::| - )|--- FAIL: |● |\[ERROR\] |ERROR in ",
    rf"{_PLACE}(?:(?: -|:)? (?:fatal )?error\b|(?: -|:) (?!(?:warning|note|info)\b)\S)",
    r"make(?:\[\d{1,3}\])?: \*\*\* |npm (?:ERR!|error) code "
    r"|={3,}+ (?:no tests|\d{1,7} (?:failed|errors?|deselected))",
    _HARNESS,
)
_PYTEST, _CAUSE, _EXCEPTION, _ERROR, _PLACED, _VAGUE = 2, 3, 4, 5, 7, 8
_NAMING = re.compile("|".join(f"({pattern})" for pattern in _RANKS))
# The two dear rows need a colon, which most lines of an output have not.
_BARE_RANKS = ("(?!)" if n in (_ERROR, _PLACED) else row for n, row in enumerate(_RANKS, 1))
_NAMING_BARE = re.compile("|".join(f"({pattern})" for pattern in _BARE_RANKS))
_AT_ONCE = re.compile(_HARNESS)
# What shells and systems say anywhere in a line, likeliest cause first.
_PHRASES = (
    "command not found",
    ": not found",
    "is not recognized as",
    "Permission denied",
    "Operation not permitted",
    "No such file or directory",
    "no such file or directory",
    "no matches found: ",
)
# What a harness puts around an output: the error only where nothing else was said.
_WRAPPER = re.compile(
    r"(?:Error: )?Exit code:? \d{1,10}$|Process exited with code |Chunk ID: |Wall time: "
    r"|Original token count: |Total output lines: |Output:$"
)
# Headings and echoed commands name less than the wrapper does.
_NOISE = re.compile(r"[\W_]{1,400}$|[=_-]{4}|[>$#] |\[[\w:-]{1,40}\] \$ ")
_TRACEBACK = "Traceback (most recent call last):"
_RAISED = re.compile(r"[A-Za-z_][\w.]{0,150}(?::|$)")
_TAG, _END_TAG = "<tool_use_error>", "</tool_use_error>"
_ANSI = re.compile(
    r"\x1b(?:\[[0-?]{0,32}[ -/]{0,4}[@-~]|\][^\x07\x1b]{0,512}(?:\x07|\x1b\\)|[@-_]?)"
)

# Where the shell stood when it met the error.
_LEAD = re.compile(
    r"(?:(?:[^\s:<>]{1,200}/)?(?:ba|z|da|k)?sh:(?:(?: line)? ?\d{1,7}:)? "
    r"|[^\s:<>]{1,200}+: line \d{1,7}: |\(eval\):(?:\w{1,20}:)?\d{1,7}: ){1,99}"
)
_NAME = r"['\"`]?(?!\.|/|~|@/)[\w.+@/:-]{1,120}+['\"`]?"  # never a relative one: that is a path
_WORD = r"(?<![\w.+/>-])[\w.+-]{1,64}"
# Words that are the subject stay: (what a line must hold, what in it is kept as it is).
_SUBJECTS = tuple(
    (needle, re.compile(pattern))
    for needle, pattern in (
        ("not found", rf"{_WORD}\"?: (?:command |executable file )?not found"),
        ("command not found: ", rf"command not found: {_NAME}"),
        ("No module named", rf"No module named {_NAME}"),
        ("Cannot find ", rf"Cannot find (?:module|package) {_NAME}"),
        (" resolve ", rf"(?:Can't|Could not|Cannot) resolve (?:import )?(?=['\"]){_NAME}"),
        ("unresolved import", rf"unresolved import {_NAME}"),
        (" package ", rf"(?:provides|find) package {_NAME}"),
        ("is not recognized as", rf"['‘\"]{_WORD}['’\"] is not recognized as"),
        ("env: ", rf"(?:/usr/bin/)?env: ['‘]?{_WORD}['’]?: No such file"),
        ("xit", r"[Ee]xit(?:ed with)? (?:code|status):? \d{1,10}"),
        ("status code ", r"status code \d{3}\b"),
    )
)

_KINDS = (
    "cc|cfg|cjs|cpp|css|csv|go|gradle|hpp|html|ini|ipynb|java|js|json|jsonl|jsx|kt|lock|md|mjs|php"
    "|py|rb|rs|scss|sh|sql|svelte|swift|toml|ts|tsx|txt|vue|xml|yaml|yml"
)
_FILE_KINDS = frozenset(_KINDS.split("|"))
_CLOCK = r"\d{1,2}:\d{2}:\d{2}(?:[.,]\d{1,9})?(?: ?Z\b| ?[+-]\d{2}:?\d{2}\b)?"
_SPAN = (
    r"\d{1,12}(?:\.\d{1,9})?"
    r"(?:[mnuµ]?s|m|h|min| ms| (?:milli|micro)?sec(?:ond)?s?| min(?:ute)?s?| hours?)"
)
# Masks that do not meet share a pass and are tried in their order: it is the pass that costs.
_VALUE = (
    r"\b(?:(?=[a-fA-F]{0,64}-?\d)(?:(?P<uuid>[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})"
    r"|(?P<hash>(?<!>)(?=\d{0,64}[a-fA-F])(?![a-fA-F]{1,64}-)[0-9a-fA-F]{7,64}))"
    r"|(?P<date>(?<!\d[.:/-])(?:(?:\d{4}[-/]\d{2}[-/]\d{2}|\d{1,2}/\d{1,2}/\d{4})"
    rf"(?:[T ]{_CLOCK})?|{_CLOCK}|\d{{8}}T\d{{6}}Z?|(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? )?"
    r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{1,2}(?:,? \d{4})?"
    rf"(?: {_CLOCK})?(?: \d{{4}})?)(?!:\d))|(?P<time>(?<!\d[.:]){_SPAN}(?: {_SPAN}){{0,3}})"
    r"|(?P<ip>(?<!\d[.:])(?:\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?"
    r"|(?:[0-9a-fA-F]{1,4}:{1,2}){3,15}[0-9a-fA-F]{1,4})(?!:\w|\.\d)))(?!\w)"
)
_NUMBER = (
    r"(?<![A-Za-z0-9])(?:(?P<place>(?<=>:)\d{1,7}(?::\d{1,7})?(?!\w)"
    r"|(?<=>\()\d{1,7}, ?\d{1,7}(?=\))|(?<![.:_])\d{1,7}:\d{1,7}(?![\w:]))"
    r"|(?P<hex>0x[0-9a-fA-F]{1,64})|(?P<n>(?:(?<!>)v|-)?\d{1,400}(?:[.,]\d{1,400}){0,8}))"
)
_PART = r"(?:[\w.@+%=~#*$\[\]-]{1,120}+|<(?:uuid|hash|date|time|ip)>){1,8}"
_PATH = rf"(?<![\w./~<>@+-])(?:~|[\w.@+-]{{1,80}}+)?(?:/{{1,3}}{_PART}){{1,200}}/?"
_FILE = (
    r"\b(?<![/@+>-])(?<![\w>]\.)(?!(?i:node|next|vue)\.js)[\w@+-]{1,100}+(?:\.[\w@+-]{1,60}+){0,6}?"
    rf"\.(?:{_KINDS}|[ch](?=:\d))(?![\w/@+-]|\.[\w<])"
)
# A value that the end of the line cut off is a value too.
_QUOTED = (
    r"\"(?:[^\"]{0,400}\"|[^\"]{100,400}$)|`(?:[^`]{0,400}`|[^`']{0,400}')|‘[^’]{0,400}’"
    r"|“[^”]{0,400}”|'(?<!\w')(?:[^']{0,400}(?:'\w[^']{0,400}){0,4}'(?!\w)|[^']{100,400}$)"
)


def _path_mask(found: re.Match[str]) -> str:
    path = found[0].rstrip(".")
    if path.endswith("]") and path.count("]") > path.count("["):
        path = path[:-1]
    stem, _, kind = path.replace("\\", "/").rpartition("/")[2].rpartition(".")
    kind = kind.lower()
    if kind not in _FILE_KINDS:
        if path[0] not in "/.~" and path[1:2] != ":" and path.count("/") == 1:
            return found[0]  # `and/or`, `origin/main`, `@scope/package`
        is_kind = stem and len(kind) < 6 and kind[:1].isalpha() and kind.isalnum()
        kind = kind if is_kind and kind.isascii() else ""
    return (f"<path:.{kind}>" if kind else "<path>") + found[0][len(path) :]


def _quoted_mask(found: re.Match[str]) -> str:
    value = found[0][1:-1]
    return value if value.startswith("<path") and _MASK.fullmatch(value) else "<quoted>"


def _named_mask(found: re.Match[str]) -> str:
    return f"<{found.lastgroup}>"


_MASK = re.compile(r"<[a-z]{1,6}(?::\.[a-z0-9]{1,6})?>")
_ONLY_MASKS = re.compile(rf"(?:{_MASK.pattern}|[\W_])*+")
_Replacement = str | Callable[[re.Match[str]], str]
# In the order they are laid on: (what a line must hold, what is masked, by what).
_MASKS: tuple[tuple[re.Pattern[str], re.Pattern[str], _Replacement], ...] = tuple(
    (re.compile(needle), re.compile(pattern), by)
    for needle, pattern, by in (
        ("====", r"={4,400}", "="),
        ("://", r"(?<![\w+.>-])[A-Za-z][\w+.-]{1,20}://[^\s'\"<>`)\]]{1,400}", "<url>"),
        ("[0-9]", f"(?a:{_VALUE})", _named_mask),
        (r":\\", r"(?<![\w>])[A-Za-z]:\\[^\s'\"`<>|:*?]{1,260}", _path_mask),
        ("/", _PATH, _path_mask),
        (rf"\.(?:{_KINDS}|[ch]:)", _FILE, _path_mask),
        ("[0-9]", f"(?a:{_NUMBER})", _named_mask),
        ("", _QUOTED, _quoted_mask),
    )
)


class Signature(NamedTuple):
    """What tells one recurring error from another."""

    line: str
    template: str
    group: str
    error_class: str = ""
    subject: str = ""


def error_line(text: str) -> str:
    """The line of an output that names its error, or nothing where nothing is said."""
    if len(text) > 2 * _WINDOW:
        tail = text[-_WINDOW:]
        text = text[:_WINDOW] + "\n" + tail[tail.find("\n") + 1 :]
    if "\x1b" in text:
        text = _ANSI.sub("", text)
    is_tagged = text[:100].lstrip().startswith(_TAG)
    if is_tagged:
        text = text.replace(_TAG, "", 1).replace(_END_TAG, "")
    lines = [stripped for line in text.splitlines() if (stripped := line.strip())]
    return _naming_line(text, lines, is_tagged)[:MAX_LINE].rstrip()


def _naming_line(text: str, lines: list[str], is_tagged: bool) -> str:
    start = 0
    while start < len(lines) and _WRAPPER.match(lines[start]):
        start += 1
    if start == len(lines):
        return next((line for line in lines if " code" in line), lines[0]) if lines else ""
    if is_tagged or _AT_ONCE.match(lines[start]):
        first = _continued(lines, start)
        # Behind the sentence stand advice and the user's own words.
        return first[: first.find(". ") + 1] or first
    rank, at = _best(lines, start)
    if rank > _PYTEST and _TRACEBACK in text and (raised := _last_raised(text)):
        return raised
    if rank < _VAGUE:
        return _continued(lines, at) if _CAUSE <= rank <= _EXCEPTION else lines[at]
    for phrase in _PHRASES:
        if phrase in text and (said := next((line for line in lines if phrase in line), "")):
            return said
    if rank <= len(_RANKS):
        return lines[at]
    return next((line for line in lines[start:] if not _NOISE.match(line)), lines[0])


def _best(lines: list[str], start: int) -> tuple[int, int]:
    best, best_at = len(_RANKS) + 1, start
    for at in range(start, len(lines)):
        line = lines[at]
        found = (_NAMING if ":" in line else _NAMING_BARE).match(line)
        if found is not None:
            rank = found.lastindex or best
            if rank == _PLACED and found[0].endswith("error"):
                rank = _ERROR
            # A chain of causes ends with its root; of anything else the rest is a consequence.
            if rank < best or rank == best == _CAUSE:
                best, best_at = rank, at
                if rank == 1:
                    break
    return best, best_at


def _continued(lines: list[str], at: int) -> str:
    is_open = lines[at].endswith(":") and at + 1 < len(lines)
    return f"{lines[at]} {lines[at + 1]}" if is_open else lines[at]


def _last_raised(text: str) -> str:
    at = text.rfind(_TRACEBACK)
    # A log may put the same words before each line of a traceback.
    prefix = text[text.rfind("\n", 0, at) + 1 : at]
    for line in text[at:].splitlines()[1:]:
        said = line.removeprefix(prefix)
        if _RAISED.match(said):
            return said
    return ""


def template_of(line: str) -> str:
    """A line with everything masked that differs from one occurrence of an error to the next."""
    line = " ".join(line.strip().removeprefix("E  ").split())
    lead = _LEAD.match(line)
    if lead is not None:
        line = line[lead.end() :]
    for needle, pattern in _SUBJECTS:
        if needle in line and (found := pattern.search(line)):
            start, end = found.span()
            return _masked(line[:start]) + found[0] + _masked(line[end:])
    return _masked(line)


def _masked(line: str) -> str:
    for needle, pattern, by in _MASKS:
        if needle.search(line):
            line = pattern.sub(by, line)
    return line


def signature(
    text: str, tool_class: str, exit_code: int | None = None, command: str = ""
) -> Signature:
    """The signature of an error's text, the same on every machine and in every run."""
    line = error_line(text)
    template = template_of(line)
    # A number tells little, but more than a template without a word of its own.
    code = exit_code if _ONLY_MASKS.fullmatch(template) else None
    key = f"{tool_class}\n{template}\n{'' if code is None else code}"
    digest = hash64(key.encode("utf-8", "surrogatepass")) & 0xFFFF_FFFF_FFFF_FFFF
    return Signature(line, template, f"{GROUPING_VERSION}:{digest:016x}")


def classify(
    line: str, tool_class: str = "", exit_code: int | None = None, command: str = ""
) -> tuple[str, str]:
    if m := re.search(r"([\w.-]+): (?:command )?not found|command not found: ([\w.-]+)", line):
        return "command_not_found", m[1] or m[2]
    return "", ""
