"""A rollout of Codex and forks of it, by a person and by an agent."""

from __future__ import annotations

from tests.claude_log import Json
from tests.codex_log import CHILD, GRANDCHILD, THREAD, CodexLog

PARENT, FORK, LAST = f"codex:{THREAD}", f"codex:{CHILD}", f"codex:{GRANDCHILD}"

SPAWN = {"subagent": {"thread_spawn": {"parent_thread_id": THREAD, "depth": 1}}}

BY_PERSON: Json = {"forked_from_id": THREAD}

BY_AGENT: Json = {"forked_from_id": THREAD, "parent_thread_id": THREAD, "source": SPAWN}


def parent_log() -> CodexLog:
    """Two turns that cost 100 and 300 tokens of input, 10 and 30 of output."""
    log = CodexLog()
    for fresh, out in ((100, 10), (300, 30)):
        log.turn()
        log.prompt(f"ask for {fresh}")
        log.step()
        log.reply(f"answer {fresh}")
        log.spend(fresh=fresh, out=out)
        log.event("task_complete")
    return log


def work(log: CodexLog, text: str, *, has_start: bool = True) -> None:
    """A turn of the child's own: 50 tokens of input and 5 of output."""
    if has_start:
        log.turn()
    log.prompt(text)
    log.step()
    log.reply(f"done: {text}")
    log.spend(fresh=50, out=5)
