"""Qwen Code: `projects/<cwd>/chats/<id>.jsonl`, Claude's envelope around Gemini's content."""

from helix_tui.capture.adapters.qwen.adapter import QwenAdapter

__all__ = ["QwenAdapter"]
