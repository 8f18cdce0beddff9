"""Every row of the table of providers' keys is alive: a key made after it is found and named."""

from __future__ import annotations

import random

import pytest

from helix_tui.text.redact import redact
from helix_tui.text.secrets.keys import keys_in, screened
from helix_tui.text.secrets.providers import SHAPED, SIGNED, UNSIGNED
from tests.text.planted import WORD, noise
from tests.text.sampled import sample

ROWS = [
    (name, start, rest) for name, starts, rest in (*SIGNED, *UNSIGNED) for start in starts.split()
] + [(name, "", shape) for name, _, shape in SHAPED]


def kinds(text: str) -> set[str]:
    """What a text holds, told row by row, also what another row would be named for."""
    places = screened(text.encode("ascii", "replace"), is_with_capitals=True)
    return {found.kind for found in keys_in(text, *places)} if places else set()


@pytest.mark.parametrize(("name", "start", "rest"), ROWS)
def test_every_row_takes_out_the_keys_that_it_describes(name: str, start: str, rest: str) -> None:
    chosen = random.Random(f"{name}{start}{rest}")
    texts = [start + sample(rest, chosen) for _ in range(6)]
    assert name in {kind for key in texts for kind in kinds(f"it was {key} all along")}
    gone = [key for key in texts if key not in redact(f"got {key}, then it failed")]
    assert len(gone) >= 4  # one or two may come out as words or numbers do


def test_a_beginning_that_another_one_ends_in_is_found() -> None:
    key = f"cs{'k-'}{noise(WORD, 48)}"
    assert redact(f"CEREBRAS: {key}") == "CEREBRAS: [secret:cerebras]"
    assert redact(f"sk-an{'t-'}{noise(WORD, 60)}") == "[secret:anthropic]"


def test_a_key_of_a_provider_that_no_list_knows_is_taken_out() -> None:
    body = noise(WORD, 40)
    for start in (f"acme_{'live_'}", f"zorp-{'pat-'}", f"qux_{'secret_'}", f"blip{'_'}"):
        assert body not in redact(f"uses {start}{body} for it")
    for start in ("msg_", "toolu_", "sha512-", "chatcmpl-"):
        assert redact(f"see {start}{body}.") == f"see {start}{body}."
