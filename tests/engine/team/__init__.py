"""What of a team needs no server."""
