"""Which programs a command line runs, and what running one of them amounts to."""

from __future__ import annotations

import re
from functools import lru_cache

# What may stand before the program that a link of a command line runs.
LEAD = re.compile(
    r"\s*+(?:(?:[A-Za-z_]\w{0,60}=\S{0,200}|time|env|sudo|nice|command|nohup|exec"
    r"|xargs(?: -\S{1,20}){0,4}"
    r"|timeout(?: -\S{1,20}){0,4} \S{1,20}"
    r"|(?:uv|poetry|pdm|pipenv|hatch|rye) run(?: -\S{1,40}){0,4}|(?:npx|bunx)(?: -\S{1,40}){0,4}"
    r"|(?:pnpm|yarn|npm) (?:exec|dlx)(?: --)?|python[\d.]{0,6}(?: -[A-Za-z])* -m)\s{1,9}"
    r"|(?:[\w.@~-]{0,100}/)+)*+"
)
SHELL = re.compile(r"\s{0,9}(?:ba|z|da)?sh -l?c (['\"])(.{0,2000})\1\s{0,9}$", re.DOTALL)
# What is quoted or follows `<<` is text, such as the message of a commit.
QUOTED = re.compile(r"'[^']{0,2000}'|\"(?:[^\"\\]++|\\.){0,2000}+\"|<<.*", re.DOTALL)


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Each way begins with a sign of its own: `re` then passes over all others at once.
_LINKS = re.compile(r"\|\|?|&&|;|\n|&(?<![&>]&)(?![&>])")
_WORD = re.compile(r"[\w.+@:-]{1,60}")
# Programs of which the next word says what they do.
WITH_VERB = _set(
    "git gh npm pnpm yarn bun docker podman cargo go pip pip3 uv poetry kubectl helm"
    " terraform make apt apt-get apk dnf yum brew systemctl service dotnet swift mvn gradle"
    " gradlew rustup conda just task mise turbo nx deno flutter pg_ctl"
)
# Programs of which the next word is the program.
INTERPRETERS = _set("python python3 node bash sh zsh ruby perl deno tsx ts-node php")
TRIVIAL = _set(
    "cd echo printf true false : export set source . pushd popd head tail wc sort uniq tee"
    " sleep wait exit if then else fi for do done while"
)
_ONLY_LOOKING = _set(
    "ls cat curl wget http"
    " grep egrep fgrep rg find fd which type pwd file stat ps lsof printenv test [ tree"
    " du df awk jq diff cmp less more man uname whoami date id hostname netstat ss nproc free"
    " top pgrep sed nl cut tr column basename dirname realpath readlink curl ping nc sleep"
) | frozenset(
    f"git {verb}"
    for verb in _set("status log diff show branch remote rev-parse blame ls-files grep reflog")
)
_VERBS: dict[str, str] = {
    **dict.fromkeys(("kill", "pkill", "killall", "fuser", "kill-port"), "kill"),
    **dict.fromkeys(("rm", "rmdir", "unlink", "trash"), "remove"),
    **dict.fromkeys(("git pull", "git fetch", "git rebase", "git merge"), "git pull"),
    **dict.fromkeys(("chmod", "chown", "setfacl"), "chmod"),
    **dict.fromkeys(
        ("prettier", "black", "gofmt", "goimports", "cargo fmt", "ruff", "isort", "go fmt"),
        "format",
    ),
    **dict.fromkeys(
        (
            *("docker start", "docker compose", "docker-compose", "dockerd", "colima"),
            *("systemctl start", "systemctl restart", "service start", "pg_ctl start"),
            "brew services",
        ),
        "start the service",
    ),
}
_INSTALLING = re.compile(r"^(?:\S{1,80} ){1,3}(?:install|reinstall)(?=\s|$)")
_INSTALLERS = re.compile(
    r"(?:pip3?|uv|poetry|conda|npm|pnpm|yarn|bun|cargo|go|apt|apt-get|apk|dnf|yum|brew|gem|rustup)"
    r" (?:install|add|i|ci|sync|get|pip|tool|component|target)$|yarn$|corepack"
)
# Formatters are mostly called so: rustfmt, shfmt, clang-format.
_FORMATTERS = re.compile(r"[\w.-]{1,40}(?:fmt|format)(?= |$)")
_CHANGERS = _set("sed perl tee patch mv cp rm truncate git")
_CHANGING = re.compile(
    r"(?<![\d&>])>{1,2}(?![&>])\s{0,4}(?!/dev/)[\w./~$\"'-]"
    r"|(?:^|[\s;&|(])(?:sed (?:-\S{1,20} ){0,4}-i|perl -\S{0,8}i|tee|patch|mv|cp|rm|truncate"
    r"|git (?:-\S{1,80} ){0,4}(?:apply|checkout|switch|stash|restore|reset|pull|merge|rebase|revert"
    r"|cherry-pick|am|commit))(?=\s|$)"
)
_AMENDING = re.compile(r"\bgit\b[^;&|\n]{0,80} commit\b[^;&|\n]{0,200} --amend\b")
_TAKING_BACK = re.compile(
    r"(?:^|[\s;&|(])git (?:-[Cc] \S{1,200} |-\S{1,80} ){0,4}"
    r"(?:revert(?! --(?:abort|quit|skip))|reset (?:--\w{1,8} )?(?:HEAD|@)[~^])"
)


@lru_cache(maxsize=1024)
def programs_in(command: str) -> tuple[str, ...]:
    """What a command line runs, in its order: `git push`, `pytest`, `python3 build.py`."""
    if within := SHELL.match(command):
        command = within[2]
    found: list[str] = []
    for link in _LINKS.split(QUOTED.sub("''", command)):
        name = _program(link)
        if name and name not in TRIVIAL and name not in found:
            found.append(name)
    return tuple(found)


def _program(link: str) -> str:
    link = link.lstrip("( {")
    lead = LEAD.match(link)
    words = link[lead.end() if lead else 0 :].split()
    if not words:
        return ""
    name = words[0].rpartition("/")[2]
    if not _WORD.fullmatch(name):
        return ""
    if name in WITH_VERB or name in INTERPRETERS:
        verb = next((word for word in words[1:] if word[0] not in "-\"'$<>&"), "")
        verb = verb.rpartition("/")[2] if name in INTERPRETERS else verb
        if _WORD.fullmatch(verb):
            return f"{name} {verb}"
    return name


def words_of(command: str) -> frozenset[str]:
    """The words of a command line that are neither options nor signs."""
    return frozenset(
        word for word in command.replace("'", " ").replace('"', " ").split() if _is_word(word)
    )


def _is_word(word: str) -> bool:
    return word[0] != "-" and len(word) > 1 and any(sign.isalnum() for sign in word)


def is_looking(program: str) -> bool:
    """Whether a program only looks, so that nothing is other than before it ran."""
    return program.partition(" ")[0] in _ONLY_LOOKING or program in _ONLY_LOOKING


def installs(command: str) -> bool:
    """Whether a command line installs something, by whatever program."""
    return _INSTALLING.search(QUOTED.sub("''", command)) is not None


def verb_of(program: str) -> str:
    """What running a program amounts to, whichever of its kind it is."""
    if _INSTALLERS.match(program):
        return "install"
    if _FORMATTERS.match(program):
        return "format"
    return _VERBS.get(program) or _VERBS.get(program.partition(" ")[0]) or program


@lru_cache(maxsize=1024)
def changes_files(command: str) -> bool:
    """Whether a command line plainly writes, moves or removes files, as an edit does."""
    # Most do not, and looking closely is dear.
    rest = command.replace("2>&1", "").replace(">/dev/null", "")
    if ">" not in rest and _CHANGERS.isdisjoint(rest.split()):
        return False
    return _CHANGING.search(QUOTED.sub(_unquoted, command)) is not None


def takes_back(command: str) -> bool:
    """Whether a command line takes back a commit; what was never committed is another matter."""
    return "git" in command and _TAKING_BACK.search(QUOTED.sub("''", command)) is not None


def amends(command: str) -> bool:
    """Whether a command line makes the last commit anew, as an edit does of a file."""
    return "--amend" in command and _AMENDING.search(QUOTED.sub("''", command)) is not None


def _unquoted(found: re.Match[str]) -> str:
    return "" if found[0].startswith("<<") else "''"
