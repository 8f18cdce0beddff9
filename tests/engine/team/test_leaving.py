"""What is taken out of everything that a signal says before it leaves for a team."""

from __future__ import annotations

from typing import Any, get_args, get_origin, get_type_hints

import msgspec
import pytest

from helix_tui.engine.team.masking import Masking
from helix_tui.schema.signal import Followed, Signal

HOST = "buildbox-17"
# Names of Helix's own: of signals, kinds of tools, errors and checks.
_OWN = {"name", "tool_class", "error_class", "check"}


def _filled(kind: Any) -> Any:
    if kind is str:
        return f"run on {HOST}"
    if get_origin(kind) is list and get_args(kind) == (str,):
        return [HOST, f"run on {HOST}"]
    if get_origin(kind) is list and get_args(kind) == (Followed,):
        ran = f"run on {HOST}"
        return [Followed(ran, ran, ran, ran, ran)]
    if get_origin(kind) is dict and get_args(kind)[0] is str:
        return {f"run on {HOST}": 2}
    return None


@pytest.mark.parametrize("field", [f for f in Signal.__struct_fields__ if f not in _OWN])
def test_no_field_of_a_signal_leaves_as_it_is(field: str) -> None:
    value = _filled(get_type_hints(Signal)[field])
    signal = msgspec.structs.replace(Signal("tool_error"), **({field: value} if value else {}))
    kept = Masking([], [], machine=[HOST]).signal(signal)
    assert HOST not in msgspec.json.encode(kept).decode()


def test_the_folders_around_a_repository_stay_at_home() -> None:
    signal = Signal("user_correction", lies=["{md}", "docs", "umbrella", "srv"])
    kept = Masking(["/srv/clients/umbrella"], [], machine=[]).signal(signal)
    assert kept.lies == ["{md}", "docs"]
