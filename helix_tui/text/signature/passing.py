"""What passing tests print on their way, which names no error."""

from __future__ import annotations

from helix_tui.text.lazy import lazy

_HINTS = ("console.", "stderr | ", "stdout | ", "--- PASS: ")
# Jest writes what a test logs below a heading, further to the right.
_CONSOLE = lazy(r"( {0,20})console\.(?:log|error|warn|info|debug|trace)\s{0,4}$")
# Vitest names the test before what it logs, and ends it with an empty line.
_STREAM = lazy(r"(?:stderr|stdout) \| \S")
_RUN = lazy(r"\s{0,20}=== (?:RUN|CONT|PAUSE) {1,4}(\S{1,300})")
_PASSED = lazy(r"\s{0,20}--- PASS: (\S{1,300})")
_FAILED = "--- FAIL: "


def without_passing(text: str) -> str:
    """An output without what runners say that tests logged, and what passing ones of Go did."""
    if not any(hint in text for hint in _HINTS):
        return text
    lines = text.split("\n")
    if "--- PASS: " in text:
        lines = _without_passed(lines)
    if "console." in text:
        lines = _without_console(lines)
    if "stderr | " in text or "stdout | " in text:
        lines = _without_streams(lines)
    return "\n".join(lines)


def _without_console(lines: list[str]) -> list[str]:
    kept: list[str] = []
    indent = -1
    for line in lines:
        if indent >= 0:
            if not line.strip() or len(line) - len(line.lstrip(" ")) > indent:
                continue
            indent = -1
        if heading := _CONSOLE.match(line):
            indent = len(heading[1])
        else:
            kept.append(line)
    return kept


def _without_streams(lines: list[str]) -> list[str]:
    kept: list[str] = []
    is_logged = False
    for line in lines:
        is_logged = _STREAM.match(line) is not None or (is_logged and bool(line.strip()))
        if not is_logged:
            kept.append(line)
    return kept


def _without_passed(lines: list[str]) -> list[str]:
    """Drops what stands between the start of a test of Go and the line that it passed."""
    kept: list[str] = []
    started: dict[str, int] = {}
    for line in lines:
        if run := _RUN.match(line):
            started.setdefault(run[1], len(kept))
        elif passed := _PASSED.match(line):
            at = started.pop(passed[1], None)
            if at is not None and not any(_FAILED in inner for inner in kept[at:]):
                del kept[at:]
                started = {name: start for name, start in started.items() if start <= at}
                continue
        kept.append(line)
    return kept
