"""Pi: `agent/sessions/--<cwd>--/<time>_<id>.jsonl`, a tree of entries in the order of writing."""

from helix_tui.capture.adapters.pi.adapter import PiAdapter

__all__ = ["PiAdapter"]
