"""What tokens cost: a dated table of prices, and which of its models a name in a log means."""

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
