"""The one registry of what a person can do: keys, footer, help, palette and config follow it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

_NAMED = re.compile(r"\{([a-z]+\.[a-z_0-9]+)\}")
# Every screen has these; others are those of `Action.scope`.
EVERYWHERE = "everywhere"


class Action(NamedTuple):
    """One thing that a key does.

    `does` names the method `action_<does>` of the screen, `opens` the screen that is opened
    instead, `footer` the word in the bottom line where it stands there. `help` is what it does,
    `helps` what it does on screens where that is something of their own.
    """

    id: str
    name: str
    keys: tuple[str, ...]
    scope: tuple[str, ...]
    help: str
    does: str = ""
    opens: str = ""
    footer: str = ""
    helps: Mapping[str, str] = MappingProxyType({})

    def help_on(self, scope: str) -> str:
        """What it does on a screen."""
        return self.helps.get(scope, self.help)

    def is_in(self, scope: str) -> bool:
        """Whether a screen has it."""
        return EVERYWHERE in self.scope or scope in self.scope


_ALL = (EVERYWHERE,)
_REVIEW = ("review",)
_DECIDING = ("review", "evidence")
_LISTS = (
    *("review", "sessions", "catalog", "budget", "memory", "context", "effect", "insight"),
    "problems",
)
_OPENING = (*_LISTS, "undo", "evidence", "transcript")
_CATALOG = ("catalog",)
_MEMORY = ("memory",)

ACTIONS: tuple[Action, ...] = (
    Action("cursor.down", "cursor: Down", ("j", "down"), _ALL, "the next line", "down"),
    Action("cursor.up", "cursor: Up", ("k", "up"), _ALL, "the line before", "up"),
    Action("cursor.first", "cursor: First", ("g", "home"), _ALL, "the first line", "first"),
    Action("cursor.last", "cursor: Last", ("G", "end"), _ALL, "the last line", "last"),
    Action(
        "cursor.page_down", "cursor: Page down", ("pagedown",), _ALL, "a page down", "page_down"
    ),
    Action("cursor.page_up", "cursor: Page up", ("pageup",), _ALL, "a page up", "page_up"),
    Action(
        "candidate.approve",
        "candidate: Approve",
        ("a",),
        _DECIDING,
        "make it a pattern of the catalog",
        "approve",
        footer="approve",
    ),
    Action(
        "candidate.reject",
        "candidate: Reject",
        ("r", "x"),
        _DECIDING,
        "decide that it is not worth teaching",
        "reject",
        footer="reject",
    ),
    Action(
        "candidate.reject_why",
        "candidate: Reject with a reason",
        ("R",),
        _DECIDING,
        "reject it as too generic, wrong, a one-off or noise, or in your own words",
        "reject_why",
    ),
    Action(
        "candidate.approve_into",
        "candidate: Approve into a pattern",
        ("A",),
        _DECIDING,
        "add it to a pattern of the catalog, which a few letters find",
        "approve_into",
    ),
    Action(
        "candidate.why",
        "candidate: Why",
        ("i",),
        _REVIEW,
        "why it stands there: rates, the parts of its score, its weeks",
        "why",
    ),
    Action(
        "candidate.discuss",
        "candidate: Discuss",
        ("d",),
        _DECIDING,
        "add a note to its thread; it stays open",
        "discuss",
        footer="discuss",
    ),
    Action(
        "verdict.undo",
        "verdict: Undo",
        ("u", "backspace"),
        (*_DECIDING, "undo"),
        "take the last verdict back, as often as there is one",
        "undo",
        footer="undo",
    ),
    Action(
        "candidate.edit",
        "candidate: Edit",
        ("e",),
        _DECIDING,
        "write the pattern up before it is approved",
        opens="editor",
        footer="edit",
    ),
    Action(
        "candidate.edit_outside",
        "candidate: Edit in $EDITOR",
        ("ctrl+e",),
        (*_DECIDING, "editor"),
        "write the pattern up in your own editor",
        "edit_outside",
    ),
    Action(
        "pane.open",
        "pane: Open",
        ("enter", "l"),
        _OPENING,
        "into what is under the cursor",
        "open",
        footer="evidence",
        helps={
            "review": "into the evidence, or the screen of the pane with the focus",
            "evidence": "unfold the event under the cursor, or fold it again",
            "sessions": "into the transcript",
            "budget": "into the transcript",
            "memory": "the page on the whole screen, or the transcript of the session",
            "catalog": "the page on the whole screen",
            "context": "the page on the whole screen",
            "effect": "the weeks on the whole screen; there, the sessions of the marked week",
            "insight": "into the sessions behind the figures",
            "transcript": "unfold the event under the cursor, or fold it again",
        },
    ),
    Action("pane.leave", "pane: Leave", ("escape", "h"), _ALL, "out again, one step", "leave"),
    Action(
        "list.filter",
        "list: Filter",
        ("slash",),
        (*_LISTS, "help", "transcript"),
        "narrow the list as you type; ! inverts a word",
        "filter",
        footer="filter",
        helps={
            "review": "narrow the list as you type; ! inverts a word; "
            "flavor: repo: kind: verdict: state: told: look there",
            "sessions": "narrow the list as you type, and search what was said (?words that alone);"
            " ! inverts a word; on: since: until: cost: title: repo: flavor: outcome: branch: "
            "model: look there",
            "transcript": "find words",
            "help": "show the keys that have a word",
        },
    ),
    Action(
        "candidate.skip",
        "candidate: Skip for now",
        ("space",),
        _REVIEW,
        "put it behind all others until you leave",
        "skip",
    ),
    Action(
        "candidate.snooze",
        "candidate: Snooze",
        ("w",),
        _DECIDING,
        "put it off until a day, more sessions, or one agent more",
        "snooze",
    ),
    Action(
        "session.pin",
        "session: Pin",
        ("t",),
        (*_DECIDING, "sessions", "transcript", "budget"),
        "keep the raw bytes of the session; again, no longer",
        "pin",
    ),
    Action(
        "candidate.merge",
        "candidate: Merge marked",
        ("m",),
        _REVIEW,
        "count the marked candidates as one",
        "merge",
    ),
    Action(
        "candidate.split",
        "candidate: Split",
        ("M",),
        _REVIEW,
        "take merged candidates apart again",
        "split",
    ),
    Action(
        "list.mark",
        "list: Mark",
        ("v",),
        _REVIEW,
        "mark a line, or unmark it; verdicts then take all marked ones",
        "mark",
    ),
    Action(
        "list.mark_range",
        "list: Mark a range",
        ("V",),
        _REVIEW,
        "mark all lines from the last mark to this one",
        "mark_range",
    ),
    Action(
        "view.open",
        "view: Open",
        ("f",),
        _REVIEW,
        "a filter that was kept: by its digit, or by a few letters of its name",
        "open_view",
    ),
    Action(
        "view.keep",
        "view: Keep",
        ("F",),
        _REVIEW,
        "keep filter and order of the list under a name",
        "keep_view",
    ),
    Action(
        "list.sort",
        "list: Sort",
        ("o",),
        _LISTS,
        "the next order of the list",
        "sort",
        helps={"insight": "the next period", "memory": "begin the list with the next group"},
    ),
    Action(
        "occurrence.next",
        "occurrence: Next",
        ("n",),
        (*_DECIDING, "transcript", "insight", "effect"),
        "the next occurrence",
        "next_occurrence",
        helps={
            "transcript": "the next place that was found, or else the next error",
            "insight": "the next table",
            "effect": "the next week",
        },
    ),
    Action(
        "occurrence.previous",
        "occurrence: Previous",
        ("p",),
        (*_DECIDING, "transcript", "insight", "effect"),
        "the occurrence before",
        "previous_occurrence",
        helps={
            "transcript": "the place before that was found, or else the error before",
            "insight": "the table before",
            "effect": "the week before",
        },
    ),
    Action(
        "prompt.next",
        "prompt: Next",
        ("right_square_bracket",),
        ("transcript",),
        "what the person said next",
        "next_prompt",
    ),
    Action(
        "prompt.previous",
        "prompt: Previous",
        ("left_square_bracket",),
        ("transcript",),
        "what the person said before",
        "previous_prompt",
    ),
    Action(
        "event.selection",
        "event: Errors only",
        ("v",),
        ("transcript",),
        "only what failed; again, everything, also the client's own events; again, as it was",
        "selection",
    ),
    Action(
        "item.copy",
        "item: Copy",
        ("y",),
        _OPENING,
        "copy what is under the cursor",
        "copy",
        helps={
            "review": "copy the candidate's id",
            "sessions": "copy the command that resumes the session",
            "transcript": "copy the event under the cursor",
            "evidence": "copy the event under the cursor",
            "budget": "copy the session's id",
            "context": "copy the command that prints this",
            "memory": "copy the path of the page, or the session's id",
        },
    ),
    Action(
        "evidence.copy",
        "evidence: Copy",
        ("Y",),
        _DECIDING,
        "copy the evidence that is shown",
        "copy_evidence",
    ),
    Action(
        "pattern.diff",
        "pattern: Diff",
        ("d",),
        _CATALOG,
        "what a version of the pattern changed; again, its page",
        "diff",
        footer="diff",
    ),
    Action(
        "pattern.older",
        "pattern: Older version",
        ("p",),
        _CATALOG,
        "the version before",
        "older",
        footer="older",
    ),
    Action(
        "pattern.newer",
        "pattern: Newer version",
        ("n",),
        _CATALOG,
        "the version after",
        "newer",
        footer="newer",
    ),
    Action(
        "pattern.edit",
        "pattern: Edit in $EDITOR",
        ("e", "ctrl+e"),
        _CATALOG,
        "change the page in your own editor",
        "edit",
        footer="edit",
    ),
    Action(
        "pattern.deprecate",
        "pattern: Deprecate",
        ("D",),
        _CATALOG,
        "have agents follow it no longer; again, as before",
        "deprecate",
        footer="deprecate",
    ),
    Action(
        "pattern.evidence",
        "pattern: Evidence",
        ("v",),
        _CATALOG,
        "what it is believed for, in its sessions",
        "evidence",
        footer="evidence",
    ),
    Action(
        "pattern.sessions",
        "pattern: Sessions",
        ("w",),
        _CATALOG,
        "the sessions that it was seen in",
        "sessions",
    ),
    Action(
        "pattern.drift",
        "pattern: Since it was approved",
        ("i",),
        _CATALOG,
        "how it stands against what was seen since",
        "drift",
        footer="drift",
    ),
    Action(
        "pattern.told",
        "pattern: Open what is told in $EDITOR",
        ("L",),
        _CATALOG,
        "open the line of instructions that already says it in your own editor",
        "edit_told",
    ),
    Action(
        "memory.retry",
        "memory: Flush",
        ("r",),
        _MEMORY,
        "flush the session under the cursor now; what failed is tried again",
        "retry",
        footer="flush",
    ),
    Action(
        "memory.compile",
        "memory: Compile",
        ("c",),
        _MEMORY,
        "bring daily logs that changed into the knowledge base now",
        "compile",
        footer="compile",
    ),
    Action(
        "memory.edit_outside",
        "memory: Edit in $EDITOR",
        ("ctrl+e",),
        _MEMORY,
        "change a daily log, an article or notes in your own editor",
        "edit_outside",
    ),
    Action(
        "told.edit",
        "told: Open in $EDITOR",
        ("L",),
        _DECIDING,
        "open the line that already says it in your own editor",
        "edit_told",
    ),
    Action(
        "context.edit",
        "context: Open in $EDITOR",
        ("ctrl+e",),
        ("context",),
        "open the file that matters most in your own editor",
        "edit",
    ),
    Action(
        "context.plan",
        "context: Plan what agents get",
        ("d",),
        ("context",),
        "what would be written into agents' files, to be read before it is",
        "plan",
        footer="plan",
    ),
    Action(
        "context.retract",
        "context: Retract",
        ("r",),
        ("context",),
        "take what was distributed out of the repository under the cursor",
        "retract",
        footer="retract",
    ),
    Action(
        "context.undo",
        "context: Undo",
        ("u",),
        ("context",),
        "take the last time that files were written back",
        "undo",
        footer="undo",
    ),
    Action(
        "session.memory",
        "session: Memory",
        ("m",),
        ("sessions", "transcript"),
        "what is remembered of the session: its notes, its flushes and what failed",
        "remember",
        footer="memory",
    ),
    Action(
        "sweep.start",
        "sweep: Start",
        ("s",),
        _ALL,
        "take in what is new in the agents' logs",
        "start_sweep",
        footer="sweep",
    ),
    Action(
        "sweep.stop",
        "sweep: Stop",
        ("S",),
        _ALL,
        "stop the sweep; the next one goes on from there",
        "stop_sweep",
    ),
    Action("pane.focus_1", "pane: Ingest", ("1",), _REVIEW, "to the ingest pane", "focus_pane(1)"),
    Action("pane.focus_2", "pane: Budget", ("2",), _REVIEW, "to the budget pane", "focus_pane(2)"),
    Action("pane.focus_3", "pane: Candidates", ("3",), _REVIEW, "to the list", "focus_pane(3)"),
    Action(
        "pane.focus_4", "pane: Evidence", ("4",), _REVIEW, "to the evidence pane", "focus_pane(4)"
    ),
    Action(
        "pane.focus_5",
        "pane: Draft",
        ("5",),
        _REVIEW,
        "to the pane with what approving writes",
        "focus_pane(5)",
    ),
    Action("pane.next", "pane: Next", ("tab",), _ALL, "to the next pane", "next_pane"),
    Action(
        "pane.previous",
        "pane: Previous",
        ("shift+tab",),
        _ALL,
        "to the pane before",
        "previous_pane",
    ),
    Action(
        "event.fold",
        "event: Fold",
        ("z",),
        ("evidence", "transcript"),
        "unfold the event under the cursor, or fold it again",
        "fold",
        footer="fold",
    ),
    Action(
        "pane.zoom",
        "pane: Zoom",
        ("z",),
        (*_REVIEW, *_MEMORY),
        "one pane on the whole screen",
        "zoom",
    ),
    Action(
        "verdict.history",
        "verdict: History",
        ("U",),
        _DECIDING,
        "the last verdicts, each of which can be taken back",
        opens="undo",
    ),
    Action(
        "screen.problems",
        "screen: Problems",
        ("P",),
        _ALL,
        "what could not be read, and errors since Helix was opened",
        opens="problems",
    ),
    Action("screen.jump", "screen: Jump", ("f2",), _ALL, "to any widget by a letter", "jump"),
    Action("screen.sessions", "screen: Sessions", ("f3",), _ALL, "every session", opens="sessions"),
    Action("screen.catalog", "screen: Catalog", ("f4",), _ALL, "the patterns", opens="catalog"),
    Action(
        "screen.budget",
        "screen: Budget",
        ("f5",),
        _ALL,
        "what is kept, and what goes next",
        opens="budget",
    ),
    Action("screen.memory", "screen: Memory", ("f6",), _ALL, "what is remembered", opens="memory"),
    Action(
        "screen.context",
        "screen: Context",
        ("f7",),
        _ALL,
        "what agents load in each repository, and which lines are not kept to",
        opens="context",
    ),
    Action(
        "screen.effect",
        "screen: Effect",
        ("f8",),
        _ALL,
        "whether patterns helped, by week",
        opens="effect",
    ),
    Action(
        "screen.insight",
        "screen: Insight",
        ("f9",),
        _ALL,
        "where the work and the waste went",
        opens="insight",
    ),
    Action(
        "app.help",
        "app: Help",
        ("question_mark", "f1"),
        _ALL,
        "every key, with what it does here",
        opens="help",
        footer="help",
    ),
    Action(
        "app.commands",
        "app: Commands",
        ("ctrl+p",),
        _ALL,
        "every action by its name",
        "commands",
        footer="commands",
    ),
    Action(
        "app.theme",
        "app: Theme",
        (),
        _ALL,
        "the next theme: dark, light, high contrast, the terminal's own colours",
        "theme",
    ),
    Action("app.quit", "app: Quit", ("q",), _ALL, "leave; everything is saved", "quit"),
    Action(
        "editor.approve",
        "editor: Approve",
        ("ctrl+g",),
        ("editor",),
        "approve what is written and return to the list",
        "approve_written",
        footer="approve",
    ),
    Action(
        "editor.agent",
        "editor: Next agent",
        ("ctrl+r",),
        ("editor",),
        "preview and hints of the next agent",
        "next_agent",
    ),
    Action(
        "editor.look",
        "editor: Gate and preview",
        ("ctrl+l",),
        ("editor",),
        "to the gate, what resembles it and the preview; again, back to the text",
        "look",
    ),
)
BY_ID: Mapping[str, Action] = {action.id: action for action in ACTIONS}
_SHOWN_KEYS = {
    "slash": "/",
    "right_square_bracket": "]",
    "left_square_bracket": "[",
    "question_mark": "?",
    "pagedown": "pgdn",
    "pageup": "pgup",
    "down": "↓",
    "up": "↑",
    "escape": "esc",
}


def actions_of(scope: str) -> list[Action]:
    """What a screen can do, in the order of the registry."""
    return [action for action in ACTIONS if action.is_in(scope)]


def keys_of(action: Action, keymap: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The keys in force: a person's own, or those of the registry."""
    return keymap.get(action.id, action.keys)


def shown_key(key: str) -> str:
    """A key as people write it."""
    return _SHOWN_KEYS.get(key, key.replace("ctrl+", "^"))


def with_keys(text: str, keymap: Mapping[str, tuple[str, ...]]) -> str:
    """A sentence of ours in which `{action.id}` stands for the key in force."""

    def key(named: re.Match[str]) -> str:
        action = BY_ID.get(named[1])
        if action is None:
            return named[0]  # the words of a log that stand in the sentence
        keys = keys_of(action, keymap)
        return shown_key(keys[0]) if keys else action.name

    return _NAMED.sub(key, text)
