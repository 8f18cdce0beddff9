"""Which way of making digests this is; apart, so that asking costs nothing."""

from __future__ import annotations

# Goes up when the same events give another digest: what is stored is then analyzed again.
EXTRACTOR = 6
