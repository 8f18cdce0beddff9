"""Which way of making digests this is; apart, so that asking costs nothing."""

from __future__ import annotations

# Goes up when the same events give another digest: what is stored is then analyzed again.
EXTRACTOR = 27
# From here on a digest says what its checks came to, and what failed by its output.
FIRST_WITH_RUNS = 6
# From here on it says what a session leaves open.
FIRST_WITH_ENDING = 7
# Before this, logs were read without queued prompts, slash commands, titles and forks: what older
# ones made is read again where the logs are still there.
FIRST_WITH_TITLES = 7
