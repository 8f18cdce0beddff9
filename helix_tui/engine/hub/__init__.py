"""Decisions on their way to the hub.

`decisions.py` lists and sends them; `process.py` is the child process that sends beside the
workstation.
"""
