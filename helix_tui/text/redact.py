"""Texts without secrets: keys, passwords, mail addresses and home folders are taken out."""

from __future__ import annotations

import re
from functools import cache

from helix_tui.text.secrets.by_context import TOLD_WORDS, encoded_in, long_in, piped_in, told_in
from helix_tui.text.secrets.keys import Found, keys_in, screened
from helix_tui.text.secrets.named import NAME_WORDS, NAMED, hinted_in, named_in
from helix_tui.text.secrets.nearby import NEARBY_WORDS, nearby_in, told_tokens
from helix_tui.text.secrets.words import Group, grouped, words_in

# A block goes up to its END or to where the text was cut; a mere mention of BEGIN has no body. An
# END alone takes the lines above it along.
_PEM_SORT = r"[A-Za-z0-9 ]{0,40}(?:PRIVATE KEY(?: BLOCK)?|Static key V\d) ?-{4,5}"
_PEM_BREAK = r"(?:\\+[nr]|[\s\d→|]){1,16}+"
_PEM = (
    rf"-{{4,5}} ?BEGIN {_PEM_SORT}"
    r"(?=(?:\\+[nrt]|[\s\"'+,|\d→]|[A-Z][A-Za-z-]{3,9}:[^\n\\]{0,80}+){0,60}+[A-Za-z0-9+/]{16})"
    rf"(?:[^-]|-(?!---))*+(?:-{{4,5}} ?END {_PEM_SORT})?"
    rf"|(?<![A-Za-z0-9+/=])(?:[A-Za-z0-9+/]{{16,128}}+{_PEM_BREAK}){{0,70}}+"
    rf"[A-Za-z0-9+/=]{{4,128}}+{_PEM_BREAK}-{{4,5}} ?END {_PEM_SORT}"
)
_PEM_MARK = "[secret:pem]"
# A project folder of Claude Code is a path with its signs as dashes.
_SLUG = re.compile(
    r"-(home|Users)-(?:(?<![\w.~\]-]-home-)(?<![\w.~\]-]-Users-)|(?<=\b[A-Z]--Users-))"
    r"[A-Za-z0-9]{1,64}"
)
_find_slug = re.compile("-(?:home|Users)-").search
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

_named = NAMED.search


def _bare(text: str, found: list[Found], *, is_by_line: bool = False) -> str:
    """The text with a mark for each secret: one for those that overlap, by the first's kind."""
    parts, done = [], 0
    for start, end, kind in sorted(found, key=_place):
        if start >= done:
            parts += [text[done:start], f"[secret:{kind}]"]
            done = start
        if end > done:
            if is_by_line:
                parts.append("\n" * text.count("\n", done, end))
            done = end
    return "".join(parts) + text[done:]


def _place(secret: Found) -> int:
    return secret.start


def _without(text: str, spans: list[tuple[int, int]], instead: str) -> str:
    parts, done = [], 0
    for start, end in sorted(spans):
        if start >= done:
            parts += [text[done:start], instead]
            done = end
    return "".join(parts) + text[done:]


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
    return _HOME.sub("~", text) if "/" in text and _HOME.search(text) else text


def _in_lines(found: re.Match[str]) -> str:
    return _PEM_MARK + "\n" * found[0].count("\n")


def _without_blocks(text: str, is_by_line: bool) -> str:
    if "KEY" in text or "Static key" in text:
        return re.sub(_PEM, _in_lines if is_by_line else _PEM_MARK, text)
    return text


def _without_secrets(text: str, is_by_line: bool = False) -> str:
    if "----" in text:
        text = _without_blocks(text, is_by_line)
    before = text
    # One byte for each character, so that places in the one are places in the other.
    flat = text.encode("ascii", "replace")
    low = flat.lower()
    is_named = _named(low) is not None
    places = screened(flat, is_named)
    if places and (keys := keys_in(text, *places)):
        text = _bare(text, keys)
    if "@" in text:
        text = _URL.sub(r"://\g<user>[secret:url]@", text)
    if text is not before and text != before:
        flat = text.encode("ascii", "replace")
        low = flat.lower()
        places = screened(flat, is_named)
    found: list[Found] = []
    if is_named:
        found = _by_words(text, low)
    if "=" in text:
        found += long_in(text, low)
    if "|" in text:
        found += piped_in(text, low)
    if places and (tokens := places[2]):
        found += hinted_in(text, tokens) + told_tokens(text, tokens)
        found += encoded_in(text, tokens, _without_secrets)
    return _bare(text, found, is_by_line=is_by_line) if found else text


@cache
def _word_groups() -> list[Group]:
    return grouped((*TOLD_WORDS, *NAME_WORDS, *NEARBY_WORDS))


def _by_words(text: str, low: bytes) -> list[Found]:
    words = words_in(low, _word_groups())
    return told_in(text, low, words) + named_in(text, low, words) + nearby_in(text, low, words)


def redact_keys(text: str) -> str:
    """The text without keys of providers, for what must else stay as it is: a path, a branch."""
    text = _without_blocks(text, is_by_line=False)
    places = screened(text.encode("ascii", "replace"), is_with_capitals=True)
    return _bare(text, keys_in(text, *places)) if places else text


def redact_by_line(text: str) -> str:
    """The text without secrets alone, and with all its line breaks, those of a secret as well."""
    for _ in range(8):
        made = _without_secrets(text, True)
        if made == text:
            break
        text = made
    return text


def redact(text: str) -> str:
    """The text without secrets, mail addresses and home folders; what is none stays as it is."""
    for _ in range(8):
        text = _without_folders(text)
        is_slug = "-" in text and _find_slug(text)
        made = _without_secrets(_SLUG.sub(r"-\1-~", text) if is_slug else text)
        if "@" in made:
            made = _without_mails(made)
        if made == text:
            break
        text = made  # what was taken out may have hidden another beginning
    return text
