"""The script that answers an agent before a call: deny or ask by a rule's shape, else nothing.

It is run by its path and without site-packages, and may take 100 ms with the start of the
interpreter. Most calls name no program of any rule: for these it loads what the hook loads, and
only for the rest the code that reads a command line. Whatever goes wrong, the call passes.
"""

from __future__ import annotations

import json
import os
import signal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FOLDER = "guard"
RULES = "rules.json"
DIVERTED = "HELIX_GUARD_FOLDER"
EVENT = "Guard"

_MOST_RULES = 4 << 20
_SECONDS = 1.0
_SHELLS = frozenset(
    [
        "Bash",
        "bash",
        "shell",
        "shell_command",
        "exec",
        "exec_command",
        "local_shell",
        "unified_exec",
        "container.exec",
        "run_terminal_command",
        "run_terminal_cmd",
    ]
)
_EVENTS = ("PreToolUse", "pre_tool_use")
# Codex takes `ask` for a mistake of the hook, and lets the call pass.
_CANNOT_ASK = ("codex",)
_PASSED = "pass"
_ASKS = {"deny": "Denied", "ask": "Asked about"}


def main(arguments: list[str]) -> None:
    """Answer the call on stdin by the rules of a store, and spool a line where one holds."""
    options = dict(zip(arguments[::2], arguments[1::2], strict=False))
    store = options.get("--store", "")
    sys.path += [_above(__file__), *filter(None, [options.get("--library")])]
    from helix_tui import hook

    text = hook.read_stdin()
    if not store or os.environ.get(hook.INVOKED_BY):
        return
    payload = json.loads(text)
    command, cwd = _command(payload), _text(payload.get("cwd"))
    if not command or hook.is_our_own(payload, store):
        return
    folder = os.environ.get(DIVERTED) or os.path.join(store, FOLDER)
    known = _rules(folder)
    named = [rule for rule in known["rules"] if rule["program"] in command]
    if not named:
        return
    _use_rows(known.get("rows"))
    rule = rule_for(command, cwd, named)
    if rule is None:
        return
    line = hook.line_of(payload, hook.now_ms(), options.get("--otherwise", "claude"))
    said = json.loads(line) if line else {"flavor": options.get("--otherwise", "claude")}
    answer = rule["answer"]
    if answer == "ask" and said["flavor"] in _CANNOT_ASK:
        answer = _PASSED
    else:
        os.write(1, answer_of(said["flavor"], answer, _reason(rule, answer)))
    if line:
        fired = {**said, "event": EVENT, "pattern": rule["pattern"], "version": rule["version"]}
        data = json.dumps({**fired, "answer": answer}, separators=(",", ":")).encode() + b"\n"
        diverted = os.environ.get(hook.DIVERTED)
        hook.append(diverted or os.path.join(store, hook.SPOOL), data)


def answer_of(flavor: str, answer: str, reason: str) -> bytes:
    """What an agent is told, as it documents it; Grok takes the older form in all versions."""
    if flavor == "grok":
        return json.dumps({"decision": answer, "reason": reason}).encode() + b"\n"
    decided = {"permissionDecision": answer, "permissionDecisionReason": reason}
    return (
        json.dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse", **decided}}).encode()
        + b"\n"
    )


def _reason(rule: dict[str, str], answer: str) -> str:
    where = f"`{rule['shape']}`"
    return f"{rule['rule']}\n({_ASKS[answer]} by the person's rule for {where}, {rule['pattern']}.)"


def _command(payload: object) -> str:
    """The command line of a call to a shell; empty for every other call."""
    if not isinstance(payload, dict):
        return ""
    event = payload.get("hookEventName") or payload.get("hook_event_name")
    tool = payload.get("toolName") or payload.get("tool_name")
    given = payload.get("toolInput") or payload.get("tool_input")
    if event not in _EVENTS or tool not in _SHELLS or not isinstance(given, dict):
        return ""
    line = given.get("command") or given.get("cmd")
    if isinstance(line, list) and all(isinstance(word, str) for word in line):
        import shlex

        return shlex.join(line)
    # What leaves the sandbox is another action.
    is_plain = not given.get("dangerouslyDisableSandbox") and not given.get(
        "with_escalated_permissions"
    )
    return line if isinstance(line, str) and is_plain else ""


def _rules(folder: str) -> dict[str, Any]:
    with open(os.path.join(folder, RULES), "rb") as file:
        known: dict[str, Any] = json.loads(file.read(_MOST_RULES))
    return known


def _use_rows(rows: object) -> None:
    """Take the table of programs as it was when the rules were written: it needs no parsing."""
    # Loading it takes as long as an eighth of the time that there is, and nothing here needs it.
    sys.modules.setdefault("typing_extensions", None)  # type: ignore[arg-type]
    import msgspec

    from helix_tui.digest.runs.table import Rows, use_rows

    if rows is not None:
        use_rows(msgspec.convert(rows, Rows))


def rule_for(command: str, cwd: str, rules: list[dict[str, str]]) -> dict[str, str] | None:
    """The rule that a part of the command line is of, a deny before an ask."""
    from helix_tui.digest.shape.guarded import run_parts

    found = [
        rule
        for part in run_parts(command)
        for rule in rules
        if rule["shape"] == part.text
        and _is_there(rule["folder"], part.folder)
        and _is_in(rule["repos"], cwd, part.folder)
    ]
    return min(found, key=lambda rule: rule["answer"] != "deny", default=None)


def _is_there(wanted: str, folder: str | None) -> bool:
    return not wanted or wanted == folder


def _is_in(repos: str | list[str], cwd: str, folder: str | None) -> bool:
    """Whether a part runs in one of a rule's repositories; none where that cannot be told."""
    if not repos:
        return True
    if folder is None or not cwd.startswith("/"):
        return False
    from helix_tui.capture.repo import repo_of

    place = os.path.normpath(os.path.join(cwd, os.path.expanduser(folder)))
    while place != "/" and not os.path.isdir(place):
        place = os.path.dirname(place)
    return repo_of(place) in repos


def _text(value: object) -> str:
    return value if isinstance(value, str) and "\0" not in value else ""


def _above(path: str) -> str:
    return os.path.dirname(os.path.dirname(os.path.abspath(path)))


def _stop_in_time() -> None:
    """End before an agent waits for long: a call that cannot be judged in time passes."""
    signal.signal(signal.SIGALRM, lambda *_: os._exit(0))
    signal.setitimer(signal.ITIMER_REAL, _SECONDS)


if __name__ == "__main__":
    try:
        _stop_in_time()
        main(sys.argv[1:])
    except BaseException:  # noqa: BLE001 - an agent must never hear of it
        os._exit(0)
    os._exit(0)
