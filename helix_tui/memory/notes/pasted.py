"""What a person wrote in a prompt that is mostly pasted: code, a log, what a compiler printed."""

from __future__ import annotations

import re

# With fewer rows of it, what was pasted is part of what is said.
_LEAST_PASTED = 4
_LEAST_WORDS = 3
# Somebody writes before what they paste, or behind it.
_FIRST, _LAST = 3, 2
# So many signs for a letter has what nobody wrote as a sentence.
_MOST_SIGNS = 0.1
_SIGN = re.compile(r"[{}()\[\];=<>|^~\\_$#@&*+─━│=]")
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"(?<![\w/.@\\-])[^\W\d_]{2,}(?:['’]\w+)?(?![\w/\\@=(])")
_PICTURE = re.compile(r"(?i)^\s*\[image[^\]]*\]\s*$")
_BRIEF = re.compile(r"^\s*(?:[-*•]|#{1,6}|\d{1,2}[.)]) ")
_INDENTED = re.compile(r"^(?:\t| {3,})(?![-*•]|\d+[.)])")
# How programs begin a row.
_PRINTED = re.compile(
    r"(?i)^\W*(?:(?:error|warning|note|help|fatal|panic|assertion|traceback|exception|caused by"
    r"|failures?)\b"
    r"|(?:[A-Za-z.]+(?:Error|Exception|Warning))\b|(?:\w[\w./-]*)?[\w/]+\.\w{1,5}:\d"
    r"|thread '|test (?:\w+::|result)|running \d"
    r"|(?:compiling|finished|downloading|installing|building) \S"
    r"|-{3,}|[=_]{3,}|\d{1,5} *\||\d[\d:.]{4,}|for more information about|some errors have"
    r"|at \S+[(:]|file \"|\[?\d{1,4}[-:]\d\d"
    r"|\S+@\S+[ :]\S* ?[%$#]|[$>%#] \S|import \S+|from \S+ import|(?:const|let|var|function|class"
    r"|def|public|private|return|export) \S+.*[;{:(]$)"
)


def own_words(prompt: str) -> str:
    """A prompt without what was pasted into it, where that is most of it and words are left."""
    rows = [row for row in prompt.split("\n") if row.strip() and not _PICTURE.match(row)]
    pasted = [row for row in rows if _is_pasted(row)]
    own = [row for row in rows if row not in pasted and _is_said(row)]
    # What has headings and lists is a brief, with examples in it.
    is_brief = sum(map(bool, map(_BRIEF.match, rows))) > len(own)
    if not own or is_brief or len(pasted) < max(_LEAST_PASTED, len(own)):
        return prompt
    return "\n\n".join(own if len(own) <= _FIRST + _LAST else [*own[:_FIRST], *own[-_LAST:]])


def _is_pasted(row: str) -> bool:
    if _INDENTED.match(row) or _PRINTED.match(row):
        return True
    return len(_SIGN.findall(row)) > _MOST_SIGNS * max(1, len(_LETTER.findall(row)))


def _is_said(row: str) -> bool:
    return len(_WORD.findall(row)) >= _LEAST_WORDS
