"""The lines of a tool's output, without what terminals and harnesses put around and into them."""

from __future__ import annotations

from helix_tui.text.lazy import lazy
from helix_tui.text.signature.lead import MARKS, unframed

_WINDOW = 8192  # characters looked at from either end: a text may be a whole build log
_ANSI = lazy(r"\x1b(?:\[[0-?]{0,32}[ -/]{0,4}[@-~]|\][^\x07\x1b]{0,512}(?:\x07|\x1b\\)|[@-_]?)")
_HIDDEN = lazy(r"[\x00-\x08\x0e-\x1f\x7f\u200b\ufeff]{1,400}")
# A terminal shows what was written last behind a carriage return.
_OVERWRITTEN = lazy(r"[^\n\r]{1,2000}+\r(?=[^\n\r])")
# In front of a sign like this it is the line end of a script, which a shell took for a part of it.
_LINE_END = lazy(r"\r(?=['’\"]?: \w)")
_TAG, _END_TAG = "<tool_use_error>", "</tool_use_error>"
_TAGGED = lazy(rf"\s{{0,20}}(?:Error: )?{_TAG}")
# Codex tells both outputs of a command in one sentence.
_SANDBOX = lazy(
    r"\A\s{0,9}failed in sandbox \w{1,40} with execution error: "
    r"(?:sandbox denied exec error, exit code: -?\d{1,10}, stdout: )?"
)
_STDERR = lazy(r", stderr: ")
# Gradle marks the reason as it marks its tasks.
_WENT_WRONG = "* What went wrong:"
_REASON = lazy(r"(?m)^> (?!Task |Run |Get )")
_WRAPPERS = lazy(r"\A\s{0,9}(?:Script error:|execution error: exec error: )\s{0,9}")


# A runner of CI jobs names the job before each line of a step.
_JOB = lazy(r"(?m)^\[[^\]\n]{1,80}\] {2,6}(?:\| ?|(?=[^\w\s]))")


def clean(text: str) -> tuple[str, bool]:
    """A text as a screen shows it, and whether it is a sentence of the harness."""
    if len(text) > 2 * _WINDOW:
        tail = text[-_WINDOW:]
        text = text[:_WINDOW] + "\n" + tail[tail.find("\n") + 1 :]
    if "\x1b" in text:
        text = _ANSI.sub("", text)
    if "\b" in text:
        text = _without_erased(text)
    if "\r" in text:
        text = _LINE_END.sub(r"\\r", text)
        text = _OVERWRITTEN.sub("", text)
    if _WENT_WRONG in text:
        text = _REASON.sub("", text)
    is_tagged = _TAGGED.match(text) is not None
    if is_tagged:
        text = _TAGGED.sub("", text, count=1).replace(_END_TAG, "")
    elif text.lstrip()[:17] == "failed in sandbox":
        text = _STDERR.sub("\n", _SANDBOX.sub("", text), count=1)
    elif _WRAPPERS.match(text):
        text = _WRAPPERS.sub("", text, count=1)
    return text, is_tagged


def _without_erased(text: str) -> str:
    """A text without what backspaces go back over, as spinners write: a screen shows the rest."""
    kept: list[str] = []
    for sign in text:
        if sign != "\b":
            kept.append(sign)
        elif kept and kept[-1] != "\n":
            kept.pop()
    return "".join(kept)


def visible(line: str) -> str:
    """A line without the characters that nobody sees."""
    return line if line.isprintable() else _HIDDEN.sub("", line)


def lines_of(text: str) -> list[str]:
    """The lines that say something, without what is around them."""
    if "]  " in text and "| " in text:
        text = _JOB.sub("", text)
    return [
        unframed(stripped) if stripped[0] in MARKS else stripped
        for line in text.splitlines()
        if (stripped := line.strip())
    ]
