"""Command lines as a list shows them."""

from __future__ import annotations

import pytest

from helix_tui.text.plain_command import roughness, shortened


@pytest.mark.parametrize(
    ("action", "shown"),
    [
        ("$ pytest -q", "pytest -q"),
        ("$ cd /work/app && pytest -q 2>&1 | tail -20", "pytest -q"),
        ("$ mix test > /tmp/out.txt 2>&1; tail -5 /tmp/out.txt", "mix test"),
        ("$ terraform plan -out=plan.bin > plan.txt", "terraform plan -out=plan.bin > plan.txt"),
        ("$ cd web && npm test", "cd web && npm test"),
    ],
)
def test_what_only_shows_or_keeps_the_output_is_left_out(action: str, shown: str) -> None:
    assert shortened(action) == shown


def test_a_long_command_is_cut_where_a_part_of_it_ends() -> None:
    long = "$ dotnet test src/Billing.Tests/Billing.Tests.csproj --configuration Release"
    shown = shortened(f"{long} --filter FullyQualifiedName~Invoices.Rounding.Of.Halves --no-build")
    assert shown == f"{long[2:]} …"
    assert len(shortened("$ echo " + "word " * 60)) <= 120


def test_a_plain_command_is_the_better_example() -> None:
    plain = roughness("$ PYTHONPATH=. pytest -q 2>&1 | tail -5")
    assert plain < roughness("$ pytest -q > out.txt; grep FAILED out.txt | sort")
    assert plain < roughness("$ pytest tests/test_a.py …")
