"""A failure: its signature, its group, and the evidence that is kept of it."""

from __future__ import annotations

from helix_tui.digest.excerpt import around, both_ends
from helix_tui.digest.remedies.hints import first_hint, hints_in
from helix_tui.digest.remedies.note import note_got_further, watch_failure
from helix_tui.digest.shape.failing import count_shape, failing_shape
from helix_tui.digest.shape.tallies import count_failed
from helix_tui.digest.state import Pending
from helix_tui.digest.steps.folding import AFTER_LENGTH, Folding
from helix_tui.digest.tables import MOST, cut
from helix_tui.digest.trouble import open_trouble
from helix_tui.schema import ERROR_TEXT, REST, ErrorFact, ErrorGroup
from helix_tui.text.signature.signature import signature

ERROR_LENGTH = 900
SEARCHED_LINE = 300
_EXAMINED = 8192
_MOST_ERRORS = 40
_MOST_PER_GROUP = 4
_GROUP_LINE = 300


def record_error(
    part: Folding,
    fingerprint: int,
    ts: int | None,
    call: Pending | None,
    exit_code: int | None,
    text: str,
    *,
    is_planned: bool = False,
    has_signal: bool = True,
) -> None:
    """Books that something failed; `has_signal` where somebody should look at it."""
    facts = part.facts
    has_signal = has_signal and not is_planned
    # Redacted before a line is chosen: one line of a key does not look like one.
    shown = both_ends(text, _EXAMINED)
    tool_class, command = (call.tool_class, call.command) if call else ("other", "")
    found = signature(shown, tool_class, exit_code, command)
    shape = failing_shape(call, found.line, found.error_class, found.subject)
    if shape.text and (has_signal or is_planned):
        count_failed(facts, shape)
    facts.ended, facts.ended_text = "tool_error", found.line[:AFTER_LENGTH]
    hints = hints_in(shown, shape) if command else []
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
        if hints:
            # Of several commands in one call nobody knows which said it.
            is_alone = call is not None and len(call.shapes) == 1
            new.hint, new.hinted = hints[0].says, shape.text if is_alone else ""
        _count(part, group, new, ts, shape.text)
    if call is not None and has_signal:
        note_got_further(part.memory, facts, call, group, found.error_class)
        open_trouble(part.memory, facts, call, group, fingerprint, ts, len(text))
        where = group, fingerprint, ts
        watch_failure(part.memory, call, *where, shape, found.error_class, found.line, hints)
    if len(facts.errors) >= _MOST_ERRORS or groups[group] > _MOST_PER_GROUP:
        part.texts.add(ERROR_TEXT, ts, cut(found.line, SEARCHED_LINE))
        return
    tried = call.summary if call and not call.command else ""
    said = around(shown.strip(), found.line, ERROR_LENGTH)
    part.texts.add(ERROR_TEXT, ts, f"{tried}\n{said}" if tried else said)
    part.memory.unfollowed.append(len(facts.errors))
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


def _count(part: Folding, name: str, new: ErrorGroup, ts: int | None, shape: str) -> None:
    group = part.facts.groups.setdefault(name, new)
    group.count += 1
    group.hint, group.hinted = first_hint(group, new)
    count_shape(group.shapes, shape)
    part.facts.last_group = name
    if ts is not None:
        group.first_ts = ts if group.first_ts is None else min(group.first_ts, ts)
        group.last_ts = ts if group.last_ts is None else max(group.last_ts, ts)
