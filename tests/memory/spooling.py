"""The hook as agents run it, and payloads as they write them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import helix_tui.hook

HOOK = Path(helix_tui.hook.__file__)

CLAUDE_END: dict[str, Any] = {
    "session_id": "5f0c2a51-7d1e-4b0a-9d0f-2f5f1c3a7b11",
    "transcript_path": "/home/ada/.claude/projects/-home-ada-shop/5f0c2a51.jsonl",
    "cwd": "/home/ada/shop",
    "permission_mode": "default",
    "hook_event_name": "SessionEnd",
    "reason": "prompt_input_exit",
}
CODEX_STOP: dict[str, Any] = {
    "session_id": "0199c3a2-11aa-7c02-8d7f-aa3d9f1e2b01",
    "turn_id": "0199c3a2-2222-7c02-8d7f-aa3d9f1e2b01",
    "transcript_path": "/home/ada/.codex/sessions/2026/03/02/rollout-2026-03-02T10-00-00-x.jsonl",
    "cwd": "/home/ada/shop",
    "hook_event_name": "Stop",
    "model": "gpt-5",
    "permission_mode": "default",
    "stop_hook_active": False,
    "last_assistant_message": "Done.",
}
GROK_COMPACT: dict[str, Any] = {
    "hookEventName": "pre_compact",
    "sessionId": "019d2f00-5a5a-7000-8000-000000000001",
    "cwd": "/home/ada/shop",
    "workspaceRoot": "/home/ada/shop",
    "timestamp": "2026-04-14T12:00:00Z",
    "permissionMode": "default",
    "trigger": "auto",
}


def run_hook(
    store: Path,
    payload: object = CLAUDE_END,
    *arguments: str,
    env: dict[str, str] | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Runs the hook by its path with a payload, which is JSON unless it is bytes."""
    data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    return subprocess.run(
        [sys.executable, "-I", "-S", str(HOOK), "--store", str(store), *arguments],
        input=data,
        capture_output=True,
        env=env or {"PATH": "/usr/bin:/bin"},
        timeout=30,
        check=False,
    )
