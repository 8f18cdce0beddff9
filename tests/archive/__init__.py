"""Logs in an archive, read by processes of this machine or by a cluster."""
