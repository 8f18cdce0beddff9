"""Gemini CLI: `tmp/<project>/chats/session-*.json` and `.jsonl`, sub-agents in folders below."""

from helix_tui.capture.adapters.gemini.adapter import GeminiAdapter

__all__ = ["GeminiAdapter"]
