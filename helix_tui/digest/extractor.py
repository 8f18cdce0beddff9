"""Which way of making digests this is; apart, so that asking costs nothing."""

from __future__ import annotations

# Goes up when the same events give another digest: what is stored is then analyzed again.
EXTRACTOR = 6
# From here on a digest says what its checks came to, and what failed by its output.
FIRST_WITH_RUNS = 6
