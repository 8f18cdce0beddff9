"""The review in a plain terminal: one candidate at a time, one key each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal

from helix_tui.cli.review.editor import edited
from helix_tui.cli.review.keys import END, KeySource
from helix_tui.cli.review.preview import PreviewLine, all_rows, origin_rows, rows_of, wrapped
from helix_tui.cli.review.screen import Screen
from helix_tui.cli.review.tally import Tally
from helix_tui.engine.review.rewording import by_person, by_program, name_of, pattern_of
from helix_tui.errors import ChangedError, HelixError, NotFoundError, UsageError
from helix_tui.text.safe import safe_line

if TYPE_CHECKING:
    from helix_tui.engine.review.verdicts import Verdicts
    from helix_tui.schema.board import ApprovalPreview, Outcome
    from helix_tui.schema.curation import CurateSettings

_KEYS = "a approve  r reject  d discuss  s skip  u undo  e edit  v all  q quit  ? help"
_NEW = "  n as a new one"
_NOT_NEW = "  n into the other"
_HELP = (
    "a   approve: write it into the catalog",
    "r   reject: it is not worth teaching, and is not asked again",
    "d   discuss: add a note; it stays open",
    "s   skip: leave it for another time",
    "u   undo: take back the last verdict, and look at that one again",
    "e   edit the page in $VISUAL or $EDITOR, then approve it in your words",
    "n   where it would go into a pattern that is there: make a new one instead",
    "v   view all: the whole page, every excerpt, every note",
    "q   quit: what was decided is saved already",
)
_MOST_MISTAKES = 12


class ReviewLoop:
    """Show a reviewer one candidate after the other, and record their verdicts."""

    def __init__(
        self,
        verdicts: Verdicts,
        settings: CurateSettings,
        keys: KeySource,
        screen: Screen,
        names: Sequence[str],
        tally: Tally,
    ) -> None:
        self._verdicts = verdicts
        self._settings = settings
        self._keys = keys
        self._screen = screen
        self._names = list(names)
        self._tally = tally
        self._place = 0
        self._done: set[str] = set()
        self._revisited: set[str] = set()
        self._message: list[str] = []
        self._is_over = False
        self._leave()
        self._actions: dict[str, Callable[[ApprovalPreview], None]] = {
            "a": self._approve,
            "r": self._reject,
            "d": self._discuss,
            "s": self._skip,
            "u": lambda _: self._undo(),
            "e": self._edit,
            "n": self._turn,
        }

    def _leave(self) -> None:
        """Forget the approval preview that is shown."""
        self._found: ApprovalPreview | None = None  # as the engine has it
        self._preview: ApprovalPreview | None = None  # as it is shown, maybe in other words
        self._is_new = False
        self._view: Literal["preview", "all", "help"] = "preview"

    def run(self) -> None:
        """Show candidates until all are decided or skipped, or the reviewer quits."""
        while self._place < len(self._names) and not self._is_over:
            if self._preview is None and not self._open():
                continue
            assert self._preview is not None
            key = self._ask(self._preview)
            if key in (END, "q"):
                return
            self._message = []
            self._press(key, self._preview)

    def _open(self) -> bool:
        """Fetch the approval preview of the next candidate; False where there is none."""
        name = self._names[self._place]
        try:
            preview = self._verdicts.preview(name, is_new=self._is_new)
        except (NotFoundError, UsageError) as error:
            self._message.append(f"{name} was passed over: {error}")
            self._go_on()
            return False
        except HelixError as error:
            self._wait_for(error)
            return False
        reviewed = preview.reviewed
        if not reviewed.is_asked and name not in self._revisited:
            by = f" by {reviewed.review.author}" if reviewed.review.author else ""
            self._message.append(f"{name} was passed over: it is {reviewed.verdict} now{by}.")
            self._go_on()
            return False
        self._take(preview)
        return True

    def _take(self, preview: ApprovalPreview) -> None:
        if self._settings.draft_command and preview.action == "created":
            self._screen.tell("", safe_line(f"{self._settings.draft_command[0]} words the draft…"))
        self._found, self._preview = preview, by_program(preview, self._settings)
        self._message += self._tally.notice(self._preview.notices)

    def _wait_for(self, error: HelixError) -> None:
        """Say why there is no approval preview, and let the reviewer try again."""
        head = PreviewLine(f"{self._where()}  {safe_line(self._names[self._place])}", "dim")
        error_rows = [PreviewLine(line, "bold") for line in self._lines(str(error).split("\n"))]
        key = self._answer([head, *error_rows, PreviewLine("enter tries again  s skip  q quit")])
        self._is_over = key in (END, "q")
        if key == "s":
            self._go_on()

    def _where(self) -> str:
        return f"{self._place + 1} of {len(self._names)}"

    def _lines(self, texts: Sequence[str]) -> list[str]:
        width = self._screen.size().width
        return [line for text in texts for line in wrapped(safe_line(text), width)]

    def _ask(self, preview: ApprovalPreview) -> str:
        size, pattern = self._screen.size(), pattern_of(preview)
        keys = _KEYS + (_NOT_NEW if self._is_new else _NEW if _is_elsewhere(preview) else "")
        if self._view == "help":
            head = PreviewLine(
                f"{self._where()}  {safe_line(preview.reviewed.ranked.candidate.id)}", "dim"
            )
            rows = [head, *(PreviewLine(line) for line in self._lines(_HELP)), PreviewLine(keys)]
        elif self._view == "all":
            rows = [*all_rows(preview, pattern, size.width), PreviewLine(keys)]
        else:
            rows = rows_of(preview, pattern, self._where(), self._message, keys, size)
        return self._answer(rows)

    def _answer(self, rows: Sequence[PreviewLine]) -> str:
        self._screen.show(rows)
        key = self._keys.key()
        self._screen.tell("")
        return key

    def _press(self, key: str, preview: ApprovalPreview) -> None:
        self._view = "all" if key == "v" else "help" if key == "?" else "preview"
        if self._view != "preview" or key == "enter":
            return
        action = self._actions.get(key)
        if action is None:
            self._message = [f"{key!r} does nothing here; ? shows the keys."]
            return
        try:
            action(preview)
        except ChangedError as error:
            # The preview that is shown is no longer true: the next one is made anew.
            self._leave()
            self._message = str(error).split("\n")
        except HelixError as error:
            self._message = str(error).split("\n")

    def _go_on(self) -> None:
        self._leave()
        self._place += 1
        while self._place < len(self._names) and self._names[self._place] in self._done:
            self._place += 1

    def _decided(
        self, preview: ApprovalPreview, verdict: str, message: str, outcome: Outcome
    ) -> None:
        name = preview.reviewed.ranked.candidate.id
        notice_count = len(self._tally.notices)
        self._tally.add(name, verdict, outcome)
        self._done.add(self._names[self._place])
        self._message = [f"{message}; u takes it back.", *self._tally.notices[notice_count:]]
        self._go_on()

    def _is_as_shown(self, preview: ApprovalPreview) -> bool:
        """Whether the store still has what the reviewer sees; show it again where it does not."""
        now = self._verdicts.preview(preview.reviewed.ranked.candidate.id, is_new=self._is_new)
        assert self._found is not None
        if _gist(now) == _gist(self._found):
            return True
        self._take(now)
        self._message.insert(0, "It has changed meanwhile. This is how it is now; decide again.")
        return False

    def _approve(self, preview: ApprovalPreview) -> None:
        if not self._is_as_shown(preview):
            return
        if (preview.words_of_log or preview.program) and not self._is_confirmed(preview):
            self._message = ["Not approved."]
            return
        words = preview.page if preview.drafted else None
        outcome = self._verdicts.approve(
            preview.reviewed.ranked.candidate.id,
            is_new=self._is_new,
            words=words,
            shown=preview.drafted,
            seen=preview.seen,
            look="page",
        )
        versions = ", ".join(
            f"{written.pattern.id} {written.pattern.version}" for written in outcome.patterns
        )
        self._decided(preview, "approve", f"Approved: {versions}", outcome)

    def _is_confirmed(self, preview: ApprovalPreview) -> bool:
        rows = origin_rows(preview, pattern_of(preview), self._screen.size().width)
        return self._answer([*rows, PreviewLine("y approves it, any other key goes back")]) == "y"

    def _reject(self, preview: ApprovalPreview) -> None:
        if self._is_as_shown(preview):
            name = preview.reviewed.ranked.candidate.id
            self._decided(
                preview,
                "reject",
                f"Rejected: {name}",
                self._verdicts.reject(name, seen=preview.seen),
            )

    def _discuss(self, preview: ApprovalPreview) -> None:
        self._screen.show([PreviewLine("note (empty: none):")], is_fresh=False)
        note = self._keys.line()
        self._screen.tell("")
        if not note:
            self._message = ["No note was written; it stays as it was."]
            return
        name = preview.reviewed.ranked.candidate.id
        try:
            outcome = self._verdicts.discuss(name, note=note, seen=preview.seen)
        except ChangedError as error:
            raise ChangedError(error.what, f"{error.todo}\nYour note: {note}") from error
        self._decided(preview, "discuss", f"Noted: {name}", outcome)

    def _skip(self, preview: ApprovalPreview) -> None:
        self._tally.skip(preview.reviewed.ranked.candidate.id)
        self._go_on()

    def _undo(self) -> None:
        outcome = self._verdicts.undo()
        if outcome is None or outcome.line is None:
            self._message = ["There is no verdict left to take back."]
            return
        name = outcome.line.candidate
        self._tally.take_back(outcome)
        self._message = [f"Taken back: the verdict on {name}.", *outcome.notices]
        self._done.discard(name)
        self._revisited.add(name)
        if name in self._names:
            self._place = self._names.index(name)
        else:
            self._names.insert(self._place, name)
        self._leave()

    def _turn(self, preview: ApprovalPreview) -> None:
        """Show the candidate as a pattern of its own, or again as a part of the other."""
        if not self._is_new and not _is_elsewhere(preview):
            self._message = ["It goes into no other pattern."]
            return
        self._is_new = not self._is_new
        self._preview = None

    def _edit(self, preview: ApprovalPreview) -> None:
        page = preview.page
        while True:
            page = edited(page, name_of(preview), self._keys, self._screen.stream)
            if page == preview.page:
                self._message = ["Nothing was changed; a approves it as it is."]
                return
            try:
                worded = by_person(preview, page)
            except HelixError as error:
                if self._is_to_be_mended(error):
                    continue
                self._message = ["Dropped; nothing was written."]
                return
            # What cannot be written now is still there for the next key.
            self._preview = worded
            self._approve(worded)
            return

    def _is_to_be_mended(self, error: HelixError) -> bool:
        mistakes = self._lines(str(error).split("\n"))[:_MOST_MISTAKES]
        rows = [PreviewLine(line, "bold") for line in mistakes]
        return self._answer([*rows, PreviewLine("e edits it again, any other key drops it")]) == "e"


def _is_elsewhere(preview: ApprovalPreview) -> bool:
    """Whether a candidate goes into a pattern that it is not part of yet."""
    return bool(preview.into) and preview.into != preview.reviewed.review.pattern


def _gist(preview: ApprovalPreview) -> tuple[object, ...]:
    """What a reviewer decides by; the time of a draft is not part of it."""
    body = preview.page.partition("\n---\n")[2]
    return (
        preview.reviewed.review,
        preview.action,
        preview.into,
        preview.status,
        preview.words_of_log,
        body,
    )
