"""`chat_history.jsonl`: the words of a session, in two forms that may mix, without times."""

from __future__ import annotations

import re
from typing import Any

from helix_tui.capture.adapters.fields import compact_json
from helix_tui.capture.adapters.grok.memory import FAILED, UNKNOWN, GrokState, text_key
from helix_tui.capture.adapters.grok.put import SLOTS_PER_LINE, json_of
from helix_tui.capture.adapters.grok.records import ChatRow, Content, ToolCall
from helix_tui.capture.draft import SessionDraft, place_of, saying
from helix_tui.schema import (
    COMPACTION,
    OTHER,
    PROMPT,
    REPLY,
    SYSTEM,
    THINKING,
    TOOL_CALL,
    TOOL_RESULT,
)
from helix_tui.text.asked import spoken
from helix_tui.text.hashing import hash64
from helix_tui.text.times import parse_iso
from helix_tui.text.valid import without_nul

IMAGE = "[image]"
_QUERY = re.compile(r"<user_query>(.*?)</user_query>", re.DOTALL)
_HUMAN_REASONS = (None, "interjection")
_INSTRUCTING = "project_instructions"
_ERROR = "Error:"


class ChatRows:
    """Take the rows of one session's chat."""

    def __init__(self, memory: GrokState, session: SessionDraft) -> None:
        self._memory = memory
        self._session = session
        self._position = 0
        self._slot = 0

    def take(self, row: ChatRow, line: bytes, offset: int, slot: int) -> None:
        """Take one row; the rows that a fork inherited are its parent's."""
        memory = self._memory
        self._position, self._slot = offset * SLOTS_PER_LINE + slot, 0
        is_inherited = memory.rows < memory.inherited_rows
        memory.rows += 1
        kind = row.type or row.role or ""
        ts = parse_iso(row.timestamp) if row.timestamp else None
        if is_inherited:
            self._pass_over(row, kind)
            return
        if ts is not None:
            self._session.saw_time(ts)
        if kind == "user":
            self._user(row, ts)
        elif kind == "assistant":
            self._assistant(row, ts)
        elif kind in ("tool_result", "tool"):
            self._result(row, ts)
        elif kind == "reasoning":
            memory.is_answered = False
            thinking = "\n\n".join(piece.text or "" for piece in row.summary or ())
            self._say(THINKING, "assistant", thinking or text_of_content(row.content), ts)
        elif kind == "backend_tool_call" and row.kind:
            self._backend(row, line, ts)
        elif kind in ("system", "developer"):
            self._say(SYSTEM, kind, text_of_content(row.content), ts)
        else:
            self._say(OTHER, None, json_of(line), ts)

    def _pass_over(self, row: ChatRow, kind: str) -> None:
        """Record what the updates need not add either."""
        memory = self._memory
        for call in row.tool_calls or ():
            if call.id:
                key = _key(call.id)
                memory.filled_calls.add(key)
                memory.filled_results.add(key)
        if kind == "user" and row.prompt_index is not None:
            memory.filled_prompts.add(row.prompt_index)

    def _put(self, kind: int, text: str, ts: int | None, **more: Any) -> None:
        self._session.put(self._position + self._slot, ts, kind, text, **more)
        self._slot += 1

    def _say(self, kind: int, role: str | None, text: str, ts: int | None) -> None:
        """Add a text that has no id of its own: the n-th such text of its turn.

        A text that the updates had before the chat is the same one, here in full.
        """
        memory = self._memory
        if kind in (REPLY, THINKING) and memory.chat_prompt < 0 and memory.asked:
            return  # its turn's prompt was compacted away: the updates have all of it
        count = memory.said[kind] = memory.said.get(kind, 0) + 1
        key = text_key(kind, text)
        alike = memory.said[key] = memory.said.get(key, 0) + 1
        if memory.spoken:
            turn = memory.turn or f"p{memory.chat_prompt}"
            place, name = f"{turn}:{count}", f"{turn}:{alike}"
            if place_of(kind, place) in memory.spoken:
                self._put(kind, text, ts, role=role, name=place, is_revised=True)
                return
            if saying(kind, name, text) in memory.spoken:
                self._put(kind, text, ts, role=role, name=name)
                return
        key = text_key(kind, text, memory.turn)
        nth = memory.repeats[key] = memory.repeats.get(key, 0) + 1
        self._put(kind, text, ts, role=role, name=f"{memory.turn}:{nth}")

    def _user(self, row: ChatRow, ts: int | None) -> None:
        memory = self._memory
        text = text_of_content(row.content)
        query = _QUERY.search(text)
        prompt = query[1].strip() if query else text.strip()
        if row.synthetic_reason == "compaction_meta":
            # The updates have each compaction; the chat has only the result of the last one.
            self._say(SYSTEM if memory.is_compacted else COMPACTION, None, text, ts)
            return
        is_injected = not query and not spoken(prompt)
        if row.synthetic_reason not in _HUMAN_REASONS or is_injected or not prompt:
            self._say(SYSTEM, "user", text, ts)
            if row.synthetic_reason == _INSTRUCTING:
                self._session.saw_instructions(_INSTRUCTING, ts, text)
            return
        nth = memory.prompts
        memory.prompts += 1
        index = row.prompt_index
        if index is None:
            index = memory.find_prompt(prompt, nth)
        else:
            memory.turn = f"p{index}"
            memory.repeats.clear()
        memory.begin_turn(index)
        times = memory.prompt_times(index, index)
        memory.given_prompts[index] = (index, *times)
        self._say(PROMPT, "user", prompt, ts if ts is not None else times[0])

    def _assistant(self, row: ChatRow, ts: int | None) -> None:
        calls = row.tool_calls or []
        if row.reasoning_content:
            self._say(THINKING, "assistant", row.reasoning_content, ts)
        text = text_of_content(row.content)
        if text:
            self._say(REPLY, "assistant", text, ts if ts is not None else self._said_ts(calls))
        for call in calls:
            self._call(call, ts)
        if text or calls or row.reasoning_content:
            self._memory.is_answered = bool(text and not calls)
        if row.model_id and ts is not None:
            self._session.saw_model(ts, without_nul(row.model_id))

    def _said_ts(self, calls: list[ToolCall]) -> int | None:
        """When a reply was given: with its first call, else at the end of its turn."""
        memory = self._memory
        if calls:
            return memory.called_ts(_key(calls[0].id or ""))
        prompt = memory.chat_prompt
        if prompt not in memory.given_prompts:
            return None
        answered = memory.prompt_times(prompt, prompt)[1]
        memory.given_answers[prompt] = answered
        return answered

    def _call(self, call: ToolCall, ts: int | None) -> None:
        function = call.function
        name = call.name or (function.name if function else None) or ""
        arguments = (
            call.arguments if call.arguments is not None else function and function.arguments
        )
        text = arguments if isinstance(arguments, str) else compact_json(arguments or {})
        tool = without_nul(name)
        if not call.id:
            self._say(TOOL_CALL, "assistant", text, ts)
            return
        key = _key(call.id)
        called = self._memory.called_ts(key)
        self._memory.given_calls[key] = called
        self._put(
            TOOL_CALL,
            text,
            ts if ts is not None else called,
            role="assistant",
            tool=tool,
            call_id=call.id,
        )

    def _backend(self, row: ChatRow, line: bytes, ts: int | None) -> None:
        backend = row.kind
        assert backend is not None
        self._memory.is_answered = False
        tool = without_nul(backend.name or backend.tool_type or "")
        call_id = backend.id or backend.call_id
        name = None if call_id else f"{self._memory.turn}:{self._memory.rows}"
        self._put(
            TOOL_CALL,
            json_of(line),
            ts,
            role="assistant",
            tool=tool,
            call_id=call_id,
            name=name,
        )

    def _result(self, row: ChatRow, ts: int | None) -> None:
        self._memory.is_answered = False
        text = text_of_content(row.content)
        key = _key(row.tool_call_id or "")
        facts = self._memory.result_facts(key)
        if row.tool_call_id:
            self._memory.given_results[key] = facts
        is_error = facts.state >= FAILED or (facts.state == UNKNOWN and text.startswith(_ERROR))
        self._put(
            TOOL_RESULT,
            text,
            ts if ts is not None else facts.ts,
            role="tool",
            call_id=row.tool_call_id,
            is_error=is_error,
            exit_code=facts.exit_code,
            fault=facts.fault,
        )


def text_of_content(content: Content) -> str:
    """The text of a row, with a placeholder for each picture."""
    if content is None or isinstance(content, str):
        return content or ""
    texts = [piece.text if piece.text is not None else IMAGE for piece in content]
    return "\n".join(filter(None, texts))


def _key(call_id: str) -> int:
    return hash64(call_id.encode("utf-8", "replace"))
