"""Which runs of checks say something of the work: none over no files, none that never began."""

from __future__ import annotations

import re

from helix_tui.digest.red_checks import failed_push
from helix_tui.schema import Facts, RunFact

# A run that found nothing to look at.
_OVER_NOTHING = re.compile(
    r"(?i)\b(?:checked|ran|running|linted|formatted|processed|scanned|collected|found|executed)"
    r" (?:0|no) (?:files?|tests?|items?|specs?|modules?|packages?)\b|\bno (?:tests? (?:files? )?"
    r"(?:ran|found|to run|collected)|(?:matching |staged )?files? (?:matched|found|to check"
    r"|matching|were (?:processed|checked)))\b|\b0 (?:tests?|files?) (?:ran|checked"
    r"|collected|found)\b"
)
# A run that its surroundings kept from beginning: no network, no rights, no tool.
_OF_SURROUNDINGS = re.compile(
    r"(?i)(?:could ?n['’]?o?t|can ?not|failed to|unable to|temporary failure in)"
    r" (?:resolv\w+|connect|reach|download|fetch|look ?up|create (?:a )?temp\w*"
    r"|write to|open (?:a )?(?:temp|lock)|sync (?:channel|toolchain)|update channel|install)"
    r"|name (?:or service not known|resolution)|dns (?:error|lookup)|network is unreachable"
    r"|no route to host|connection (?:refused|timed out|reset)|operation not permitted"
    r"|permission denied|read-only file ?system|no space left|command not found|not installed"
    r"|is not recognized as|toolchain .{0,60}(?:not installed|override)|sandbox|ENOTFOUND|EACCES"
    r"|EPERM|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT"
)
# The last line of git that names no cause, and those before it that do.
_UNSAID = re.compile(
    r"(?i)could not read from remote repository|failed to push some refs"
    r"|requested URL returned error: 40[13]"
)
_WHY = re.compile(
    r"(?im)(?:^|(?<=; ))(?:ssh: [^\r\n]{8,160}|[^\r\n]{0,80}(?:permission denied"
    r"|permission to \S{1,120} denied|host key verification|could not resolve|timed out)"
    r"[^\r\n]{0,80}"
    r"|(?: *! \[(?:remote )?rejected\])[^\r\n]{4,160})"
)
_STATUS = re.compile(r"(?i)^exit (?:status|code) \d+$|^$")


def is_over_nothing(run: RunFact) -> bool:
    """Whether a run passed as it had nothing to check."""
    return run.state == "passed" and _OVER_NOTHING.search(run.reason) is not None


def never_began(facts: Facts, run: RunFact) -> bool:
    """Whether a red run was red by its surroundings, and judged nothing of the work.

    Where it named a test or a line by itself, it began.
    """
    if run.state != "failed" or run.failed or not _STATUS.match(run.reason.strip()):
        return False
    of_run = [error for error in facts.errors if error.fingerprint == run.fingerprint]
    lines = [f"{error.line}\n{error.text}" for error in of_run]
    return any(_OF_SURROUNDINGS.search(line) for line in lines)


def commit_checked_nothing(facts: Facts) -> bool:
    """Whether the checks that ran with the last commit looked at no file."""
    commits = [run.fingerprint for run in facts.runs if run.name == "git commit"]
    if not commits:
        return False
    beside = [
        run for run in facts.runs if run.fingerprint == commits[-1] and run.name != "git commit"
    ]
    return bool(beside) and all(is_over_nothing(run) for run in beside if run.kind != "git")


def with_push_cause(facts: Facts, line: str) -> str:
    """A line that tells of the last failed push with the cause that its output names."""
    push = failed_push(facts)
    why = why_not_pushed(facts, push) if push and push.reason in line else ""
    return line.replace(push.reason, f"{why} ({push.reason})") if push and why else line


def why_not_pushed(facts: Facts, push: RunFact) -> str:
    """What a failed push says first of its cause, where its last line says only that it failed."""
    if not _UNSAID.search(push.reason):
        return ""
    texts = [error.text for error in facts.errors if error.fingerprint == push.fingerprint]
    causes = [match[0].strip() for text in texts for match in _WHY.finditer(text)]
    return causes[0] if causes else ""
