"""Plug-ins that are installed for a test."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).parents[2] / "examples"
EXAMPLE = EXAMPLES / "helix-amp" / "helix_amp.py"
GOOSE = EXAMPLES / "helix-goose" / "helix_goose.py"
KIMI = EXAMPLES / "helix-kimi" / "helix_kimi.py"


def install(folder: Path, module: Path, entry: str) -> str:
    """Puts a module where Python finds it, with the entry point that its package would have."""
    folder.mkdir(exist_ok=True)
    shutil.copy(module, folder)
    info = folder / f"{module.stem}-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module.stem}\nVersion: 0.1.0\n")
    (info / "entry_points.txt").write_text(f"[helix.adapters]\n{entry}\n")
    return str(folder)


def thread(**more: Any) -> dict[str, Any]:
    """A thread as Amp writes it: a prompt, and a reply with a call that failed."""
    usage = {"model": "some-model", "inputTokens": 10, "outputTokens": 7}
    usage |= {"cacheReadInputTokens": 100, "cacheCreationInputTokens": 20}
    result = {"exitCode": 2, "output": "make: *** No rule"}
    return {
        "v": 1,
        "id": "T-1",
        "created": 1_760_000_000_000,
        "title": "Building the shop",
        "env": {"initial": {"trees": [{"uri": "file:///work/shop"}]}},
        "messages": [
            {
                "role": "user",
                "content": [{"type": "text", "text": "build it"}],
                "meta": {"sentAt": 1_760_000_000_500},
            },
            {
                "role": "assistant",
                "usage": usage,
                "content": [
                    {"type": "thinking", "thinking": "I shall."},
                    {"type": "tool_use", "id": "c1", "name": "Bash", "input": {"command": "make"}},
                ],
            },
            {
                "role": "user",
                "content": [
                    {
                        "type": "tool_result",
                        "toolUseID": "c1",
                        "run": {"status": "done", "result": result},
                    }
                ],
            },
            {"role": "assistant", "content": [{"type": "text", "text": "It fails."}]},
        ],
        **more,
    }
