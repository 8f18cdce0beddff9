"""Ordered steps from an empty database to today's schema; a released one never changes."""
