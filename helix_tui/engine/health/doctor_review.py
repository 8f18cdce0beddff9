"""Check verdicts, catalog, decisions and hub; change nothing and send nothing."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from helix_tui.config import Config
from helix_tui.curate.catalog.folder import HISTORY, PAGE
from helix_tui.curate.journal.journal import Journal, JournalRead
from helix_tui.engine.catalog.folder_differences import applied_path, differences_of
from helix_tui.engine.sweep.settled_marker import is_there, settled_path
from helix_tui.errors import HelixError
from helix_tui.files.ledger import DamagedLine, Ledger, is_sound
from helix_tui.schema import DoctorCheck
from helix_tui.schema.review import JournalLine
from helix_tui.store.repair.checks import some
from helix_tui.text.human import plural

if TYPE_CHECKING:
    from helix_tui.curate.catalog.check import Finding

_HAS_EFFECTIVE_IDS = os.access in os.supports_effective_ids
_FOR_OTHERS = 0o077


def check_review(config: Config) -> list[DoctorCheck]:
    """Run every check of verdicts and of what follows from them."""
    results: list[DoctorCheck] = []
    lines: list[JournalLine] = []
    try:
        read = Journal(config.curate.review_log).lines()
        lines = read.lines
        results += _check_journal(config.curate.review_log, read)
    except HelixError as error:
        results.append(DoctorCheck("journal", False, error.what, error.todo))
    results += _check_permissions(config)
    try:
        results += _check_catalog(config, lines)
    except HelixError as error:
        results.append(DoctorCheck("catalog", False, error.what, error.todo))
    try:
        results += _check_decisions(config, lines)
    except HelixError as error:
        results.append(DoctorCheck("decisions", False, error.what, error.todo))
    return [*results, *_check_hub(config), *_check_drafting(config)]


def _check_journal(path: Path, read: JournalRead) -> Iterator[DoctorCheck]:
    if read.damaged:
        todo = f"What they said does not count. Mend them in {path}, or take them out."
        yield DoctorCheck("journal", False, f"damaged: {_lines(read.damaged)}", todo)
    if read.unknown:
        todo = "Use the version of Helix that wrote them: what they say does not count here."
        yield DoctorCheck("journal", False, f"not understood: {_lines(read.unknown)}", todo)
    if not read.damaged and not read.unknown:
        count = len(read.lines)
        sound = f"{count:,} lines, all sound" if count > 1 else "1 sound line"
        # It was never acknowledged, so nothing is lost and there is nothing to be done.
        torn = "; what was cut off behind that was never acknowledged, the next verdict drops it"
        detail = sound if count else "no verdicts yet"
        yield DoctorCheck("journal", True, detail + (torn if _has_torn_tail(path) else ""))


def _has_torn_tail(path: Path) -> bool:
    if not path.is_file():
        return False
    tail = path.read_bytes().rpartition(b"\n")[2]
    return bool(tail) and not is_sound(tail)


def _check_permissions(config: Config) -> Iterator[DoctorCheck]:
    curate = config.curate
    files = [curate.review_log, curate.decision_queue, applied_path(config), settled_path(config)]
    # A folder that somebody configured may be shared; the files in it may not.
    folders = {path.parent for path in files if path.is_relative_to(config.store.absolute())}
    open_to_others = [str(path) for path in (*sorted(folders), *files) if _is_open(path)]
    if open_to_others:
        todo = f"Run `chmod go= {' '.join(open_to_others)}`."
        yield DoctorCheck("verdicts", False, f"others can read {', '.join(open_to_others)}", todo)
    elif any(map(is_there, files)):
        yield DoctorCheck("verdicts", True, "only you can read them")


def _is_open(path: Path) -> bool:
    try:
        return bool(stat.S_IMODE(path.stat().st_mode) & _FOR_OTHERS)
    except OSError:
        return False  # an unreadable file is reported where it is read


def _check_catalog(config: Config, lines: Sequence[JournalLine]) -> Iterator[DoctorCheck]:
    root = config.curate.catalog_dir
    # An unwritable store has a check of its own; a catalog outside it was configured.
    is_own = config.store.absolute() not in root.parents
    trouble = _unwritable(root) if is_own or is_there(root) else ""
    if trouble:
        todo = "Make it writable for you, or name another one in [curate] catalog_dir."
        yield DoctorCheck("catalog", False, trouble, todo)
    if config.curate.commit and (missing := _no_git(root)):
        todo = "Put the catalog into a git repository, or set [curate] commit = false."
        yield DoctorCheck("catalog", False, missing, todo)
    if trouble and not (is_there(root) and root.is_dir()):
        return
    from helix_tui.curate.catalog.check import check
    from helix_tui.curate.catalog.folder import find

    # An interrupted verdict is kept; the next writer of the journal writes its files.
    waiting = differences_of(config, lines).unfinished
    findings = [finding for finding in check(root) if not _is_about(finding, waiting)]
    if errors := [finding for finding in findings if finding.level == "error"]:
        detail = some(
            [f"{finding.path.name}, line {finding.line}: {finding.reason}" for finding in errors]
        )
        todo = "`helix catalog check` lists them all; put them right in the files."
        yield DoctorCheck("catalog", False, detail, todo)
        return
    count = len(find(root, PAGE).texts)
    detail = plural(count, "pattern") if root.is_dir() else "none yet"
    if findings:
        detail += f", with warnings: {len(findings):,}"
    if waiting:
        detail += f"; the next sweep or verdict writes {some(sorted(waiting))}"
    yield DoctorCheck("catalog", True, detail)


def _is_about(finding: Finding, waiting: Collection[str]) -> bool:
    """Whether a finding is only due to files of a pattern that are not written yet."""
    name = finding.path.name.removesuffix(PAGE).removesuffix(HISTORY)
    return name in waiting or any(other in finding.reason for other in waiting)


def _unwritable(root: Path) -> str:
    place = next(path for path in (root, *root.absolute().parents) if is_there(path))
    if not place.is_dir():
        return f"{place} is not a folder"
    is_writable = os.access(place, os.W_OK | os.X_OK, effective_ids=_HAS_EFFECTIVE_IDS)
    return "" if is_writable else f"{place} cannot be written to"


def _no_git(root: Path) -> str:
    if shutil.which("git") is None:
        return "git is not installed, and [curate] commit is true"
    if any(is_there(folder / ".git") for folder in (root, *root.absolute().parents)):
        return ""
    return f"{root} is in no git repository, and [curate] commit is true"


def _check_decisions(config: Config, lines: Sequence[JournalLine]) -> Iterator[DoctorCheck]:
    from helix_tui.curate.hub.decisions import decisions_of
    from helix_tui.curate.hub.queue import Queue

    path = config.curate.decision_queue
    if damaged := Ledger(path, "decisions for the hub").read().damaged:
        todo = f"Take them out of {path}: the journal fills in what is missing."
        yield DoctorCheck("decisions", False, f"damaged: {_lines(damaged)}", todo)
    rows = Queue(path).overview(decisions_of(lines))
    dead = [f"{row.verdict} {row.candidate}: {row.error}" for row in rows if row.state == "dead"]
    if dead:
        todo = (
            "`helix decisions list` shows them. Once the cause is mended, delete "
            f"{path}: all are sent again, under the same keys."
        )
        yield DoctorCheck("decisions", False, f"not sent for good: {some(dead)}", todo)
    if rows and not damaged and not dead:
        states = [row.state for row in rows]
        detail = f"{states.count('sent'):,} sent, {states.count('queued'):,} queued"
        yield DoctorCheck("decisions", True, detail)


def _check_hub(config: Config) -> Iterator[DoctorCheck]:
    hub = config.hub
    if not hub.url:
        yield DoctorCheck("hub", True, "none configured; nothing is sent")
        return
    from helix_tui.curate.hub.hub import Hub

    if problem := Hub(hub, os.environ).problem():
        yield DoctorCheck(
            "hub", False, problem, f"Correct [hub] in {config.file}, or what it names."
        )
    elif not os.environ.get(hub.token_env) and hub.token_file is None:
        todo = "Set it, or name a file of mode 0600 in hub.token_file, which a timer finds as well."
        yield DoctorCheck("hub", False, f"no token: ${hub.token_env} is not set", todo)
    else:
        yield DoctorCheck(
            "hub", True, f"{hub.url}, with a token; nothing was sent to see whether it works"
        )


def _check_drafting(config: Config) -> Iterator[DoctorCheck]:
    command = config.curate.draft_command
    if not command:
        return
    if shutil.which(command[0]) is None:
        todo = "Install it, or correct [curate.draft] command; until then drafts do without it."
        yield DoctorCheck("drafting", False, f"no such program: {command[0]}", todo)
    else:
        yield DoctorCheck("drafting", True, command[0])


def _lines(lines: Sequence[DamagedLine]) -> str:
    return some([f"line {line.number}: {line.reason}" for line in lines])
