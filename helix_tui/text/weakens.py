"""Judge whether a command disables a safeguard, destroys something or hides what it does."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

import msgspec

from helix_tui.text.redact import redact
from helix_tui.text.refuse import refusals

_FILE = Path(__file__).parent / "weakens.toml"
_LINK = re.compile(r"\|\||&&|\$\(|[|;&\n`(){}]|<\(")
_QUOTES = str.maketrans("", "", "'\"\\^")
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|\*")
_VARIABLE = re.compile(r"(?:\$env:)?(?P<name>[A-Za-z_]\w*)=(?P<value>.*)", re.DOTALL)
_SQL = re.compile(
    r"\b(?:drop\s+(?:table|database|schema|column|index|view|user|role|owned|policy|trigger|constraint)"
    r"|truncate\s+(?:table\s+)?\w|delete\s+from|alter\s+(?:role|user|system)|grant\s+all|disable\s+(?:row|trigger)"
    r"|update\s+\S+\s+set|flushall|flushdb|pg_terminate_backend|session_replication_role|foreign_key_checks)",
    re.IGNORECASE,
)
_SCRIPT = re.compile(
    r"(?i)\.(?:sh|bash|py|js|mjs|ts|rb|pl|ps1|bat|cmd|php)$|^(?:https?|git|ssh)[:+]"
)
_SILENCED = re.compile(r"(?:\|\||;)\s*(?:true|:|exit 0|/bin/true)\s*(?:$|[;&|)])")
_LEADS = frozenset(
    [
        "env",
        "time",
        "nice",
        "nohup",
        "command",
        "exec",
        "builtin",
        "xargs",
        "stdbuf",
        "export",
        "set",
        "setx",
        "declare",
    ]
)
_DASHES = dict.fromkeys((8208, 8209, 8210, 8211, 8212, 8213, 8722, 65112, 65123, 65293), "-")
_ADDRESS = re.compile(
    r"(?:[@\w/.-]{1,80}@)?(?:https?|git|ssh|ftp)(?:\+\w+)?://|git\+|git@|github:|gitlab:|npm:|file:"
)
_PATH = re.compile(
    r"^[./~]|\.(?:[chm]|cc|cpp|cs|css|go|html?|java|jsx?|json|kt|lock|log|md|php|pyi?|rb|rs|s?css|sh|sql"
    r"|swift|tfvars|tf|toml|tsx?|txt|vue|xml|ya?ml)$"
)
_SET = re.compile(r"([\w.-]{3,})\s{0,3}[:=]\s{0,3}(\w+)")
# Programs that call other things so: `kubectl get pods`, `dotnet ef migrations add Name`.
_INSTALLS_NOTHING = frozenset({"kubectl", "oc", "git", "gh", "glab", "aws", "dotnet ef"})
_INSTALLING = frozenset({"install", "add", "i", "get", "reinstall"})
_DECLARED = re.compile(r"^\.|\.(?:txt|toml|lock|json|cfg|ya?ml|mod)$|^>|^\d$")
_MESSAGE = frozenset({"-m", "--message", "-am", "--title", "--body", "--notes"})
_CLAUSE = re.compile(r"[.;!?\n]| - |, (?:but|and|or|so) ")
# “Never skip the hooks” defends them.
_DEFENDING = re.compile(
    r"(?i)\b(?:never|don'?t|do not|must not|avoid|no longer|should(?:n'?t| not)|stop)\b[^,]{0,24}"
    r"\b(?:skip|disabl|bypass|ignor|remov|turn|switch|circumvent|overrid|delet|forc|weaken|us)"
)
_TEMPORARY = ("/tmp/", "/var/tmp/", "/dev/shm/", "/private/tmp/")
_PLAINLY_OFF = ("false", "off", "never", "none", "disabled")
_LEAST_BEGINNING = 4
_LEAST_WITHIN = 5
# Among so many words of a command its program is found, behind another that runs it.
_BEGINNING = 3


class WeakeningTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The lists of what weakens something, as their file has them."""

    programs: dict[str, str]
    commands: dict[str, list[str]]
    short: dict[str, str]
    words: dict[str, str]
    names: dict[str, str]
    running: dict[str, str]
    places: dict[str, str]
    code: dict[str, list[str]]
    said: dict[str, str]


class _Weakening:
    """The lists of `WeakeningTable`, split into words and compiled."""

    def __init__(self, table: WeakeningTable) -> None:
        self.programs = frozenset(" ".join(table.programs.values()).split())
        rows = [row.lower().split() for rows in table.commands.values() for row in rows]
        # By their first word, which most commands do not have: an option is of any program.
        self.commands: dict[str, list[list[str]]] = {}
        for row in rows:
            self.commands.setdefault("" if row[0].startswith("-") else row[0], []).append(row)
        self.short = {name.replace("_", " "): set(text) for name, text in table.short.items()}
        self.always, self.guards, self.off, self.values = (
            frozenset(table.words[name].split()) for name in ("always", "guards", "off", "values")
        )
        self.harmless = frozenset(table.words["harmless"].split())
        self.options = frozenset(table.names["options"].lower().split())
        self.variables = frozenset(table.names["variables"].split())
        self.bringing, self.running, self.checking = (
            frozenset(table.running[name].split()) for name in ("bringing", "running", "checking")
        )
        self.reading, self.fetching, self.editing = (
            frozenset(table.running[name].split()) for name in ("reading", "fetching", "editing")
        )
        self.secrets = frozenset(table.names["secrets"].split())
        self.harmless_off = frozenset(table.names["harmless_off"].lower().split())
        self.code = re.compile(
            "|".join(f"(?:{pattern})" for pattern in table.code["patterns"]), re.IGNORECASE
        )
        heads = [*(row[0] for row in rows), *(name.split()[0] for name in self.short)]
        self.heads = frozenset(heads) | self.fetching
        self.places = table.places["parts"].split()
        self.finding = frozenset(table.names["finding"].split())
        self.guarding = frozenset(table.names["guarding"].split())
        self.narrowing = frozenset(table.words["narrowing"].split())
        self.against = re.compile(table.said["against"], re.IGNORECASE)
        self.destroying = re.compile(table.said["destroying"], re.IGNORECASE)


@cache
def _table() -> _Weakening:
    return _Weakening(
        msgspec.convert(tomllib.loads(_FILE.read_text(encoding="utf-8")), WeakeningTable)
    )


def weakens(command: str) -> bool:
    """Whether repeating this command gives up a safeguard, loses data, or hides what it does.

    False alarms are accepted: a command that passes is still only quoted from a log.
    """
    if hides(command) or redact(command) != command or "[secret:" in command:
        return True
    table, text = _table(), _folded(command)
    if _SQL.search(text) or table.code.search(text):
        return True
    if any(place in text for place in table.places):
        return True
    parted = [_split_variables(link.split()) for link in _LINK.split(text)]
    if any(_variable_weakens(*variable) for variables, _ in parted for variable in variables):
        return True
    links = [words for _, words in parted if words]
    if _runs_what_it_brings(links) or _is_silenced(text, links):
        return True
    is_editing = ">" in text or any(word.startswith("-i") for words in links for word in words)
    if is_editing and any(_name(words[0]) in table.editing for words in links):
        # A text that is written into a file is judged as a whole.
        named = re.split(r"[^\w.@-]+", text)
        if any(_name_weakens(word) for word in named if not _PATH.search(word)):
            return True
        if any(_value_weakens(*setting) for setting in _SET.findall(text)):
            return True
    return any(_link_weakens(words, is_editing) for words in links)


def drops_guard(option: str) -> bool:
    """Whether an option, left out, takes a safeguard along: `--strict`, `--frozen-lockfile`."""
    table, words = _table(), _words(option)
    if option.strip("-").lower() in table.guarding:
        return True
    guards = table.guards - table.narrowing
    joined = "".join(words)
    return any(word in guards for word in words) or any(
        name in joined for name in guards if len(name) >= _LEAST_WITHIN
    )


def speaks_against_guards(text: str) -> bool:
    """Whether a sentence asks to give a safeguard up: “just skip the hooks”, “use --no-verify”."""
    table = _table()
    if any(weakens(f"_ {word}") for word in text.split() if word.startswith("--")):
        return True
    return any(
        (table.against.search(clause) or table.destroying.search(clause))
        and not _DEFENDING.search(clause)
        for clause in _CLAUSE.split(text)
    )


def hides(command: str) -> bool:
    """Whether a command has invisible characters, or letters that look like others."""
    if refusals(command):
        return True
    for word in command.split():
        letters = [sign for sign in word if sign.isalpha()]
        scripts = {unicodedata.name(sign, "?").partition(" ")[0] for sign in letters}
        if len(scripts) > 1 or (word[0] not in "'\"" and not word[0].isascii()):
            return True
    return False


def _folded(command: str) -> str:
    """Normalize a command: one kind of dash, no quotes, without our own `$ ` before it."""
    text = unicodedata.normalize("NFKC", command).translate(_DASHES)
    return text.removeprefix("$ ").translate(_QUOTES)


def _split_variables(words: list[str]) -> tuple[list[tuple[str, str]], list[str]]:
    """Split the variables before a program from the words of the program."""
    variables: list[tuple[str, str]] = []
    for at, word in enumerate(words):
        match = _VARIABLE.fullmatch(word)
        if match:
            variables.append((match["name"], match["value"]))
        elif word.lower() not in _LEADS:
            return variables, words[at:]
    return variables, []


def _link_weakens(words: Sequence[str], is_editing: bool) -> bool:
    """Whether one command of a line weakens, or the command that it runs, as `sh -c` does."""
    table, words = _table(), _without_message(words)
    if _name(words[0]) in table.reading:
        return False
    inner = [at for at, word in enumerate(words) if at and _name(word) in table.heads]
    names = {_name(word) for word in words if "=" not in word and "/" not in word}
    names |= {_name(words[0]), _name(words[0]).partition(".")[0]}
    if names & table.programs:
        return True
    return any(_command_weakens(words[at:], is_editing) for at in (0, *inner))


def _command_weakens(words: Sequence[str], is_editing: bool) -> bool:
    table, name = _table(), _name(words[0])
    lowered = [name, *(word.lower() for word in words[1:])]
    heads = {"", *lowered[:_BEGINNING]}
    if any(_is_row(row, lowered) for head in heads for row in table.commands.get(head, ())):
        return True
    if name in table.fetching and any(_ADDRESS.match(word) for word in words[1:]):
        return True
    if name in table.reading or (name in table.editing and not is_editing):
        return False
    return any(_word_weakens(name, words, at) for at in range(1, len(words)))


def _without_message(words: Sequence[str]) -> list[str]:
    """Drop the words of a message such as that of `git commit -m`: they do nothing."""
    remaining, is_message = [words[0]], False
    for before, word in pairwise(words):
        is_message = (is_message or before in _MESSAGE) and not word.startswith("-")
        if not is_message:
            remaining.append(word)
    return remaining


def _name(word: str) -> str:
    return re.split(r"[/\\]", word)[-1].lower().removesuffix(".exe")


def _is_row(row: Sequence[str], words: Sequence[str]) -> bool:
    """Whether a command has the words of a row in order."""
    at = 0
    for word in words:
        wanted = row[at]
        if word == wanted or (wanted.endswith("*") and word.startswith(wanted[:-1])):
            at += 1
            if at == len(row):
                return True
    return False


def _word_weakens(program: str, words: Sequence[str], at: int) -> bool:
    """Whether a word of a command weakens, together with the word after it."""
    table, word = _table(), words[at]
    following = words[at + 1] if at + 1 < len(words) else ""
    key, sign, value = word.partition("=")
    if not sign:
        key, sign, value = _colon(word)
    if not word.startswith("-"):
        is_path = not sign and _PATH.search(key) is not None
        return not is_path and (_name_weakens(key) or _value_weakens(key, value or following))
    bundle = "" if key.startswith("--") else key[1:]
    verb = next((other for other in words[1:at] if not other.startswith("-")), "")
    if bundle and _bundle_weakens(program, verb, bundle):
        return True
    if len(bundle) not in (1, 2) and (_name_weakens(key) or _bare(key) in table.options):
        return True
    if sign:
        inner = value.partition("=")
        return (
            _value_weakens(key, value)
            or _turns_off(key, value)
            or (bool(inner[1]) and _value_weakens(inner[0], inner[2]))
        )
    is_value = not following.startswith("-")
    return is_value and (
        _value_weakens(key, following)
        or (following.lower() in _PLAINLY_OFF and _turns_off(key, following))
    )


def _turns_off(key: str, value: str) -> bool:
    """Whether an option plainly turns something off, whatever that is."""
    return value.lower() in (*_PLAINLY_OFF, "0", "no") and _bare(key) not in _table().harmless_off


def _colon(word: str) -> tuple[str, str, str]:
    key, sign, value = word.partition(":")
    is_option = word.startswith("-") and bool(sign)
    return (key, sign, value) if is_option else (word, "", "")


def _bundle_weakens(program: str, verb: str, bundle: str) -> bool:
    short = _table().short
    letters = short.get(program, set()) | short.get(f"{program} {verb}", set())
    return len(bundle) <= 5 and any(sign in letters for sign in bundle)


def _name_weakens(name: str) -> bool:
    """Whether an option or a setting is named after switching a guard off."""
    table, words = _table(), _words(name)
    if not words or name.strip("-").lower() in table.harmless:
        return False
    if any(word in table.always for word in words) or _begins(words[-1], table.always):
        return True
    for first, second in pairwise(words):
        if first in ("no", "non", "without", "not", "un", "never") and (
            second in table.guards or _begins(second, table.guards, 3)
        ):
            return True
    joined = "".join(words)
    return joined.startswith("no") and _is_made_of(joined[2:], table.guards)


def _is_made_of(text: str, names: frozenset[str]) -> bool:
    """Whether a text is one of the names, or two of them in a row."""
    return text in names or any(
        text.startswith(name) and text.removeprefix(name) in names for name in names
    )


def _begins(word: str, names: frozenset[str], least: int = _LEAST_BEGINNING) -> bool:
    """Whether a word begins one of the names, as GNU abbreviates long options."""
    return len(word) >= least and any(name.startswith(word) for name in names if len(name) > 4)


def _value_weakens(key: str, value: str) -> bool:
    table = _table()
    value = value.lower().strip(",")
    if _bare(value) in table.values:
        return True
    return value in table.off and (_guards(key) or _bare(key) in table.options)


def _guards(key: str) -> bool:
    table, words = _table(), _words(key)
    joined = "".join(words)
    return any(word in table.guards for word in words) or any(
        name in joined for name in table.guards if len(name) >= _LEAST_WITHIN
    )


def _variable_weakens(name: str, value: str) -> bool:
    table, upper = _table(), name.upper()
    if upper in table.variables or any(part in upper for part in table.secrets):
        return True
    if value.startswith(_TEMPORARY):
        # Anybody may write there what is then run.
        return True
    if value.startswith("-"):
        return _command_weakens(["", *value.split()], is_editing=True)
    is_off = value.lower() in table.off or not value
    if (
        _name_weakens(upper)
        or any(option in _bare(name) for option in table.options if len(option) > 9)
    ) and (not is_off):
        return True
    return is_off and (_guards(upper) or (bool(value) and name.lower() not in table.harmless_off))


def variable_weakens(name: str, value: str) -> bool:
    """Whether setting a variable gives up a safeguard; where programs find theirs is none."""
    is_emptied = value.strip("'\"") == ""
    is_found = not is_emptied and not value.startswith((*_TEMPORARY, "-r", "--r", "--i"))
    if name in _table().finding and is_found:
        return False
    if value == "/dev/null" and name.upper() not in _table().variables:
        return False
    return _variable_weakens(name, value)


def _words(name: str) -> list[str]:
    """Split a name into words at punctuation and capitals."""
    parts = re.split(r"[^A-Za-z0-9*]+", name)
    return [
        word.lower()
        for part in parts
        for word in (_HUMP.findall(part) if not part.isupper() else [part])
    ]


def _bare(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _runs_what_it_brings(links: Sequence[Sequence[str]]) -> bool:
    """Whether downloaded text is run, through a pipe or from a file just written."""
    table = _table()
    programs = [_name(words[0]) for words in links]
    brings = [at for at, name in enumerate(programs) if name in table.bringing]
    for at, name in enumerate(programs):
        if name not in table.running or not any(other != at for other in brings):
            continue
        rest = links[at][1:]
        is_bare = not rest or rest[0] in (
            "-",
            "-c",
            "-s",
            "-e",
            "-x",
            "-xe",
            "-ex",
            "/dev/stdin",
            "<",
        )
        if is_bare or any(_SCRIPT.search(word) for word in rest):
            return True
    return False


def _is_silenced(text: str, links: Sequence[Sequence[str]]) -> bool:
    """Whether a failing check is silenced, as with `|| true`."""
    return bool(_SILENCED.search(text)) and any(
        _name(words[0]) in _table().checking for words in links
    )


def option_programs(command: str, option: str) -> Iterator[str]:
    """Yield the programs of a command line that are given an option; `git_pull` for two words."""
    for link in _LINK.split(_folded(command)):
        _, words = _split_variables(link.split())
        if len(words) > 2 and words[0] in ("uv", "poetry", "pdm") and words[1] == "run":
            words = words[2:]
        if words[:1] in (["npx"], ["bunx"]):
            words = words[1:]
        if not any(word.partition("=")[0] == option for word in words[1:]):
            continue
        name = _name(words[0])
        yield name
        verb = next((word for word in words[1:] if not word.startswith("-")), "")
        if verb:
            yield f"{name}_{verb}"


def names_package(command: str) -> bool:
    """Whether an installer is given a package, instead of installing what the project declares."""
    for link in _LINK.split(_folded(command)):
        words = [word for word in link.split() if not word.startswith("-")]
        if not _INSTALLS_NOTHING.isdisjoint((*words[:1], " ".join(words[:2]))):
            continue
        at = next((at for at, word in enumerate(words) if word in _INSTALLING), None)
        if at is not None and any(not _DECLARED.search(word) for word in words[at + 1 :]):
            return True
    return False
