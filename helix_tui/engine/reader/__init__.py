"""Have a model read the turns of people, each once, beside the rules.

`label_book.py` keeps what it said by event, `reading.py` asks what was not asked yet, within time
and budget. Grouping (`engine/candidates/regroup.py`) makes signals of what is new in the book.
"""
