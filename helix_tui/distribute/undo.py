"""Take a batch back: each file as it was, or its block alone where the rest was changed since."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from helix_tui.distribute.blocks import BlockError, entry_of, find_block, with_entries
from helix_tui.distribute.plan import action_of, hash_of
from helix_tui.distribute.standing import FindFile
from helix_tui.schema.distribute import DistributeRefusal, Held, LedgerLine, Plan, Planned


def undo_plan(lines: Sequence[LedgerLine], earlier: Mapping[str, Held], look: FindFile) -> Plan:
    """Take a batch back: to the byte where nobody touched a file since, else its block alone."""
    plan = Plan([], [], [], [])
    for line in lines:
        present = look(line.file)
        before = earlier.get(line.file)
        made = None if present.trouble else _undone(line, before, present.data)
        if made is None:
            why = present.trouble[1] if present.trouble else "it was edited by hand since"
            patterns = [rule.pattern for rule in line.rules] or line.held or [""]
            plan.refusals.extend(
                DistributeRefusal(line.file, name, "edited", f"not taken back: {why}")
                for name in patterns
            )
        else:
            plan.writes.append(made)
    return plan


def _undone(line: LedgerLine, before: Held | None, data: bytes | None) -> Planned | None:
    """One file as it was; None where somebody changed what the batch wrote."""
    old, new, offset, after = line.old, line.new, line.offset, data
    is_untouched = hash_of(data) == line.after
    if line.before == line.after:
        pass  # only a note was made of it
    elif is_untouched and line.kind == "block" and old is not None and new is not None:
        assert data is not None
        after = data[:offset] + old.encode() + data[offset + len(new.encode()) :]
    elif is_untouched:
        after = old.encode() if old is not None else None
    elif line.kind == "file" or data is None:
        return None
    else:
        try:
            block = find_block(data)
        except BlockError:
            return None
        entries = [entry.text for entry in block.entries] if block else []
        if entries != [rule.text for rule in line.rules]:
            return None
        wanted = [entry_of(rule.text) for rule in before.rules] if before else []
        edited = with_entries(data, wanted, line.glue, keeps=False)
        after, offset, old, new = edited.data, edited.offset, edited.new, edited.old
    rules = before.rules if before else ()
    return Planned(
        line.file,
        line.site,
        line.root,
        line.kind,
        action_of(data, after, line.rules, rules),
        data,
        after,
        rules,
        before.glue if before else "",
        before.is_made if before else False,
        before.folders if before else tuple(line.folders),
        offset,
        new,
        old,
        True,
    )
