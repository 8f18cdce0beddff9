"""A result: whether its call passed, and what that settles."""

from __future__ import annotations

from helix_tui.digest import ending
from helix_tui.digest.benign import is_benign
from helix_tui.digest.checks import is_of_code, is_of_rules, is_planned_red, note_check, note_rules
from helix_tui.digest.excerpt import excerpt_line
from helix_tui.digest.filed import note_filed
from helix_tui.digest.harness_failures import HarnessFailure, harness_failure_in
from helix_tui.digest.loops import Repeated, watch_loop
from helix_tui.digest.programs import changes_files, takes_back
from helix_tui.digest.remedies.note import note_passed
from helix_tui.digest.run_facts import (
    clear_by_commit,
    count_commits,
    have_checks_passed,
    mark_edited,
    record_run,
)
from helix_tui.digest.runs.call import Reading, reading_of
from helix_tui.digest.runs.run import Run
from helix_tui.digest.runs.unflagged import complaint_in
from helix_tui.digest.shape.kinds import kind_of_path
from helix_tui.digest.shape.tallies import count_edit, count_passed
from helix_tui.digest.state import Pending
from helix_tui.digest.steps.call import MOST_PENDING
from helix_tui.digest.steps.failure import record_error
from helix_tui.digest.steps.folding import AFTER_LENGTH, Folding
from helix_tui.digest.tables import note, put, tally
from helix_tui.digest.task_list import note_created
from helix_tui.digest.title.named import note_kept_work, note_looked_at
from helix_tui.digest.trouble import close_troubles
from helix_tui.schema import (
    OTHER_CODE,
    REST,
    CommandTally,
    Fault,
    FileTally,
    Moment,
    ToolTally,
)
from helix_tui.text.hashing import hash64
from helix_tui.text.signature.phrases import is_policy

# A command that took so long may be a slow one.
SLOW_MS = 20_000
_MOST_CODES = 20
_MOST_RECENT = 32


def take_result(
    part: Folding,
    fingerprint: int,
    ts: int | None,
    call_id: str | None,
    is_error: bool,
    exit_code: int | None,
    text: str,
    fault: Fault | None,
) -> None:
    """Takes what came of a call."""
    facts, memory = part.facts, part.memory
    key = hash64((call_id or "").encode("utf-8", "replace"))
    call = memory.pending.pop(key, None)
    if call is None and is_error:
        if key in memory.orphans or len(memory.orphans) < MOST_PENDING:
            memory.orphans[key] = memory.orphans.get(key, 0) + 1
        else:
            facts.tools.setdefault(REST, ToolTally()).errors += 1
    elif call is not None and is_error:
        tally(facts.tools, call.tool, "tools", ToolTally).errors += 1
    if fault == "refusal":
        facts.refusals += 1
        part.listener.take_refusal()
        is_by_rule = is_policy(text)
        facts.policy_refusals += is_by_rule
        ending.note_refusal(facts.ending, call, is_policy=is_by_rule)
        if is_by_rule:  # nobody changed their mind: the call failed, and has a signal of its own
            facts.failures += 1
            record_error(part, fingerprint, ts, call, exit_code, text, has_signal=False)
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
    asked = call.asked if call is not None else ""
    runs, told = reading_of(asked, text, exit_code, is_error) if asked else Reading([])
    if is_error and call is not None and is_benign(call.command, exit_code, text):
        facts.benign_exits += 1
        is_error = False
    refused = (
        harness_failure_in(text, call.tool_class) if call is not None and not is_error else None
    )
    if refused is not None and call is not None:
        _note_refused(part, call, fingerprint, ts, refused)
        ending.note_harness_failure(facts.ending, call, refused)
    if not is_error and refused is None and call is not None and call.tool_class == "shell":
        # A pipe, a list or a harness gave a status that is not the program's.
        is_error = any(run.state == "failed" for run in runs) or bool(
            told or (not runs and complaint_in(call.command, text))
        )
    is_error = is_error or refused is not None
    is_planned = is_error and call is not None and is_planned_red(memory, facts, call, text)
    facts.planned_reds += is_planned
    facts.failures += is_error
    if call is not None:
        _settle(part, call, ts, is_error, exit_code, fingerprint, text, runs)
    if is_error:
        record_error(part, fingerprint, ts, call, exit_code, text, is_planned=is_planned)
    else:
        facts.ended, facts.ended_text = "tool_result", call.summary if call else ""


def _settle(
    part: Folding,
    call: Pending,
    ts: int | None,
    is_error: bool,
    exit_code: int | None,
    fingerprint: int,
    text: str,
    runs: list[Run],
) -> None:
    """Books the result of a call that did run."""
    facts, memory = part.facts, part.memory
    if not is_error and not any(run.state == "unknown" for run in runs):
        count_passed(facts, call.shapes)
        close_troubles(memory, facts, note_passed(memory, facts, call, text))
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
        if kind_of_path(call.file) != "docs":
            part.listener.take_edit()
        if not ending.is_document(call.file):
            mark_edited(facts)
        facts.edits_since_check += 1
        memory.code_edits += is_of_code(call)
        memory.has_new_rules = memory.has_new_rules or is_of_rules(call)
        memory.claim = ""  # what fails from here on may be the fault of this
    if is_edit or (call.command and changes_files(call.command)):
        memory.repeats.clear()
    for run in runs:
        record_run(facts, run, fingerprint, ts)
    if runs:
        part.listener.take_checks(run for run in runs if run.kind != "git")
    has_passed = have_checks_passed(runs)
    if has_passed is not None:
        note_check(memory, facts, call, has_passed, fingerprint, ts, text)
        note_rules(memory, runs, has_passed=has_passed)
        facts.checks_failed += not has_passed
        facts.checks_passed += has_passed
        facts.last_check, facts.last_check_passed = call.command, has_passed
        facts.edits_since_check = memory.code_edits = 0
        facts.checks_since_prompt += 1
        ending.note_check(facts.ending, has_passed=has_passed)
    if any(run.name == "git push" and run.state == "passed" for run in runs):
        facts.ending.push_request = "done"
    if not is_error:
        note_filed(facts.ending, call, text)
    if not is_error and " view " in call.command:
        note_looked_at(facts, call.command, text)
    commits = count_commits(runs)
    if commits if commits is not None else call.is_commit and not is_error:
        facts.commits += commits or 1
        note(facts.kept, Moment(fingerprint, ts, call.summary))
        note_kept_work(facts, call.asked or call.summary, text)
        ending.note_commit(facts.ending)
        clear_by_commit(facts)
    elif facts.commits > facts.reverts and not is_error and takes_back(call.command):
        facts.reverts += 1
    if is_error:
        put(memory.failed, call.identity, True, _MOST_RECENT)
    else:
        memory.failed.pop(call.identity, None)
    watch_loop(facts, memory, Repeated(call, fingerprint, ts, text, is_error))


def _note_refused(
    part: Folding, call: Pending, fingerprint: int, ts: int | None, refused: HarnessFailure
) -> None:
    """Records what a harness refused in words, inside a success."""
    facts = part.facts
    wording = excerpt_line(refused.text, AFTER_LENGTH)
    note(facts.refused_in_words, Moment(fingerprint, ts, wording, 1, refused.kind, call.summary))
    facts.unknown_wordings += refused.kind == "unknown"
