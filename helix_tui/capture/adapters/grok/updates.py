"""`updates.jsonl`: times and costs of turns; words only where the chat has none."""

from __future__ import annotations

from helix_tui.capture.adapters.fields import tokens_of
from helix_tui.capture.adapters.grok.memory import (
    FAILED,
    FINE,
    NO_END,
    TIMED_OUT,
    UNKNOWN,
    CallSeen,
    GrokState,
    Missing,
    OpenText,
    TurnSeen,
    UpdatePosition,
    sum_of,
    text_key,
)
from helix_tui.capture.adapters.grok.put import SLOTS_PER_LINE, json_of
from helix_tui.capture.adapters.grok.records import (
    GrokContent,
    Params,
    Tokens,
    Update,
    UpdateLine,
    UpdateMeta,
    output_text,
)
from helix_tui.capture.draft import SessionDraft, UnitDraft, place_of, saying
from helix_tui.schema import (
    COMPACTION,
    OTHER,
    PROMPT,
    REPLY,
    SYSTEM,
    THINKING,
    TOOL_CALL,
    TOOL_RESULT,
    UsageClaim,
)
from helix_tui.text.hashing import hash64
from helix_tui.text.valid import without_nul

_CHUNKS = {
    "user_message_chunk": PROMPT,
    "agent_message_chunk": REPLY,
    "agent_thought_chunk": THINKING,
}
# No turn costs so much.
MAX_TICKS = 10**15
_ENDED = {"completed": FINE, "failed": FAILED}
# The program's own doings, once with each prompt and call.
_NOISE = ("hook_execution", "available_commands_update", "current_mode_update")


class Updates:
    """Take the updates of one session.

    `is_source` means that there is no chat: then these are the words of the session. `missing`
    means that they are read a second time, for what the chat does not have.
    """

    def __init__(
        self,
        memory: GrokState,
        place: UpdatePosition,
        draft: UnitDraft,
        session: SessionDraft,
        *,
        is_source: bool,
        missing: Missing | None = None,
    ) -> None:
        self._memory = memory
        self._place = place
        self._draft = draft
        self._session = session
        self._is_source = is_source
        self._missing = missing

    def take(self, line: UpdateLine, text: bytes, offset: int, slot: int) -> None:
        """Take one line of the updates."""
        params: Params = line.params or line
        update = params.update
        if update is None or (self._missing and offset >= self._missing.end):
            return
        ts = params.meta.made_ms if params.meta and params.meta.made_ms else None
        if ts is None and line.timestamp is not None:
            ts = int(line.timestamp * 1000)
        if ts is not None:
            if ts < self._memory.forked_ts:
                return  # copied from the session that this one was forked from
            self._session.saw_time(ts)
        position = offset * SLOTS_PER_LINE + slot
        kind = _CHUNKS.get(update.kind)
        if kind is not None:
            is_hidden = bool(params.meta and params.meta.is_hidden)
            self._chunk(kind, update, ts, offset, position, is_hidden)
            return
        self._close_text()
        if update.kind in ("tool_call", "tool_call_update"):
            self._call(update, ts, offset, position)
        elif self._missing is None:
            self._notice(update, text, ts, params, position)

    def end(self) -> None:
        """Pass on the text with which the updates end for now; more may follow."""
        missing = self._missing
        if missing and missing.end == NO_END:
            return  # the chat will have it, or the updates will be seen to go on
        open_text = self._place.open_text
        if open_text is not None and not open_text.is_given:
            self._give(open_text)
            open_text.is_given = True
            open_text.pieces.clear()  # if it goes on, all is read anew
        self._leave_turn()

    def _chunk(
        self,
        kind: int,
        update: Update,
        ts: int | None,
        offset: int,
        position: int,
        is_hidden: bool,
    ) -> None:
        memory, place = self._memory, self._place
        content = update.content if isinstance(update.content, GrokContent) else None
        text = content.text or "" if content else ""
        if kind == PROMPT:
            meta = update.meta or UpdateMeta()
            within = content.meta if content and content.meta else {}
            is_hidden = bool(is_hidden or meta.is_hidden or within.get("hideFromScrollback"))
            if is_hidden or within.get("bash_command"):
                self._close_text()
                if self._missing is None:
                    self._session.put(position, ts, SYSTEM, text, role="user")
                return
            self._ask(meta.prompt_index, ts, offset)
            if self._missing is None:
                turn = memory.asked[place.prompt]
                turn.said = sum_of(text, turn.said)
            if meta.model_id:
                memory.model = without_nul(meta.model_id)
            if meta.model_id and ts is not None:
                self._session.saw_model(ts, without_nul(meta.model_id))
        elif kind == REPLY and ts is not None and place.prompt in memory.asked:
            turn = memory.asked[place.prompt]
            turn.answered_ts = max(turn.answered_ts or ts, ts)
        open_text = place.open_text
        if open_text is None or open_text.kind != kind:
            self._close_text()
            open_text = place.open_text = OpenText(kind, position, ts, [])
        elif open_text.is_given:
            memory.is_text_cut = True
        if self._wants_text():
            open_text.pieces.append(text)

    def _ask(self, index: int | None, ts: int | None, offset: int) -> None:
        """Begin the turn of a prompt, unless this is one more piece of it."""
        place = self._place
        is_going_on = place.open_text is not None and place.open_text.kind == PROMPT
        if is_going_on and index in (None, place.prompt):
            return
        self._close_text()
        self._leave_turn()
        place.enter(place.prompt + 1 if index is None else index)
        if self._missing is None:
            self._memory.asked[place.prompt] = TurnSeen(offset, ts)
            self._memory.is_turn_done = False

    def _leave_turn(self) -> None:
        is_giving = self._is_source or self._missing is not None
        if is_giving and self._place.prompt >= 0:
            self._memory.filled_prompts.add(self._place.prompt)

    def _wants_text(self) -> bool:
        """Whether the words of this turn are to be passed on."""
        if self._is_source:
            return True
        if self._missing is None:
            return False
        memory, prompt = self._memory, self._place.prompt
        is_lost = prompt not in memory.given_prompts and prompt not in memory.filled_prompts
        return is_lost or prompt in self._missing.broken

    def _close_text(self) -> None:
        """Pass on the current text, now that it is complete."""
        open_text, self._place.open_text = self._place.open_text, None
        if open_text is None:
            return
        turn = self._memory.asked.get(self._place.prompt)
        if turn and self._missing is None and open_text.kind != PROMPT:
            turn.text_offset = open_text.position // SLOTS_PER_LINE
        if not open_text.is_given:
            self._give(open_text)

    def _give(self, open_text: OpenText) -> None:
        text = "".join(open_text.pieces)
        if open_text.kind == PROMPT:
            text = text.strip()
        if not text:
            return
        if self._missing and text_key(open_text.kind, text) in self._memory.unnumbered:
            return  # the chat gave it, under no number
        place = self._place
        turn = f"p{place.prompt}" if place.prompt >= 0 else ""
        # Without a chat a text is known by its place, so that more of it takes the place of less.
        identity = "" if self._is_source else text
        key = hash64(f"{open_text.kind}:{identity}".encode("utf-8", "replace"))
        nth = place.repeats[key] = place.repeats.get(key, 0) + 1
        if self._is_unwanted(open_text, text, nth):
            return
        name = f"{turn}:{nth}"
        self._session.put(
            open_text.position,
            open_text.ts,
            open_text.kind,
            text,
            role="user" if open_text.kind == PROMPT else "assistant",
            name=name,
            is_revised=self._is_source,
        )
        self._memory.spoken.add(
            place_of(open_text.kind, name)
            if self._is_source
            else saying(open_text.kind, name, text)
        )

    def _is_unwanted(self, open_text: OpenText, text: str, nth: int) -> bool:
        """Whether the chat has a text, or may still get it."""
        missing, prompt = self._missing, self._place.prompt
        if missing is None:
            return False
        last_in_chat = missing.broken.get(prompt)
        if open_text.kind == PROMPT:
            return last_in_chat is not None
        if last_in_chat is not None:
            count = self._memory.texts_in_chat(prompt).get(text_key(open_text.kind, text), 0)
            if open_text.position < last_in_chat * SLOTS_PER_LINE or nth <= count:
                return True
        return open_text.position >= missing.settled * SLOTS_PER_LINE

    def _call(self, update: Update, ts: int | None, offset: int, position: int) -> None:
        if not update.call_id:
            if self._is_source and update.kind == "tool_call":
                self._put_call(update, ts, position)
            return
        key = hash64(update.call_id.encode("utf-8", "replace"))
        state = _ENDED.get(update.status or "", UNKNOWN)
        if self._missing is None:
            self._see(key, update, state, ts, offset)
        if self._is_source or self._missing:
            self._give_call(update, key, state, ts, position)

    def _see(self, key: int, update: Update, state: int, ts: int | None, offset: int) -> None:
        """Record how far a call has come, on the first reading."""
        memory = self._memory
        call_seen = memory.calls.get(key)
        if call_seen is None:
            call_seen = memory.calls[key] = CallSeen(offset)
        if update.kind == "tool_call" and call_seen.called_ts is None:
            call_seen.called_ts = ts
        if state != UNKNOWN:
            call_seen.state, call_seen.ended_ts, call_seen.end_offset = state, ts, offset
        output = update.raw_output
        if output is not None and not isinstance(output, str):
            code = output.exit_code if output.exit_code is not None else output.exit_code_camel
            call_seen.exit_code = code if code is not None else call_seen.exit_code
            if output.timed_out:
                call_seen.state = TIMED_OUT

    def _give_call(
        self, update: Update, key: int, state: int, ts: int | None, position: int
    ) -> None:
        memory = self._memory
        in_chat = not self._is_source and key in memory.given_calls
        if update.kind == "tool_call" and not in_chat and key not in memory.filled_calls:
            memory.filled_calls.add(key)
            self._put_call(update, ts, position)
        in_chat = not self._is_source and key in memory.given_results
        if state != UNKNOWN and not in_chat and key not in memory.filled_results:
            memory.filled_results.add(key)
            facts = memory.result_facts(key)
            facts_by_call = memory.given_results if self._is_source else memory.filled_facts
            facts_by_call[key] = facts
            self._session.put(
                position + 1,
                ts,
                TOOL_RESULT,
                output_text(update.content),
                role="tool",
                call_id=update.call_id,
                is_error=facts.state >= FAILED,
                exit_code=facts.exit_code,
                fault=facts.fault,
            )

    def _put_call(self, update: Update, ts: int | None, position: int) -> None:
        named = update.meta.tool.name if update.meta and update.meta.tool else None
        self._session.put(
            position,
            ts,
            TOOL_CALL,
            bytes(update.raw_input).decode("utf-8", "replace"),
            role="assistant",
            tool=without_nul(named or update.title or ""),
            call_id=update.call_id,
        )

    def _notice(
        self, update: Update, text: bytes, ts: int | None, params: Params, position: int
    ) -> None:
        """A notice of the program itself."""
        kind = update.kind
        session = self._session
        if kind == "turn_completed":
            self._memory.is_turn_done = True
            if update.usage:
                self._claim(update.prompt_id, update.usage, ts, params)
        elif kind == "subagent_spawned":
            if update.child_session_id:
                parent = f"{self._draft.flavor}:{self._memory.native_id}"
                self._draft.session(without_nul(update.child_session_id), parent)
            session.put(position, ts, OTHER, json_of(text))
        elif kind == "auto_compact_completed":
            self._memory.is_compacted = True
            session.put(position, ts, COMPACTION, json_of(text))
        elif kind == "retry_state":
            session.put(position, ts, SYSTEM, json_of(text), fault="api_error")
        elif kind not in _NOISE:
            session.put(position, ts, OTHER, json_of(text))

    def _claim(self, prompt_id: str | None, usage: Tokens, ts: int | None, params: Params) -> None:
        event = params.meta.event_id if params.meta else None
        key = prompt_id or f"{self._memory.native_id}:{event or ts}"
        cached = tokens_of(usage.cached_read_tokens)
        written = tokens_of(usage.cache_creation_tokens)
        models = usage.model_usage or {}
        model = max(models, key=lambda name: (_size(models[name]), name)) if models else None
        self._session.claim(
            UsageClaim(
                without_nul(key),
                ts,
                without_nul(model) if model else self._memory.model or None,
                max(tokens_of(usage.input_tokens) - cached - written, 0),
                tokens_of(usage.output_tokens),
                cached,
                written,
                tokens_of(usage.reasoning_tokens),
                cost_ticks=_ticks(usage),
                requests=max(usage.model_calls or 1, 1),
            )
        )


def _ticks(usage: Tokens) -> int | None:
    """The cost that the agent recorded for a turn, unless it is said to be incomplete."""
    ticks = usage.cost_usd_ticks
    is_known = ticks is not None and 0 <= ticks <= MAX_TICKS and not usage.cost_is_partial
    return ticks if is_known else None


def _size(usage: object) -> int:
    """How much of a turn a model did."""
    count = usage.get("outputTokens") if isinstance(usage, dict) else None
    return count if isinstance(count, int) else 0
