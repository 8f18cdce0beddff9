"""Price tokens by a dated table of prices.

`rows.py` reads rows of prices, shipped ones and a person's own. `names.py` finds the names under
which a model of a log may stand in the table. `table.py` lays a person's prices over the shipped
ones and answers what a model cost on a day. Callers import from here: `price_table` for the table
in force, `read_prices` for the configuration.
"""

from helix_tui.pricing.names import names_of
from helix_tui.pricing.rows import Price, Prices, TokenRate, read_prices
from helix_tui.pricing.table import Period, PriceTable, price_table, shipped_prices

__all__ = [
    "Period",
    "Price",
    "PriceTable",
    "Prices",
    "TokenRate",
    "names_of",
    "price_table",
    "read_prices",
    "shipped_prices",
]
