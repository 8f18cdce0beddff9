"""Jump mode: a letter on each pane, which goes there."""
