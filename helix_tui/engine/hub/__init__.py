"""Send the decisions of a store to the hub.

`decisions.py` lists the decisions and sends them: callers use `audit`, `sync_all` and `send`.
`process.py` is the child process that sends while the workstation runs; callers start it with
`command_for`.
"""
