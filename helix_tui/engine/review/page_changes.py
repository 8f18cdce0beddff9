"""A person's own change of a page of the catalog, written and recorded at once."""

from __future__ import annotations

from msgspec.structs import replace

from helix_tui.config import Config
from helix_tui.curate.catalog.scan import page_faults
from helix_tui.curate.page.page import known_page, read_page, write_page
from helix_tui.curate.page.pattern import Pattern
from helix_tui.curate.page.versions import history_line, next_version
from helix_tui.distribute.guards import guard_fault
from helix_tui.distribute.scope import read_scope
from helix_tui.distribute.words import rule_faults
from helix_tui.engine.distribute.teachings import teaching_of
from helix_tui.engine.review.transaction import ReviewTransaction, review_transaction
from helix_tui.errors import ChangedError, NotFoundError, UsageError
from helix_tui.schema.distribute import RUNGS
from helix_tui.schema.review import Write


def save_page(config: Config, name: str, before: str, after: str) -> None:
    """Write a page as somebody made it of the one that they saw; refused where that has changed."""
    if faults := page_faults(after, name):
        line, reason = faults[0]
        raise UsageError(f"Not saved: line {line}: {reason}.", "Mend it; nothing was written.")
    with review_transaction(config) as transaction:
        if _text(transaction, name) != before:
            what = f"The page of {name} has changed since you looked."
            raise ChangedError(what, "Nothing was written; look at it and change it again.")
        _record(transaction, name, after, f"edit {name}")


def teach_page(
    config: Config,
    name: str,
    *,
    scope: str | None = None,
    rung: str | None = None,
    rule: str | None = None,
    allowed: str | None = None,
    guard: str | None = None,
    shape: str | None = None,
) -> Pattern:
    """Say where a pattern applies, how and in which words it is taught, or that it may go."""
    with review_transaction(config) as transaction:
        before = _text(transaction, name)
        pattern = read_page(before, name)
        asked = {
            **{"scope": scope, "rung": rung, "rule": rule},
            **{"allowed": allowed, "guard": guard, "shape": shape},
        }
        given = {field: value for field, value in asked.items() if value is not None}
        _refuse_teaching(pattern, given)
        made = replace(pattern, **given)
        if made == pattern:
            return pattern
        _refuse_guard(config, made)
        made = replace(made, version=next_version(pattern, made))
        text = write_page(made)
        if faults := page_faults(text, name):
            number, reason = faults[0]
            raise UsageError(f"Not saved: line {number}: {reason}.", "Nothing was written.")
        line = transaction.line("edit")
        history = history_line(before, pattern.version, made.version, line.at, line.author)
        whole = transaction.files[name].history + history
        write = Write(name, text, whole)
        transaction.record([replace(line, writes=[write])], f"edit {name}")
        return made


def _refuse_teaching(pattern: Pattern, given: dict[str, str]) -> None:
    faults = []
    if given.get("scope"):
        _, trouble = read_scope(given["scope"], pattern.evidence.repo_names)
        faults += [trouble] if trouble else []
    if given.get("rung") and given["rung"] not in RUNGS:
        faults.append(f"the rung is one of {', '.join(RUNGS)}")
    if given.get("rule"):
        faults += rule_faults(given["rule"])
    if faults:
        raise UsageError(f"Not saved: {'; '.join(faults)}.", "Nothing was written.")


def _refuse_guard(config: Config, pattern: Pattern) -> None:
    if not pattern.guard:
        return
    from helix_tui.digest.shape.guarded import guarded_shape

    taught = teaching_of(pattern, config.distribute.floors)
    if fault := guard_fault(taught, guarded_shape(pattern.shape)):
        raise UsageError(f"Not saved: it cannot be guarded: {fault}.", "Nothing was written.")


def deprecate_page(config: Config, name: str, *, is_deprecated: bool) -> Pattern:
    """Have agents follow a pattern no longer, or again as it stood before."""
    with review_transaction(config) as transaction:
        pattern = read_page(_text(transaction, name), name)
        if is_deprecated:
            made = replace(pattern, status="deprecated", distribution_ready=False)
        else:
            stood = _stood_before(transaction, name)
            made = replace(
                pattern,
                status=stood.status if stood else "provisional",
                distribution_ready=stood.distribution_ready if stood else False,
                superseded_by="",
            )
        if made != pattern:
            verb = "deprecate" if is_deprecated else "teach again"
            _record(transaction, name, write_page(made), f"{verb} {name}")
        return made


def _text(transaction: ReviewTransaction, name: str) -> str:
    files = transaction.files.get(name)
    if name in transaction.bad:
        raise transaction.bad[name]
    if files is None or files.text is None:
        raise NotFoundError(f"There is no pattern {name!r}.", "`helix catalog list` shows them.")
    return files.text


def _record(transaction: ReviewTransaction, name: str, text: str, message: str) -> None:
    transaction.record([transaction.line("edit", writes=[Write(name, text)])], message)


def _stood_before(transaction: ReviewTransaction, name: str) -> Pattern | None:
    """The page as it was last when agents were to follow it."""
    texts = (
        write.text
        for line in reversed(transaction.lines)
        for write in line.writes
        if write.pattern == name and write.text is not None
    )
    pages = (known_page(text, name) for text in texts)
    return next((page for page in pages if page.status != "deprecated"), None)
