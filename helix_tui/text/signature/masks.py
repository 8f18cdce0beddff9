"""A line without its accidents: what differs between occurrences of an error is masked."""

from __future__ import annotations

import re
from collections.abc import Callable

from helix_tui.text.lazy import lazy
from helix_tui.text.signature.lead import LEAD

# Where the shell stood when it met the error, and what others put before it.
_LEAD = lazy(
    rf"(?:{LEAD}|(?:[^\s:<>]{{1,200}}/)?(?:ba|z|da|k)?sh:(?:(?: line)? ?\d{{1,7}}:)? "
    r"|[^\s:<>]{1,200}+: line \d{1,7}: |\(eval\):(?:\w{1,20}:)?\d{1,7}: ){1,99}"
)
_NAME = r"['\"`]?(?!\.|/|~|@/)[\w.+@/:-]{1,120}+['\"`]?"  # never a relative one: that is a path
_WORD = r"(?<![\w.+/>-])[\w.+-]{1,64}"
# Words that are the subject stay: (what a line must hold, what in it is kept as it is).
_SUBJECTS = tuple(
    (needle, lazy(pattern))
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


_MOST_PASSES = 9
_REQUEST = lazy(r"(?:GET|POST|PUT|DELETE|HEAD|PATCH|OPTIONS) (?=<(?:url|path))")


def _path_mask(match: re.Match[str]) -> str:
    path = match[0].rstrip(".")
    if path.endswith("]") and path.count("]") > path.count("["):
        path = path[:-1]
    stem, _, kind = path.replace("\\", "/").rpartition("/")[2].rpartition(".")
    kind = kind.lower()
    if kind not in _FILE_KINDS:
        if path[0] not in "/.~" and path[1:2] != ":" and path.count("/") == 1:
            return match[0]  # `and/or`, `origin/main`, `@scope/package`
        is_kind = stem and len(kind) < 6 and kind[:1].isalpha() and kind.isalnum()
        kind = kind if is_kind and kind.isascii() else ""
    return (f"<path:.{kind}>" if kind else "<path>") + match[0][len(path) :]


def _quoted_mask(match: re.Match[str]) -> str:
    value = match[0][1:-1]
    if match[0][0] == '"' and (request := _REQUEST.match(value)):
        return f'"{request[0]}<url>"'  # what is asked of a server is no value
    return value if value.startswith("<path") and _MASK.fullmatch(value) else "<quoted>"


def _named_mask(match: re.Match[str]) -> str:
    return f"<{match.lastgroup}>"


_MASK = lazy(r"<[a-z]{1,6}(?::\.[a-z0-9]{1,6})?>")
_ONLY_MASKS = lazy(rf"(?:{_MASK.pattern}|[\W_])*+")
_Replacement = str | Callable[[re.Match[str]], str]
# In the order they are laid on: (what a line must hold, what is masked, by what).
_MASKS: tuple[tuple[re.Pattern[str], re.Pattern[str], _Replacement], ...] = tuple(
    (lazy(needle), lazy(pattern), by)
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


def template_of(line: str) -> str:
    """A line with everything masked that differs from one occurrence of an error to the next."""
    line = " ".join(line.strip().removeprefix("E  ").split())
    lead = _LEAD.match(line)
    if lead is not None:
        line = line[lead.end() :]
    for needle, pattern in _SUBJECTS:
        if needle in line and (match := pattern.search(line)):
            start, end = match.span()
            return _masked(line[:start]) + match[0] + _masked(line[end:])
    return _masked(line)


def _masked(line: str) -> str:
    for needle, pattern, by in _MASKS:
        if needle.search(line):
            line = pattern.sub(by, line)
    if "<quoted>" in line:
        # What was a sign within a value may now be the sign around one.
        for _ in range(_MOST_PASSES):
            before, line = line, _MASKS[-1][1].sub(_quoted_mask, line)
            if line == before:
                break
    return line


def has_words(template: str) -> bool:
    """Whether a template has anything but masks and signs."""
    return _ONLY_MASKS.fullmatch(template) is None
