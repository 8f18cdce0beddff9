"""From signals to ranked candidates: which sessions count, what belongs together, what it is worth."""
