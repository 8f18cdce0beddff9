"""What stands before an error in its line: frames, times and levels that others put there."""

from __future__ import annotations

from helix_tui.text.lazy import lazy

# What boxes and lists are drawn with.
FRAME = "│┃║╷╵╭╰╮╯┌└┐┘├┤─━▶▸×✖✕✘✗❌⨯•⎿❯"
_CLOCK = r"\d{1,2}:\d{2}:\d{2}(?:[.,]\d{1,9})?(?: ?Z\b| ?[+-]\d{2}:?\d{2}\b)?"
_DATE = rf"\d{{4}}[-/]\d{{2}}[-/]\d{{2}}(?:[T ](?:{_CLOCK}|\d{{1,2}}:\d{{2}}\b))?"
_STAMP = lazy(rf"\[?(?:{_DATE}|{_CLOCK})\]?:? {{1,8}}(?=\S)")
_STAMPED = frozenset("[0123456789")
# What a line begins with that may have something around it.
MARKS = _STAMPED.union(FRAME)


def unframed(line: str) -> str:
    """A stripped line without the box around it and the time before it, unless nothing is left."""
    message = line
    if message[0] in FRAME:
        message = message.strip(FRAME + " ") or line
    if message[0] in _STAMPED and (stamp := _STAMP.match(message)):
        message = message[stamp.end() :]
    return message


# Words of programs that only hand on what another one said.
_WRAPPER = (
    r"(?:GraphQL|gh|remote|Script error|Command failed|execution error"
    r"|apply_patch verification failed"
    r"|(?:failed|unable|error) (?:to )?(?:run|running|exec|execute|executing|call|calling)"
    r" [`'\"]?[\w.-]{1,40}[`'\"]?): {1,8}"
)
_LEVEL = (
    r"\[?(?:[Ee]rror|ERROR|[Ff]atal(?: [Ee]rror)?|FATAL(?: ERROR)?|ERR!?|CRITICAL|SEVERE"
    r"|WARN(?:ING)?|warn)(?:\]:?|:) {1,8}"
    r"|(?:ERROR|FATAL|CRITICAL|SEVERE|WARN(?:ING)?) {1,8}(?:\[[\w.$:/-]{1,80}\]:? {1,8}|- )"
    r"|npm (?:ERR!|error) {1,8}"
)
_KLOG = r"[IWEF]\d{4} \d{1,2}:\d{2}:\d{2}\.\d{1,9} {1,9}\d{1,9} [\w.-]{1,60}:\d{1,6}\] "
# A name that a program does not print where it tells of its own exception in a sentence.
_QUALIFIED = (
    r"\(?(?:[A-Za-z_]\w{0,60}\.){1,8}[A-Z]\w{1,80}(?:: |\) )"
    r"(?=(?:[^\s<>]{0,80}[A-Za-z][^\s<>]{0,80} ){3})"
)
LEAD = rf"(?:{_WRAPPER}|{_LEVEL}|{_KLOG}|{_QUALIFIED}|[{FRAME}]{{1,12}} {{1,8}})"
