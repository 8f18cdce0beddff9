"""Finds what looks like a password or key on a line that speaks of one, in whatever words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from helix_tui.text.secrets.keys import NO_KEYS, Found, is_random

# Words for a password, in the small letters of a text's bytes.
_WORDS = (
    (b"pass", re.compile(rb"pass(?:w|phr|code|e\b|(?![a-z]))")),
    (b"pw", re.compile(rb"pw(?:d|(?![a-z]))")),
    (b"kennwort", re.compile(rb"kennwort")),
    (b"mdp", re.compile(rb"(?<![a-z])mdp(?![a-z])")),
    (b"contrase", re.compile(rb"contrase")),
    (b"wachtwoord", re.compile(rb"wachtwoord")),
)
NEARBY_WORDS = tuple(word for word, _ in _WORDS)
# Words that end in `pass` and have nothing to do with one.
_PASSES = re.compile(rb"(?:by|com|sur|tres|over|under|sub|multi|one|two|first|second)pass\Z")
_TOKEN = re.compile(r"[^\s\"'`,;()<>\[\]{}|=]{8,200}")
_EDGE = ":.!?*_"
_BLANK = re.compile(r"[\s\"']")
_BEFORE, _AFTER = 100, 140
_LETTERS, _CAPITALS, _DIGITS = (re.compile(signs) for signs in ("[a-z]", "[A-Z]", r"\d"))
# What is no password though it looks like one: a path, an address, code, a name with a number.
_NONE = re.compile(
    r"u[0-9a-f]{4}|[\w.+-]*[/\\@:]|[\w.]+\(|[$%&<{#*-]|0x|\d+(?:[.:-]\d+)+|\w+://|\d+\w{0,3}\Z|[A-Z][A-Z0-9_]+\Z"
    r"|[a-z_]+[a-z0-9_.]*\Z|v?\d+\.|sha\d|[0-9a-f-]{8,}\Z"
)
_SHIFT = re.compile(r"[a-z](?=[A-Z0-9])|[A-Z](?=\d)|\d(?=[A-Za-z])")
_WITH_SIGN = re.compile(r"(?=.*[a-zA-Z]{3})\S*\d\S*[!$?^+#~]|(?=.*[a-zA-Z]{3})\S*[!$?^+#~]\S*\d")
_WORDS_AND_NUMBER = re.compile(
    r"[A-Za-z]{3,}[._-]?[A-Z][a-z]{3,}\d{3,5}|[A-Z][a-z]{3,}[._-][a-z]{3,}\d{3,5}"
)

_PARTS = re.compile(r"[A-Za-z0-9]+")
# A word: rare where letters are random, and never without a vowel or with many consonants.
_WORD = re.compile("(?=[a-z]{0,3}[aeiouy])(?![a-z]{0,4}[bcdfghj-np-tvwxz]{4})[a-z]{5}")

# What is said around a random value that makes it a secret; what says that it is none.
_AROUND = re.compile(
    r"pass(?:w|phr|code|(?![a-z])(?<![a-z]pass))|p(?:wd|sk|w(?![a-z])(?<![a-z]pw))|secret|token(?!s)|unseal"
    r"|key(?![a-z])(?:"
    + "|".join(
        f"(?<={of}{gap}key)"
        for of in "api access account admin auth ption license master private secret signing hared ssh"
        " storage unseal stripe client server service".split()
        for gap in ("", "[ _.-]")
    )
    + r")|creds|credential|auth(?!or)|log-?in(?![a-z])|sign-?in|kennwort|wachtwoord|contrase|senha|clave"
    r"|mdp(?![a-z])(?<![a-z]mdp)|geheim|schl.ssel|zugangs|identif(?:y|ied)|community|bearer"
    r"|jwt(?<![a-z]jwt)|cookie|otp(?<![a-su-z]otp)|2fa|mfa|obscure|nickserv|sudo|kinit|luks|hash\w*\([\"']?$"
    r"|::make\([\"']?$|crypt\w*\([\"']?$|add-mask|hasło|lösenord|şifre|пароль|密码|密碼|口令|パスワード|비밀번호|암호"
    r"|clé api| -[pwaknc] ?[\"']?(?:[\w.@-]{1,60}[:%])?$| /r?p[: ]$|alias set|\.key$|net use|connect\(|pdo\("
    r"|session[\"',:\s]{1,4}(?:value[\"':\s]{1,4})?$"
)
_UNTOLD = re.compile(
    r"(?i)sha-?\d|md5|digest|fingerprint|checksum|commit|public|integrity|etag|hash(?!\w*\()|h1:$"
)
_ANY_HEX = re.compile("[0-9a-f-]+")
_HEX = re.compile(r"[0-9a-f]{32}(?:[0-9a-f]{8}|[0-9a-f]{32})?")
_DIRECT = re.compile(
    r"(?i)(?:passw\w*|secret\w*|token\w*|key\w*|login|auth\w*|\s-t)(?:[\"')\s:=>]{1,12}|\Z)$|(?:passw|secret|token|key)[^\n]{0,80}:\Z"
)
# An address that takes what is sent to it from whoever knows it.
_HOOK = re.compile(
    r"hooks?(?:b2)?[^\s\"'<>/\[\]]{0,60}/(?P<rest>(?=[^\s\"'<>\[\]]{0,200}\d)(?=[\w/@.=-]*?[\w-]{16})[\w/@.=+-]{16,300})"
)
_VALUE = re.compile(r"[^:@/\\\s%][^@\\\s%]{6,199}")
_NO_VALUE = re.compile(
    r"0x[0-9a-fA-F]{40}\Z|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\Z"
)
_SOLID = re.compile(r"[A-Za-z0-9+/=_-]{16,}")
_ALONE = re.compile(r"[^\n]{0,80}\n\s{0,40}(?P<token>[^\s\"'`]{8,200})[ \t\r]*(?:\n|\Z)")


def looks_like_password(value: str) -> bool:
    """Whether letters, capitals, digits and signs are mixed as in a password, not as in a name."""
    if _NONE.match(value) or not _DIGITS.search(value):
        return False
    if _WITH_SIGN.fullmatch(value) or _WORDS_AND_NUMBER.fullmatch(value):
        return True
    if _WORD.search(value):
        return False
    is_mixed = bool(_LETTERS.search(value)) and bool(_CAPITALS.search(value))
    return (
        is_mixed
        and len(_SHIFT.findall(value)) >= (2 if len(value) >= 10 else 3)
        and any(
            all(signs.search(part) for signs in (_DIGITS, _LETTERS, _CAPITALS))
            and len(_SHIFT.findall(part)) >= 2
            for part in _PARTS.findall(value)
        )
    )


def nearby_in(text: str, low: bytes, words: set[bytes]) -> list[Found]:
    """What looks like a password, or like a key, on a line that speaks of one or right below it.

    `low` is the text's bytes in small letters, `words` those of `NEARBY_WORDS` that it has.
    """
    spans: set[tuple[int, int]] = set()
    for needle, said in _WORDS:
        if needle in words:
            done = 0
            for word in said.finditer(low):
                if word.end() > done and not _PASSES.search(low, word.start() - 6, word.end()):
                    done = _window_end(text, word.end())
                    spans.update(_tokens(text, _window_start(text, word.start()), done))
    return [Found(*span, "key") for span in spans]


def told_tokens(text: str, tokens: list[tuple[int, int]]) -> list[Found]:
    """Random values on a line, or below one, that speaks of a secret, a login or an option for one."""
    found = []
    for start, end in tokens:
        if "ook" in text[start:end] and (hook := _HOOK.search(text, start, end + 300)):
            found.append(Found(*hook.span("rest"), "key"))
        if (text[start] in "/.~" and ":" not in text[start:end]) or text[
            start : start + 12
        ].partition("_")[0] in NO_KEYS:
            continue
        for token in _TOKEN.finditer(text, start, end):
            value = token[0].rstrip(_EDGE)
            for part in _VALUE.finditer(text, token.start(), token.start() + len(value)):
                if _is_told(text, part):
                    found.append(Found(part.start(), part.end(), "key"))
    return found


def _is_told(text: str, part: re.Match[str]) -> bool:
    value = part[0].rpartition(":")[2]
    if text[part.end() : part.end() + 1] == "(" or text[part.start() - 1 : part.start()] == "\\":
        return False
    if _NO_VALUE.match(value):
        return False
    if _ANY_HEX.fullmatch(value):
        if not _HEX.fullmatch(value):
            return False
        before = _before(text, part.end() - len(value))
        return bool(_DIRECT.search(before)) and not _UNTOLD.search(before)
    if not looks_like_password(value) and (
        not _SOLID.fullmatch(value) or _WORD.search(value) or not is_random(value)
    ):
        return False
    before = _before(text, part.end() - len(value))
    after = text[part.end() : part.end() + 40].partition("\n")[0]
    if before[-1:] in (":", "/") and after[:1] == "@":
        return True  # who, what he knows, and where
    return not _UNTOLD.search(before[-60:]) and bool(
        _AROUND.search(before.lower()) or _AROUND.search(after.lower())
    )


def _before(text: str, at: int) -> str:
    begin = _window_start(text, at)
    if begin and not text[begin:at].strip(" \t\"'"):  # alone on its line: what is above tells
        above = text[max(0, begin - 160) : begin].rstrip("\n").rpartition("\n")[2]
        # A line of a block, as of a picture, is as long as the others.
        is_block = len(text) > at + 60 and not _BLANK.search(text, at, at + 60)
        return above if above.endswith(":") or (" " in above and not is_block) else ""
    return text[begin:at]


def _window_start(text: str, at: int) -> int:
    return max(text.rfind("\n", max(0, at - _BEFORE), at) + 1, at - _BEFORE, 0)


def _window_end(text: str, at: int) -> int:
    if alone := _ALONE.match(text, at):
        return alone.end("token")
    end = text.find("\n", at, at + _AFTER)
    return min(len(text), at + _AFTER) if end < 0 else end


def _tokens(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for token in _TOKEN.finditer(text, start, end):
        value = token[0].rstrip(_EDGE)
        if looks_like_password(value) and text[token.end() : token.end() + 1] != "(":
            yield token.start(), token.start() + len(value)
