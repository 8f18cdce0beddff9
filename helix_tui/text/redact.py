"""Excerpts without secrets: keys, passwords, mail addresses and home folders are taken out."""

from __future__ import annotations

import re

# Kinds of keys: name, what a key begins with, what follows. The beginnings of one kind end in one
# sign that is rare in text, by which all keys of that sign are looked for at once. The lengths are
# below the providers': a key may have been cut.
_KEYS = (
    ("anthropic", "sk-ant-", r"[\w-]{8,4000}"),
    ("openrouter", "sk-or-", r"(?:v\d-)?[A-Za-z0-9]{16,400}"),
    ("openai", "sk-proj- sk-svcacct- sk-admin- sk-None-", r"[\w-]{16,4000}"),
    ("openai", "sk-", r"[A-Za-z0-9]{20,400}"),
    ("xai", "xai-", r"\w{20,400}"),
    ("github", "ghp_ gho_ ghu_ ghs_ ghr_", r"[A-Za-z0-9]{16,255}"),
    ("github", "github_pat_", r"\w{16,255}"),
    ("gitlab", "glpat- gldt- glrt- glptt- glcbt- glsoat- glagent-", r"[\w.-]{16,400}"),
    ("aws", "AKIA ASIA", r"[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ("google", "AIz", r"a[\w-]{20,60}"),
    ("google", "ya29.", r"[\w.-]{16,4000}"),
    ("google", "GOCSPX-", r"[\w-]{16,60}"),
    ("slack", "xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs- xapp-", r"[\w%-]{10,400}"),
    ("slack", "hooks.slack.", r"com/(?:services|workflows|triggers)/[\w/+-]{16,200}"),
    ("npm", "npm_", r"[A-Za-z0-9]{20,60}(?!\w)"),
    ("pypi", "pypi-", r"Ag[\w-]{16,4000}"),
    ("huggingface", "hf_ api_org_", r"[A-Za-z0-9]{20,60}(?!\w)"),
    ("stripe", "sk_live_ sk_test_ rk_live_ rk_test_", r"[A-Za-z0-9]{10,255}"),
    ("stripe", "whsec_", r"[A-Za-z0-9+/=]{16,100}"),
    ("groq", "gsk_", r"[A-Za-z0-9]{20,100}"),
    ("replicate", "r8_", r"[\w-]{30,60}"),
    ("sendgrid", "SG.", r"[\w-]{16,40}\.[\w-]{16,80}"),
    ("digitalocean", "dop_v1_ doo_v1_ dor_v1_", r"[a-f0-9]{16,80}"),
    ("age", "AGE-SECRET-KEY-", r"1[A-Z0-9]{16,80}"),
    ("jwt", "eyJ", r"[\w-]{8,8000}+\.eyJ[\w-]{4,8000}+(?:\.[\w-]{0,4000}+)?"),
    ("key", "pplx- nvapi- tvly- csk- PMAK-", r"[\w-]{20,400}"),
    ("key", "lin_api_ sbp_ figd_ shpat_", r"\w{20,400}"),
    ("vault", "hvs.", r"[\w-]{16,400}"),
    ("databricks", "dapi", r"[a-f0-9]{32}(?![A-Za-z0-9])"),
    ("mailgun", "key-", r"[a-f0-9]{32}(?![A-Za-z0-9])"),
    ("docker", "dckr_pat_", r"[\w-]{16,60}"),
    ("heroku", "HRKU-", r"[\w-]{16,80}"),
)
# A block goes up to its END or to where the text was cut; a mere mention of BEGIN has no body. An
# END alone takes the lines above it along.
_PEM_SORT = r"[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
_PEM_BREAK = r"(?:\\+[nr]|[\s\d→|]){1,16}+"
_PEM = (
    rf"-----BEGIN {_PEM_SORT}"
    r"(?=(?:\\+[nrt]|[\s\"'+,|\d→]|[A-Z][A-Za-z-]{3,9}:[^\n\\]{0,80}+){0,60}+[A-Za-z0-9+/]{16})"
    rf"(?:[^-]|-(?!----))*+(?:-----END {_PEM_SORT})?"
    rf"|(?<![A-Za-z0-9+/=])(?:[A-Za-z0-9+/]{{16,128}}+{_PEM_BREAK}){{0,70}}+"
    rf"[A-Za-z0-9+/=]{{4,128}}+{_PEM_BREAK}-----END {_PEM_SORT}"
)
_PEM_MARK = "[secret:pem]"
# A project folder of Claude Code is a path with its signs as dashes.
_SLUG = (
    r"-(home|Users)-(?:(?<![\w.~\]-]-home-)(?<![\w.~\]-]-Users-)|(?<=\b[A-Z]--Users-))"
    r"[A-Za-z0-9]{1,64}"
)
# Letters that may stand before a key belong to an escape: `\nsk-…`, `%3Dsk-…`, `\x1b[32msk-…`.
_ESCAPES = (r"\\[nrt]", "%[0-9A-F][0-9A-F]", r"\\u[0-9a-f]{4}", r"[\d;]m")

# Secrets that only the command or address around them gives away: a literal of it, the rule, and
# what stands there afterwards.
_SHAPES = (
    (":AA", r"\b\d{8,10}:AA[\w-]{32,34}(?![\w-])", "[secret:telegram]"),
    (
        " -u",
        r"(\bcurl\b[^\n|;&]{0,300}? -u ?[\"']?[^\s:\"'\[]{1,60}):[^\s\"'\[]{1,200}",
        r"\1:[secret:key]",
    ),
    (
        " -p",
        r"(\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n|;&]{0,200}? -p)[^\s\[]{1,200}",
        r"\1[secret:key]",
    ),
    (
        " -p",
        r"(\b(?:sshpass|docker login)\b[^\n|;&]{0,200}? -p ?)[\"']?[^\s\[\"']{1,200}[\"']?",
        r"\1[secret:key]",
    ),
    (" -a", r"(\bredis-cli\b[^\n|;&]{0,200}? -a )[^\s\[]{1,200}", r"\1[secret:key]"),
    ("ignature=", r"([?&]X-Amz-Signature=)[A-Fa-f0-9]{16,200}", r"\1[secret:key]"),
    ("sig=", r"([?&]sig=)[\w%+/=-]{16,200}", r"\1[secret:key]"),
    ("AccountKey=", r"(\bAccountKey=)[\w+/=]{16,200}", r"\1[secret:key]"),
    ("_PASS=", r"(\b[A-Z][A-Z0-9_]{0,60}_PASS=)[^\s$\[\"']{4,200}", r"\1[secret:key]"),
    ("KEY_BASE", r"(\bSECRET_KEY_BASE[=:] ?)[^\s$\[]{8,400}", r"\1[secret:key]"),
    ("ookie: ", r"(\b[Cc]ookie: )[^\n\[\"']{8,4000}", r"\1[secret:key]"),
)

# By a sign of the literal that most prose lacks: one sign is found thirty times as fast as three.
_SHAPES_BY_SIGN = tuple(
    (sign, tuple(shape for shape in _SHAPES if next(s for s in "=-:_" if s in shape[0]) == sign))
    for sign in "=-:_"
)

_Change = tuple[list[str], str, str]


def _begins(start: str) -> str:
    # Not within a word (`desk-ant-…`); looked at after the literal, which `re` finds fastest.
    word = re.escape(start)
    return f"{word}(?:(?<![A-Za-z0-9]{word})|{'|'.join(f'(?<={e}{word})' for e in _ESCAPES)})"


def _screen(sign: str, changes: list[_Change]) -> re.Pattern[str]:
    # The signs before the rare one rule most places out; an empty group tells the change to make.
    every = sorted({re.escape(start[-3:]) for starts, _, _ in changes for start in starts})
    near = "".join(sorted({re.escape(start[-2]) for starts, _, _ in changes for start in starts}))
    found = (f"(?:{'|'.join(f'(?<={re.escape(s)})' for s in c[0])})()" for c in changes)
    mark = re.escape(sign)
    return re.compile(f"{mark}(?<=[{near}]{mark})(?<={'|'.join(every)})(?:{'|'.join(found)})")


def _screens() -> tuple[tuple[str, re.Pattern[str], list[_Change]], ...]:
    # The rules stay uncompiled until one is needed: few runs meet any, and a start has to be quick.
    groups: dict[str, list[_Change]] = {}
    for name, starts, tail in _KEYS:
        rule = f"(?:{'|'.join(map(_begins, starts.split()))}){tail}"
        groups.setdefault(starts[-1], []).append((starts.split(), rule, f"[secret:{name}]"))
    groups["-"].append((["KEY-", "BLOCK-"], _PEM, _PEM_MARK))
    groups["-"].append((["-home-", "-Users-"], _SLUG, r"-\1-~"))
    return tuple((sign, _screen(sign, group), group) for sign, group in groups.items())


_SCREENS = _screens()

# Names of secrets, looked for by a rare letter of theirs in the lower-case bytes of a text, with
# something after that may assign a value: hardly a text comes farther.
_KEYS_OF = ("api", "access", "private", "secret", "signing", "encryption", "auth", "master")
_KEY_OF = "|".join(f"(?<={of}key)|(?<={of}[_ -]key)" for of in _KEYS_OF)
_SIGNED = (
    r"(?=\w{0,60}+(?:\\{0,8}[\"'`]\]?)?"
    r"(?:[ \t]{0,8}[:=!]|[ \t]{1,4}(?:(?:i|wa)s:? )?[^\s\d]{0,40}+\d))"
)
_NAMES = tuple(
    (kind, re.compile((pattern + _SIGNED).encode()))
    for kind, pattern in (
        ("token", rf"k(?:en(?<=token)|ey(?:{_KEY_OF}))"),
        ("token", r"c(?:ret(?<=secret)(?<![\[:]secret)|redential)"),
        ("password", r"p(?:ass(?:w(?:or)?d|phrase)|wd)"),
        ("header", r"z(?<=authoriz)ation"),
    )
)
_BEARER = re.compile(r"(?i:bearer)[ \t]{1,4}(?P<bare>[\w.~+/=-]{16,4000}+)")
_BEARER_NEAR = re.compile(rb"b(?=earer[ \t]{1,4}[^\s]{16})")
_NEAR = (*(names for _, names in _NAMES), _BEARER_NEAR)
# In pieces: were `=` a sign like others, `token=token=…` would be read over and over.
_BARE = r"[^\s\"'`,;<>()\[\]{}|&\\:=]"
_ASSIGNED = re.compile(
    r"(?P<more>s|_?\d{1,3}|(?:_[A-Z0-9]{1,24}){1,4})?"
    r"(?:\\{0,8}[\"'`]\]?)?(?: ?: ?[A-Za-z][\w.\[\]|?]{0,30}(?= ?=[^=]))?"
    r"(?P<sign>[ \t]{0,8}(?:=>|:=|={1,3}|!={1,2}|:(?!:))[ \t]{0,8}|[ \t]{1,4}(?:(?:i|wa)s:? )?)"
    r"(?:[bfruBFRU]{0,2}(?P<quote>\\{0,8}[\"'`]))?(?P<scheme>(?i:bearer|basic|token) {1,2})?"
    r"(?:(?P<quoted>(?(quote)|(?!))(?:(?!(?P=quote))(?:\\.|[^\r\n])){1,4000}+)"
    rf"|(?P<bare>{_BARE}{{1,4000}}+(?:[:=]{_BARE}{{0,4000}}+){{0,3}}))"
)
_FLAG = re.compile(r"--[\w-]{0,40}\Z")
# Values that are no secrets: types, versions, dates, addresses, paths, references and stand-ins.
# One that starts with the likes of a comma came after a closing quote.
_DULL = re.compile(
    r"(?i:[\s,;:)]|(?:str(?:ing)?|bytes|bool(?:ean)?|number|none|null|nil|undefined|true|false|any"
    r"|object|text|optional|required|unknown|void|hidden|bearer|basic|password|passwd|token|secret"
    r"|include|u?int\d*|float\d*|\w{0,20}array|base64\w{0,9}|oauth\d?|sha-?\d+|md5|utf-?\d)[?!.]?\Z"
    r"|v?\d*\.\d[\d.]{0,20}[a-z%]{0,4}\Z|\d{4}-\d\d-\d\d|[a-z][\w+.-]{0,20}://|sha\d+[:-]|arn:|projects/"
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

# A port is no password, a variable neither, and the tag of an image has a digest after the `@`. A
# password may have an `@`: the last one before the host counts.
_URL = re.compile(
    r"://(?:(?P<user>[^\s/@:?#&=\"'`<>\\()\[\],;{}]{0,128}+:)"
    r"(?!\d{1,5}(?:[/?#,\s]|\Z)|[$<{*]|%[^0-9A-F])"
    r"(?:[^\s@\[\"'`<>\\]{1,32}+|\[(?!secret:)|@(?![^\s/?#@\"'`<>\\]{1,255}+(?!@))){1,8}+"
    r"|(?!\$)[^\s/@:?#&=\"'`<>\\()\[\],;{}]{16,256}+)@(?!sha\d)"
)
# No version, scale of an image, file or unit of systemd. What is before the `@` is read backwards;
# a git remote, a label of Kotlin and the user of an address stay.
_DOMAIN = re.compile(
    r"@(?<=\w@)(?!v?\d{1,4}(?:x\b|\.\d))(?:[A-Za-z0-9][A-Za-z0-9-]{0,62}+\.){1,8}"
    r"(?!(?:[cm]?[jt]sx?|json|css|png|jpe?g|svg|webp|gif|html|ya?ml|service|socket|timer|target)\b)"
    r"(?:(?:com|org|net)(?![A-Za-z0-9-])|[A-Za-z]{2,24}+(?![\w(-]))"
)
_MAILBOX = re.compile(
    r"(?!(?:tig|siht|repus)?(?:[nrt]\\|(?![\w.+%-])))"
    r"(?:[\w.+%-]{1,63}?(?=[nrt]\\)|(?>[\w.+%-]{1,64}(?<=\w)))(?!//)"
)
# A folder that begins a path: not `/srv/home/x`, nor that of an address.
_OWNER = r"\w(?:[\w.-]{0,62}\w)?(?!\w)"
_HOME = re.compile(
    r"/(?=home/\w|Users/(?!Shared\b)\w|root(?![\w.-]))"
    r"(?:(?<![\w.~%)}?/]/)|(?<=\\[nrt]/)|(?<=[\d;]m/)|(?<=file:///)|(?<=://file/)|(?<= -[IL]/)"
    rf"|(?<=/[a-z]/)(?=U))(?:root|(?:home|Users)/{_OWNER})"
)
_ENCODED = re.compile(rf"%2[Ff](?<![\w.~-]...)(?:home|Users)%2[Ff]{_OWNER}")
_WINDOWS = re.compile(
    r"(?<![A-Za-z0-9])[A-Za-z]:\\{1,4}[Uu]sers\\{1,4}(?!Public\b)\w"
    r"(?:[\w.-]{0,40}(?: [\w.-]{1,30}){0,2}(?=\\)|[\w.-]{0,60})"
)


def _mixed(value: str) -> bool:
    # Random letters are capitals by half, the names of code by a sixth.
    capitals = sum(map(str.isupper, value))
    return bool(_DIGIT.search(value)) or len(value) <= 4 * capitals <= 3 * len(value)


def _is_secret(kind: str, text: str, at: int, found: re.Match[str]) -> bool:
    value, sign, quoted = found[found.lastgroup or 0], found["sign"], found.lastgroup == "quoted"
    password, capital, size = kind == "password", text[at - 1].isupper(), len(value)
    if size < 4 or _DULL.match(value):
        return False
    if found["scheme"]:
        return size >= 8 and _mixed(value)
    if not quoted and (text[found.end() : found.end() + 1] in ("(", "[") or _CODE.match(value)):
        return False
    flag = bool(_FLAG.search(text, max(0, at - 42), at))
    loose = not flag and sign.strip() in ("", "is", "is:", "was", "was:")
    if found["more"] or kind == "header" or (loose and not (password and sign.strip())):
        return bool(_SOLID.match(value) and not _WORDY.match(value)) and _mixed(value)
    if _WORDY.match(value):
        if _KIND.search(value) and not (size >= 10 and value.isalpha() and value.islower()):
            return quoted and password and bool(_DIGIT.search(value))
        if size >= (8 if password else 12) and _mixed(value):
            return True
        if quoted:
            return password or (capital and size >= 6 and value.isalpha())
        told = sign == "=" and (capital or flag)
        return size >= 6 and (
            told or (capital and password and value.isalpha() and value.islower())
        )
    if password and (quoted or value.isdigit()):
        return True
    if quoted or value.isdigit():
        return quoted and size >= 6 and _mixed(value) and " " not in value
    return size >= (4 if flag else 6 if password or capital else 8) and _mixed(value)


def _without(text: str, spans: list[tuple[int, int]], instead: str) -> str:
    parts, done = [], 0
    for start, end in sorted(spans):
        if start >= done:
            parts += [text[done:start], instead]
            done = end
    return "".join(parts) + text[done:]


def _without_assigned(text: str, flat: bytes) -> str:
    values = [
        found
        for kind, names in _NAMES
        for name in names.finditer(flat)
        if (found := _ASSIGNED.match(text, name.end()))
        and _is_secret(kind, text, name.end(), found)
    ]
    if _BEARER_NEAR.search(flat):
        values += [found for found in _BEARER.finditer(text) if _mixed(found["bare"])]
    spans = [found.span(found.lastgroup or 0) for found in values]
    spans = [span for span in spans if not _STAND_IN.search(text, *span)]
    return _without(text, spans, "[secret:key]")


def _without_mails(text: str) -> str:
    spans: list[tuple[int, int]] = []
    for domain in _DOMAIN.finditer(text):
        at = domain.start()
        if box := _MAILBOX.match(text[max(0, at - 66) : at][::-1]):
            spans.append((at - box.end(), domain.end()))
    return _without(text, spans, "[mail]")


def _without_folders(text: str) -> str:
    if "%" in text:
        text = _ENCODED.sub("~", text)
    if "\\" in text and "sers\\" in text:
        text = _WINDOWS.sub("~", text)
    return _HOME.sub("~", text)


def _in_lines(found: re.Match[str]) -> str:
    return _PEM_MARK + "\n" * found[0].count("\n")


def _without_keys(text: str, kept: str = "", *, is_by_line: bool = False) -> str:
    for sign, screen, changes in _SCREENS:
        if sign in text and screen.search(text):
            for number in sorted({match.lastindex or 0 for match in screen.finditer(text)}):
                _, rule, instead = changes[number - 1]
                if rule == _PEM and is_by_line:
                    text = re.sub(rule, _in_lines, text)
                elif rule != kept:
                    text = re.sub(rule, instead, text)
    return text


def _without_told(text: str) -> str:
    for sign, shapes in _SHAPES_BY_SIGN:
        if sign in text:
            for literal, rule, instead in shapes:
                if literal in text:
                    text = re.sub(rule, instead, text)
    # One byte for each character, so that places in the one are places in the other.
    flat = text.encode("ascii", "replace").lower()
    for near in _NEAR:
        if near.search(flat):
            text = _without_assigned(text, flat)
            break
    return _URL.sub(r"://\g<user>[secret:url]@", text) if "@" in text else text


def redact_keys(text: str) -> str:
    """The text without keys of providers, for what must else stay as it is: a path, a branch."""
    return _without_keys(text, kept=_SLUG)


def redact_by_line(text: str) -> str:
    """The text without secrets alone, and with all its line breaks, those of a secret as well."""
    for _ in range(8):
        made = _without_told(_without_keys(text, kept=_SLUG, is_by_line=True))
        if made == text:
            break
        text = made
    return text


def redact(text: str) -> str:
    """The text without secrets, mail addresses and home folders; what is none stays as it is."""
    for _ in range(8):
        text = _without_folders(text)
        made = _without_told(_without_keys(text))
        if "@" in made:
            made = _without_mails(made)
        if made == text:
            break
        text = made  # what was taken out may have hidden another beginning
    return text
