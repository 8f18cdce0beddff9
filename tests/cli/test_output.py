"""Tables fit the terminal without cutting a number."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from helix_tui.text.human import fit_widths


@given(st.lists(st.integers(1, 90), min_size=1, max_size=8), st.data(), st.integers(10, 200))
def test_only_flexible_columns_give_way(natural: list[int], data: st.DataObject, room: int) -> None:
    flexible = data.draw(st.lists(st.sampled_from(range(len(natural))), unique=True))
    widths = fit_widths(natural, flexible, room)
    for number, width in enumerate(widths):
        assert width == natural[number] or (number in flexible and 8 <= width < natural[number])
    shrinkable = sum(max(0, natural[number] - 8) for number in flexible)
    if sum(natural) - shrinkable <= room:
        assert sum(widths) <= room
