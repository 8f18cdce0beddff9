"""Migrations of the team's schema, run in order by `playhouse.migrations`."""
