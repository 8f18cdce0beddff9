"""Which files are changed and in no commit, which commits were pushed, which requests are open.

By what was run and what git answered: a file is kept by a commit behind its last edit that names
it, or takes in everything; git's own status goes before both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

import msgspec

from helix_tui.digest.excerpt import excerpt_line
from helix_tui.schema.memory import CommitMade, PullRequest, TreeStand

_MOST_CALLS = 50
_MOST_FILES = 200
_MOST_RESULTS = 20_000
_MOST_REQUESTS = 8
_MOST_BOXES = 5
_EXAMINED = 20_000
_LENGTH = 200
OF_GIT = re.compile(r"\bgit\b|\bgh pr\b|\bglab mr\b|pull_request|merge_request")
_HEREDOC = re.compile(r"(?ms)<<-?[ \t]*(['\"]?)(\w{1,40})\1([^\n]*)\n.*?(?:^[ \t]*\2\b|\Z)")
_LINKS = re.compile(r"\s*(?:&&|\|\||[;\n|])\s*")
_GIT = re.compile(
    r"git(?:\s+-C\s+(?P<at>\S+)|\s+-c\s+\S+|\s+--no-pager)*\s+(?P<verb>[\w-]+)(?P<rest>.*)",
    re.DOTALL,
)
_CD = re.compile(r"cd\s+[\"']?(?P<at>[^\"';&|]+?)[\"']?\s*$")
_WORDS = re.compile(r"\"([^\"]*)\"|'([^']*)'|(\S+)")
_EVERYTHING = frozenset(("-A", "--all", ".", "-u", "--update", ":/", "*"))
_COMMIT_ALL = re.compile(r"(?:^|\s)(?:-[a-zA-Z]*a[a-zA-Z]*|--all)(?=\s|$)")
_DRY = re.compile(r"--(?:dry-run|help)\b")
_NONE_MADE = re.compile(r"nothing to commit|no changes added to commit|nothing added to commit")
_CLEAN = re.compile(r"nothing to commit, working (?:tree|directory) clean")
_SHORT = re.compile(r"(?:-s\b|--short\b|--porcelain\b)")
_ROW = re.compile(r"(?m)^[ MADRCUT?!]{2} (?P<path>[^\n]+)$")
_NOT_PUSHED = re.compile(r"\[(?:remote )?rejected\]|error: failed to push|fatal: ")
_OPENING = re.compile(r"\b(?:gh pr|glab mr) create\b|create_(?:pull|merge)_request")
_SETTLING = re.compile(r"\b(?:gh pr|glab mr) (?P<how>merge|close)\b(?:\s+(?P<number>\d+))?")
_URL = re.compile(r"https?://[^\s\"'<>]+/(?:pull|merge_requests)/(?P<number>\d{1,7})\b")
_TITLE = re.compile(
    r"--title[ =](?P<sign>[\"'])(?P<title>.{1,300}?)(?P=sign)"
    r"|\"title\"\s*:\s*\"(?P<json>[^\"\\]{1,300})\""
)
_BOX = re.compile(r"(?m)(?:^|\\n)\s*[-*] \[ \] (?P<task>.{4,160}?)(?=\\n|$)")
_IS_MERGED = re.compile(
    r"\"state\"\s*:\s*\"MERGED\"|\"merged\"\s*:\s*true|state:\s*MERGED"
    r"|(?:✓|Merged) (?:pull request|Squashed and merged)"
)
_SAID_MERGED = re.compile(
    r"(?i)\b(?:it['’]?s|is|was|got|been|already|just|i(?:['’]ve)?) merged\b"
    r"|\bmerged (?:it|the pr|to main|into main)\b"
)
_NOT_YET = re.compile(r"(?i)\b(?:once|when|after|until|if|not|n['’]t|before|to be|yet)\b")
_SENTENCES = re.compile(r"(?<=[.!?])\s|\n")
_MOST_SAID = 2_000
_OF_GIT_ITSELF = re.compile(
    r"(?:^|/)\.git/|^/(?:private/)?(?:tmp|var)/|^~?/?.{0,80}/\.(?:claude|codex|gemini|grok|cursor|copilot|pi)/(?:plans|todos|sessions|projects|tmp|memory)/"
)
_DOCUMENT = re.compile(r"(?i)\.(?:md|mdx|markdown|txt|rst|adoc|csv)$")


class _Call(msgspec.Struct):
    """A call whose result is waited for: its command, and the files that it edits."""

    command: str = ""
    files: list[str] = []


class WorkTree:
    """Follows a session's tree from call to call."""

    def __init__(self) -> None:
        self._calls: dict[str, _Call] = {}
        self._open: dict[str, None] = {}
        self._touched: set[str] = set()
        self._refused: dict[str, None] = {}
        self._staged: list[str] = []
        self._unpushed: list[str] = []
        self._requests: dict[str, PullRequest] = {}
        self._edits = 0
        self._has_edits = self._is_clean = False
        self._at: dict[int, int] = {}

    def call(self, call_id: str | None, command: str, files: Sequence[str]) -> None:
        """Take a call: its command where it runs git, and the files that it is about to change."""
        if (command or files) and call_id and len(self._calls) < _MOST_CALLS:
            self._calls[call_id] = _Call(command[:_EXAMINED], list(files))
        elif files:
            self._edited(files)

    def said(self, text: str) -> None:
        """Take what a person or the agent said: that what was opened is merged by now."""
        if not self._requests or "merged" not in text:
            return
        for sentence in _SENTENCES.split(text[:_MOST_SAID]):
            if _SAID_MERGED.search(sentence) and not _NOT_YET.search(sentence):
                self._settle("", "merged")
                return

    def result(
        self,
        call_id: str | None,
        text: str,
        fingerprint: int,
        made: Sequence[CommitMade],
        *,
        has_failed: bool,
    ) -> None:
        """Take a result, with the commits that git said it made."""
        call = self._calls.pop(call_id or "", None)
        if call is not None and call.files and not has_failed:
            self._edited(call.files)
        elif call is not None and len(self._refused) < _MOST_FILES:
            self._refused |= dict.fromkeys(excerpt_line(one, _LENGTH) for one in call.files)
        if len(self._at) < _MOST_RESULTS:
            self._at[fingerprint] = self._edits
        if call is not None and call.command:
            self._ran(call.command, text[:_EXAMINED], made, has_failed=has_failed)

    def _edited(self, files: Sequence[str]) -> None:
        self._has_edits = True
        for name in files:
            plain = name.replace("\\", "/")
            if len(self._touched) < _MOST_RESULTS:
                self._touched.add(excerpt_line(name, _LENGTH))
            self._edits += not _DOCUMENT.search(plain)
            if len(self._open) < _MOST_FILES and not _OF_GIT_ITSELF.search(plain):
                self._is_clean = False
                self._open[excerpt_line(plain, _LENGTH)] = None

    def _ran(
        self, command: str, text: str, made: Sequence[CommitMade], *, has_failed: bool
    ) -> None:
        is_kept = False
        links = list(_links(command))
        for verb, rest in links:
            if verb == "add":
                self._staged += _names(rest)
            elif verb == "commit" and not _DRY.search(rest) and not is_kept:
                is_kept = bool(made) or not (has_failed or _NONE_MADE.search(text))
                if is_kept:
                    self._commit(rest, made)
            elif verb == "push" and not has_failed and not _NOT_PUSHED.search(text):
                self._unpushed = []
            elif verb in ("checkout", "restore", "reset") and not has_failed:
                self._put_back(verb, rest)
            elif verb == "status" and not has_failed:
                self._status(rest, text, is_alone=len(links) == 1)
        if _CLEAN.search(text):
            self._open, self._staged, self._is_clean = {}, [], True
        self._of_requests(command, text, has_failed=has_failed)

    def _commit(self, rest: str, made: Sequence[CommitMade]) -> None:
        if "--amend" not in rest:
            self._unpushed += [one.hash for one in made] or [""]
        elif self._unpushed or made:
            self._unpushed = [*self._unpushed[:-1], *([made[-1].hash] if made else [""])]
        count = sum(one.files for one in made)
        named = [name for name in self._staged if name not in _EVERYTHING]
        is_all = _COMMIT_ALL.search(rest.partition(" -m")[0]) or len(named) < len(self._staged)
        if is_all or not named or count >= len(self._open):
            # What was staged where nobody saw it is taken as kept: nothing says that it is open.
            self._open = {}
        else:
            self._open = {one: None for one in self._open if not _is_under(one, named)}
        self._staged = []

    def _put_back(self, verb: str, rest: str) -> None:
        words = _names(rest)
        if (verb == "reset" and "--hard" in words) or (verb != "reset" and "." in words):
            self._open = {}
        elif verb != "reset" and "--staged" not in words and ("--" in words or verb == "restore"):
            names = [word for word in words if not word.startswith("-")]
            self._open = {one: None for one in self._open if not _is_under(one, names)}

    def _status(self, rest: str, text: str, *, is_alone: bool) -> None:
        """Take what git lists as changed: whatever it does not list is in a commit, or ignored."""
        if not is_alone or not _SHORT.search(rest) or len(text) >= _EXAMINED:
            return
        rows = [match["path"].strip('"') for match in _ROW.finditer(text)]
        if rows or not text.strip() or text.strip() in ("(no output)", "(no content)"):
            rows = [row.rpartition(" -> ")[2] for row in rows]
            self._open = {one: None for one in self._open if _is_under(one, rows)}
            self._is_clean = not rows

    def _of_requests(self, command: str, text: str, *, has_failed: bool) -> None:
        for opened in [] if _OPENING.search(command) else list(self._requests):
            # In the title of a commit, as git and its hosts write it, it is merged.
            if f"(#{opened})" in text or f"Merge pull request #{opened} " in text:
                self._settle(opened, "merged")
        if has_failed:
            return
        if _OPENING.search(command) and (url := _URL.search(text)):
            title = _TITLE.search(command)
            told = (title["title"] or title["json"]) if title else ""
            boxes = [match["task"].strip(" '\"") for match in _BOX.finditer(command)][:_MOST_BOXES]
            if len(self._requests) < _MOST_REQUESTS:
                self._requests[url["number"]] = PullRequest(
                    url["number"],
                    excerpt_line(told, _LENGTH),
                    "open",
                    [excerpt_line(one, _LENGTH) for one in boxes],
                )
        elif settled := _SETTLING.search(command):
            how = "merged" if settled["how"] == "merge" else "closed"
            self._settle(settled["number"] or "", how)
        elif self._requests and _IS_MERGED.search(text):
            number = re.search(r"\bpr \w+ (\d+)", command)
            self._settle(number[1] if number else "", "merged")

    def _settle(self, number: str, how: str) -> None:
        number = number or next(reversed(self._requests), "")
        if one := self._requests.get(number):
            self._requests[number] = msgspec.structs.replace(one, state=how)

    def stands(self) -> TreeStand:
        """Return how the tree stands."""
        refused = [name for name in self._refused if name not in self._touched]
        left = list(self._open)
        unpushed = [*self._unpushed]
        return TreeStand(self._has_edits, left, self._is_clean, unpushed, self._edits, refused)

    def requests(self) -> list[PullRequest]:
        """Return the pull requests that were opened."""
        return list(self._requests.values())

    def edits_before(self, fingerprint: int) -> int | None:
        """How many edits of code stand before a result; None where that is not known."""
        return self._at.get(fingerprint)


def _links(command: str) -> Iterator[tuple[str, str]]:
    """The calls of git in a command line: what each does, and the words behind it."""
    for link in _LINKS.split(_HEREDOC.sub(r" \3\n", command)):
        if match := _GIT.match(link.lstrip("( ")):
            yield match["verb"], match["rest"]


def _names(rest: str) -> list[str]:
    return [
        match[1] or match[2] or match[3] for match in _WORDS.finditer(rest) if match[0].strip("\\")
    ]


def _is_under(name: str, others: Sequence[str]) -> bool:
    """Whether a file is one of these, or lies below one; git names files from another folder."""
    for other in others:
        plain = other.removeprefix("./").rstrip("/")
        is_same = name == plain or name.endswith(f"/{plain}") or plain.endswith(f"/{name}")
        if "*" in plain:
            is_same = fnmatchcase(name, plain) or fnmatchcase(name, f"*/{plain}")
        if plain and (is_same or f"/{plain}/" in f"/{name}"):
            return True
    return False
