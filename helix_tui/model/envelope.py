"""Take an answer out of what wraps it: an agent's JSON or events, a server's response.

What has no known envelope is the answer itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

_MOST_TOKENS = 10**9


class Reply(NamedTuple):
    """What a model said: its text, the tokens it tells, or the error in the answer's place."""

    text: str
    tokens: int | None = None
    error: str = ""
    is_refusal: bool = False
    is_cut: bool = False


def unwrap(output: str) -> Reply:
    """The answer in a program's output or a server's body."""
    text = output.strip().lstrip("\ufeff")
    records = _records(text)
    for read in (_error, _claude, _codex, _openai, _ollama):
        reply = read(records)
        if reply is not None:
            return reply
    return Reply(text)


def _records(text: str) -> list[dict[str, Any]]:
    """The JSON objects that the output is made of: one, a list, or one a line."""
    if not text.startswith(("{", "[")):
        return list(_lines(text)) if '{"' in text else []
    try:
        whole = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return list(_lines(text))
    items = whole if isinstance(whole, list) else [whole]
    return [item for item in items if isinstance(item, dict)]


def _lines(text: str) -> Iterator[dict[str, Any]]:
    for line in text.splitlines():
        if line.startswith("{"):
            try:
                record = json.loads(line, strict=False)
            except (ValueError, RecursionError):
                continue
            if isinstance(record, dict):
                yield record


def _error(records: list[dict[str, Any]]) -> Reply | None:
    """A server's object that is nothing but an error."""
    if len(records) != 1 or not records[0].get("error"):
        return None
    error = records[0]["error"]
    message = error.get("message") if isinstance(error, dict) else error
    return Reply("", error=str(message or "an error without words"))


def _claude(records: list[dict[str, Any]]) -> Reply | None:
    """The result that Claude Code prints with `--output-format json` or `stream-json`."""
    results = [record for record in records if record.get("type") == "result"]
    if not results:
        return None
    last = results[-1]
    text = last.get("result")
    tokens = _tokens(
        last.get("usage"),
        ("input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"),
    )
    if last.get("is_error") or not isinstance(text, str):
        answer = text if isinstance(text, str) and text else last.get("subtype")
        return Reply("", tokens, error=str(answer or "an error without words"))
    return Reply(text, tokens, is_refusal=last.get("stop_reason") == "refusal")


def _codex(records: list[dict[str, Any]]) -> Reply | None:
    """The events that `codex exec --json` prints, of today and of before."""
    text: str | None = None
    tokens: int | None = None
    error = ""
    is_codex = False
    for record in records:
        kind = record.get("type")
        inner = record.get("item") if isinstance(record.get("item"), dict) else None
        older = record.get("msg") if isinstance(record.get("msg"), dict) else None
        if isinstance(kind, str) and kind.startswith(("thread.", "turn.", "item.")):
            is_codex = True
        if inner and kind == "item.completed" and inner.get("type") == "agent_message":
            text = str(inner.get("text") or "")
        elif kind == "turn.completed":
            tokens = _tokens(record.get("usage"), ("input_tokens", "output_tokens"))
        elif kind in ("turn.failed", "error"):
            told = record.get("error")
            message = told.get("message") if isinstance(told, dict) else record.get("message")
            error = str(message or "an error without words")
        elif older and older.get("type") == "agent_message":
            is_codex, text = True, str(older.get("message") or "")
        elif older and older.get("type") == "error":
            is_codex, error = True, str(older.get("message") or "an error without words")
    if not is_codex:
        return None
    # It reports that it connects again as errors, too; an answer after that is one.
    return Reply(text, tokens) if text is not None else Reply("", tokens, error or "no message")


def _openai(records: list[dict[str, Any]]) -> Reply | None:
    """The response of `/chat/completions`."""
    choices = records[0].get("choices") if len(records) == 1 else None
    if not isinstance(choices, list):
        return None
    tokens = _tokens(records[0].get("usage"), ("prompt_tokens", "completion_tokens"))
    first = choices[0] if choices and isinstance(choices[0], dict) else {}
    reply = first.get("message")
    message: dict[str, Any] = reply if isinstance(reply, dict) else {}
    reason = first.get("finish_reason")
    refusal = message.get("refusal")
    if isinstance(refusal, str) and refusal:
        return Reply(refusal, tokens, is_refusal=True)
    text = _text_of(message.get("content", first.get("text")))
    return Reply(text, tokens, "", reason == "content_filter", reason == "length")


def _ollama(records: list[dict[str, Any]]) -> Reply | None:
    """The response of ollama's `/api/chat` or `/api/generate`, whole or in pieces."""
    pieces = [record for record in records if isinstance(record.get("done"), bool)]
    if not pieces:
        return None
    texts = []
    for piece in pieces:
        message = piece.get("message")
        content = message.get("content") if isinstance(message, dict) else piece.get("response")
        texts.append(content if isinstance(content, str) else "")
    last = pieces[-1]
    tokens = _tokens(last, ("prompt_eval_count", "eval_count"))
    return Reply("".join(texts), tokens, is_cut=last.get("done_reason") == "length")


def _text_of(content: object) -> str:
    """A message's text, which may come in parts."""
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""


def _tokens(usage: object, names: tuple[str, ...]) -> int | None:
    """The sum of these counts; None where none is told, or one that cannot be."""
    if not isinstance(usage, dict):
        return None
    counts = [usage[name] for name in names if usage.get(name) is not None]
    if not counts or not all(type(count) is int and count >= 0 for count in counts):
        return None
    total = sum(counts)
    return total if total <= _MOST_TOKENS else None
