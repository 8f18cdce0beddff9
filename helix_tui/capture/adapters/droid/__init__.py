"""Droid (Factory): `sessions/<cwd>/<id>.jsonl`, and `<id>.settings.json` with all sums."""

from helix_tui.capture.adapters.droid.adapter import DroidAdapter

__all__ = ["DroidAdapter"]
