"""Finds secrets that only what is around them gives away: a command, a header, a file's form."""

from __future__ import annotations

import re
from base64 import b64decode, urlsafe_b64decode
from binascii import Error
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from helix_tui.text.secrets.keys import Found, Tokens, is_random

# A value on a command line, in quotes or not; a variable is none, nor is an option.
_ARG = (
    r"(?:\"(?P<a>[^\"\n$]{1,200})\"|'(?P<b>[^'\n]{1,200})'"
    r"|(?P<c>(?![-$<{\[*\"'])[^\s\"'`|;<>()]{1,200}+(?!\()))"
)
_PAIR = r"[\"']?[^\s:,%\"'\[$]{1,80}[:,%](?P<a>(?![$<{\[*])[^\s\"'\[]{1,200})"
_CALL = r"\([ ]?[\"'][^\"'\n]{1,80}[\"'],[ ]?[\"'](?P<a>(?![$<{\[])(?=[^\"'\n]*[\d!@#$%^&*+])[^\"'\n]{3,200})[\"']"
_COOKIE = r"(?:\"(?P<a>[^\"\n=]{1,60}=[^\"\n]{6,4000})\"|'(?P<b>[^'\n=]{1,60}=[^'\n]{6,4000})')"
_SESSION = r"(?P<a>(?![0-9a-f]{8}-[0-9a-f]{4}-)(?=[\w%.+/=-]{0,60}\d)[\w%.+/=-]{16,400})"
_WORDS = r"(?P<a>[a-z]{3,8}(?:[ ][a-z]{3,8}){11,23})(?![a-z])"
_MYSQL = r"\b(?:mysql|mysqldump|mysqladmin|mysqlimport|mariadb|mariadb-dump)\b"
_LOGINS = (
    r"\b(?:sshpass|(?:docker|podman|oras|registry|auth|az|cf|oc|bw) login|mongo|mongosh|mongodump"
    r"|mongorestore|twine|psexec|plink|pscp|psftp|vncpasswd|influx|skopeo|useradd|usermod|sqlcmd"
    r"|bcp|zip|unzip|ncftp\w*|hydra|medusa|expect)\b"
)
_KEYGEN = r"\bssh-keygen\b"
_WEB = r"\b(?:curl|wget|https?|xh|lftp|mc|rclone|smb\w*)\b"

_IDENTIFIED = (
    r"identified (?:with \S{1,60} )?(?:by|as) (?:password )?(?:'(?P<a>[^'\n]{1,200})'"
    r"|\"(?P<b>[^\"\n]{1,200})\"|(?P<c>(?!values\b)[^\s;'\"\[<$&:.,]{3,100}(?=;|\s*$)))"
)
# Hashes of passwords, as in /etc/shadow and .htpasswd.
_CRYPT = (
    r"\$(?:1|2[abxy]?|5|6|7|y|gy|apr1|md5|sha1|argon2\w{1,2}|scrypt|pbkdf2[\w-]{0,10}|bcrypt-sha256)\${1,2}"
    r"(?P<a>[\w./$,=+*-]{20,400})"
)

_ARCHIVER = r"\b(?:7z|7za|7zz|rar|unrar)\b"
_P = (
    (rf" -p{_ARG}", _MYSQL),
    (rf" -p ?{_ARG}", _LOGINS),
    (rf" -p{_ARG}", _ARCHIVER),
)
# A line of .pgpass, from its first colon on.
_PGPASS = r":(?:\*|\d{4,5}):(?:\*|[a-z_]\w{0,60}):[a-z_]\w{0,60}:(?P<a>[^\s:\[]{1,200})(?=\s|\Z)"
_KEPT = r"(?P<a>(?![$<{\[%])[^\s\"'`\[]{3,200})"
_QUERY = (
    "appid key code auth pass pw pwd jwt otp ticket assertion state session access k t s".split()
)

# What must be in the small letters of a text, and the rules that this makes worth a try. What a
# rule names goes, where before it, in the same command, its second part is found.
_Rules = tuple[tuple[str, str], ...]
_OPTIONS: tuple[tuple[bytes, _Rules], ...] = (
    (b" -u", ((rf" -u ?{_PAIR}", _WEB),)),
    (b" -p", _P),
    (b" -pass", ((rf" -pass(?:in|out|word|wd|phrase)?[ =](?:pass:)?{_ARG}", ""),)),
    (b" -pw ", ((rf" -pw {_ARG}", r"\b(?:plink|pscp|psftp|putty)\b"),)),
    (b" -hp", ((rf" -hp{_ARG}", _ARCHIVER),)),
    (b" -a ", ((rf" -a (?:[^\s:\"'\[]{{1,80}}:)?{_ARG}", r"\b(?:redis-cli|https?|xh)\b"),)),
    (b" -w ", ((rf" -w {_ARG}", r"\bldap\w+\b"),)),
    (b" -n ", ((rf" -n {_ARG}", _KEYGEN),)),
    (b" -k ", ((rf" -k {_ARG}", r"\bopenssl\b.{0,80}\benc\b"),)),
    (b" -b ", ((rf" -b {_COOKIE}", r"\bcurl\b"),)),
)
_TOLD: tuple[tuple[bytes, _Rules], ...] = (
    (b"-user", ((rf"-user[ =]{_PAIR}", ""),)),
    (b"-literal", ((rf"-literal[= ][\"']?[\w.-]{{1,80}}={_ARG}", ""),)),
    (
        b"cookie",
        (
            (rf"-cookie[ =]{_COOKIE}", ""),
            (
                r"cookie ?= ?[\"'`][^\s=;\"'`]{1,80}=(?P<a>[^\s;\"'`$\[]{6,4000})",
                r"document\.\Z",
            ),
            (
                r"cookie[\"']?: ?[\"']?(?P<a>(?=[^\n\[\"'=]{1,80}=[^\n\"']{0,200}\d)[^\n\[\"']{8,4000})",
                r"(?<!set-)\Z",
            ),
            (
                r"cookie[\"']?: ?[\"']?[^\s=;\"']{1,80}=(?P<a>[^\s;\"',\[]{6,4000})",
                r"set-\Z",
            ),
        ),
    ),
    (b"http-basic.", ((rf"http-basic\.\S{{1,120}} \S{{1,120}} {_ARG}", ""),)),
    (
        b"-securestring",
        ((rf"-securestring(?: -(?:string|asplaintext|force))* {_ARG}", ""),),
    ),
    (b"add_user ", ((rf"add_user \S{{1,80}} {_ARG}", ""),)),
    (b"psk", ((rf"psk ?= ?{_ARG}", r"(?:\s|wpa[-_]|\A)\Z"),)),
    (b":", ((_PGPASS, ""),)),
    (b"/key/", ((r"/key/(?P<a>[\w-]{16,100})", r"https?://\S{1,120}\Z"),)),
    (b" /p", ((rf" /p(?:ass(?:word)?)?:{_KEPT}", ""),)),
    (
        b"/user:",
        (
            (rf"/user:\S{{1,80}} {_ARG}", r"\bnet use\b"),
            (rf"net user \S{{1,80}} {_ARG}(?= /)", ""),
        ),
    ),
    (b"oracle:thin:", ((r"oracle:thin:\w{1,60}/(?P<a>[^\s@\"'\[]{1,100})(?=@)", ""),)),
    (
        b"private-lines:",
        ((r"private-lines: \d+\s+(?P<a>[\w+/=]{16,128}(?:\s+[\w+/=]{4,128})*)", ""),),
    ),
    (b'"kty":', ((r"\"(?:d|p|q|dp|dq|qi|k)\" ?: ?\"(?P<a>[\w-]{16,2000})\"", ""),)),
    (
        b"sqlplus ",
        ((r"sqlplus (?:-\w+ )*[\"']?\w{1,60}/(?P<a>[^\s@\"'\[]{1,100})(?=@)", ""),),
    ),
    (b"{s", ((r"\{(?:ssha\d*|sha\d*|smd5)\}(?P<a>[\w+/=]{16,200})", ""),)),
    (
        b"auth",
        ((rf"auth(?:entication|orization)?{_CALL}", ""), (rf"auth ?= ?{_CALL}", "")),
    ),
    (b"credential", ((rf"credentials?(?:\]?::new)?{_CALL}", ""),)),
    (b"login(", ((rf"login{_CALL}", ""),)),
    (
        b"$ansible_vault",
        (
            (
                r"\$ansible_vault;[\d.]+;\w+(?:;\w+)?\s+(?P<a>[0-9a-f]{16,200}(?:\s+[0-9a-f]{16,200})*)",
                "",
            ),
        ),
    ),
    (b"$", ((_CRYPT, ""),)),
    (
        b"pass",
        (
            (rf"passwd -\w*b\w* (?:-\w+ )*\S{{1,200}} \S{{1,80}} {_ARG}", r"\bht\Z"),
            (rf"pass[ =]{{1,4}}{_ARG}", r"\b(?:require|default_)\Z"),
            (
                r"password\s+(?P<a>(?![$<{\[=])\S{1,200})",
                r"\bmachine\s+\S{1,200}\s+login\s+\S{1,200}\s+\Z",
            ),
            (
                r"password\s+(?P<a>(?![$<{\[=])(?=\S*[\d!@#$%^&*+])\S{1,200})",
                r"\b(?:login|user|account)\s+\S{1,200}\s+\Z",
            ),
            (r"password\s+[057]\s+(?P<a>\S{4,200})", ""),
            (
                r"password[ \t]+(?:for[ \t]+\S{1,80}[ \t]*=[ \t]*)?(?:password[ \t]*\([ \t]*)?"
                r"n?'(?P<a>[^'\n]{1,200})'",
                "",
            ),
        ),
    ),
    (
        b"auth ",
        (
            (r"auth (?:plain|login) (?P<a>[\w+/=]{8,400})", ""),
            (r"auth (?:\S{1,40} )?(?P<a>[^\s\[]{3,200})", r"(?:redis\S{0,40}|:\d+)> ?\Z"),
            (rf"auth {_ARG}", r"\bmaster\Z"),
        ),
    ),
    (b"pass:", ((rf"pass:{_KEPT}", r"\bopenssl\b|-pass\w* \Z"),)),
    (b"phrase", ((rf"phrase(?: is)?[\"']?[ :=]{{1,3}}[\"'`]?{_WORDS}", ""),)),
    (b"mnemonic", ((rf"mnemonic(?: is)?[\"']?[ :=]{{1,3}}[\"'`]?{_WORDS}", ""),)),
    (b"pin", ((r"pin\W{1,4}(?:is |lautet )?(?P<a>\d{4,8})(?!\w)", r"(?<![a-z])\Z"),)),
    (
        b" code",
        (
            (
                r" codes?(?: is)?[\s:=]{1,8}(?:\d\. )?(?P<a>\d{4,8}|[0-9a-z]{4,5}-[0-9a-z]{4,5})(?![\w-])",
                r"(?:verification|security|recovery|backup|2fa|login|one-time)\Z",
            ),
        ),
    ),
    (b"identified ", ((_IDENTIFIED, ""),)),
    (b"secret ", ((r"secret \d (?P<a>\S{4,200})", ""),)),
)
# A part of each program that a rule looks for: without any the rule need not be tried.
_PARTS_OF = {
    _MYSQL: (b"mysql", b"mariadb"),
    _LOGINS: (
        *(b"pass", b"login", b"mongo", b"twine", b"psexec", b"plink", b"psc", b"psf", b"influx"),
        *(b"skopeo", b"user", b"sqlcmd", b"bcp", b"zip", b"ncftp", b"hydra", b"medusa", b"expect"),
    ),
    _ARCHIVER: (b"7z", b"rar"),
    _WEB: (b"curl", b"wget", b"http", b"xh", b"lftp", b"mc", b"rclone", b"smb"),
    _KEYGEN: (b"ssh-keygen",),
}
# A password of a store of keys, once any option of the text is one.
_STORE_PASS = re.compile(rb"-(?:store|key|src|dest)\w{0,8}pass ")
_STORE = ((rf"pass {_ARG}", r"\s-[a-z]{0,12}\Z"),)
# What is piped into a command that reads a password.
_PIPED = re.compile(
    rb"(?:echo|printf) (?:-\w+ )?[\"']?(?:[\w.-]{1,40}:)?(?P<a>(?![$<{%])[^\s\"'\[|]{3,400})[\"']? ?\|"
    rb"(?: {0,4}(?:sudo )?chpasswd| {0,4}sudo (?:-\w+ )*-\w*s|[^|\n]{0,120}-stdin)"
)
_KIND = re.compile(rb"kind[\"']?: ?[\"']?secret")
_MANIFEST = re.compile(r"[\"']?kind[\"']?[ ]?:[ ]?[\"']?Secret[\"']?(?![A-Za-z])")
_DATA = re.compile(
    r"(?m)^(?P<inset>[ \t]*)(?:data|stringData):[ \t]*\n(?P<rows>(?:(?P=inset)[ \t]+[^\n]*(?:\n|\Z)|[ \t]*\n)+)"
)
_ROW = re.compile(
    r"(?m)^[ \t]+[\w.-]{1,80}:[ \t]+[|>]?[+-]?[\"']?(?P<a>(?![|>{$<\[\"'])[^\s\"'\[][^\n\"']{2,8000})"
)
_DATA_JSON = re.compile(r"\"(?:data|stringData)\"[ ]?:[ ]?\{(?P<rows>[^{}]{1,8000})\}")
_ROW_JSON = re.compile(r"\"[\w.-]{1,80}\"\s?:\s?\"(?P<a>[^\"\[]{4,8000})\"")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{20,8000}={0,2}")
_STAND_IN = re.compile(
    r"(?i)\A(?:[x*.]{3,}|<|\$|%[sd(]|\{|your|example|password\Z|passwd\Z|token\Z|secret\Z|none\Z|null\Z|string\Z)"
)


_BY_WORD = dict((*_OPTIONS, *_TOLD))
_STORES, _MANIFESTS = b"pass ", b"kind"
TOLD_WORDS = (*_BY_WORD, _STORES, _MANIFESTS)


class _Rule(NamedTuple):
    value: re.Pattern[bytes]
    before: re.Pattern[bytes] | None
    parts: tuple[bytes, ...]


@cache
def _compiled(rules: _Rules) -> list[_Rule]:
    return [
        _Rule(
            re.compile(rule.encode()),
            re.compile(before.encode()) if before else None,
            _PARTS_OF.get(before, ()),
        )
        for rule, before in rules
    ]


# These need no name: what is long behind a telling sign.
_LONG = re.compile(
    rb"=(?=[\w%.+/~-]{16})(?:(?<=[?&;-]sig=)|(?<=[?&;-]signature=)|(?<=sess=)|(?<=session=)|(?<=ssionid=)"
    rb"|(?<=sion_id=)|(?<=sid=)|"
    + "|".join(f"(?<=[?&]{name}=)" for name in _QUERY).encode()
    + rb")"
)
_LONGER = (
    (rf"sess(?:ion)?_?(?:id)?={_SESSION}", ""),
    (rf"sid={_SESSION}", ""),
    (r"sig(?:nature)?=(?P<a>[\w%+/=~-]{16,1000})", r"[?&;](?:x-(?:amz|goog|oss)-)?\Z"),
    (rf"[?&](?:{'|'.join(_QUERY)})=(?P<r>[\w.%+/=~-]{{16,2000}})", ""),
)


def long_in(text: str, low: bytes) -> list[Found]:
    """Long values that an address or a cookie has behind a telling name."""
    return list(_by_rules(text, low, _LONGER)) if _LONG.search(low) else []


def piped_in(text: str, low: bytes) -> list[Found]:
    """Passwords that are piped into a command."""
    if b"sudo -" in low or b"-stdin" in low or b"chpasswd" in low:
        return [Found(*hit.span("a"), "key") for hit in _PIPED.finditer(low)]
    return []


def told_in(text: str, low: bytes, words: set[bytes]) -> list[Found]:
    """What a command, a header or a file's form gives away.

    `low` is the text's bytes in small letters, `words` those of `TOLD_WORDS` that it has.
    """
    found: list[Found] = []
    for word in words:
        if word in _BY_WORD:
            found += _by_rules(text, low, _BY_WORD[word])
    if _STORES in words and _STORE_PASS.search(low):
        found += _by_rules(text, low, _STORE)
    return found + _in_manifest(text) if _MANIFESTS in words and _KIND.search(low) else found


def _by_rules(text: str, low: bytes, rules: _Rules) -> Iterator[Found]:
    for rule in _compiled(rules):
        for hit in rule.value.finditer(low):
            if rule.before and not _is_behind(low, hit.start(), rule.before, rule.parts):
                continue
            group = hit.lastgroup or "a"
            value = text[hit.start(group) : hit.end(group)]
            if not _STAND_IN.match(value) and (group != "r" or is_random(value)):
                yield Found(*hit.span(group), "key")


def _is_behind(
    low: bytes, at: int, before: re.Pattern[bytes], parts: tuple[bytes, ...]
) -> re.Match[bytes] | None:
    start = _window(low, at, before)
    if parts and not any(map(low[start:at].__contains__, parts)):
        return None
    return before.search(low, start, at)


def _window(low: bytes, at: int, before: re.Pattern[bytes]) -> int:
    """From where on something is looked for: what stands right before a place, or its command."""
    start = max(0, at - 300)
    if before.pattern.endswith(rb"\Z"):
        return start
    return max(start, *(low.rfind(sign, start, at) + 1 for sign in (b"\n", b"|", b";", b"&")))


def _in_manifest(text: str) -> list[Found]:
    manifest = _MANIFEST.search(text)
    if not manifest:
        return []
    start = text.rfind("\n---", 0, manifest.start()) + 1
    end = text.find("\n---", manifest.end())
    end = len(text) if end < 0 else end
    found = []
    for blocks, rows in ((_DATA, _ROW), (_DATA_JSON, _ROW_JSON)):
        for block in blocks.finditer(text, start, end):
            for row in rows.finditer(text, *block.span("rows")):
                found.append(Found(*row.span("a"), "key"))
    return found


def encoded_in(text: str, tokens: Tokens, redact: Callable[[str], str]) -> list[Found]:
    """Base64 of what holds a secret."""
    found = []
    for start, end in tokens:
        for token in _BASE64.finditer(text, start, end):
            inner = _decoded(token[0])
            if inner and redact(inner) != inner:
                found.append(Found(*token.span(), "key"))
    return found


def _decoded(token: str) -> str:
    whole = token.rstrip("=")[:4096]
    whole = whole[: len(whole) // 4 * 4] if len(whole) % 4 == 1 else whole
    decode = urlsafe_b64decode if "-" in whole or "_" in whole else b64decode
    try:
        if not decode(whole[:16]).isascii():  # most tokens are not text at all
            return ""
        data = decode(whole + "=" * (-len(whole) % 4))
    except (Error, ValueError):
        return ""
    inner = data.decode("ascii", "replace")
    return inner if data.isascii() and (inner.isprintable() or "\n" in inner) else ""
