"""The one place that writes: database, packs, cursors and the writer's lock."""
