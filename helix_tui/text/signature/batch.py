"""Signatures of many messages at once, joined by templates where no class tells them apart."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from helix_tui.text.signature.classes import is_open
from helix_tui.text.signature.join import join
from helix_tui.text.signature.phrases import is_benign_text
from helix_tui.text.signature.signature import group_of, signature

_Key = tuple[str, str, str, bool]


class Grouped(NamedTuple):
    """What one message is, and which others are the same."""

    error_class: str
    subject: str
    template: str
    group: str
    is_benign: bool


def grouped(messages: Iterable[str]) -> Iterator[Grouped]:
    """A row for each message, in their order; memory grows with what is different in them."""
    numbers: dict[_Key, int] = {}
    order = array("I")
    for message in messages:
        named = signature(message, "")
        key = (named.error_class, named.subject, named.template, is_benign_text(message))
        order.append(numbers.setdefault(key, len(numbers)))
    open_ones: dict[tuple[str, str], set[str]] = {}
    for name, subject, template, _ in numbers:
        if is_open(name):
            open_ones.setdefault((name, subject), set()).add(template)
    joined = {key: join(templates) for key, templates in open_ones.items()}
    groups: dict[str, str] = {}  # each said once: there are far fewer than rows
    rows = [_row(key, joined, groups) for key in numbers]
    numbers.clear()
    return (rows[number] for number in order)


def _row(
    key: _Key, joined: dict[tuple[str, str], dict[str, str]], groups: dict[str, str]
) -> Grouped:
    name, subject, template, is_benign = key
    same = joined[name, subject][template] if is_open(name) else template
    group = group_of("", same, None, name, subject)
    return Grouped(name, subject, template, groups.setdefault(group, group), is_benign)
