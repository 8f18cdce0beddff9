"""Plug-ins that are installed for a test."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

EXAMPLE = Path(__file__).parents[2] / "examples" / "helix-opencode" / "helix_opencode.py"


def install(folder: Path, module: Path, entry: str) -> str:
    """Puts a module where Python finds it, with the entry point that its package would have."""
    folder.mkdir(exist_ok=True)
    shutil.copy(module, folder)
    info = folder / f"{module.stem}-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module.stem}\nVersion: 0.1.0\n")
    (info / "entry_points.txt").write_text(f"[helix.adapters]\n{entry}\n")
    return str(folder)


def export(**more: Any) -> dict[str, Any]:
    """A session as OpenCode exports it: a prompt, and a reply with a call that failed."""
    tokens = {"input": 10, "output": 5, "reasoning": 2, "cache": {"read": 100, "write": 20}}
    state = {
        "status": "error",
        "input": {"command": "make"},
        "error": "make: *** No rule",
        "time": {"start": 1_760_000_002_000, "end": 1_760_000_003_000},
    }
    reply = {"id": "m2", "role": "assistant", "modelID": "some-model", "tokens": tokens}
    return {
        "info": {"id": "ses_1", "directory": "/work/shop", "time": {"created": 1_760_000_000_000}},
        "messages": [
            {
                "info": {"id": "m1", "role": "user", "time": {"created": 1_760_000_000_500}},
                "parts": [{"type": "text", "text": "build it"}],
            },
            {
                "info": {**reply, "time": {"created": 1_760_000_002_000}},
                "parts": [
                    {"type": "reasoning", "text": "I shall."},
                    {"type": "tool", "callID": "c1", "tool": "bash", "state": state},
                    {"type": "text", "text": "It fails."},
                    {"type": "step-finish"},
                ],
            },
        ],
        **more,
    }
