"""Which way of grouping errors this is; apart, so that asking costs nothing."""

from __future__ import annotations

# Goes up whenever the same text may get another group: old ids are then mapped to new ones.
GROUPING_VERSION = 2
