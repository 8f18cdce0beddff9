"""Instructions that an agent read with a tool, whatever the tool puts around them."""

from __future__ import annotations

import json

import pytest

from helix_tui.capture.instructions_read import read_instructions

RULES = "# Rules\n\n- Run `make lint` before you push."
NUMBERED = "\n".join(f"{at}: {line}" for at, line in enumerate(RULES.split("\n"), 1))


@pytest.mark.parametrize(
    ("tool", "given", "answer"),
    [
        ("read", {"filePath": "/src/app/AGENTS.md"}, f"<content>\n{NUMBERED}\n</content>"),
        ("read", {"filePath": "docs/CONTRIBUTING.md"}, RULES),
        (
            "read",
            {"filePath": "/src/app/CLAUDE.md"},
            f"{NUMBERED}\n\n(End of file - total 3)",
        ),
    ],
)
def test_their_text_is_kept_as_it_stands_in_the_file(
    tool: str, given: dict[str, str], answer: str
) -> None:
    assert read_instructions("opencode", tool, json.dumps(given), answer).strip() == RULES


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("read", '{"filePath": "/src/app/README.md"}'),
        ("edit", '{"filePath": "/src/app/AGENTS.md"}'),
        ("read", "[]"),
        ("read", "{"),
    ],
)
def test_other_calls_tell_an_agent_nothing(tool: str, given: str) -> None:
    assert read_instructions("opencode", tool, given, RULES) == ""
