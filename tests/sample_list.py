"""What `helix detect` lists of the bundled sample."""

from __future__ import annotations

LISTED = 19
# What the workstation shows of it: of what was taught two need nobody, one is asked again.
OPEN = LISTED - 2
