"""The workstation in a browser, through textual-serve (`helix-tui[serve]`).

`address.py` decides who may connect, `server.py` is textual-serve's server with a token in every
address, and `page.html` the one page: it loads nothing from elsewhere.
"""
