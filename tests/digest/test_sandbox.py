"""What a sandbox without a network refused, and let through where it was left."""

from __future__ import annotations

import pytest

from helix_tui.digest.sandbox import passed_outside
from helix_tui.schema import ErrorGroup, Facts, ShapeTally

LINE = "ssh: Could not resolve hostname example.org: Name or service not known"


@pytest.mark.parametrize(
    ("line", "passed", "is_way"),
    [(LINE, 3, True), (LINE, 0, False), ("error: failed to push some refs", 3, False)],
)
def test_the_same_command_outside_is_the_way_past(line: str, passed: int, *, is_way: bool) -> None:
    group = ErrorGroup(
        tool_class="shell", exit_code=1, line=line, command="git push", shapes={"git push": 1}
    )
    facts = Facts(shapes={"escalated git push": ShapeTally(runs=3, passed=passed)})
    found = passed_outside(facts, "group", group, 7)
    assert (found is not None) is is_way
    if found is not None:
        assert found.verb == "run it with escalated permissions"
