"""No secret and no hidden sign gets into a shared file, and the place is told, not the value."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from helix_tui.errors import NotFoundError, RefusedError, RefusedPlace
from helix_tui.text.redact import redact
from helix_tui.text.refuse import Refusal, check_id, inside, refusals
from tests.text.planted import BODY, DASHES, KEYS, WORD, noise
from tests.text.texts import ANY, ORDINARY, WOVEN

PROSE = """# Run the type checker on its own

When `mypy` fails after an edit, read the *first* error; the rest often follow from it.
- Not in a generated folder: see /home/jane/project or write to jane@example.com.
- The token was `[secret:github]`, the password [secret:key].

Café, naïve, 日本語, “quotes”, 50 %, →, 👍🏽, 👨‍👩‍👧, ❤️, 1️⃣, 🏳️‍🌈.
\tA tab and a no-break\u00a0space.
"""
PEM = "\n".join(
    [f"{DASHES}BEGIN RSA PRIVATE KEY{DASHES}", *BODY, f"{DASHES}END RSA PRIVATE KEY{DASHES}"]
)
SECRETS = [start.replace("|", "") + rest for _, start, rest in KEYS] + [
    PEM,
    f"api_key={noise(WORD, 24)}",
    f"Authorization: Bearer {noise(WORD, 24)}",
    f"postgres://app:{noise(WORD, 24)}@db.test:5432/x",
]


def places(text: str) -> list[int]:
    return [refusal.line for refusal in refusals(text)]


def test_prose_with_folders_addresses_marks_and_pictures_passes() -> None:
    assert refusals(PROSE) == []
    assert refusals(PROSE.replace("\n", "\r\n")) == []


@pytest.mark.parametrize("line", ORDINARY.strip("\n").split("\n"))
def test_ordinary_text_passes(line: str) -> None:
    assert refusals(line) == []


@pytest.mark.parametrize(("name", "start", "rest"), KEYS)
def test_a_key_of_every_provider_is_named_by_kind_and_never_shown(
    name: str, start: str, rest: str
) -> None:
    found = refusals(f"first\nuse {start.replace('|', '')}{rest} for it\nlast")
    assert [refusal.line for refusal in found] == [2]
    assert name in found[0].what
    assert rest[:6] not in str(found)


def test_behind_a_block_of_many_lines_the_lines_are_still_right() -> None:
    key = f"gh{'p_'}{noise(WORD, 36)}"
    text = f"one\n{PEM}\nfour {key}\n{PEM} {key}\n"
    size = PEM.count("\n")
    assert refusals(text) == [
        Refusal(2, "a private key"),
        Refusal(size + 3, "a key of github"),
        Refusal(size + 4, "a private key"),
        Refusal(2 * size + 4, "a key of github"),
    ]


def test_marks_behind_the_end_of_a_block_are_no_secrets() -> None:
    assert refusals(f"{PEM} [secret:github] [secret:pem]\n") == [Refusal(1, "a private key")]
    assert places(f"{PEM} [secret:pem] {PEM} x") == [1, PEM.count("\n") + 1]


def test_a_secret_beside_a_mark_is_found() -> None:
    key = f"gh{'p_'}{noise(WORD, 36)}"
    assert refusals(f"[secret:github] and {key}") == [Refusal(1, "a key of github")]
    assert places(f'password: "{noise(WORD, 12)} [secret:key]"') == [1]


@given(st.integers(0, len(PROSE)), st.sampled_from(SECRETS))
@example(PROSE.index("- The token"), PEM)
def test_a_secret_is_found_wherever_it_is_put(at: int, secret: str) -> None:
    text = f"{PROSE[:at]} {secret} {PROSE[at:]}"
    line = PROSE.count("\n", 0, at) + 1
    # A picture that is cut in two leaves its joiner behind, which is a finding of its own.
    assert {found.line for found in refusals(text) if "U+" not in found.what} == {line}


@given(st.lists(st.sampled_from([*PROSE.split("\n"), *SECRETS]), max_size=8))
def test_each_secret_is_told_on_the_line_where_it_begins(pieces: list[str]) -> None:
    wanted, line = [], 1
    for piece in pieces:
        if piece in SECRETS:
            wanted.append(line)
        line += piece.count("\n") + 2
    assert places("\n\n".join(pieces)) == wanted


@given(ANY | WOVEN)
def test_what_was_redacted_has_no_secret(text: str) -> None:
    hidden = [r for r in refusals(redact(text)) if "U+" not in r.what]
    assert hidden == []


@given(ANY | WOVEN)
def test_no_text_breaks_it_and_every_line_exists(text: str) -> None:
    assert all(1 <= line <= text.count("\n") + 1 for line in places(text))


HIDDEN = [
    *("\0", "\x07", "\x1b", "\r", "\x7f", "\x85", "\x9b"),
    *("\u202a", "\u202e", "\u2066", "\u2069", "\u200e", "\u061c"),
    *("\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\xad", "\u3164", "\u115f", "\u180e"),
    *("\u2028", "\u2029", "\ufe00", "\ufe0f", "\U000e0100", "\U000e0041", "\U000e0001"),
    *("\ue000", "\U000f0000", "\ufdd0", "\uffff", "\U0001ffff", "\ud800", "\udfff"),
]


@pytest.mark.parametrize("sign", HIDDEN, ids=lambda sign: f"U+{ord(sign):04X}")
def test_hidden_signs_are_told_by_number(sign: str) -> None:
    (found,) = refusals(f"first\nrun it{sign}{sign} now\nlast")
    assert found.line == 2
    assert f"(U+{ord(sign):04X})" in found.what
    assert sign not in found.what


@pytest.mark.parametrize(
    "text",
    [
        *("a\u200db", "👍\u200d", "\u200d👍", "👍\u200d\u200d👍", "👍 \u200d 👍", "a👍\u200db"),
        *("1\ufe0f", "a\ufe0f", "❤\ufe0f\ufe0f", "❤\ufe0f\ufe0e", "❤\ufe01", "❤\U000e0101"),
        *("🏴\U000e0067\U000e0062\U000e007f", "👍\u200d\ufe0f👍"),
    ],
)
def test_only_what_makes_one_picture_is_let_through(text: str) -> None:
    assert set(places(text)) == {1}


@given(st.integers(0, len(PROSE)), st.sampled_from("\0\x1b\u202e\u200b\u2060\U000e0041\ue000"))
def test_a_hidden_sign_is_found_wherever_it_is_put(at: int, sign: str) -> None:
    assert PROSE.count("\n", 0, at) + 1 in places(PROSE[:at] + sign + PROSE[at:])


def test_many_hidden_signs_are_told_once_a_line() -> None:
    assert len(refusals("\u200b" * 300_000 + "\n\u202e" * 1000)) == 1001


@pytest.mark.parametrize("name", ["a", "7", "error-3f2a", "A.b_c-d", "x" * 121, "a..b"])
def test_ids_that_may_name_a_file(name: str, tmp_path: Path) -> None:
    assert check_id(name)
    assert inside(tmp_path, name, ".md") == tmp_path / f"{name}.md"


@pytest.mark.parametrize(
    "name",
    [
        *("", ".", "..", "../x", "a/b", "/etc/passwd", "a\\b", "a\n", "\na", "a b", "-rf", ".git"),
        *("x" * 122, "a\0", "é", "a\u202e", "~", "$HOME", "a:b", "con*"),
    ],
)
def test_ids_that_may_not(name: str, tmp_path: Path) -> None:
    assert not check_id(name)
    with pytest.raises(NotFoundError) as raised:
        inside(tmp_path, name)
    assert raised.value.exit_code == 66


def test_a_link_leads_nowhere(tmp_path: Path) -> None:
    root, outside = tmp_path / "catalog", tmp_path / "secret.md"
    root.mkdir()
    outside.write_text("x")
    (root / "a.md").symlink_to(outside)
    (root / "b.md").symlink_to(root / "b.md")
    (root / "c.md").symlink_to(tmp_path / "not-there.md")
    for name in "abc":
        with pytest.raises(NotFoundError):
            inside(root, name, ".md")
    (tmp_path / "way").symlink_to(root)
    assert inside(tmp_path / "way", "d", ".md") == tmp_path / "way" / "d.md"


def test_an_error_names_every_place_and_what_to_do() -> None:
    error = RefusedError(
        [RefusedPlace("note", 1, "a key of github"), RefusedPlace("x.md", 7, "a private key")]
    )
    assert error.exit_code == 3
    assert "note, line 1: a key of github; x.md, line 7: a private key" in str(error)
    assert "Take it out" in str(error)
