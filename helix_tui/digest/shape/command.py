"""The shapes of a command line: one for each program that it runs, and the one that matters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import msgspec

from helix_tui.digest.programs import INTERPRETERS, TRIVIAL, WITH_VERB, is_looking
from helix_tui.digest.runs.recognise import expanded, name_of, positional, wrapper_at
from helix_tui.digest.runs.shell import Pipeline, pipelines
from helix_tui.digest.runs.table import Table, table
from helix_tui.digest.shape.kinds import kind_of_path
from helix_tui.text.shape import HERE, VALUE, Shape


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


LONGEST = 4000
_MOST_PARTS = 40
MOST_FLAGS = 16
NAME_LENGTH = 60
_FOLDER_LENGTH = 120
_ASSIGNED = re.compile(r"([A-Za-z_]\w{0,79})=")
_NAME = re.compile(r"[\w.@~][\w.+@:/-]{0,119}")
_PROGRAM = re.compile(r"(?=[^\W\d]|[\d._-]{0,20}[^\W\d_])[\w.@][\w.+@-]{0,59}|\[")
# An option, and the number or letters that are its value: `-j4`, `--jobs=4`.
_FLAG = re.compile(r"(--?[A-Za-z][\w.-]{0,60}?)(?:[0-9]+|=.*)?", re.DOTALL)
# These run the next word in no other way than alone.
_PLAIN_WRAPPERS = _set("time nice ionice nohup exec command builtin env stdbuf unbuffer caffeinate")
_CD_OPTIONS = _set("- -- -P -L")
ESCALATED = "escalated"
# Options that say where a program runs.
_FOLDER_FLAGS: dict[str, frozenset[str]] = {
    **dict.fromkeys(("git", "make", "ninja", "tar", "pnpm"), _set("-C --directory --dir")),
    **dict.fromkeys(("npm", "yarn", "bun"), _set("--prefix --cwd -C")),
    **dict.fromkeys(("uv", "poetry", "pdm"), _set("--directory -C --project")),
    **dict.fromkeys(("just", "task", "cargo", "go"), _set("-d --dir --working-directory -C")),
}
# Options with a value that may stand before the sub-command.
_VALUED: dict[str, tuple[str, ...]] = {
    "git": ("-C", "-c", "--git-dir", "--work-tree"),
    "docker": ("--context", "-H", "--host", "-f", "--file", "-p", "--project-name"),
    "kubectl": ("-n", "--namespace", "--context", "--kubeconfig"),
    "gh": ("-R", "--repo"),
}
# Sub-commands that have sub-commands.
_TWO_VERBS: dict[str, frozenset[str]] = {
    "git": _set("stash remote worktree submodule bisect config"),
    "docker": _set("compose container image volume network buildx"),
    "podman": _set("compose container image volume"),
    "gh": _set("pr issue run repo release workflow auth api"),
    "uv": _set("pip tool python"),
    "npm": _set("cache config pkg"),
    "go": _set("mod tool work"),
    "cargo": _set("component"),
    "rustup": _set("component target toolchain"),
    "brew": _set("services"),
    "dotnet": _set("tool ef"),
    "terraform": _set("state workspace"),
}
# Further programs of which the next word says what they do.
_MORE_VERBS = _set(
    "ruff biome ty golangci-lint nvm volta fnm asdf rbenv pyenv alembic flask django-admin"
    " manage.py artisan rails bundle composer aws gcloud az heroku vercel netlify supabase"
    " prisma wrangler fly flyctl cdk pulumi pre-commit lefthook changeset lerna tox nox hatch"
    " pdm rye pixi sbt lein mix stack cabal zig dart ng expo pod xcrun adb hugo jekyll mkdocs"
    " openssl deno turbo nx buf vite next nuxt astro playwright claude codex gemini pipx gem hg"
    " svn jj colima minikube kind docker-compose launchctl journalctl"
)
# Words with a slash that these take are names rather than folders.
_OF_NAMES = _set("git gh docker podman kubectl npm pnpm yarn bun npx pip pip3 uv brew cargo hg jj")
# Options that only say how much is printed.
_LOUDNESS = _set(
    "--verbose --quiet --silent --color --colour --no-color --no-colour --colors --progress"
    " --no-progress --tb --no-header --no-summary --durations"
)
_LOUD_BY_VALUE = _set("--color --colour --progress --tb --durations")
# The same for runners of checks, where other programs mean something else by them.
_LOUD_LETTERS = str.maketrans("", "", "vqs")
_LETTERS = re.compile(r"-[a-z]{1,4}")
# Of these the first word that is no option is a pattern or a program of its own.
_PATTERN_FIRST = _set("grep egrep fgrep rg ag ack sed awk gawk jq yq perl find fd")
_FINDERS = _set("find fd")
_MESSAGES = _set("-m --message --body --title -b -t --notes -c -e")


class Part(NamedTuple):
    """One program that a command line runs: its shape, and whether it comes behind a pipe."""

    shape: Shape
    is_behind: bool


def shape_of_command(command: str, failing: str = "") -> Shape:
    """The shape of the part of a command line that matters."""
    parts = parts_of(command)
    front = [part.shape for part in parts if not part.is_behind]
    return chosen_shape(front, [part.shape for part in parts if part.is_behind], failing)


def chosen_shape(front: Sequence[Shape], behind: Sequence[Shape], failing: str = "") -> Shape:
    """The one that matters: of the failing program where that is known, else of the last that does
    something, else of the last; what stands behind a pipe only where it is what failed."""
    if failing:
        for shape in (*front, *behind):
            if failing in (shape.program, shape.script):
                return shape
    changing = [shape for shape in front if not is_looking(_program_of(shape))]
    chosen = changing or front
    return chosen[-1] if chosen else Shape()


def _program_of(shape: Shape) -> str:
    return f"{shape.program} {shape.verb}".strip()


@lru_cache(maxsize=1024)
def parts_of(command: str) -> tuple[Part, ...]:
    """Every program that a command line runs, but for those that say nothing (`cd`, `echo`)."""
    known = table()
    reader = _Reader(known)
    for line in expanded(pipelines(command[:LONGEST]), 0)[:_MOST_PARTS]:
        reader.read(line)
    return tuple(reader.parts)


class _Reader:
    """Reads pipelines one after the other: what `cd` and `export` say holds for those behind."""

    def __init__(self, known: Table) -> None:
        self._known = known
        self._folder = HERE
        self._env: tuple[str, ...] = ()
        self._places: tuple[str, ...] = ()
        self.parts: list[Part] = []

    def read(self, line: Pipeline) -> None:
        """Takes the next pipeline."""
        words = line.stages[0].words
        if self._is_setting(words):
            return
        shapes = [_shape(self._known, stage.words) for stage in line.stages[:8]]
        start = _first_that_matters(shapes)
        behind = [shape.program for shape in shapes[start + 1 :] if shape.program]
        for index, shape in enumerate(shapes):
            if not shape.program or shape.program in TRIVIAL:
                continue
            settled = self._settled(shape, tuple(behind) if index == start else ())
            self.parts.append(Part(settled, index != start))

    def _settled(self, shape: Shape, filters: tuple[str, ...]) -> Shape:
        """A shape with what earlier parts of the line set for it."""
        if self._folder == HERE and not self._env and not self._places and not filters:
            return shape
        return msgspec.structs.replace(
            shape,
            env=_sorted({*self._env, *shape.env}),
            wrappers=(*self._places, *shape.wrappers),
            folder=joined(self._folder, shape.folder),
            filters=filters,
        )

    def _is_setting(self, words: tuple[str, ...]) -> bool:
        """Whether a command only sets where and how those behind it run."""
        name = words[0]
        if name in ("cd", "pushd"):
            where = next((word for word in words[1:] if word not in _CD_OPTIONS), "")
            self._folder = joined(self._folder, where)
        elif name == "export":
            self._env += tuple(found[1] for word in words[1:] if (found := _ASSIGNED.match(word)))
        elif name in ("source", ".") and len(words) > 1:
            if words[1].endswith(("/activate", "/activate.fish")) or words[1] == "activate":
                self._places = (f"{_last_two(words[1].rpartition('/')[0])}/",)
        elif all(_ASSIGNED.match(word) for word in words):
            pass
        else:
            return False
        return True


def _first_that_matters(shapes: list[Shape]) -> int:
    """The stage that a pipeline is about: the first, unless that only prints for the next."""
    for index, shape in enumerate(shapes):
        is_feeding = shape.program in TRIVIAL or shape.program in ("cat", "yes", "")
        if not is_feeding:
            return index if index == 0 or not is_looking(_program_of(shape)) else 0
    return 0


class _Unwrapped(NamedTuple):
    words: tuple[str, ...]
    env: tuple[str, ...]
    wrappers: tuple[str, ...]


def _shape(known: Table, words: tuple[str, ...]) -> Shape:
    words, env, wrappers = _unwrapped(known, words)
    if not words:
        return Shape()
    folder, _, name = words[0].replace("\\", "/").rpartition("/")
    name = name_of(name)
    if not _PROGRAM.fullmatch(name):
        return Shape()
    if folder.rpartition("/")[2] in ("bin", ".bin", "Scripts"):
        wrappers = (*wrappers, f"{_last_two(folder)}/")
    where, rest = _without_folder(name, words[1:])
    verb, script, rest = _asked_of(known, name, rest)
    return Shape(
        env=_sorted(set(env)),
        wrappers=wrappers,
        program=name,
        verb=verb,
        script=script,
        flags=_flags(known, name, rest),
        kinds=_kinds(name, rest),
        folder=joined(HERE, where),
    )


def _unwrapped(known: Table, words: tuple[str, ...]) -> _Unwrapped:
    """A command's own words, and what stands before them."""
    env: list[str] = []
    wrappers: list[str] = []
    for _ in range(8):
        while words and (found := _ASSIGNED.match(words[0])):
            env.append(found[1])
            words = words[1:]
        if not words:
            break
        name = name_of(words[0])
        if name == ESCALATED:
            wrappers.append(name)
            words = words[1:]
            continue
        behind = _behind_interpreter(name, words)
        if behind is not None:
            wrappers.append(behind[0])
            words = behind[1]
            continue
        is_asking = name == "command" and words[1:2] in (("-v",), ("-V",))
        wrapped = wrapper_at(known, words) if name not in INTERPRETERS and not is_asking else None
        if wrapped is None or not wrapped.behind or not wrapped.behind[0]:
            break
        if name not in _PLAIN_WRAPPERS:
            own = words[len(wrapped.words) : len(words) - len(wrapped.behind)]
            wrappers.append(_wrapper_text(wrapped.words, own, wrapped.wrapper.valued))
            wrappers[-1] += f" {VALUE}" * wrapped.wrapper.skip
        words = wrapped.behind
    return _Unwrapped(words, tuple(env), tuple(wrappers))


def _wrapper_text(name: tuple[str, ...], own: tuple[str, ...], valued: tuple[str, ...]) -> str:
    """A wrapper with the names of its options."""
    flags: set[str] = set()
    for word in own:
        flag = _FLAG.fullmatch(word)
        if flag is not None and flag[1] not in _LOUDNESS:
            flags.add(f"{flag[1]}={VALUE}" if flag[1] in valued or "=" in word else flag[1])
    return " ".join((*name, *sorted(flags)))


def _behind_interpreter(name: str, words: tuple[str, ...]) -> tuple[str, tuple[str, ...]] | None:
    """What an interpreter runs: a module, or a file that is a program of its own."""
    if name not in INTERPRETERS:
        return None
    for index, word in enumerate(words[1:], 1):
        if word == "-m" and name.startswith("py"):
            rest = words[index + 1 :]
            return (f"{name} -m", rest) if rest and _NAME.fullmatch(rest[0]) else None
        if word in ("-c", "-e", "-", "--eval", "-p", "--print"):
            return None
        if not word.startswith("-"):
            is_file = "." in word.rpartition("/")[2] or "/" in word
            return (name, words[index:]) if is_file and _NAME.fullmatch(word) else None
    return None


def _without_folder(name: str, words: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """The folder that options name, and the words without them."""
    flags = _FOLDER_FLAGS.get(name)
    if not flags:
        return HERE, words
    rest: list[str] = []
    folder, takes = HERE, False
    for word in words:
        option, sign, value = word.partition("=")
        if takes:
            folder, takes = word, False
        elif option in flags and sign:
            folder = value
        elif option in flags:
            takes = True
        else:
            rest.append(word)
    return folder, tuple(rest)


def _asked_of(known: Table, name: str, words: tuple[str, ...]) -> tuple[str, str, tuple[str, ...]]:
    """A program's sub-command, the project's script that it runs, and the words without these."""
    script = known.scripts.get(name)
    valued = _VALUED.get(name, ())
    if script is not None:
        valued = (*script.valued, *valued)
        given = [word for word in positional(words, valued) if "=" not in word]
        if not given:
            return "", "", words
        if given[0] in script.run and len(given) > 1:
            return given[0], _clean(given[1]), _less(words, given[:2])
        if given[0] in script.short or (script.is_any and given[0] not in script.builtin):
            verb = script.run[0] if script.run else ""
            called = "test" if given[0] in ("t", "tst") else given[0]
            return verb, _clean(called), _less(words, given[:1])
    if name not in WITH_VERB and name not in _MORE_VERBS and script is None:
        return "", "", words
    given = [word for word in positional(words, valued) if word[:1] not in ("$", "{")]
    if not given or not _NAME.fullmatch(given[0]):
        return "", "", words
    taken = given[:1]
    if given[0] in _TWO_VERBS.get(name, ()) and len(given) > 1 and given[1].isalpha():
        taken = given[:2]
    return " ".join(word[:NAME_LENGTH] for word in taken), "", _less(words, taken)


def _clean(script: str) -> str:
    """A script's name, or a sign that there was one."""
    return script if len(script) <= NAME_LENGTH and _NAME.fullmatch(script) else VALUE


def _less(words: tuple[str, ...], taken: list[str]) -> tuple[str, ...]:
    rest = list(words)
    for word in taken:
        rest.remove(word)
    return tuple(rest)


def _flags(known: Table, name: str, words: tuple[str, ...]) -> tuple[str, ...]:
    is_check = name in known.by_word or name in known.scripts
    flags: set[str] = set()
    for word in words:
        if word == "--":
            flags.add(word)
        elif word.startswith("-") and (found := _FLAG.fullmatch(word)):
            flag = found[1]
            if is_check and _LETTERS.fullmatch(flag):
                flag = _quiet(flag)
            if flag not in _LOUDNESS and flag != "-":
                flags.add(flag)
    return tuple(sorted(flags)[:MOST_FLAGS])


def says_how_much_is_printed(word: str) -> bool:
    """Whether a word of a check's command is an option that only says how much is printed.

    One whose value may be the next word is left, since that would stand alone without it.
    """
    name, sign, _ = word.partition("=")
    is_letters = _LETTERS.fullmatch(name) is not None and not name[1:].translate(_LOUD_LETTERS)
    return (name in _LOUDNESS and (bool(sign) or name not in _LOUD_BY_VALUE)) or is_letters


def _quiet(flag: str) -> str:
    """Letters of a check's options without those that say how much is printed: `-xvs` is `-x`."""
    rest = flag.translate(_LOUD_LETTERS)
    return rest if len(rest) <= 2 else flag


def _kinds(name: str, words: tuple[str, ...]) -> tuple[str, ...]:
    kinds: set[str] = set()
    skips = name in _PATTERN_FIRST
    is_value = False
    ends = False
    for word in words:
        if word[:1] == "{":
            pass  # a kind, in a shape's own text
        elif word.startswith("-") or is_value or not word:
            is_value = word in _MESSAGES
            ends = ends or (name in _FINDERS and word.startswith("-"))
            continue
        elif skips and not (name in _FINDERS and kind_of_path(word)):
            skips = False
            continue
        kind = kind_of_path(word) if not ends or word[:1] == "{" else ""
        is_name = kind == "folder" and word[:1] not in "./~{" and word[-1:] != "/"
        if kind and not (is_name and (name in _OF_NAMES or word[0] == "@")):
            kinds.add(kind)
    return tuple(sorted(kinds))


def _sorted(names: set[str]) -> tuple[str, ...]:
    return tuple(sorted(names))


def _last_two(path: str) -> str:
    return "/".join(path.rstrip("/").split("/")[-2:])


def joined(folder: str, inner: str) -> str:
    """A folder within another one, as it is written."""
    inner = inner.strip().removeprefix("./").rstrip("/") or (HERE if inner != "/" else "/")
    if inner == HERE or "'" in inner or "\n" in inner:
        return folder
    if folder == HERE or inner.startswith(("/", "~", "$")):
        return inner[:_FOLDER_LENGTH]
    return f"{folder}/{inner}"[:_FOLDER_LENGTH]
