"""Finds values of names that tell of a secret: `DB_PASSWORD=…`, `"apiKey": "…"`, `<token>…`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from helix_tui.text.secrets.keys import Found, Tokens, is_mixed, is_random

# Looked for in the small letters of a text, with something after them that may assign a value:
# hardly a text comes farther.
_FOLLOWED = (
    r"(?=\w{0,60}+(?:-data)?(?:\\{0,8}[\"'`]\]?|%22|&quot;|\\{1,4}u0022)?"
    r"(?:[ \t]{0,8}[:=!%>,(]|[ \t]{1,4}(?:(?:i|wa)s:? )?[^\s\d]{0,40}+\d"
    r"|</(?:key|name)>|[\s,;]{1,40}-?[ ]?\\{0,8}[\"']?(?:parameter|string|default)?val))"
)
_KEYS_OF = (
    "api access private secret signing encryption auth master account shared license consumer"
    " subscription preshared pre-shared pre_shared app deploy ssh admin crypt cipher validation decryption storage"
).split()
_KEY_OF = "|".join(
    f"(?<={near}key)(?:{'|'.join(f'(?<={of}{gap}key)' for of in _KEYS_OF)})"
    for near, gap in (("[a-z]", ""), ("[_ .-]", "."))
)
# What must be in a text, what kind of name it is, how it is written. A `pass` or `pw` stands alone
# or behind another word: not `bypass`, `compass`, `pwa`.
_NAMES = (
    (b"token", (("token", r"token"),)),
    (b"secret", (("token", r"secret(?<![\[:]secret)"),)),
    (b"cred", (("token", r"credential"), ("token", r"cred(?=s?\b)(?<![a-z0-9]cred)"))),
    (b"key", (("token", rf"key(?:{_KEY_OF})"),)),
    (
        b"pass",
        (
            ("password", r"pass(?:w(?:or)?d|phrase|wort|code|e(?![a-z]))"),
            ("pass", r"pass(?![a-z])"),
        ),
    ),
    (b"pw", (("password", r"pwd"), ("pass", r"pw(?![a-z])"))),
    (b"auth", (("header", r"authorization"), ("token", r"auth(?![a-z])(?<![a-z]auth)"))),
)
# Whether there is any such name, or a word that rules of `told.py` need, is asked first, in one
# pass: each by a letter of it that is rare.
_NAMED = (
    rf"k(?:en(?<=token){_FOLLOWED}|ey(?:{_KEY_OF}){_FOLLOWED}|ia(?<=akia)|ennwort|ie(?<=cookie)[ =:\"'].|ty\""
    r")"
    r"|c(?:urestring|ret(?<=secret)(?<!\[secret)(?: \d|(?<=create secret) |(?<=: secret)|(?<=:\"secret)|(?<=: \"secret)"
    rf"|{_FOLLOWED})|red\w{{0,8}}(?:\(|{_FOLLOWED})|li(?<=redis-cli)|[^a-z](?<=mnemonic[^a-z])|ontrase|htwoord|odes?(?:(?<=ion code)|(?<=ery code)|(?<=ery codes)|(?<=kup code)|(?<=kup codes)|(?<=ity code)))"
    r"|p(?:ass(?:w|phr|code|wort|[_\d\"'\]:=>%-]|\s{1,4}[:=]|(?<=[_-]pass)\s|(?<=torepass) |(?<=keypass) |e[^a-z]|(?<=irepass) )"
    r"|utty-|w(?:d|[^a-z\s.,;!?)]|\s{1,4}[:=]|(?<=[a-z_]pw) )|in\W{1,4}(?:is |lautet )?\d{4}|\W(?<=mdp\W)|hrase[ :=\"]|sk|\w(?<=ldap\w)\w{2,7} |(?<=-p)(?<= -p)(?<!mkdir -p)(?! ?[\d./]))"
    rf"|u(?:th(?<=auth)(?:\(| plain | login |(?<=> auth) |(?<=rauth) |{_FOLLOWED})"
    r"|(?<= -u) ?[\"']?[^\s:,%]{1,80}[:,%]|ser(?<=-user)[ =])"
    r"|b(?:earer|y(?<=identified by)|asic\.|(?<= -b) [\"'])|q(?:lplus|ctl)|5(?=432:)|\*(?=:\*:)|\$(?=[\w-]{1,14}\$)"
)
NAMED = re.compile(_NAMED.encode())
_BEARER = re.compile(r"(?i:bearer)[ \t]{1,4}(?P<bare>[\w.~+/=-]{16,4000}+)")
# In pieces: were `=` a sign like others, `token=token=…` would be read over and over.
_BARE = r"[^\s\"'`,;<>()\[\]{}|&\\:=]"
_ASSIGNED = re.compile(
    r"(?P<more>s|_?\d{1,3}|(?:_[A-Z0-9]{1,24}){1,4}|[-_]data|_base)?"
    r"(?:\\{0,8}[\"'`]\]?|%22|&quot;|\\{1,4}u0022)?(?: ?: ?&?[A-Za-z][\w.\[\]|?]{0,30}(?= ?=[^=]))?"
    r"(?:(?P<pair>[\s,;]{0,40}(?:- )?\\{0,8}[\"']?(?i:(?:parameter|string|default)?val(?:ue)?)"
    r"\\{0,8}[\"']?[ \t]{0,4}[:=][ \t]{0,4})"
    r"|(?P<angle></(?i:key|name)>\s{0,40}<(?i:string|value)>|>(?=[^\s<>]{4,400}<))"
    r"|(?P<soft>[ \t]{0,4}[,(][ \t]{0,4}(?=\\{0,8}[\"']))"
    r"|(?P<sign>[ \t]{0,8}(?:=>|:=|\?=|={1,3}|!={1,2}|:(?!:)|%3[AD])(?:[ \t]{0,8}|%20)"
    r"|[ \t]{1,4}(?:(?:i|wa)s:? )?))"
    r"(?:[bfruBFRUNL]{0,2}(?P<quote>\\{0,8}[\"'`]|%22|&quot;|\\{1,4}u0022))?"
    r"(?P<scheme>(?i:bearer|basic|token|digest|negotiate|apikey|ssws|hmac[\w-]{0,8}) {1,2})?"
    r"(?:(?P<quoted>(?(quote)|(?!))(?:(?!(?P=quote))(?:\\.|[^\r\n])){1,4000}+)"
    rf"|(?P<bare>{_BARE}{{1,4000}}+(?:[:=]{_BARE}{{0,4000}}+){{0,3}}))"
)
# A scalar of YAML over several lines, each farther in than its name.
_BLOCK = re.compile(
    r"\w{0,20}[\"']?[ \t]{0,4}:[ \t]{0,4}[|>][+-]?\d?[+-]?[ \t]{0,8}\n(?P<first>[ \t]{1,40})(?P<rest>[^\s|>][^\n]{3,4000})"
)
_FLAG = re.compile(r"--?[\w-]{0,40}\Z")
# Values that are no secrets: types, versions, dates, addresses, paths, references and stand-ins.
# One that starts with the likes of a comma came after a closing quote.
_DULL = re.compile(
    r"(?i:[\s,;:)]|(?:str(?:ing)?|bytes|bool(?:ean)?|number|none|null|nil|undefined|true|false|any"
    r"|object|text|optional|required|unknown|void|hidden|bearer|basic|password|passwd|token|secret"
    r"|include|u?int\d*|float\d*|\w{0,20}array|base64\w{0,9}|oauth\d?|sha-?\d+|md5|utf-?\d)[?!.]?\Z"
    r"|[~^<>=]{0,2}v?\d*\.\d[\d.]{0,20}[a-z%]{0,4}\Z|\d{4}-\d\d-\d\d|[a-z][\w+.-]{0,20}://|sha\d+[:-]|arn:|projects/"
    r"|[a-z]:[\\/]|~(?:[/\\]|\Z)|#[0-9a-f]{3,8}\Z|!!\w+\Z|![a-z_.]+\Z|\$[{(]|\$\w+\Z|[<\[{]|%[sdr(])"
    r"|\.{0,2}/(?!(?=.{0,60}\d)(?=.{0,60}[A-Z])(?=.{0,60}[a-z])[A-Za-z0-9+/]{15,}={0,2}\Z)"
)
_STAND_IN = re.compile(
    r"(?i)(?<![a-z])(?:your?|example|placeholder|change.?me|redacted|dummy|here)(?![a-z])"
    r"|x{4}|\.\.\.|…|\*\*\*"
)
_CODE = re.compile(
    r"[A-Za-z_]\w{0,19}(?:(?:\?\.|\.|->|::)[A-Za-z_]\w{0,19})+\Z"
    r"|[A-Za-z_][\w.]{0,60}(?:[TSPKAC]|(?<=_)[tspkac])(?:oken|ecret|assword|ey|uth|red)[\w.]{0,60}\Z"
    r"|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\Z|\$[A-Za-z_]"
)
_WORDY = re.compile(r"[A-Za-z]+(?:[_. -](?:[A-Za-z]+\d{0,3}|\d{1,3}))*[.:!?]?\Z")
_KIND = re.compile(r"(?i)token|secret|passw|key|auth|cred")
_SOLID = re.compile(r"[\w+/=.~-]{16,}\Z")
_DIGIT = re.compile(r"\d")

# Names that tell of a secret only before what looks random, and words that say it is none.
_HINTED = re.compile(
    r"(?:=>|:=|={1,2}|:)[ \t]{0,8}[bfruBFRU]{0,2}(?:\\{0,8}[\"'`])?(?:base64:)?"
    r"(?P<value>[\w+/=.~%-]{16,4000})"
)
# Read backwards from the sign: so it is found at once, not looked for at each place before it.
_HINT = re.compile(
    r"[ \t]{0,8}(?:\]?[\"'`]\\{0,8})?(?P<name>[\w.-]{1,60}[A-Za-z_])(?:(?![\w:.\[-])|(?=:vne))"
)
_NAME_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_HINTS = frozenset(
    "key keys auth cred creds jwt sid sessid phpsessid jsessionid cookie sig signature otp totp seed"
    " salt hmac dsn psk webhook license bearer apikey pass pw secret token session ticket assertion"
    " mnemonic nonce csrf xsrf passkey pat access".split()
)
_NO_HINTS = frozenset(
    "public pub primary foreign cache sort partition hash object idempotency row map group unique"
    " index translation query item parent route lock id ids uuid name file path url uri type length"
    " size count limit version fingerprint sha sha1 sha256 md5 digest checksum integrity etag commit"
    " revision rev event trace span request message call tool turn thread run".split()
)
_HEX = re.compile(r"[0-9a-f]{16,128}")
_ELEMENT = re.compile(r"<[\w:.-]{0,60}\Z|[\"'][\w.-]{0,60}\Z")
# Words that end in `pass` and have nothing to do with one: `bypass`.
_PASSES = frozenset("by com encom sur tres over under sub multi one two first second".split())
_LETTERS_BEFORE = re.compile(r"[A-Za-z]+\Z")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


NAME_WORDS = (*(word for word, _ in _NAMES), b"bearer")


@cache
def _compiled(pattern: str) -> re.Pattern[bytes]:
    return re.compile((pattern + _FOLLOWED).encode())


def named_in(text: str, low: bytes, words: set[bytes]) -> list[Found]:
    """Values of names that tell of a secret however it looks.

    `low` is the text's bytes in small letters, `words` those of `NAME_WORDS` that it has.
    """
    spans: list[tuple[int, int]] = []
    for word, patterns in _NAMES:
        if word in words:
            for kind, pattern in patterns:
                for name in _compiled(pattern).finditer(low):
                    spans += _value(text, kind, name.start(), name.end())
    if b"bearer" in words:
        spans += [found.span(1) for found in _BEARER.finditer(text) if is_mixed(found["bare"])]
    return [Found(*span, "key") for span in spans if not _STAND_IN.search(text, *span)]


def hinted_in(text: str, tokens: Tokens) -> list[Found]:
    """Random values of names that may tell of a secret."""
    spans = []
    for start, end in tokens:
        before = text[max(0, start - 12) : end]
        if "=" not in before and ":" not in before:
            continue
        for found in _HINTED.finditer(text, max(0, start - 12), end):
            if is_random(found["value"]):
                hint = _HINT.match(text[max(0, found.start() - 76) : found.start()][::-1])
                if hint and _is_hinted(hint["name"][::-1], found["value"]):
                    spans.append(found.span("value"))
    return [Found(*span, "key") for span in spans]


def _is_hinted(name: str, value: str) -> bool:
    words = {word.lower() for word in _NAME_WORDS.findall(name)}
    return (
        bool(words & _HINTS)
        and not words & _NO_HINTS
        and not _UUID.fullmatch(value)
        and not any(no.match(value) for no in (_DULL, _CODE))
        and not _STAND_IN.search(value)
        and not (_HEX.fullmatch(value) and not name.isupper())
    )


def _value(text: str, kind: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    if kind == "pass" and _is_within_word(text, start):
        return
    if block := _BLOCK.match(text, end):
        yield from _block_lines(text, block)
        return
    found = _ASSIGNED.match(text, end)
    if found and _is_secret(kind, text, start, end, found):
        yield found.span(found.lastgroup or 0)


def _is_within_word(text: str, start: int) -> bool:
    before = _LETTERS_BEFORE.search(text, max(0, start - 8), start)
    return before is not None and before[0].lower() in _PASSES


def _block_lines(text: str, block: re.Match[str]) -> Iterator[tuple[int, int]]:
    if _DULL.match(block["rest"]) or _WORDY.match(block["rest"]):
        return
    inset = block["first"]
    at = block.start("first")
    while text.startswith(inset, at):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        yield at + len(inset), end
        at = end + 1


def _is_secret(kind: str, text: str, start: int, at: int, found: re.Match[str]) -> bool:
    value, quoted = found[found.lastgroup or 0], found.lastgroup == "quoted"
    sign = found["sign"] or ""
    password, capital, size = kind in ("password", "pass"), text[at - 1].isupper(), len(value)
    if size < 4 or _DULL.match(value):
        return False
    if found["scheme"]:
        return size >= 8 and is_mixed(value)
    flag = bool(_FLAG.search(text, max(0, at - 42), at))
    if not quoted and text[found.end() : found.end() + 1] in ("(", "["):
        return False
    if not quoted and not (flag and password) and _CODE.match(value):
        return False
    if found["soft"]:
        strong = size >= (6 if password else 16) and is_mixed(value)
        return quoted and strong and " " not in value and not _WORDY.match(value)
    if found["angle"]:
        told = text[found.start("angle") : found.end("angle")] != ">" or _is_element(text, start)
        plain = not _KIND.search(value) and not value.isdigit()
        return told and plain and (password or (size >= 8 and is_mixed(value)))
    loose = not flag and not found["pair"] and sign.strip() in ("", "is", "is:", "was", "was:")
    if found["more"] or kind == "header" or (loose and not (password and sign.strip())):
        return bool(_SOLID.match(value) and not _WORDY.match(value)) and is_mixed(value)
    if kind == "pass" and (value.isdigit() or (_WORDY.match(value) and not _DIGIT.search(value))):
        told = quoted or (capital and sign == "=")
        return told and size >= (8 if quoted else 6) and value.isalpha() and value.islower()
    if _WORDY.match(value):
        if _KIND.search(value) and not (size >= 10 and value.isalpha() and value.islower()):
            return quoted and password and bool(_DIGIT.search(value))
        if size >= (8 if password else 12) and is_mixed(value):
            return True
        if quoted:
            return password or (capital and size >= 6 and value.isalpha())
        told = (sign == "=" or bool(found["pair"])) and (capital or flag)
        return size >= 6 and (
            told or (capital and password and value.isalpha() and value.islower())
        )
    if password and (quoted or value.isdigit()):
        return True
    if quoted or value.isdigit():
        return quoted and size >= 6 and is_mixed(value) and " " not in value
    return size >= (4 if flag else 6 if password or capital else 8) and is_mixed(value)


def _is_element(text: str, start: int) -> bool:
    return bool(_ELEMENT.search(text, max(0, start - 62), start))
