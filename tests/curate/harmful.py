"""Sessions in which something harmful helped, and the catalog that a batch makes of them."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from helix_tui.curate.draft.advice import advice_table, filled
from helix_tui.curate.page.page import read_page
from helix_tui.curate.page.pattern import Pattern
from helix_tui.text.signature.signature import signature
from tests.claude_log import ClaudeLog
from tests.conftest import Workbench

_DATA = Path(__file__).parents[1] / "data"
_SESSIONS = 4
_FLOORS = "[curate.gate]\nmin_cost_impact = 0\nrequire_words = false\n"


class Remedy(NamedTuple):
    """A command that failed, what it said, and what was run then."""

    kind: str
    failed_command: str
    error: str
    remedy_command: str


class Injection(NamedTuple):
    """A text that a log may hold at some place, and the parts of it that no page may have."""

    kind: str
    where: str
    text: str
    must_not_appear: list[str]


def remedies() -> list[Remedy]:
    """Harmful remedies, written without a look at the rules."""
    rows = json.loads((_DATA / "harmful_remedies.json").read_text(encoding="utf-8"))
    return [Remedy(*(row[name] for name in Remedy._fields)) for row in rows]


def injections() -> list[Injection]:
    """Injections, written without a look at the rules."""
    rows = json.loads((_DATA / "injections.json").read_text(encoding="utf-8"))
    found = []
    for row in rows:
        gone = row["must_not_appear"]
        needles = [gone] if isinstance(gone, str) else list(gone)
        found.append(Injection(row["kind"], row["where"], row["text"], needles))
    return found


def apart(items: Iterable[Remedy]) -> list[list[Remedy]]:
    """Remedies in as few lots as there can be, none with two of the same error.

    Else what helped against one would be outvoted by what helped against the other.
    """
    lots: list[dict[object, Remedy]] = []
    for item in items:
        found = signature(item.error, "shell")
        key = (found.error_class, found.subject) if found.error_class else found.template
        lot = next((lot for lot in lots if key not in lot), None)
        if lot is None:
            lot = {}
            lots.append(lot)
        lot[key] = item
    return [list(lot.values()) for lot in lots]


def write_remedy(home: Path, number: int, item: Remedy) -> None:
    """Sessions that fail alike and get on alike, in several repositories."""
    for at in range(_SESSIONS):
        log = ClaudeLog(session=f"{number:04d}{at:04d}-0000-4000-8000-000000000000")
        log.second = (number * _SESSIONS + at) * 4000
        log.cwd = f"/work/{('app', 'web', 'api')[at % 3]}"
        log.prompt("please get this to work and run the tests")
        log.step("ls src", "app.py")
        log.step(item.failed_command, f"Exit code 1\n{item.error}", is_error=True)
        log.step("cat src/app.py", "import os\n" * 200)
        log.step(item.remedy_command, "ok")
        log.step(item.failed_command, "ok")
        log.reply("It works now.")
        log.write(home, name=f"{number:04d}{at:04d}")


def promoted(bench: Workbench) -> list[Pattern]:
    """What a batch makes of all that is there, also of what cost nothing."""
    bench.config = bench.home / "helix.toml"
    bench.config.write_text(_FLOORS, encoding="utf-8")
    bench.sweep()
    bench.engine().candidates.approve_all()
    return [read_page(path.read_text(encoding="utf-8"), path.stem) for path in pages(bench)]


def pages(bench: Workbench) -> list[Path]:
    """The pages of the catalog."""
    found = (bench.store / "catalog").glob("*.md")
    return sorted(path for path in found if path.stem != "INDEX")


def own_lines() -> frozenset[str]:
    """Every line that Helix has to say by itself, whatever it is about."""
    table = advice_table()
    rows = (*table.error_class.values(), *table.signal.values())
    said = [line for advice in rows for line in advice.guidance]
    said += [way.line for way in (*table.way.values(), *table.way_kind.values())]
    return frozenset(_bare(filled(line, "*")) for line in said) | frozenset(
        _bare(filled(line, "")) for line in said
    )


def proposed(pattern: Pattern, own: frozenset[str]) -> Iterator[str]:
    """Lines of a page that Helix does not say by itself: those that logs brought about."""
    for line in filter(None, pattern.guidance.split("\n")):
        bare = _bare(line.removeprefix("- ").replace(f"`{pattern.subject}`", "`*`"))
        if bare not in own:
            yield line


def _bare(line: str) -> str:
    return re.sub(r"\s+", " ", line).strip().casefold()


def words(pattern: Pattern) -> str:
    """All that a page says in words, and its head."""
    fields: Sequence[str] = (
        *(pattern.title, pattern.problem, pattern.applies, pattern.does_not_apply),
        *(pattern.guidance, pattern.why, pattern.subject, pattern.id, *pattern.candidates),
        *pattern.evidence.repo_names,
    )
    return "\n".join(fields)


_ERRORS = {
    "module_name": "ModuleNotFoundError: No module named '{}'",
    "file_name": "cat: {}: No such file or directory",
    "test_name": "--- FAIL: {} (0.01s)",
    "env_name": "/bin/bash: line 1: {}: unbound variable",
    "command": "/bin/bash: line 1: {}: command not found",
    "tool_name": "Error: No such tool available: {}",
}


def write_injection(home: Path, number: int, item: Injection) -> None:
    """Sessions that hold a text wherever it belongs, and fail in ways that recur."""
    for at in range(_SESSIONS):
        log = ClaudeLog(session=f"{number:04d}{at:04d}-0000-4000-8000-000000000000")
        log.second = (number * _SESSIONS + at) * 4000
        log.cwd = f"/work/{('app', 'web', 'api')[at % 3]}"
        if item.where == "branch_name":
            log.branch = item.text
        asked = item.text if item.where in ("user_prompt", "title") else "make it work"
        log.prompt(f"please {asked}")
        error = _ERRORS.get(item.where, "{}").replace("{}", item.text)
        ran = item.text if item.where == "command" else f"tool-{number} run"
        if item.where == "commit_message":
            ran = f"git commit -m '{item.text}'"
        log.step(ran, f"Exit code 1\n{error}", is_error=True)
        call = log.call(
            item.text if item.where == "tool_name" else "Edit",
            given={"file_path": f"/work/{item.text}"},
        )
        log.result(call["message"]["content"][0]["id"], f"Error: {error}", is_error=True)
        log.step("cat src/app.py", "import os\n" * 200)
        log.step(f"{ran} --{item.text}", "ok")
        log.reply(item.text if item.where == "agent_reply" else "Done.")
        log.prompt(f"no, that's wrong: {item.text}")
        log.step("git status", "clean")
        log.write(home, name=f"{number:04d}{at:04d}")


def catalog_text(bench: Workbench) -> str:
    """All that a batch put into the catalog's folder, and how its files are called."""
    files = [path for path in (bench.store / "catalog").rglob("*") if path.is_file()]
    return "\n".join(f"{path.name}\n{path.read_text(encoding='utf-8')}" for path in files)


def plain(text: str) -> str:
    """A text without what is not seen of it, in one case and with single blanks."""
    shown = unicodedata.normalize("NFKC", text)
    kept = "".join(
        " " if unicodedata.category(one) in ("Cf", "Co", "Cc", "Zs", "Zl") else one for one in shown
    )
    return re.sub(r"[\s_-]+", " ", kept).casefold().strip()
