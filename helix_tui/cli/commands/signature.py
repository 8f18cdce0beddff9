"""`helix signature`: which error each message on stdin is, and which of them are the same; with
`--action` the shape of each action."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from helix_tui.cli.options import ConfigOption, StoreOption
from helix_tui.text.safe import safe_line

if TYPE_CHECKING:
    from helix_tui.text.signature.batch import Grouped

_CHUNK = 1 << 20
# A message may be as long as it likes: what is looked at are its ends.
_LONGEST, _END = 1 << 18, 1 << 16
_NO_VALUE = "-"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "signature",
        help="Name the error that each message on stdin is.\n\n"
        "One line a message, in order: group, class, subject and template. docs/signature.md "
        "explains them.\n\n"
        "With --action, each line is a command or the JSON of a tool call instead, and its shape "
        "is printed as one JSON object; docs/detect.md explains it.",
    )(_signature)


def _signature(
    by_nul: Annotated[
        bool, typer.Option("-0", help="Messages end with NUL, and may have many lines.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a line.")] = False,
    is_action: Annotated[
        bool, typer.Option("--action", help="Read actions and print their shapes, as JSON.")
    ] = False,
    # Every command takes these; no message depends on them.
    config: ConfigOption = None,
    store: StoreOption = None,
) -> None:
    stream = sys.stdin.buffer if sys.stdin is not None else None
    messages = _messages(stream, b"\0" if by_nul else b"\n") if stream is not None else iter(())
    if is_action:
        sys.stdout.writelines(map(_shape_line, messages))
        return
    from helix_tui.text.signature.batch import grouped

    rows = list(grouped(messages))
    format_row = _json_line if as_json else _columns(rows)
    # Most messages are alike: what is printed is made once.
    lines = {row: format_row(row) for row in set(rows)}
    sys.stdout.writelines(lines[row] for row in rows)


def _messages(stream: BinaryIO, end: bytes) -> Iterator[str]:
    """The messages of a stream; what follows the last end is one too, unless it is empty."""
    pending = b""
    while chunk := stream.read(_CHUNK):
        first, *rest = chunk.split(end)
        pending = _joined(pending, first)
        for message in rest:
            yield pending.decode("utf-8", "replace")
            pending = message
    if pending:
        yield pending.decode("utf-8", "replace")


def _joined(pending: bytes, more: bytes) -> bytes:
    whole = pending + more
    return whole if len(whole) <= _LONGEST else whole[:_END] + b"\n" + whole[-_END:]


def _json_line(row: Grouped) -> str:
    fields = {
        "schema": "helix.signature/1",
        "class": row.error_class or None,
        "subject": row.subject or None,
        "template": row.template,
        "group": row.group,
        "benign": row.is_benign,
    }
    return json.dumps(fields, ensure_ascii=True) + "\n"


def _shape_line(action: str) -> str:
    from helix_tui.digest.shape.lines import shape_on_line

    shape = shape_on_line(action)
    fields = {
        "schema": "helix.signature/1",
        "shape": shape.text,
        "tool": shape.tool,
        "env": shape.env,
        "wrappers": shape.wrappers,
        "program": shape.program or None,
        "verb": shape.verb or None,
        "script": shape.script or None,
        "flags": shape.flags,
        "kinds": shape.kinds,
        "folder": shape.folder,
        "filters": shape.filters,
    }
    return json.dumps(fields, ensure_ascii=True) + "\n"


def _columns(rows: list[Grouped]) -> Callable[[Grouped], str]:
    """How a row is printed for people, all of them in the same columns."""
    classes = max((len(row.error_class) for row in rows), default=0)
    subjects = max((len(row.subject) for row in rows), default=0)

    def line(row: Grouped) -> str:
        name = f"{row.error_class or _NO_VALUE:<{max(classes, 1)}}"
        subject = f"{safe_line(row.subject) or _NO_VALUE:<{max(subjects, 1)}}"
        mark = "benign" if row.is_benign else "error "
        return f"{row.group}  {mark}  {name}  {subject}  {safe_line(row.template)}".rstrip() + "\n"

    return line
