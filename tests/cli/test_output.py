"""Tables fit the terminal without cutting a number."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from helix_tui.cli.output import fit_widths, human_bytes


@given(st.lists(st.integers(1, 90), min_size=1, max_size=8), st.data(), st.integers(10, 200))
def test_only_flexible_columns_give_way(natural: list[int], data: st.DataObject, room: int) -> None:
    flexible = data.draw(st.lists(st.sampled_from(range(len(natural))), unique=True))
    widths = fit_widths(natural, flexible, room)
    for number, width in enumerate(widths):
        assert width == natural[number] or (number in flexible and 8 <= width < natural[number])
    shrinkable = sum(max(0, natural[number] - 8) for number in flexible)
    if sum(natural) - shrinkable <= room:
        assert sum(widths) <= room


def test_sizes_as_people_read_them() -> None:
    assert [human_bytes(size) for size in (0, 1023, 1536, 5 << 30, 3 << 50)] == [
        "0 B",
        "1,023 B",
        "1.5 KiB",
        "5.0 GiB",
        "3,072.0 TiB",
    ]
