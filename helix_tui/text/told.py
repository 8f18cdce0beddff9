"""What instructions say already of a candidate, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from helix_tui.text.human import plural

if TYPE_CHECKING:
    from helix_tui.schema.context import Told


def told_words(told: Told) -> str:
    """The state with its figures."""
    if told.state == "told":
        return f"told already, {_seen(told)}"
    if told.state == "unloaded":
        return f"told, but not loaded: {_first_why(told)}"
    if told.state == "cause":
        followed = f"; what it asks for failed in {told.followed or told.violated:,}"
        seen = plural(told.seen, "session") if told.seen else "no session so far as is known"
        return f"told, and the cause: the line asks for what fails, seen in {seen}{followed}"
    return "not told: no line says it" if not told.lines else "not told: these lines come nearest"


def next_step(told: Told) -> str:
    """What is to be done about it, given what is told; empty where nothing is."""
    if told.state == "told" and told.violated:
        return (
            "Another line would not help: it is told already and not kept to. Take the next rung: "
            "a rule where it applies, a skill, a guard (`helix catalog set ID --guard`), or a "
            "change of the environment."
        )
    if told.state == "told" and told.followed:
        return (
            "The line is kept to: it asks for what failed. What to do when that fails is what "
            "another line can say."
        )
    if told.state == "unloaded":
        return (
            "Move the line to where it is loaded, or shorten what stands before it; "
            "`helix context` shows what is cut or switched off."
        )
    if told.state == "cause":
        return "Change the line: it asks for the very thing that fails."
    return ""


def _seen(told: Told) -> str:
    if not told.seen:
        return "seen by no session so far as is known"
    seen = f"seen in {plural(told.seen, 'session')}"
    if told.followed:
        return f"{seen} and kept to: what it asks for failed in {told.followed:,}"
    return f"{seen} and violated in {told.violated:,}"


def _first_why(told: Told) -> str:
    return next((line.why for line in told.lines if line.state == "unloaded"), "")
