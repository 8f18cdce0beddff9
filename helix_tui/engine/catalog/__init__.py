"""The catalog as commands read it, against the journal.

`catalog_reader.py` lists, shows and compares patterns without a store, `folder_differences.py`
says how files differ from the journal, `adoption.py` counts pages that a person put there,
`forgetting.py` finds what still quotes forgotten sessions and takes it out.
"""
