"""A reviewer at the workstation's keys, who waits until the screen shows what each key does."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

from bench.terminal import Moment, Terminal, Unseen

TITLES = ("1 Ingest", "2 Budget", "3 Candidates", "4 Evidence", "5 Draft")
# Between what one key shows and the next key: a fast typist's.
_SECONDS_BETWEEN = 0.05
# A person sees the draft before a key decides; words that nobody saw open the editor instead.
_SEEN = 0.2
_STEPS = 4
_SECONDS_TO_WRITE = 3.0
_SECONDS_TO_SEE = 10.0
_SECONDS_TO_LIST = 120.0
_JUMPS = (
    ("pgdn", "pgdn pgup"), ("pgdn", "pgdn pgup"), ("pgup", "pgdn pgup"), ("G", "G g"), ("g", "G g")
)  # fmt: skip
_TYPED = "shell"
_SCREENS = {"f3": "┌ Sessions", "f4": "┌ Catalog", "f5": "┌ Budget"}
_CURSOR = re.compile(r"│>[* ] *([\d,]+) ")
_CURSOR_LINE = re.compile(r"│>(.*)│$", re.MULTILINE)
_COUNTS = re.compile(r"3 Candidates  ([\d,]+) of ([\d,]+)")

Seen = tuple[str, Moment]
Step = Callable[[], Iterator[Seen]]


class Reviewer:
    """Presses the keys of a sitting; every key's seconds are kept under its name."""

    def __init__(self, terminal: Terminal) -> None:
        self.terminal = terminal

    def cursor(self) -> str:
        """The rank of the candidate under the cursor; empty where there is none."""
        found = _CURSOR.search(self.terminal.text)
        return found.group(1) if found else ""

    def is_discussed(self) -> bool:
        """Whether the candidate under the cursor has a note by now."""
        found = _CURSOR_LINE.search(self.terminal.text)
        return found is not None and found.group(1).rstrip().endswith(" d")

    def sees_list(self) -> Moment:
        """Waits until there is a candidate under the cursor."""
        return self.terminal.until(lambda _: self.cursor(), _SECONDS_TO_LIST)

    def counts(self) -> tuple[str, str]:
        """How many candidates are shown, and of how many."""
        found = _COUNTS.search(self.terminal.text)
        return (found.group(1), found.group(2)) if found else ("", "")

    def is_sweeping(self) -> bool:
        """Whether the top line shows a sweep."""
        return "sweep" in self.terminal.lines[0]

    def round(self, is_on: Callable[[], bool] = lambda: True) -> Iterator[Seen]:
        """Every key that is measured, as long as that is wanted."""
        steps: list[Step] = [
            self._move, self._filter, self._panes, self._decide, self._look, self._screens
        ]  # fmt: skip
        for step in steps:
            if is_on():
                yield from step()

    def sweep(self, most: float) -> Iterator[Seen]:
        """Starts a sweep and goes on until what it found is in the list, or long behind its end."""
        (_, known), over = self.counts(), 0.0
        latest = known

        def is_on() -> bool:
            nonlocal over
            if self.is_sweeping():
                return True
            over = over or time.monotonic()
            return self.counts()[1] in ("", known) and time.monotonic() < over + most

        yield "s", self._press("s", self.is_sweeping)
        while is_on():
            try:
                yield from self.round(is_on)
            except Unseen:
                # A new list under the cursor: the key may have had nowhere left to go.
                if self.counts()[1] == latest:
                    raise
                latest = self.counts()[1]
                self.terminal.press("g")

    def _press(self, key: str, is_so: Callable[[], object]) -> Moment:
        row, shown = self.cursor(), self.counts()[0]
        try:
            seconds = self.terminal.key(key, lambda _: is_so(), _SECONDS_TO_SEE)
        except Unseen as unseen:
            raise Unseen(f"{key} did nothing at rank {row} of {shown} shown:\n{unseen}") from unseen
        self.terminal.pause(_SECONDS_BETWEEN)
        return seconds

    def _changes(self, key: str, of: Callable[[], object]) -> Moment:
        before = of()
        return self._press(key, lambda: of() not in (before, "", ("", "")))

    def _shows(self, key: str, text: str) -> Moment:
        return self._press(key, lambda: text in self.terminal.text)

    def _move(self) -> Iterator[Seen]:
        for key in "jk" * 2:
            for _ in range(_STEPS):
                yield "j k", self._changes(key, self.cursor)
        for key, name in _JUMPS:
            yield name, self._changes(key, self.cursor)

    def _filter(self) -> Iterator[Seen]:
        """What is typed is seen in the bottom line, what fits it in the list and its title."""
        terminal = self.terminal
        yield "/", self._press("/", lambda: "flavor:" in terminal.text)
        for length in range(1, len(_TYPED) + 1):
            yield from self._type(f"/{_TYPED[:length]}")
            terminal.pause(_SECONDS_BETWEEN)
        terminal.press("esc")
        terminal.until(lambda one: f"/{_TYPED}" not in one.text)
        terminal.pause(_SECONDS_BETWEEN)

    def _type(self, text: str) -> Iterator[Seen]:
        terminal = self.terminal
        sent = terminal.press(text[-1])
        yield "filter, typed", terminal.until(lambda one: _has_typed(one, text)).since(sent)
        yield "filter, sifted", terminal.sees(f"{text} ┐").since(sent)

    def _panes(self) -> Iterator[Seen]:
        def colours() -> tuple[str, ...]:
            return tuple(self.terminal.colour_of(title) for title in TITLES)

        for _ in TITLES:
            yield "tab", self._changes("tab", colours)
        yield "z", self._press("z", lambda: "1 Ingest" not in self.terminal.text)
        yield "z", self._shows("z", "1 Ingest")

    def _decide(self) -> Iterator[Seen]:
        """A verdict's row shows that it is written, and goes when the journal has it."""
        for key, toast in (("r", "Rejected: "), ("a", "Approved: ")):
            before, under = self.counts(), self.cursor()
            sent = self.terminal.press(key)
            answered = self.terminal.until(lambda _: self.cursor() not in ("", under))  # noqa: B023
            yield key, answered.since(sent)
            kept = self.terminal.until(lambda _: self.counts() not in (before, ("", "")))  # noqa: B023
            yield f"{key}, in the journal", kept.since(sent)
            self._settle(toast)
            yield "u", self._changes("u", self.counts)
            self._settle("Taken back: ")

    def _settle(self, toast: str) -> None:
        """Waits for the word that a verdict is written; what a sweep says may take its place."""
        with suppress(Unseen):
            self.terminal.sees(toast, seconds=_SECONDS_TO_WRITE)

    def _look(self) -> Iterator[Seen]:
        sent = self.terminal.press("enter")
        yield "enter", self.terminal.sees("┌ Evidence").since(sent)
        yield "enter, read", self.terminal.sees("from the store").since(sent)
        yield "n", self._changes("n", lambda: self.terminal.lines[1])
        yield "h", self._shows("h", "1 Ingest")

    def _screens(self) -> Iterator[Seen]:
        for key, title in _SCREENS.items():
            yield "f3 f4 f5", self._shows(key, title)
            yield "h", self._shows("h", "1 Ingest")

    def decide(self, count: int) -> float:
        """Rejects, approves and discusses in turns, each seen before the next; the seconds."""
        terminal = self.terminal
        sent = terminal.press("")
        at = sent
        for number in range(count):
            before = self.counts()[0]
            if number % 3 < 2:
                time.sleep(_SEEN)
                terminal.press("ra"[number % 3])
                at = terminal.until(lambda _: self.counts()[0] not in ("", before))  # noqa: B023
            else:
                terminal.press("d")
                terminal.sees("note:")
                terminal.press("look again")
                terminal.sees("look again")
                terminal.press("enter")
                at = terminal.until(lambda _: self.is_discussed())
        return at.since(sent).at


def _has_typed(terminal: Terminal, text: str) -> bool:
    return any(line.lstrip().startswith(text) for line in terminal.lines[-2:])
