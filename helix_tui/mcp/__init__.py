"""An MCP server on stdio, by which agents ask what earlier sessions taught.

`tools.py` has what can be asked and how it is answered, `server.py` speaks the protocol with the
official package, which nothing else loads.
"""
