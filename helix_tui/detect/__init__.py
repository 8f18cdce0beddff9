"""From signals to ranked candidates: what counts, what belongs together, what it is worth."""
