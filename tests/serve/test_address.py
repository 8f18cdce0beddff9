"""Who may connect to the workstation in a browser."""

from __future__ import annotations

import pytest

from helix_tui.serve.address import (
    is_loopback,
    is_own_host,
    is_own_origin,
    is_token,
    new_token,
    shown_address,
)


def test_a_token_is_long_and_never_the_same() -> None:
    tokens = {new_token() for _ in range(100)}
    assert len(tokens) == 100
    assert min(map(len, tokens)) >= 32


def test_only_the_token_itself_will_do() -> None:
    assert is_token("abc", "abc")
    assert not any(is_token(given, "abc") for given in ("", "ab", "abcd", "ABC", "äbc"))


@pytest.mark.parametrize(
    ("host", "is_local"),
    [
        ("127.0.0.1", True),
        ("127.1.2.3", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("192.168.1.5", False),
        ("example.org", False),
        ("localhost.example.org", False),
    ],
)
def test_loopback(host: str, is_local: bool) -> None:
    assert is_loopback(host) is is_local


@pytest.mark.parametrize(
    ("header", "is_own"),
    [
        ("127.0.0.1:8723", True),
        ("localhost:8723", True),
        ("[::1]:8723", True),
        ("LOCALHOST:8723", True),
        ("127.0.0.1:80", False),
        ("localhost", False),
        ("evil.example:8723", False),
        ("127.0.0.1.evil.example:8723", False),
        ("", False),
    ],
)
def test_a_name_that_somebody_else_points_here_is_refused(header: str, is_own: bool) -> None:
    assert is_own_host(header, "127.0.0.1", 8723) is is_own


def test_on_another_address_machines_are_named_by_number_or_short_name() -> None:
    assert is_own_host("192.168.1.5:8723", "0.0.0.0", 8723)
    assert is_own_host("desk:8723", "0.0.0.0", 8723)
    assert not is_own_host("evil.example:8723", "0.0.0.0", 8723)


def test_the_page_must_be_our_own() -> None:
    assert is_own_origin("http://127.0.0.1:8723", "127.0.0.1:8723")
    for origin in (None, "null", "http://evil.example", "http://127.0.0.1:9999"):
        assert not is_own_origin(origin, "127.0.0.1:8723")


def test_the_address_has_the_token() -> None:
    assert shown_address("127.0.0.1", 8723, "tok") == "http://127.0.0.1:8723/tok/"
    assert shown_address("::1", 8723, "tok") == "http://[::1]:8723/tok/"
