"""One plan of everything: wanted texts, the ledger and the files as they are come to writes."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Sequence

from xxhash import xxh3_64_hexdigest

from helix_tui.distribute.blocks import (
    BlockError,
    find_block,
    has_conflict,
    is_fence_open,
    with_entries,
)
from helix_tui.distribute.ledger import Distributed
from helix_tui.distribute.standing import FindFile, as_it_is, moved_here
from helix_tui.distribute.threeway import settle
from helix_tui.schema.distribute import (
    DistributeRefusal,
    FileKind,
    Found,
    Held,
    LedgerRule,
    Plan,
    Planned,
    Proposal,
    RefusalKind,
    TargetState,
    TargetStatus,
    Want,
    WriteAction,
)

# What holds instead of "nothing was ever written there".
_NEVER: tuple[LedgerRule, ...] = ()


def make_plan(
    wants: Sequence[Want],
    distributed: Distributed,
    look: FindFile,
    sites: Collection[str],
    now: str,
    *,
    restores: bool = False,
    retracted: Collection[tuple[str, str]] = (),
) -> Plan:
    """What has to be written so that every file of these sites has what is wanted there.

    A file that the ledger knows and nobody wants anything in any more loses what is ours.
    `retracted` are patterns, with their sites, that somebody takes out.
    """
    plan = Plan([], [], [], [])
    by_file: dict[str, list[Want]] = {}
    for want in wants:
        by_file.setdefault(want.file, []).append(want)
    known = {path: one for path, one in distributed.files.items() if one.site in sites}
    before = {path: one for path, one in distributed.earlier.items() if one.site in sites}
    for path in sorted({*by_file, *known, *before}):
        some = by_file.get(path, [])
        held = as_it_is(path, known.get(path), before.get(path), distributed.pending, look)
        kind = some[0].kind if some else held.kind if held else "block"
        leaving = {pattern for site, pattern in retracted if held and held.site == site}
        twin = moved_here(path, some, known, look) if held is None and some else None
        moved = {
            want.pattern
            for want in wants
            if held and want.site == held.site and want.root != held.root
        }
        base = held or twin
        _File(plan, path, kind, base, some, look(path), now, restores, leaving, moved).add()
        if twin is not None and plan.writes and plan.writes[-1].file == path:
            plan.writes[-1] = plan.writes[-1]._replace(is_noted=True)
    return plan


class _File:
    """One file of a plan."""

    def __init__(
        self,
        plan: Plan,
        path: str,
        kind: FileKind,
        held: Held | None,
        wants: Sequence[Want],
        found: Found,
        now: str,
        restores: bool,
        leaving: Collection[str],
        moved: Collection[str],
    ) -> None:
        self._plan = plan
        self._path = path
        self._kind = kind
        self._held = held
        self._base = held.rules if held else _NEVER
        self._wants = wants
        self._found = found
        self._now = now
        self._restores = restores
        self._leaving = leaving
        self._moved = moved
        self._site = wants[0].site if wants else held.site if held else ""
        self._root = wants[0].root if wants else held.root if held else ""

    def add(self) -> None:
        """Add what becomes of the file to the plan."""
        trouble = self._found.trouble or self._trouble()
        is_gone = trouble is not None and trouble[0] == "folder"
        gone = {*self._leaving, *self._moved}
        if is_gone and {rule.pattern for rule in self._base} <= gone:
            # Taken out, or taught in the folder that the repository is in now.
            self._put(None, None, (), "", 0, None, None)
        elif trouble is not None:
            self._refuse_all(*trouble)
        elif self._kind == "file":
            self._whole()
        else:
            self._block()

    def _trouble(self) -> tuple[RefusalKind, str] | None:
        """Why nothing may be written into it, by its content."""
        data = self._found.data
        if data is None:
            return None
        if b"\0" in data[:8192]:
            return "unreadable", "it is not text"
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as error:
            return "unreadable", f"it is not UTF-8 at byte {error.start:,}"
        if has_conflict(data):
            return "conflict", "git left the marks of a conflict in it: resolve that first"
        if self._kind == "file":
            return None
        try:
            block = find_block(data)
        except BlockError as error:
            return "malformed", f"{error}: mend that first, nothing is written"
        if block is None and is_fence_open(data):
            return "malformed", "a code fence is open at its end: close that first"
        return None

    def _refuse_all(self, kind: RefusalKind, message: str) -> None:
        names = {want.pattern: None for want in self._wants} | {
            rule.pattern: None for rule in self._base
        }
        refusals = [DistributeRefusal(self._path, name, kind, message) for name in names]
        self._plan.refusals.extend(refusals)
        state: TargetState = "missing" if kind == "folder" else "malformed"
        self._tell(dict.fromkeys((rule.pattern for rule in self._base), state))

    def _tell(self, states: dict[str, TargetState]) -> None:
        for rule in self._base:
            self._plan.targets.append(
                TargetStatus(
                    rule.pattern,
                    rule.version,
                    self._path,
                    self._site,
                    tuple(rule.agents),
                    rule.since,
                    states.get(rule.pattern, "missing"),
                )
            )

    def _block(self) -> None:
        data = self._found.data
        block = find_block(data) if data is not None else None
        entries = block.entries if block else ()
        wants = self._not_told(data, block is None)
        settled = settle(
            self._path,
            self._base,
            entries,
            wants,
            self._now,
            restores=self._restores,
        )
        self._plan.proposals.extend(settled.proposals)
        self._plan.refusals.extend(settled.refusals)
        self._tell(settled.states)
        glue = self._held.glue if self._held else ""
        is_same = settled.entries == entries and not (settled.are_own and block)
        if is_same:
            self._put(data, data, settled.rules, glue, 0, None, None)
            return
        edited = with_entries(data or b"", settled.entries, glue, keeps=settled.are_own)
        after: bytes | None = edited.data
        if data is None:
            self._put(None, after, settled.rules, edited.glue, 0, None, edited.new, is_made=True)
        elif not edited.data and self._held is not None and self._held.is_made:
            self._put(data, None, settled.rules, "", 0, data.decode(), None)
        else:
            self._put(
                data, after, settled.rules, edited.glue, edited.offset, edited.old, edited.new
            )

    def _not_told(self, data: bytes | None, has_no_block: bool) -> list[Want]:
        """Those that do not stand in the file already, without marks."""
        if data is None:
            return list(self._wants)
        block = None if has_no_block else find_block(data)
        outside = data if block is None else data[: block.start] + data[block.end :]
        known = {rule.pattern for rule in self._base} if block else set()
        lines = [_bare(line) for line in outside.decode("utf-8").splitlines()]
        kept = []
        for want in self._wants:
            first = want.text.split("\n")[0]
            if want.pattern not in known and first in lines:
                message = (
                    f"line {lines.index(first) + 1:,} says the same already, outside of our marks"
                )
                self._plan.refusals.append(
                    DistributeRefusal(self._path, want.pattern, "told", message)
                )
            else:
                kept.append(want)
        return kept

    def _whole(self) -> None:
        """A file that is ours as a whole."""
        data = self._found.data
        rule = self._base[0] if self._base else None
        want = self._wants[0] if self._wants else None
        wanted = want.text.encode() if want is not None else None
        rules = (self._rule(want, rule),) if want is not None else ()
        if rule is None:
            if want is None:
                return
            if data is not None and data != wanted:
                message = "a file of that name is there, which is not ours"
                self._plan.refusals.append(
                    DistributeRefusal(self._path, want.pattern, "foreign", message)
                )
                return
            self._put(data, wanted, rules, "", 0, _text(data), want.text, is_made=data is None)
            return
        is_clean = data is not None and (data == rule.text.encode() or data == wanted)
        state: TargetState = "clean" if is_clean else "missing" if data is None else "edited"
        self._tell({rule.pattern: state})
        if is_clean or (self._restores and want is not None):
            after = wanted
            new = want.text if want is not None else None
            is_made = self._held is not None and self._held.is_made
            if wanted is None and not is_made:
                after, new = data, _text(data)  # it was there before us
            self._put(data, after, rules, "", 0, _text(data), new)
        elif want is None:
            if data is not None:
                message = "it was edited by hand, so it stays as your own"
                self._plan.refusals.append(
                    DistributeRefusal(self._path, rule.pattern, "edited", message)
                )
            self._put(data, data, (), "", 0, None, None)
        elif data is None:
            message = (
                "somebody took the file away: `helix distribute retract ID` confirms that, "
                "`helix distribute apply --restore` writes it again"
            )
            self._plan.refusals.append(
                DistributeRefusal(self._path, rule.pattern, "missing", message)
            )
        else:
            text = data.decode("utf-8")
            self._plan.proposals.append(Proposal(rule.pattern, self._path, text, rule.text))

    def _rule(self, want: Want, before: LedgerRule | None) -> LedgerRule:
        since = before.since if before is not None and before.text == want.text else self._now
        return LedgerRule(want.pattern, want.version, want.text, since, list(want.agents))

    def _put(
        self,
        before: bytes | None,
        after: bytes | None,
        rules: tuple[LedgerRule, ...],
        glue: str,
        offset: int,
        old: str | None,
        new: str | None,
        *,
        is_made: bool | None = None,
    ) -> None:
        """Add a file whose bytes or whose line in the ledger change."""
        action = action_of(before, after, self._base, rules)
        held = tuple(sorted(self._leaving))
        is_noted = tuple(self._base) != rules or bool(
            held and {rule.pattern for rule in self._base}.intersection(held)
        )
        if action == "unchanged" and not is_noted and not rules:
            return
        was_made = self._held.is_made if self._held is not None else False
        folders = self._held.folders if self._held is not None else ()
        self._plan.writes.append(
            Planned(
                self._path,
                self._site,
                self._root,
                self._kind,
                action,
                before,
                after,
                rules,
                glue,
                was_made if is_made is None else is_made,
                folders,
                offset,
                old,
                new,
                is_noted,
                held,
            )
        )


def hash_of(data: bytes | None) -> str:
    """A mark of a file's bytes; empty where there is no file."""
    return "" if data is None else xxh3_64_hexdigest(data)


def _bare(line: str) -> str:
    return line.strip().removeprefix("- ").removeprefix("* ").strip()


def _text(data: bytes | None) -> str | None:
    return data.decode("utf-8") if data is not None else None


def action_of(
    before: bytes | None,
    after: bytes | None,
    base: Sequence[LedgerRule],
    rules: Sequence[LedgerRule],
) -> WriteAction:
    """What is done to a file, in one word."""
    if before == after:
        return "unchanged"
    if before is None:
        return "create"
    if after is None or (base and not rules):
        return "remove"
    return "replace" if base else "insert"


def diff_of(planned: Planned) -> str:
    """What changes in a file, as a unified diff."""
    before, after = (
        (data or b"").decode("utf-8", "replace").splitlines(keepends=True)
        for data in (planned.before, planned.after)
    )
    lines = difflib.unified_diff(before, after, planned.file, planned.file, n=1)
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)


def patterns_of(plan: Plan) -> set[str]:
    """The patterns that a plan says anything about."""
    named: Iterable[str] = [
        *(rule.pattern for one in plan.writes for rule in one.rules),
        *(one.pattern for one in plan.refusals),
        *(one.pattern for one in plan.targets),
    ]
    return set(named)
