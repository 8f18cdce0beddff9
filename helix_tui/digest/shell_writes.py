"""The files that a command line plainly writes: by a redirection, `tee`, `sed -i`, `mv` or `cp`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from helix_tui.digest.programs import SHELL
from helix_tui.text.lazy import lazy

_EXAMINED = 20_000
_HEREDOC = lazy(r"(?ms)<<-?[ \t]*(['\"]?)(\w{1,40})\1([^\n]*)\n.*?(?:^[ \t]*\2[ \t]*$|\Z)")
# A piece of code that a script is given on its command line, or a text with blanks.
_TEXT = re.compile(
    r"'[^']{0,4000}?[\s;|&>][^']{0,4000}'|\"(?:[^\"\\]|\\.){0,4000}?[\s;|&>](?:[^\"\\]"
    r"|\\.){0,4000}\""
)
_LINKS = re.compile(r"\|\||&&|[;\n|]")
_REDIRECTED = re.compile(r"(?<![\d&>=<-])>{1,2}[ \t]{0,4}([\"']?)([^\s\"'&|;<>()]{1,200})\1")
_BY_NAME = re.compile(
    r"^\s*(?:sudo )?(?:tee(?: -a)?|sed (?:-[A-Zn] )*-i\S*|perl -\S*i\S*"
    r"|(?:git )?mv(?: -\w+)*|cp(?: -\w+)*)"
    r"\s+(.+)$"
)
_SCRIPTED = lazy(
    r"(?:\bopen\(\s*['\"]([^'\"\n]{1,200})['\"]\s*,\s*['\"][wa]"
    r"|\bPath\(\s*['\"]([^'\"\n]{1,200})['\"]\s*\)\.write_"
    r"|\bwriteFileSync\(\s*['\"]([^'\"\n]{1,200})['\"])"
)
_FILE = re.compile(r"(?:[\w@+.-]+/)*[\w@+-]*\.?[\w@+-]+\.\w{1,12}|(?:[\w@+.-]+/)+[\w@+-]+")
# What lies there is thrown away, and belongs to no project.
_PASSING = ("/dev/", "/tmp/", "/var/", "/private/", "/proc/")


def files_written(command: str) -> list[str]:
    """The files that a command line writes, as far as it says so, each once."""
    if within := SHELL.match(command):
        command = within[2]
    command = command[:_EXAMINED]
    plain = _TEXT.sub("''", _HEREDOC.sub(r" \3\n", command))
    found = (*_by_shell(plain), *_by_script(command))
    return list(dict.fromkeys(filter(_is_of_work, found)))


def _by_shell(plain: str) -> Iterator[str]:
    for link in _LINKS.split(plain):
        for target in _REDIRECTED.finditer(link):
            yield target[2]
        if named := _BY_NAME.match(_REDIRECTED.sub("", link)):
            words = [word.strip("\"'") for word in named[1].split() if word[:1] != "-"]
            yield from words[-1:]


def _by_script(command: str) -> Iterator[str]:
    if "write" in command or "open(" in command:
        for match in _SCRIPTED.finditer(command):
            yield match[1] or match[2] or match[3]


def _is_of_work(path: str) -> bool:
    """Whether a path is a file's, and one that stays."""
    if path.startswith(_PASSING) or "$" in path or "*" in path:
        return False
    return _FILE.fullmatch(path.removeprefix("~/").lstrip("/")) is not None
