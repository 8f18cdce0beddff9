"""What agents see in Markdown: front matter, comments that are taken out, and imports."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_FRONT = re.compile(r"---[ \t]*\r?\n(.*?)^---[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_MOST_FRONT = 64 << 10
_BARE_VALUE = re.compile(r"^([\w-]+:[ \t]+)(\S[^\r\n]*)", re.MULTILINE)
# A comma that does not stand between braces.
_COMMA = re.compile(r",(?![^{}]*\})")
_COMMENT_BEGIN = re.compile(r" {0,3}<!--")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_LINE = re.compile(r"[^\n]*\n|[^\n]+\Z")
_PARAGRAPH_END = re.compile(r"\n[ \t]*\n")
_TICKS = re.compile(r"`+")
# A byte order mark counts as a space there.
_IMPORT = re.compile(r"(?:^|(?<=[\s\ufeff]))@((?:[^\s\\\ufeff]|\\ )+)")
_EMPHASIS = re.compile(r"(?<!\S)(\*{1,3}|_{1,3}|~~)(@[^\s*]{1,400}?)\1(?!\w)")
_NAME_BEGIN = re.compile(r"[A-Za-z0-9._-]")
_LIST_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])\s")


class Front(NamedTuple):
    """A file's front matter, and where its body begins."""

    head: str
    body_at: int


def front_matter(text: str) -> Front:
    """The front matter of a file; the head is empty where there is none."""
    start = 1 if text.startswith("\ufeff") else 0
    if not text.startswith("---", start):
        return Front("", 0)
    match = _FRONT.match(text, start, start + _MOST_FRONT)
    return Front(match[1], match.end()) if match else Front("", 0)


def scoped_paths(head: str) -> list[str]:
    """The globs of `paths:` in front matter: what a rule is about, if not about everything."""
    if "paths" not in head:
        return []
    import yaml  # takes its time to load, and few files need it

    fields: object = None
    # What is no YAML as it stands, such as `{a,b}/*.ts`, is read once more with quotes around it.
    for text in (head, _BARE_VALUE.sub(_quoted, head)):
        try:
            fields = yaml.safe_load(text)
            break
        except (yaml.YAMLError, ValueError, RecursionError):
            continue
    value = fields.get("paths") if isinstance(fields, dict) else None
    listed = _COMMA.split(value) if isinstance(value, str) else value
    if not isinstance(listed, list):
        return []
    globs = [str(one).strip() for one in listed if str(one).strip()]
    return [] if all(glob in ("**", "**/*") for glob in globs) else globs


def _quoted(found: re.Match[str]) -> str:
    value = found[2].strip()
    if value[:1] in ("'", '"'):
        return found[0]
    return f"{found[1]}{json.dumps(value)}"


def without_comments(text: str, *, keeps_lines: bool = False) -> str:
    """The text without comments that stand as blocks of their own, outside of code.

    With `keeps_lines` the line breaks of a comment stay, so that lines keep their numbers.
    """
    if "<!--" not in text:
        return text
    text = text.replace("\r\n", "\n")
    kept: list[str] = []
    at = 0
    for begin, end in _comments(text):
        kept.append(text[at:begin])
        if keeps_lines:
            kept.append("\n" * text.count("\n", begin, end))
        at = end
    return "".join([*kept, text[at:]])


def _comments(text: str) -> Iterator[tuple[int, int]]:
    """Where block comments stand, each with the line breaks behind it.

    A block ends with the line on which its first comment ends; all comments in it are taken out.
    """
    behind = 0
    for begin, line, is_code in _lines(text):
        if begin < behind or is_code or not _COMMENT_BEGIN.match(line):
            continue
        close = text.find("-->", begin)
        if close < 0:
            return  # one that never ends is text
        rest = text.find("\n", close + 3)
        behind = end = len(text) if rest < 0 else rest
        spans = [one.span() for one in _COMMENT.finditer(text, begin, end)]
        kept = _COMMENT.sub("", text[begin:end])
        if kept.strip():
            yield from spans
            continue
        while text.startswith("\n", end):
            end += 1
        behind = end
        yield begin, end


def imports(text: str) -> list[str]:
    """The paths that `@path` names outside of code and comments, in order, each once."""
    if "@" not in text:
        return []
    paths: dict[str, None] = {}
    prose = "".join(
        "\n" if is_code else line for _, line, is_code in _lines(without_comments(text))
    )
    for paragraph in _PARAGRAPH_END.split(prose):
        plain = _EMPHASIS.sub(r"\2 ", _without_code_spans(paragraph))
        for match in _IMPORT.finditer(plain):
            path = match[1].partition("#")[0].replace("\\ ", " ")
            if _may_be_path(path):
                paths.setdefault(path)
    return list(paths)


def looks_like_file(path: str) -> bool:
    """Whether an `@path` must have meant a file: many begin so that name a person or a package."""
    name = path.rstrip("/").rpartition("/")[2]
    return path.startswith(("./", "../", "~/", "/")) or name.endswith((".md", ".txt", ".mdc"))


def _may_be_path(path: str) -> bool:
    if path.startswith(("./", "~/")):
        return True
    if path.startswith("/"):
        return path != "/"
    return bool(_NAME_BEGIN.match(path))


def _lines(text: str) -> Iterator[tuple[int, str, bool]]:
    """Lines with where they begin, and whether they are code, fences among it."""
    fence, at, is_after_blank, is_listed = "", 0, True, False
    for line in _LINE.findall(text):
        begin, at = at, at + len(line)
        mark = _FENCE.match(line)
        if fence:
            is_end = mark and mark[1].startswith(fence) and not line[mark.end() :].strip()
            fence = "" if is_end else fence
            yield begin, line, True
        elif mark and not (mark[1][0] == "`" and "`" in line[mark.end() :]):
            fence = mark[1]
            yield begin, line, True
        else:
            is_blank = not line.strip()
            is_indented = line.startswith(("    ", "\t")) and not is_blank
            yield begin, line, is_indented and is_after_blank and not is_listed
            if not is_blank and not is_indented:
                is_listed = bool(_LIST_ITEM.match(line))
            is_after_blank = is_blank or (is_indented and is_after_blank)


def _without_code_spans(text: str) -> str:
    """The text with what stands between equal runs of backticks taken out."""
    runs = [(tick.start(), tick.end()) for tick in _TICKS.finditer(text)]
    if not runs:
        return text
    # Where runs of each length stand, the last first, so that the next is found at once.
    waiting: dict[int, list[int]] = {}
    for number in range(len(runs) - 1, -1, -1):
        waiting.setdefault(runs[number][1] - runs[number][0], []).append(number)
    kept, at, number = [], 0, 0
    while number < len(runs):
        begin, end = runs[number]
        same = waiting[end - begin]
        while same and same[-1] <= number:
            same.pop()
        if same:
            kept.append(text[at:begin])
            number, at = same[-1], runs[same[-1]][1]
        number += 1
    return " ".join([*kept, text[at:]])
