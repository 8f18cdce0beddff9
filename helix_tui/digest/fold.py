"""The fold over one part's events: state' = step(state, event), bounded, kept between sweeps."""

from __future__ import annotations

from collections.abc import Iterable

from helix_tui.digest import ending
from helix_tui.digest.actions import Action, action_of
from helix_tui.digest.background import background_failure_in
from helix_tui.digest.benign import is_benign
from helix_tui.digest.checks import is_of_code, is_planned_red, note_check
from helix_tui.digest.closing import closing_of
from helix_tui.digest.excerpt import around, both_ends, excerpt, excerpt_line
from helix_tui.digest.harness import fault_of
from helix_tui.digest.harness_failures import HarnessFailure, harness_failure_in
from helix_tui.digest.links import note_link, note_planned
from helix_tui.digest.loops import Repeated, watch_loop
from helix_tui.digest.pasted import written_first
from helix_tui.digest.person_runs import note_person_run
from helix_tui.digest.plans import accepts_plan, take_back_interruption
from helix_tui.digest.programs import changes_files, takes_back
from helix_tui.digest.remedies.note import note_passed, note_turn, watch_failure
from helix_tui.digest.run_facts import (
    clear_by_commit,
    count_commits,
    have_checks_passed,
    record_run,
)
from helix_tui.digest.runs.call import runs_of
from helix_tui.digest.runs.run import Run
from helix_tui.digest.runs.unflagged import complaint_in
from helix_tui.digest.shape.call import placed
from helix_tui.digest.shape.failing import count_shape, failing_shape, in_base
from helix_tui.digest.shape.tallies import count_edit, count_failed, count_passed, count_runs
from helix_tui.digest.state import PartFold, Pending
from helix_tui.digest.tables import MOST, cut, note, put, tally
from helix_tui.digest.task_list import note_created, note_list_call
from helix_tui.digest.tasks import is_answer, is_task, offered_in
from helix_tui.digest.texts import Texts
from helix_tui.digest.title import note_asked_title, note_own_title
from helix_tui.digest.trouble import close_troubles, note_call, open_trouble, spend
from helix_tui.digest.turns.heard import (
    Heard,
    heard_in,
    own_run_in,
    said_instead_of_result,
    said_while_refusing,
)
from helix_tui.digest.turns.listen import Listener, Turn
from helix_tui.digest.words import Said, claim_in, hear
from helix_tui.schema import (
    COMMAND_TEXT,
    COMPACTION,
    ERROR_TEXT,
    OTHER,
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
from helix_tui.text.asked import is_client_command, spoken
from helix_tui.text.hashing import hash64
from helix_tui.text.shape import Shape
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
# Kinds of events that may hold the words of a person.
_SPOKEN = frozenset({PROMPT, SYSTEM, OTHER})


class Folder:
    """Steps one part's fold over events, in the order in which the part has them."""

    def __init__(self, flavor: str, fold: PartFold) -> None:
        self._flavor = flavor
        self.fold = fold
        self._facts = fold.facts
        self._memory = fold.memory
        self.texts = Texts(fold.memory.searched)
        self._listener = Listener(fold.facts, fold.memory)

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
            if kind == PROMPT:
                text = spoken(text)
            if kind != TOOL_RESULT:
                self._listen(kind, role, fingerprint, ts, text)
            if kind == TOOL_CALL:
                self._call(tool or "", call_id, text, ts)
            elif kind == TOOL_RESULT:
                fault = fault_of(kind, is_error, role, text, told)
                memory.turns.result_ts = ts
                if is_error and self._refused_with_words(
                    fingerprint, ts, call_id, exit_code, text, fault
                ):
                    fault = "refusal"
                self._result(fingerprint, ts, call_id, is_error, exit_code, text, fault)
            elif kind == PROMPT:
                if not text or is_client_command(text):
                    continue
                memory.claim = ""
                if facts.ended == "reply":
                    memory.claim = claim_in(last_reply) if last_reply else memory.closing
                if last_reply:
                    memory.offered = offered_in(last_reply)
                self._prompt(fingerprint, ts, text)
            elif kind == REPLY:
                facts.replies += 1
                memory.has_acted = True
                said = text.strip()
                if said:
                    self._listener.take_reply(said)
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
            elif kind == OTHER:
                self._own_title(ts, text)
                note_link(facts, text)
            elif kind == COMPACTION:
                facts.compactions += 1
                note(facts.compacted, Moment(fingerprint, ts, excerpt_line(text, AFTER_LENGTH)))
                facts.ended, facts.ended_text = "compaction", ""
        memory.searched = self.texts.size
        self._listener.settle(memory.spent - memory.turn_spent)
        if last_reply:
            memory.offered = offered_in(last_reply)
            kept = searched_reply or excerpt(last_reply, REPLY_LENGTH)
            facts.last_reply = cut(kept, REPLY_LENGTH)
            facts.ending.closing = closing_of(last_reply)
            if facts.ended == "question":
                facts.ended_text = excerpt_line(
                    last_reply[last_reply.rfind("\n") + 1 :], QUESTION_LENGTH
                )
            elif facts.ended == "reply":
                memory.closing = claim_in(last_reply)

    def _listen(
        self, kind: int, role: str | None, fingerprint: int, ts: int | None, text: str
    ) -> None:
        """Takes what a person says, whatever kind of event holds it."""
        if kind in _SPOKEN:
            if command := own_run_in(text):
                self._listener.take_own_run(command)
            is_beside = ts is not None and ts == self._memory.turns.result_ts
            self._hear(fingerprint, ts, heard_in(kind, role, text, is_beside))

    def _refused_with_words(
        self,
        fingerprint: int,
        ts: int | None,
        call_id: str | None,
        exit_code: int | None,
        text: str,
        fault: Fault | None,
    ) -> bool:
        """Whether a person refused a call and said something; takes the words."""
        heard = said_while_refusing(text)
        call = self._memory.pending.get(hash64((call_id or "").encode("utf-8", "replace")))
        if heard is None and fault is None and call is not None:
            heard = said_instead_of_result(text, call.tool_class, exit_code)
        self._hear(fingerprint, ts, heard)
        return heard is not None

    def _hear(self, fingerprint: int, ts: int | None, heard: Heard | None) -> None:
        if heard is not None:
            facts, memory = self._facts, self._memory
            chars, active_ms = memory.spent - memory.turn_spent, facts.active_ms - memory.turn_ms
            self._listener.hear(Turn(fingerprint, ts, heard, chars, active_ms))

    def _prompt(self, fingerprint: int, ts: int | None, text: str) -> None:
        facts, memory = self._facts, self._memory
        facts.prompts += 1
        facts.tasks += is_task(text) and not is_answer(text, memory.offered)
        if accepts_plan(text):
            take_back_interruption(facts)
            note_planned(facts, self._flavor, text)
        searched, shown = "", written_first(text)
        if len(text) > PROMPT_LENGTH:
            searched = self.texts.add_beginning(PROMPT_TEXT, ts, shown, SEARCHED_PROMPT)
        said = cut(searched, PROMPT_LENGTH) or excerpt(shown, PROMPT_LENGTH)
        note_asked_title(facts, searched or said, memory.offered)
        if not searched:
            self.texts.add(PROMPT_TEXT, ts, said)
        if facts.prompts == 1:
            facts.first_prompt = said
        facts.last_prompt = said
        facts.ended, facts.ended_text = "prompt", ""
        facts.calls_since_prompt = facts.checks_since_prompt = 0
        ending.note_prompt(facts, text, said, follows_work=memory.has_acted and facts.prompts > 1)
        if memory.unfollowed:
            self._follow(f"user: {excerpt_line(text, AFTER_LENGTH)}")
        if memory.troubles:
            spend(memory, facts)
            memory.troubles.clear()
        note_turn(memory)
        if memory.has_acted and facts.prompts > 1:
            hear(facts, memory, Said(fingerprint, ts, text, said))
        else:
            memory.claim = ""
        memory.has_acted = False
        memory.fresh_pass = ""
        memory.turn_spent, memory.turn_ms = memory.spent, facts.active_ms

    def _own_title(self, ts: int | None, text: str) -> None:
        self.texts.add(PROMPT_TEXT, ts, note_own_title(self._facts, ts, text))

    def _system(
        self, fingerprint: int, ts: int | None, role: str | None, text: str, fault: Fault | None
    ) -> None:
        facts = self._facts
        self._own_title(ts, text)
        if fault == "interruption":
            facts.interruptions += 1
            self._listener.take_interruption()
            note(facts.interrupted, Moment(fingerprint, ts, self._memory.last_action))
            facts.ended, facts.ended_text = "interrupted", ""
        elif fault == "api_error":
            facts.api_errors += 1
            note(facts.api_failures, Moment(fingerprint, ts, excerpt_line(text, AFTER_LENGTH)))
            # A record of a failed attempt is followed by another one; a message ends the turn.
            if role == "assistant":
                facts.ended, facts.ended_text = "api_error", excerpt_line(text, AFTER_LENGTH)
        elif failure := background_failure_in(text):
            facts.failures += 1
            self._error(fingerprint, ts, None, None, failure)
        elif text.startswith("<bash-"):
            note_person_run(facts, self._memory, fingerprint, ts, text)

    def _call(self, tool: str, call_id: str | None, given: str, ts: int | None) -> None:
        facts, memory = self._facts, self._memory
        action = action_of(self._flavor, tool, given)
        self._listener.take_call(action, given)
        tally(facts.tools, action.tool, "tools", ToolTally).calls += 1
        facts.calls_since_prompt += 1
        facts.useful_calls += action.kind not in _IDLE_CLASSES
        if action.kind == "plan":
            note_list_call(facts.ending, memory, tool, given)
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
        shapes = placed(action.shapes, in_base(memory, action.workdir))
        count_runs(facts, shapes)
        if call_id:
            key = hash64(call_id.encode("utf-8", "replace"))
            put(memory.pending, key, _pending(action, ts, shapes), _MOST_PENDING)

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
            self._listener.take_refusal()
            is_by_rule = is_policy(text)
            facts.policy_refusals += is_by_rule
            ending.note_refusal(facts.ending, call, is_policy=is_by_rule)
            if (
                is_by_rule
            ):  # nobody changed their mind: the call failed, and has a signal of its own
                facts.failures += 1
                self._error(fingerprint, ts, call, exit_code, text, has_signal=False)
            else:
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
        refused = (
            harness_failure_in(text, call.tool_class) if call is not None and not is_error else None
        )
        if refused is not None and call is not None:
            self._refused(call, fingerprint, ts, refused)
            ending.note_harness_failure(facts.ending, call, refused)
        if not is_error and refused is None and call is not None and call.tool_class == "shell":
            # A pipe, a list or a harness gave a status that is not the program's.
            is_error = any(run.state == "failed" for run in runs) or bool(
                not runs and complaint_in(call.command, text)
            )
        is_error = is_error or refused is not None
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
        if not is_error and not any(run.state == "unknown" for run in runs):
            count_passed(facts, call.shapes)
            close_troubles(memory, note_passed(memory, facts, call))
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
        if not is_error:
            ending.note_success(facts.ending, call)
            if call.tool == "TaskCreate":
                note_created(facts.ending, memory, text)
        is_edit = call.tool_class == "edit" and not is_error
        if call.file and not is_error:
            files = tally(facts.files, call.file, "files", FileTally)
            files.edits += is_edit
            files.reads += not is_edit
        if is_edit:
            count_edit(facts, call.file)
            facts.edits_since_check += 1
            memory.code_edits += is_of_code(call)
            memory.claim = ""  # what fails from here on may be the fault of this
        if is_edit or (call.command and changes_files(call.command)):
            memory.repeats.clear()
        for run in runs:
            record_run(facts, run, fingerprint, ts)
        has_passed = have_checks_passed(runs)
        if has_passed is not None:
            note_check(memory, facts, call, has_passed, fingerprint, ts, text)
            facts.checks_failed += not has_passed
            facts.checks_passed += has_passed
            facts.last_check, facts.last_check_passed = call.command, has_passed
            facts.edits_since_check = memory.code_edits = 0
            facts.checks_since_prompt += 1
            ending.note_check(facts.ending, has_passed=has_passed)
        commits = count_commits(runs)
        if commits if commits is not None else call.is_commit and not is_error:
            facts.commits += commits or 1
            note(facts.kept, Moment(fingerprint, ts, call.summary))
            ending.note_commit(facts.ending)
            clear_by_commit(facts)
        elif facts.commits > facts.reverts and not is_error and takes_back(call.command):
            facts.reverts += 1
        if is_error:
            put(memory.failed, call.identity, True, _MOST_RECENT)
        else:
            memory.failed.pop(call.identity, None)
        watch_loop(facts, memory, Repeated(call, fingerprint, ts, text, is_error))

    def _refused(
        self, call: Pending, fingerprint: int, ts: int | None, refused: HarnessFailure
    ) -> None:
        """Records what a harness refused in words, inside a success."""
        facts = self._facts
        wording = excerpt_line(refused.text, AFTER_LENGTH)
        note(
            facts.refused_in_words, Moment(fingerprint, ts, wording, 1, refused.kind, call.summary)
        )
        facts.unknown_wordings += refused.kind == "unknown"

    def _error(
        self,
        fingerprint: int,
        ts: int | None,
        call: Pending | None,
        exit_code: int | None,
        text: str,
        *,
        is_planned: bool = False,
        has_signal: bool = True,
    ) -> None:
        facts = self._facts
        has_signal = has_signal and not is_planned
        # Redacted before a line is chosen: one line of a key does not look like one.
        shown = both_ends(text, _EXAMINED)
        tool_class, command = (call.tool_class, call.command) if call else ("other", "")
        found = signature(shown, tool_class, exit_code, command)
        shape = failing_shape(call, found.line, found.error_class, found.subject)
        if shape.text and (has_signal or is_planned):
            count_failed(facts, shape)
        facts.ended, facts.ended_text = "tool_error", found.line[:AFTER_LENGTH]
        groups = facts.error_groups
        is_listed = found.group in groups or len(groups) < MOST["groups"]
        group = found.group if is_listed else REST
        groups[group] = groups.get(group, 0) + 1
        if not has_signal:
            facts.last_group = REST  # a session that ends here ends in no error to come back to
        else:
            new = ErrorGroup(
                found.line[:_GROUP_LINE], tool_class, exit_code, command, fingerprint=fingerprint
            )
            self._count(group, new, ts, shape.text)
        if call is not None and has_signal:
            open_trouble(self._memory, facts, call, group, fingerprint, ts)
            where = group, fingerprint, ts
            watch_failure(self._memory, call, *where, shape, found.error_class)
        if len(facts.errors) >= _MOST_ERRORS or groups[group] > _MOST_PER_GROUP:
            self.texts.add(ERROR_TEXT, ts, cut(found.line, SEARCHED_LINE))
            return
        tried = call.summary if call and not call.command else ""
        said = around(shown.strip(), found.line, ERROR_LENGTH)
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
                shape.text,
            )
        )

    def _count(self, name: str, new: ErrorGroup, ts: int | None, shape: str) -> None:
        group = self._facts.groups.setdefault(name, new)
        group.count += 1
        count_shape(group.shapes, shape)
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


def _pending(action: Action, ts: int | None, shapes: tuple[Shape, ...]) -> Pending:
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
        shapes,
        action.behind,
        action.lines,
    )
