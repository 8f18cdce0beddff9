"""A shell's command line, parted: pipelines, how they are joined, and what their output meets."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

_PLAIN = re.compile(r"[^\s;&|()<>'\"\\$`#{}]+")
# A word of plain signs alone, up to where it surely ends, and the blanks before it.
_PLAIN_WORD = re.compile(r"[ \t\r]*+([^\s;&|()<>'\"\\$`#{}]++)(?=[ \t\r\n;&|()]|\Z)")
_IN_QUOTE = re.compile(r"[^\"\\$]+")
_IN_NESTED = re.compile(r"[^\\'\"<()]+")
_BLANK = re.compile(r"(?:[ \t\r]|\\\n)+")
_HERE = re.compile(r"<<-?[ \t]*(['\"]?)([\w.-]+)\1")
_REDIRECT = re.compile(r"(\d?|&)(>>?|<<<|<)(&\d|&-|\|)?[ \t]*")
_OPERATING = frozenset(";|&()\n")
_DOUBLED = frozenset({"&&", "||", "|&", ";;"})
_ASSIGNED = re.compile(r"[A-Za-z_]\w*=")
_OPENING = frozenset({"if", "elif", "while", "until", "!"})
_DROPPED = frozenset({"then", "else", "do", "{", "time", "fi", "done", "esac", "}"})
_LONGEST = 8000


class Stage(NamedTuple):
    """One command of a pipeline; which of its two outputs go elsewhere than to a screen."""

    words: tuple[str, ...]
    hides_out: bool = False
    hides_errors: bool = False
    joins_errors: bool = False


_NO_STAGE = Stage(())


class Pipeline(NamedTuple):
    """Commands joined by `|`; `joint` stands before it, `is_asked` where `if` or `!` takes its
    status."""

    joint: str
    stages: tuple[Stage, ...]
    is_asked: bool = False
    is_background: bool = False


class _Operator(NamedTuple):
    sign: str


class _Redirect(NamedTuple):
    stream: str
    to: str


# A word is itself.
_Token = str | _Redirect | _Operator


def pipelines(command: str) -> list[Pipeline]:
    """The pipelines of a command line, in their order, those within parentheses too."""
    return list(_pipelines(command[:_LONGEST]))


# A command is looked at for what it runs, for its shape, and for how it differs from others.
@lru_cache(maxsize=256)
def _pipelines(command: str) -> tuple[Pipeline, ...]:
    return tuple(_Builder(_tokens(command)).build())


def _tokens(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    bodies: list[str] = []
    at, size = 0, len(text)
    while at < size:
        if plain := _PLAIN_WORD.match(text, at):
            tokens.append(plain[1])
            at = plain.end()
            continue
        sign = text[at]
        if sign in " \t\r\\" and (blank := _BLANK.match(text, at)):
            at = blank.end()
            continue
        if sign == "#":
            at = _line_end(text, at)
            continue
        if sign == "\n" and bodies:
            tokens.append(_Operator(sign))
            at = _behind_bodies(text, at + 1, bodies)
            bodies = []
            continue
        if sign == "<" and (here := _HERE.match(text, at)):
            bodies.append(here[2])
            at = here.end()
            continue
        if redirect := _REDIRECT.match(text, at):
            at = redirect.end()
            to = redirect[3] or ""
            if not to or to == "|":
                end = _word_end(text, at)
                to, at = _unquoted(text[at:end]), end
            if redirect[2] != "<" and redirect[2] != "<<<":
                tokens.append(_Redirect(redirect[1], to))
            continue
        if sign in _OPERATING:
            operator = text[at : at + 2] if text[at : at + 2] in _DOUBLED else sign
            tokens.append(_Operator(operator))
            at += len(operator)
            continue
        end = _word_end(text, at)
        tokens.append(_unquoted(text[at:end]))
        at = end
    return tokens


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _behind_bodies(text: str, at: int, names: list[str]) -> int:
    """Where the text goes on behind here-documents."""
    for name in names:
        found = re.compile(rf"^\t*{re.escape(name)}\s*?$", re.MULTILINE).search(text, at)
        if found is None:
            return len(text)
        at = found.end()
    return at


def _word_end(text: str, at: int) -> int:
    """Where a word ends that begins here; at least one sign further on."""
    size, start = len(text), at
    while at < size:
        plain = _PLAIN.match(text, at)
        if plain is not None:
            # `2>` and `&>` are told from words by what follows the digit.
            at = plain.end()
            continue
        sign = text[at]
        if sign == "'":
            end = text.find("'", at + 1)
            at = size if end < 0 else end + 1
        elif sign == '"':
            at = _behind_quote(text, at + 1)
        elif sign == "\\":
            at += 2
        elif text.startswith("$(", at):
            at = _behind_nested(text, at + 2)
        elif sign == "`":
            end = text.find("`", at + 1)
            at = size if end < 0 else end + 1
        elif sign in "${}" or (sign == "#" and at > start):
            at += 1
        else:
            break
    return min(max(at, start + 1), size)


def _behind_quote(text: str, at: int) -> int:
    size = len(text)
    while at < size:
        if inner := _IN_QUOTE.match(text, at):
            at = inner.end()
            continue
        sign = text[at]
        if sign == "\\":
            at += 2
        elif sign == '"':
            return at + 1
        elif text.startswith("$(", at):
            at = _behind_nested(text, at + 2)
        else:
            at += 1
    return size


def _behind_nested(text: str, at: int) -> int:
    size, depth = len(text), 1
    while at < size:
        if inner := _IN_NESTED.match(text, at):
            at = inner.end()
            continue
        sign = text[at]
        if sign == "\\":
            at += 2
            continue
        if sign == "'":
            end = text.find("'", at + 1)
            at = size if end < 0 else end + 1
            continue
        if sign == '"':
            at = _behind_quote(text, at + 1)
            continue
        if sign == "<" and (here := _HERE.match(text, at)):
            at = _behind_bodies(text, _line_end(text, here.end()) + 1, [here[2]])
            continue
        depth += (sign == "(") - (sign == ")")
        at += 1
        if depth == 0:
            return at
    return size


def _unquoted(word: str) -> str:
    if "'" not in word and '"' not in word and "\\" not in word:
        return word
    if len(word) > 1 and word[0] == word[-1] == "'":
        return word[1:-1]
    if len(word) > 1 and word[0] == word[-1] == '"':
        return re.sub(r"\\([\"\\$`])", r"\1", word[1:-1])
    return re.sub(r"\\(.)|['\"]", lambda found: found[1] or "", word, flags=re.DOTALL)


class _Builder:
    """Puts tokens together."""

    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._made: list[Pipeline] = []
        self._stages: list[Stage] = []
        # The words of the stage, and what else is known of it.
        self._words: list[str] = []
        self._stage = _NO_STAGE
        self._joint = ""
        self._is_asked = False
        self._groups: list[int] = []
        # What a pipe behind a group of commands belongs to.
        self._behind: list[int] | None = None

    def build(self) -> list[Pipeline]:
        for token in self._tokens:
            if isinstance(token, str):
                self._word(token)
            elif isinstance(token, _Redirect):
                self._redirect(token)
            else:
                self._operator(token.sign)
        self._end_pipeline("")
        return self._made

    def _word(self, text: str) -> None:
        if not self._words:
            if text in _OPENING:
                self._is_asked = True
                return
            if text in _DROPPED:
                if text in ("done", "fi", "}"):
                    self._behind = []
                return
        self._words.append(text)

    def _redirect(self, token: _Redirect) -> None:
        stage = self._stage
        if token.to.startswith("&"):
            if token.stream == "2" and token.to == "&1":
                # `>file 2>&1` takes both along.
                hidden = stage.hides_out
                stage = stage._replace(joins_errors=not hidden, hides_errors=hidden)
        elif token.stream == "2":
            stage = stage._replace(hides_errors=True)
        elif token.stream == "&":
            stage = stage._replace(hides_out=True, hides_errors=True)
        elif token.stream in ("", "1"):
            if token.to in ("/dev/stderr", "/dev/tty"):
                return
            stage = stage._replace(hides_out=True)
        self._stage = stage

    def _operator(self, operator: str) -> None:
        if operator in ("|", "|&"):
            if operator == "|&":
                self._stage = self._stage._replace(joins_errors=True)
            if not self._words and not self._stages and self._behind is not None:
                self._stages.append(_NO_STAGE)  # what follows filters a group
                return
            self._end_stage()
            return
        if operator == "(":
            if self._words:  # a function's name, or an array
                self._words, self._stage = [], _NO_STAGE
            self._groups.append(len(self._made))
            return
        if operator == ")":
            self._end_pipeline("")
            start = self._groups.pop() if self._groups else 0
            self._behind = list(range(start, len(self._made)))
            return
        self._end_pipeline(operator)

    def _end_stage(self) -> None:
        if self._words:
            self._stages.append(Stage(tuple(self._words), *self._stage[1:]))
        self._words, self._stage = [], _NO_STAGE

    def _end_pipeline(self, operator: str) -> None:
        if self._behind is not None and not self._words and not self._stages:
            if self._stage != _NO_STAGE:
                self._hide_group()
            if operator == "&":
                self._to_background()
        self._end_stage()
        stages = self._stages
        if stages and not stages[0].words:
            for index in self._behind or ():
                known = self._made[index]
                self._made[index] = known._replace(stages=(*known.stages, *stages[1:]))
        elif stages and stages[0].words[0] not in ("for", "case", "function", "select"):
            self._made.append(Pipeline(self._joint, tuple(stages), self._is_asked, operator == "&"))
        if operator or stages:
            self._joint = ";" if operator in ("", "\n", "&", ";;") else operator
            self._is_asked = False
            self._behind = None
        self._stages = []

    def _hide_group(self) -> None:
        for index in self._behind or ():
            known = self._made[index]
            last = known.stages[-1]._replace(
                hides_out=self._stage.hides_out, hides_errors=self._stage.hides_errors
            )
            self._made[index] = known._replace(stages=(*known.stages[:-1], last))

    def _to_background(self) -> None:
        for index in self._behind or ():
            self._made[index] = self._made[index]._replace(is_background=True)


def is_assigned(word: str) -> bool:
    """Whether a word sets a variable."""
    return _ASSIGNED.match(word) is not None


def without_assignments(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words of a command behind the variables that are set for it."""
    at = 0
    while at < len(words) and _ASSIGNED.match(words[at]):
        at += 1
    return words[at:]
