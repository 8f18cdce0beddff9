"""Which recurring error a text is (docs/signature.md).

`signature.py` is the answer: `clean.py` takes terminals' dressing off, `naming.py` chooses the line
by `lead.py` and `saying.py`, `classify.py` finds its class by the tables in `classes/`, with
`program.py` and `service.py` for what it is about, `masks.py` makes its template, `join.py` joins
templates, `batch.py` groups many messages, `phrases.py` knows what is no error, `version.py` which
way of grouping this is. All pure.
"""
