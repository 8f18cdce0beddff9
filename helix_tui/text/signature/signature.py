"""Which recurring error a text is: the line that names it, its class and subject, its template."""

from __future__ import annotations

from typing import NamedTuple

from helix_tui.text.hashing import hash64
from helix_tui.text.signature.classes import is_open
from helix_tui.text.signature.classify import classify
from helix_tui.text.signature.masks import has_words, template_of
from helix_tui.text.signature.naming import MAX_LINE, error_line
from helix_tui.text.signature.version import GROUPING_VERSION

__all__ = [
    "GROUPING_VERSION",
    "MAX_LINE",
    "Signature",
    "class_in",
    "classify",
    "error_line",
    "group_of",
    "signature",
    "template_of",
]


class Signature(NamedTuple):
    """What tells one recurring error from another."""

    line: str
    template: str
    group: str
    error_class: str = ""
    subject: str = ""


def signature(
    text: str, tool_class: str, exit_code: int | None = None, command: str = ""
) -> Signature:
    """The signature of an error's text, the same on every machine and in every run."""
    line = error_line(text, exit_code)
    template = template_of(line)
    error_class, subject = classify(line, tool_class, exit_code, command)
    group = group_of(tool_class, template, exit_code, error_class, subject)
    return Signature(line, template, group, error_class, subject)


def class_in(text: str, tool_class: str) -> str:
    """The class of an error's text alone, which costs less than its signature."""
    return classify(error_line(text), tool_class)[0]


def group_of(
    tool_class: str, template: str, exit_code: int | None, error_class: str, subject: str
) -> str:
    """The group of an error: by class and subject where they tell which it is, else by template."""
    if not is_open(error_class):
        key = f"{tool_class}\n{error_class}\n{subject}\nclass"
    elif error_class:
        key = f"{tool_class}\n{error_class}\n{subject}\n{template}\nopen"
    else:
        # A number tells little, but more than a template without a word of its own.
        code = None if has_words(template) else exit_code
        key = f"{tool_class}\n{template}\n{'' if code is None else code}"
    digest = hash64(key.encode("utf-8", "surrogatepass")) & 0xFFFF_FFFF_FFFF_FFFF
    return f"{GROUPING_VERSION}:{digest:016x}"
