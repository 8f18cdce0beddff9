"""Instructions are taken from every log that has them, as a separate counter confirms."""

from __future__ import annotations

from tests.conftest import Workbench
from tests.corpus.conftest import OnSweptHome
from tests.truth.instructions_counter import given_in


def test_instructions_of_a_real_home(bench: Workbench, on_swept_home: OnSweptHome) -> None:
    on_swept_home(bench)
    listed = bench.helix("sessions", "--json").json["sessions"]
    given = given_in(bench.home)
    expected = {
        session["id"]: _figures(given.get(session["id"]))
        for session in listed
        if session["id"] in given
    }
    found = {
        session["id"]: tuple(session["instructions"][name] for name in ("state", "bytes", "texts"))
        for session in listed
        if session["instructions"]["state"] != "unknown"
    }
    assert found == expected
    assert sum(state == "recorded" for state, _, _ in found.values()) > 20


def _figures(texts: set[str] | None) -> tuple[str, int | None, int]:
    if not texts:
        return "none", None, 0
    return "recorded", sum(len(text.encode("utf-8", "replace")) for text in texts), len(texts)
