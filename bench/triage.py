"""Going through a list of candidates at the keys: how many each takes, and what was seen before.

`python -m bench.triage HOME` sweeps a home into a store of its own, opens the workstation at
120x40 and decides on every open candidate: what has guidance is approved, what has none is rejected
with a reason, and every tenth one gets a note as well. Before each verdict the draft and the
evidence of the candidate have to be on the screen. Typed words count as keys.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.measure import clean_environ
from bench.reviewer import Reviewer
from bench.terminal import Terminal, Unseen

_HELIX = str(Path(sys.executable).with_name("helix"))
_NOTE = "still so?"
_DRAFT = re.compile(r"5 Draft  a writes ")
_EVIDENCE = re.compile(r"4 Evidence  \d+ of")
_SECONDS = 20.0
_MOST_AIM = 3.0


class Triage:
    """One sitting, with its keys counted."""

    def __init__(self, terminal: Terminal) -> None:
        self.terminal = terminal
        self.reviewer = Reviewer(terminal)
        self.keys = self.decided = self.editors = self.unseen = 0

    def press(self, key: str) -> None:
        """Press a key, or type words, each letter of which is a key."""
        self.keys += 1 if key in ("enter", "esc") else len(key)
        self.terminal.press(key)

    def run(self) -> None:
        """Decide on all that is open."""
        self.reviewer.sees_list()
        while self.reviewer.counts()[0] not in ("0", ""):
            before, number = self.reviewer.counts(), self.decided + 1
            self._look()
            if number % 10 == 0:
                self.press("d")
                self.terminal.sees("note:")
                self.press(_NOTE)
                self.press("enter")
                self.terminal.until(lambda _: self.reviewer.is_discussed(), _SECONDS)
            has_guidance = "(no guidance" not in self.terminal.text
            for key in ("a",) if has_guidance else ("R", "4"):
                self.press(key)
                if key == "R":
                    self.terminal.sees("why:")
            self._settle(before)
            self.decided = number

    def _look(self) -> None:
        def is_shown(one: Terminal) -> bool:
            return bool(_DRAFT.search(one.text) and _EVIDENCE.search(one.text))

        try:
            self.terminal.until(is_shown, _SECONDS)
        except Unseen:
            self.unseen += 1
        time.sleep(0.1)

    def _settle(self, before: tuple[str, str]) -> None:
        """Wait for the verdict; where words of a log were not in sight, the editor shows them."""

        def is_over(one: Terminal) -> bool:
            return "Gate and preview" in one.text or self.reviewer.counts() not in (
                before,
                ("", ""),
            )

        self.terminal.until(is_over, _SECONDS)
        if "Gate and preview" in self.terminal.text:
            self.editors += 1
            self.keys += 1
            self.terminal.press("\x07")
            self.terminal.until(
                lambda _: self.reviewer.counts() not in (before, ("", "")), _SECONDS
            )


def main() -> None:
    """Print what a sitting came to; exits with 3 where a candidate took too many keys."""
    home = Path(sys.argv[1]).absolute()
    with tempfile.TemporaryDirectory(prefix="helix-triage-") as folder:
        store = Path(folder) / "store"
        environ = clean_environ(home, XDG_STATE_HOME=str(store / "state"))
        swept = [_HELIX, "--sweep", "--store", str(store)]
        subprocess.run(swept, env=environ, check=False, stdout=subprocess.DEVNULL)
        with Terminal([_HELIX, "--store", str(store)], environ) as terminal:
            triage = Triage(terminal)
            triage.run()
    share = triage.keys / max(1, triage.decided)
    print(
        f"{triage.decided} decided with {triage.keys} keys, {share:.2f} each; "
        f"the editor opened {triage.editors} times; draft and evidence were not on the screen "
        f"before {triage.unseen} verdicts; load {os.getloadavg()[0]:.1f}"
    )
    if share > _MOST_AIM or triage.editors or triage.unseen:
        raise SystemExit(3)


if __name__ == "__main__":
    main()
