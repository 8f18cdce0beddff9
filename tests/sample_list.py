"""What `helix detect` lists of the bundled sample."""

from __future__ import annotations

LISTED = 19
