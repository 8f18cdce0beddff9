"""The fold over one part's events: state' = step(state, event), bounded, kept between sweeps."""

from __future__ import annotations

from collections.abc import Iterable

from helix_tui.digest.actions import Action, action_of
from helix_tui.digest.benign import is_benign
from helix_tui.digest.booked import COMMIT, book_run, verdict_on_checks
from helix_tui.digest.checks import is_of_code, is_planned_red, note_check
from helix_tui.digest.excerpt import both_ends, excerpt, excerpt_line
from helix_tui.digest.harness import fault_of
from helix_tui.digest.loops import Repeated, watch_loop
from helix_tui.digest.programs import changes_files, takes_back
from helix_tui.digest.runs.call import runs_of
from helix_tui.digest.runs.judge import Run
from helix_tui.digest.runs.unflagged import complaint_in
from helix_tui.digest.said import Told, told_in
from helix_tui.digest.state import PartFold, Pending
from helix_tui.digest.tables import MOST, cut, note, put, tally
from helix_tui.digest.tasks import is_task
from helix_tui.digest.texts import Texts
from helix_tui.digest.trouble import note_call, note_success, open_trouble, spend
from helix_tui.digest.words import Said, claim_in, hear
from helix_tui.schema import (
    COMMAND_TEXT,
    COMPACTION,
    ERROR_TEXT,
    OTHER_CODE,
    PROMPT,
    PROMPT_TEXT,
    REPLY,
    REPLY_TEXT,
    REST,
    SYSTEM,
    THINKING,
    TOOL_CALL,
    TOOL_RESULT,
    CommandTally,
    ErrorFact,
    ErrorGroup,
    EventTuple,
    Fault,
    FileTally,
    Moment,
    ToolTally,
)
from helix_tui.text.hashing import hash64
from helix_tui.text.signature.phrases import is_policy
from helix_tui.text.signature.signature import signature

# A longer silence is idle time: the person was away, or a command waited for them.
IDLE_MS = 5 * 60_000
# A command that took so long may be a slow one.
SLOW_MS = 20_000
PROMPT_LENGTH = 400
REPLY_LENGTH = 400
QUESTION_LENGTH = 300
ERROR_LENGTH = 900
AFTER_LENGTH = 200
# What can be searched is longer than what a digest shows.
SEARCHED_PROMPT = 4000
SEARCHED_REPLY = 500
SEARCHED_COMMAND = 500
SEARCHED_LINE = 300
_EXAMINED = 8192
_MOST_CODES = 20
_MOST_ERRORS = 40
_MOST_PER_GROUP = 4
_MOST_PENDING = 200
_MOST_RECENT = 32
_GROUP_LINE = 300
# Calls that only ask, plan or wait are no work.
_IDLE_CLASSES = frozenset({"plan", "other", ""})


class Folder:
    """Steps one part's fold over events, in the order in which the part has them."""

    def __init__(self, flavor: str, fold: PartFold) -> None:
        self._flavor = flavor
        self.fold = fold
        self._facts = fold.facts
        self._memory = fold.memory
        self.texts = Texts(fold.memory.searched)

    def step_all(self, events: Iterable[EventTuple]) -> None:
        """Takes events."""
        facts, memory = self._facts, self._memory
        last_reply = searched_reply = ""
        for event in events:
            fingerprint, _, ts, kind, is_error, role, tool, call_id, exit_code, _, text, told = (
                event
            )
            if ts is not None:
                if memory.began_ts is None or ts < memory.began_ts:
                    memory.began_ts = ts
                if kind <= TOOL_RESULT:
                    latest = memory.latest_ts
                    if latest is None or ts > latest:
                        if latest is not None and ts - latest <= IDLE_MS:
                            facts.active_ms += ts - latest
                        memory.latest_ts = facts.last_ts = ts
                    if facts.first_ts is None or ts < facts.first_ts:
                        facts.first_ts = ts
            memory.spent += len(text)
            if kind == TOOL_CALL:
                self._call(tool or "", call_id, text, ts)
            elif kind == TOOL_RESULT:
                fault = fault_of(kind, is_error, role, text, told)
                self._result(fingerprint, ts, call_id, is_error, exit_code, text, fault)
            elif kind == PROMPT:
                memory.claim = ""
                if facts.ended == "reply":
                    memory.claim = claim_in(last_reply) if last_reply else memory.closing
                self._prompt(fingerprint, ts, text)
            elif kind == REPLY:
                facts.replies += 1
                memory.has_acted = True
                said = text.strip()
                if said:
                    last_reply = said
                    facts.last_reply_fingerprint = fingerprint
                    searched_reply = self.texts.add_beginning(REPLY_TEXT, ts, said, SEARCHED_REPLY)
                    facts.ended = "question" if said.endswith("?") else "reply"
                    facts.ended_text = ""
            elif kind == THINKING:
                continue
            elif kind == SYSTEM:
                fault = fault_of(kind, is_error, role, text, told)
                self._system(fingerprint, ts, role, text, fault)
            elif kind == COMPACTION:
                facts.compactions += 1
                note(facts.compacted, Moment(fingerprint, ts, excerpt_line(text, AFTER_LENGTH)))
                facts.ended, facts.ended_text = "compaction", ""
        memory.searched = self.texts.size
        if last_reply:
            kept = searched_reply or excerpt(last_reply, REPLY_LENGTH)
            facts.last_reply = cut(kept, REPLY_LENGTH)
            if facts.ended == "question":
                facts.ended_text = excerpt_line(
                    last_reply[last_reply.rfind("\n") + 1 :], QUESTION_LENGTH
                )
            elif facts.ended == "reply":
                memory.closing = claim_in(last_reply)

    def _prompt(self, fingerprint: int, ts: int | None, text: str) -> None:
        facts, memory = self._facts, self._memory
        facts.prompts += 1
        facts.tasks += is_task(text)
        said = excerpt(text, PROMPT_LENGTH)
        if len(text) > PROMPT_LENGTH:
            self.texts.add_beginning(PROMPT_TEXT, ts, text, SEARCHED_PROMPT)
        else:
            self.texts.add(PROMPT_TEXT, ts, said)
        if facts.prompts == 1:
            facts.first_prompt = said
        facts.last_prompt = said
        facts.ended, facts.ended_text = "prompt", ""
        facts.calls_since_prompt = facts.checks_since_prompt = 0
        if memory.unfollowed:
            self._follow(f"user: {excerpt_line(text, AFTER_LENGTH)}")
        if memory.troubles:
            spend(memory, facts)
            memory.troubles.clear()
        if memory.has_acted and facts.prompts > 1:
            hear(facts, memory, Said(fingerprint, ts, text, said))
        else:
            memory.claim = ""
        memory.has_acted = False
        memory.fresh_pass = ""
        memory.turn_spent, memory.turn_ms = memory.spent, facts.active_ms

    def _system(
        self, fingerprint: int, ts: int | None, role: str | None, text: str, fault: Fault | None
    ) -> None:
        facts = self._facts
        if fault == "interruption":
            facts.interruptions += 1
            note(facts.interrupted, Moment(fingerprint, ts, self._memory.last_action))
            facts.ended, facts.ended_text = "interrupted", ""
        elif fault == "api_error":
            facts.api_errors += 1
            note(facts.api_failures, Moment(fingerprint, ts, excerpt_line(text, AFTER_LENGTH)))
            # A record of a failed attempt is followed by another one; a message ends the turn.
            if role == "assistant":
                facts.ended, facts.ended_text = "api_error", excerpt_line(text, AFTER_LENGTH)

    def _call(self, tool: str, call_id: str | None, given: str, ts: int | None) -> None:
        facts, memory = self._facts, self._memory
        action = action_of(self._flavor, tool, given)
        tally(facts.tools, action.tool, "tools", ToolTally).calls += 1
        facts.calls_since_prompt += 1
        facts.useful_calls += action.kind not in _IDLE_CLASSES
        if memory.troubles:
            spend(memory, facts)
            note_call(memory)
        if action.command:
            if action.command not in facts.commands:
                self._search_command(action, ts)
            tally(facts.commands, action.command, "commands", CommandTally).runs += 1
        if action.identity in memory.failed:
            facts.retries += 1
        self._follow(action.summary)
        memory.has_acted = True
        memory.last_action = action.summary
        facts.ended, facts.ended_text = "tool_call", action.summary
        if call_id:
            key = hash64(call_id.encode("utf-8", "replace"))
            put(memory.pending, key, _pending(action, ts), _MOST_PENDING)

    def _search_command(self, action: Action, ts: int | None) -> None:
        if action.whole:
            self.texts.add_beginning(COMMAND_TEXT, ts, action.whole, SEARCHED_COMMAND)
        else:
            self.texts.add(COMMAND_TEXT, ts, action.command)

    def _result(
        self,
        fingerprint: int,
        ts: int | None,
        call_id: str | None,
        is_error: bool,
        exit_code: int | None,
        text: str,
        fault: Fault | None,
    ) -> None:
        facts, memory = self._facts, self._memory
        key = hash64((call_id or "").encode("utf-8", "replace"))
        call = memory.pending.pop(key, None)
        if call is None and is_error:
            if key in memory.orphans or len(memory.orphans) < _MOST_PENDING:
                memory.orphans[key] = memory.orphans.get(key, 0) + 1
            else:
                facts.tools.setdefault(REST, ToolTally()).errors += 1
        elif call is not None and is_error:
            tally(facts.tools, call.tool, "tools", ToolTally).errors += 1
        if fault == "refusal":
            facts.refusals += 1
            facts.policy_refusals += is_policy(text)
            facts.ended, facts.ended_text = "refused", call.summary if call else ""
            return
        if fault == "cascade":
            facts.cascades += 1
            if facts.ended == "tool_call":
                facts.ended, facts.ended_text = "tool_error", "another call failed"
            return
        if fault == "interruption":
            # Counted where the client notes it down; a person may have stopped several calls.
            facts.ended, facts.ended_text = "interrupted", ""
            return
        facts.timeouts += fault == "timeout"
        runs = runs_of(call.asked, text, exit_code, is_error) if call and call.asked else []
        if is_error and call is not None and is_benign(call.command, exit_code, text):
            facts.benign_exits += 1
            is_error = False
        told = told_in(text, call.tool_class) if call is not None and not is_error else None
        if told is not None and call is not None:
            self._refused(call, fingerprint, ts, told)
        if not is_error and told is None and call is not None and call.tool_class == "shell":
            # A pipe, a list or a harness gave a status that is not the program's.
            is_error = any(run.state == "failed" for run in runs) or bool(
                not runs and complaint_in(call.command, text)
            )
        is_error = is_error or told is not None
        is_planned = is_error and call is not None and is_planned_red(memory, facts, call, text)
        facts.planned_reds += is_planned
        facts.failures += is_error
        if call is not None:
            self._settle(call, ts, is_error, exit_code, fingerprint, text, runs)
        if is_error:
            self._error(fingerprint, ts, call, exit_code, text, is_planned=is_planned)
        else:
            facts.ended, facts.ended_text = "tool_result", call.summary if call else ""

    def _settle(
        self,
        call: Pending,
        ts: int | None,
        is_error: bool,
        exit_code: int | None,
        fingerprint: int,
        text: str,
        runs: list[Run],
    ) -> None:
        """Books the result of a call that did run."""
        facts, memory = self._facts, self._memory
        if memory.troubles:
            spend(memory, facts)
            if not is_error:
                note_success(memory, facts, call)
        if call.command:
            known = tally(facts.commands, call.command, "commands", CommandTally)
            known.failures += is_error
            if exit_code is not None:
                codes = known.exit_codes
                code = exit_code if exit_code in codes or len(codes) < _MOST_CODES else OTHER_CODE
                codes[code] = codes.get(code, 0) + 1
            if ts is not None and call.ts is not None and ts >= call.ts:
                known.timed += 1
                known.total_ms += ts - call.ts
                known.longest_ms = max(known.longest_ms, ts - call.ts)
                if ts - call.ts >= SLOW_MS:
                    note(facts.slow, Moment(fingerprint, ts, call.summary, ms=ts - call.ts))
        is_edit = call.tool_class == "edit" and not is_error
        if call.file and not is_error:
            files = tally(facts.files, call.file, "files", FileTally)
            files.edits += is_edit
            files.reads += not is_edit
        if is_edit:
            facts.edits_since_check += 1
            memory.code_edits += is_of_code(call)
            memory.claim = ""  # what fails from here on may be the fault of this
        if is_edit or (call.command and changes_files(call.command)):
            memory.repeats.clear()
        for run in runs:
            book_run(facts, run, fingerprint, ts)
        has_passed = verdict_on_checks(runs)
        if has_passed is not None:
            note_check(memory, facts, call, has_passed, fingerprint, ts, text)
            facts.checks_failed += not has_passed
            facts.checks_passed += has_passed
            facts.last_check, facts.last_check_passed = call.command, has_passed
            facts.edits_since_check = memory.code_edits = 0
            facts.checks_since_prompt += 1
        commits = [run.state == "passed" for run in runs if run.name == COMMIT]
        if sum(commits) if commits else call.is_commit and not is_error:
            facts.commits += sum(commits) or 1
            note(facts.kept, Moment(fingerprint, ts, call.summary))
        elif facts.commits > facts.reverts and not is_error and takes_back(call.command):
            facts.reverts += 1
        if is_error:
            put(memory.failed, call.identity, True, _MOST_RECENT)
        else:
            memory.failed.pop(call.identity, None)
        watch_loop(facts, memory, Repeated(call, fingerprint, ts, text, is_error))

    def _refused(self, call: Pending, fingerprint: int, ts: int | None, told: Told) -> None:
        """Books what a harness refused in words, inside a success."""
        facts = self._facts
        said = excerpt_line(told.text, AFTER_LENGTH)
        note(facts.refused_in_words, Moment(fingerprint, ts, said, 1, told.kind, call.summary))
        facts.unknown_wordings += told.kind == "unknown"

    def _error(
        self,
        fingerprint: int,
        ts: int | None,
        call: Pending | None,
        exit_code: int | None,
        text: str,
        *,
        is_planned: bool,
    ) -> None:
        facts = self._facts
        # Redacted before a line is chosen: one line of a key does not look like one.
        shown = both_ends(text, _EXAMINED)
        tool_class, command = (call.tool_class, call.command) if call else ("other", "")
        found = signature(shown, tool_class, exit_code, command)
        facts.ended, facts.ended_text = "tool_error", found.line[:AFTER_LENGTH]
        groups = facts.error_groups
        is_listed = found.group in groups or len(groups) < MOST["groups"]
        group = found.group if is_listed else REST
        groups[group] = groups.get(group, 0) + 1
        if is_planned:
            facts.last_group = REST  # a session that ends here ends in no error to come back to
        else:
            new = ErrorGroup(
                found.line[:_GROUP_LINE], tool_class, exit_code, command, fingerprint=fingerprint
            )
            self._count(group, new, ts)
        if call is not None and not is_planned:
            known = found.error_class, found.subject
            open_trouble(self._memory, facts, call, group, fingerprint, ts, *known)
        if len(facts.errors) >= _MOST_ERRORS or groups[group] > _MOST_PER_GROUP:
            self.texts.add(ERROR_TEXT, ts, cut(found.line, SEARCHED_LINE))
            return
        tried = call.summary if call and not call.command else ""
        said = cut(shown.strip(), ERROR_LENGTH)
        self.texts.add(ERROR_TEXT, ts, f"{tried}\n{said}" if tried else said)
        self._memory.unfollowed.append(len(facts.errors))
        facts.errors.append(
            ErrorFact(
                fingerprint,
                ts,
                call.tool if call else "",
                exit_code,
                found.group,
                found.line,
                said,
                call.summary if call else "",
                [],
                is_planned,
            )
        )

    def _count(self, name: str, new: ErrorGroup, ts: int | None) -> None:
        group = self._facts.groups.setdefault(name, new)
        group.count += 1
        self._facts.last_group = name
        if ts is not None:
            group.first_ts = ts if group.first_ts is None else min(group.first_ts, ts)
            group.last_ts = ts if group.last_ts is None else max(group.last_ts, ts)

    def _follow(self, action: str) -> None:
        """Writes an action behind what still waits for what came next."""
        words = self._memory.unfollowed_words
        if words >= 0:
            after = self._facts.corrections[words].after
            after.append(cut(action, AFTER_LENGTH))
            if len(after) == 2:
                self._memory.unfollowed_words = -1
        waiting = self._memory.unfollowed
        if waiting:
            for index in waiting:
                self._facts.errors[index].after.append(cut(action, AFTER_LENGTH))
            self._memory.unfollowed = [
                index for index in waiting if len(self._facts.errors[index].after) < 2
            ]


def _pending(action: Action, ts: int | None) -> Pending:
    return Pending(
        action.tool,
        action.kind,
        action.identity,
        action.command,
        action.file,
        action.summary,
        action.check.tells_pass,
        action.check.tells_failure,
        action.is_commit,
        ts,
        action.asked,
    )
