"""Word the difference between what failed and what passed, as both stand in a log."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

from helix_tui.agent_homes import agent_name
from helix_tui.curate.draft.names import code, inert, quoted
from helix_tui.curate.draft.places import either
from helix_tui.curate.page.report_talk import EACH_SEEN_ONCE, KEPT_TO, SEEN_ONCE
from helix_tui.schema.candidate import Candidate, Remedy
from helix_tui.text.command_difference import added_in, differing_part, links_of
from helix_tui.text.leads import is_kept_to
from helix_tui.text.scripts import is_own_script
from helix_tui.text.shape import action_in
from helix_tui.text.shape_change import (
    ESCALATED,
    FORMAT,
    ITS_FORMATTER,
    MEND,
    PATH_WORDS,
    REPOSITORY_WORDS,
)

_SHELL = "$ "
_NAME_LENGTH = 61
_LONGEST = 160
_CUT = "…"
_GIVE = "give another "
_SET, _USE, _ADD, _LEAVE_OUT = "set ", "use ", "add ", "leave out "
_WITH, _WITHOUT, _IN = "run it with ", "run it without ", "run it in "
_OF_NETWORKS = frozenset({"host_unresolved", "network_unreachable"})
_MISSING, _UNKNOWN_OPTION = "command_not_found", "unknown_option"
# Formatters and fixers, by what running them is called.
_FIXES = re.compile(r"(?:^|[ :])(?:format|fmt|fix)$| --(?:fix|write|apply|autocorrect)| -[aAF]$")
_FILE = re.compile(r"^(?!@)[^-\s][^\s]*/|\.[a-z]{1,5}$|^[*.]|\*")
_VARIABLE = re.compile(r"[A-Za-z_]\w*=")
# An option that is given a value, and the value without quotation marks.
_GIVEN = re.compile(r"(?<!\S)(--[A-Za-z][\w-]{1,40})=['\"]?([^\s'\"]{2,80})")
# What goes to a program that only shows a part of it.
_FILTERED = re.compile(r"(?: 2>&1)?(?: \| (?:tail|head)(?: -\S{1,12}| \d{1,6})*)+$")
_CD = re.compile(r"\$ cd (\S{1,300}) (?:&&|;) ")
_MOST_KINDS = 3
_MOST_ACTIONS = 2
_RECURRING = 2


def difference_of(candidate: Candidate, remedy: Remedy) -> list[str]:
    """Say what to do instead of what failed; nothing where neither can be shown.

    Both stand as they were run where they are short; else the change alone is named.
    """
    failed, works, ran = (_as_run(text) for text in (remedy.failed, remedy.works, remedy.ran))
    if failed and works:
        failed, works = differing_part(failed, works)
    if remedy.verb == MEND:
        return [_mended(candidate, works)] if works else []
    if remedy.verb.startswith(PATH_WORDS):
        return _path_line(remedy)
    if remedy.verb.startswith(REPOSITORY_WORDS):
        return _repository_line(candidate, remedy)
    ran_each_time = candidate.actions if len(candidate.actions) == 1 else [""]
    action = quoted(action_in(candidate.shape) or ran_each_time[0], _NAME_LENGTH)
    if failed and works and failed != works:
        is_of_day = remedy.is_varied or _names_more(failed, action)
        if is_of_day and (line := _part_line(action, remedy, failed, works)):
            return [_where_missing(candidate, line)]
        return [_where_missing(candidate, f"Run {code(works)} instead of {code(failed)}.")]
    if remedy.failed == remedy.works and failed:
        if remedy.fixer:
            return [_fixer_line(remedy, failed)]
        if remedy.verb == FORMAT and not ran:
            return [f"Run its formatter first, then {code(failed)}."]
        fixer = _without_files(remedy.ran) if _FIXES.search(remedy.verb) else ""
        # Steps that do the same add up: the one that is named stands for all.
        is_one_of = remedy.ways.get(remedy.verb, remedy.sessions) < remedy.sessions
        if fixer:
            what = f"a fixer, such as {code(fixer)}," if is_one_of else code(fixer)
            return [f"Run {what} first, then {code(failed)}."]
        is_elsewhere = failed.startswith("cd ") and not candidate.shape.startswith("cd ")
        again = action if action and (is_elsewhere or _names_more(failed, action)) else failed
        step = quoted(" && ".join(_steps_in(ran)), _LONGEST)
        if step and step != failed and not is_one_of:
            return [f"Run {code(step)} first, then {code(again)}."]
    return _change_line(candidate, remedy) or ([f"Run {code(works)}."] if works else [])


def _fixer_line(remedy: Remedy, check: str) -> str:
    """Say which fixer to run before a check; one that only sometimes was enough leaves the rest."""
    is_one_of = remedy.ways.get(remedy.verb, remedy.sessions) < remedy.sessions
    named = quoted(_without_files(remedy.ran) or remedy.fixer, _NAME_LENGTH)
    if remedy.fixer == ITS_FORMATTER or not named:
        what = ITS_FORMATTER
    else:
        # The repository's own script is the one to run, whatever else was enough.
        is_open = is_one_of and not is_own_script(named)
        what = f"a fixer, such as {code(named)}," if is_open else code(named)
    rest = ", and mend by hand what is left" if remedy.sessions < remedy.of else ""
    return f"Run {what} first, then {code(check)}{rest}."


def _steps_in(command: str) -> list[str]:
    """The commands of a chain but for going to a folder, which differs from one day to the next."""
    return [link for link in links_of(command) if not link.startswith("cd ")]


def _names_more(command: str, action: str) -> bool:
    """Whether a command names what it is run on: a file, a test, a name of that day."""
    words = links_of(command)[-1].split()
    own = {*action.split(), *(word.rpartition("/")[2] for word in action.split())}
    plain = [word for word in words if word[0] != "-" and not _VARIABLE.match(word)]
    # What is not of that action is not told by it.
    is_of_action = not own.isdisjoint(plain)
    return is_of_action and any(word not in own for word in plain)


def _part_line(action: str, remedy: Remedy, failed: str, works: str) -> str:
    """Say what was added or exchanged, where the rest of a command is of that day."""
    added = quoted(remedy.added or added_in(failed, works), _NAME_LENGTH)
    as_in = "" if remedy.added else ", as in"
    if remedy.verb.startswith(_GIVE):
        return _value_line(action, remedy, works)
    if not added or added[0] in "'\"":
        return ""
    if added.startswith("-"):
        name = added.partition("=")[0].partition(" ")[0]
        if as_in and name != added:
            return f"Run {code(action)} with {code(name)}{as_in} {code(added)}."
        return f"Run {code(action)} with {code(added)}."
    if _VARIABLE.match(added) and " " not in added:
        name = added.partition("=")[0]
        if as_in:
            return f"Set {code(name)} for {code(action)}{as_in} {code(added)}."
        return f"Set {code(added)} for {code(action)}."
    return ""


def _value_line(action: str, remedy: Remedy, works: str) -> str:
    """Say which value of an option was wrong, and which is right where that is always the same."""
    option = quoted(remedy.verb.removeprefix(_GIVE), _NAME_LENGTH)
    gone, come = (quoted(word, _NAME_LENGTH) for word in (remedy.gone, remedy.come))
    if not option or "," in option or not gone:
        return ""
    if come:
        return f"Give {code(action)} {code(f'{option} {come}')}, not {code(gone)}."
    return f"Give {code(action)} another {code(option)} than {code(gone)}."


def leads_in(candidate: Candidate) -> list[str]:
    """Say what was tried and passed, each way seen once: the change alone, without its values."""
    lines: list[str] = []
    if any(_keeps_what_goes(one, other) for one in candidate.leads for other in candidate.leads):
        return _commands_of(candidate, candidate.leads)
    for lead in candidate.leads:
        told = _lead_line(candidate, lead)
        if not told:
            return []
        lines += told
    if lines:
        once = KEPT_TO if all(map(is_kept_to, candidate.leads)) else SEEN_ONCE
        lines[-1] += f" {once if len(lines) == 1 else EACH_SEEN_ONCE}"
    return lines


def _commands_of(candidate: Candidate, leads: list[Remedy]) -> list[str]:
    """Name whole commands where no part of them alone is what helped."""
    failed, _ = _bare(candidate, leads[0].failed)
    passed = [_bare(candidate, lead.works) for lead in leads]
    if not failed or not all(command for command, _ in passed):
        return []
    given = [name for lead in leads for name in _GIVEN.findall(lead.failed)]
    ways = " or ".join(f"{code(_unnamed(command, given))}{where}" for command, where in passed)
    return [f"Instead of {code(_unnamed(failed, given))} run {ways}. {EACH_SEEN_ONCE}"]


def _unnamed(command: str, given: list[tuple[str, str]]) -> str:
    """A command without what was given to options that day, wherever that stands in it."""
    for option, value in given:
        command = re.sub(rf"({re.escape(option)}=)(?:'[^']*'|\"[^\"]*\"|\S+)", r"\1NAME", command)
        command = re.sub(rf"(?<!\S){re.escape(value)}(?!\S)", "NAME", command)
    return command


def _bare(candidate: Candidate, action: str) -> tuple[str, str]:
    """Return a command without its folder and what only shortens its output, and the folder."""
    command = _FILTERED.sub("", _CD.sub(_SHELL, action, count=1))
    return _as_run(command), _folder_of(candidate, action)


def _outside_line(candidate: Candidate) -> list[str]:
    """Say of an agent whose sandbox has no network what it is to ask for."""
    agents = {member.flavor for member in candidate.members.values()}
    (agent,) = agents if len(agents) == 1 else ("",)
    tried = candidate.actions or [action_in(candidate.shape)]
    actions = [code(name) for one in tried if (name := quoted(one, _NAME_LENGTH))]
    if not agent or not actions:
        return []
    what = f"{agent_name(agent)}'s sandbox has no network here"
    return [f"{what}: ask for escalated permissions for {either(actions)}."]


def _lead_line(candidate: Candidate, lead: Remedy) -> list[str]:
    if lead.verb == ESCALATED and candidate.error_class in _OF_NETWORKS:
        return _outside_line(candidate)
    if lead.verb.startswith(PATH_WORDS):
        return _path_line(lead)
    if lead.verb.startswith(REPOSITORY_WORDS):
        return _repository_line(candidate, lead)
    return _change_line(candidate, lead)


def _repository_line(candidate: Candidate, remedy: Remedy) -> list[str]:
    """Say under which name the host knows the repository."""
    name = quoted(remedy.verb.removeprefix(REPOSITORY_WORDS), _NAME_LENGTH)
    program = next((action.partition(" ")[0] for action in candidate.actions), "")
    to = f" to {code(quoted(program, _NAME_LENGTH))}" if program else ""
    line = f"Name the repository{to} as {code(name)}: other names that were tried do not exist."
    return [line] if name else []


def _keeps_what_goes(one: Remedy, other: Remedy) -> bool:
    """Whether a way that passed has the very option that another one left out: neither says why."""
    gone = [edit.removeprefix(_LEAVE_OUT) for edit in one.verb.split(", ") if _LEAVE_OUT in edit]
    kept = {word.partition("=")[0] for word in _words(other.works)}
    return any(name in kept for name in gone)


def hint_in(candidate: Candidate) -> list[str]:
    """Say what the tool's own output names as the cure, in its words, and that it says so."""
    says = quoted(candidate.hint, _LONGEST)
    ran = [action_in(candidate.shape)] if candidate.shape else candidate.actions[:_MOST_ACTIONS]
    actions = [code(name) for one in ran if (name := quoted(one, _NAME_LENGTH))]
    option = quoted(candidate.subject, _NAME_LENGTH) if candidate.subject[:1] == "-" else ""
    action = either(actions)
    if not says or candidate.sort != "error" or candidate.scope not in ("repo", "machine"):
        return []
    # Another program that fails alike says nothing of the kind.
    told = [code(name) for one in candidate.hinted if (name := quoted(one, _NAME_LENGTH))]
    teller = f"the output of {either(told)}" if told else "the program's own output"
    where = f"Where {either(told) or action} is refused, " if told or action else ""
    if action and option and candidate.error_class == _UNKNOWN_OPTION:
        where = f"Leave {code(option)} out of {action}: it is not known there; "
    elif where:
        teller = "the program's own output"
    line = f"{where}{teller} says what to do: “{inert(says)}”."
    return [line[:1].upper() + line[1:]]


def _as_run(action: str) -> str:
    """Return a command as it was run; nothing where it is none, is too long or is refused."""
    command = action.removeprefix(_SHELL)
    is_whole = action.startswith(_SHELL) and len(command) <= _LONGEST and _CUT not in command
    return quoted(command, _LONGEST) if is_whole else ""


def _without_files(action: str) -> str:
    """Return the first command of a chain without the files of that day; nothing without any."""
    first = links_of(action.removeprefix(_SHELL))[0] if action.startswith(_SHELL) else ""
    words = first.split()
    kept = [word for word in words if not _FILE.search(word)]
    return quoted(" ".join(kept), _NAME_LENGTH) if 1 < len(kept) < len(words) else ""


def _mended(candidate: Candidate, step: str) -> str:
    """Say which check to run before work is handed over, and what it keeps finding."""
    recurring = [kind for kind, number in candidate.kinds.items() if number >= _RECURRING]
    named = [code(name) for kind in recurring if (name := quoted(kind, _NAME_LENGTH))]
    finds = f"; what it found more than once: {_listed(named[:_MOST_KINDS])}" if named else ""
    line = f"Run {code(step)} before you commit or say that you are done, and mend what it names"
    return f"{line}{finds}."


def _path_line(remedy: Remedy) -> list[str]:
    """Say which path is right, and which was wrong where both commands show it."""
    right = remedy.verb.removeprefix(PATH_WORDS)
    for old, new in _exchanged_words(remedy):
        was, now = _apart(old, new)
        if now == right and was:
            # Of a name in a folder only the folder was wrong; else all of it is a name.
            is_file = "." in new.rpartition("/")[2]
            wrong, put = (_folder_in(old), _folder_in(new)) if is_file else (old, new)
            shown = quoted(put, _NAME_LENGTH), quoted(wrong, _NAME_LENGTH)
            how = " with these capitals" if put.lower() == wrong.lower() else ""
            line = f"Write {code(shown[0])}{how}, not {code(shown[1])}, which is not there."
            return [line] if all(shown) else []
    name = quoted(right, _NAME_LENGTH)
    return [f"The path is {code(name)}."] if name else []


def _folder_in(path: str) -> str:
    return path.removeprefix("./").rpartition("/")[0]


def _exchanged_words(remedy: Remedy) -> Iterator[tuple[str, str]]:
    """Yield each word of what failed with each that stands only in what passed."""
    old, new = (_words(text) for text in (remedy.failed, remedy.works))
    for gone in (word for word in old if word not in new):
        yield from ((gone, come) for come in new if come not in old)


def _words(action: str) -> list[str]:
    try:
        return shlex.split(action.removeprefix(_SHELL))
    except ValueError:  # a quotation that was cut
        return action.split()


def _apart(old: str, new: str) -> tuple[str, str]:
    """Return what differs of two paths that name the same thing."""
    olds, news = old.split("/"), new.split("/")
    while olds and news and olds[-1] == news[-1]:
        olds.pop()
        news.pop()
    while olds and news and olds[0] == news[0]:
        olds.pop(0)
        news.pop(0)
    return "/".join(olds), "/".join(news)


def _change_line(candidate: Candidate, remedy: Remedy) -> list[str]:
    """Say how the action that failed is to be run, without the values of one day.

    Several options say nothing one by one, and an option alone is no action.
    """
    action = action_in(candidate.shape) or candidate.subject
    named = code(quoted(action, _NAME_LENGTH))
    edits = remedy.verb.split(", ")
    if action.startswith("-") or sum(edit.startswith((_ADD, _LEAVE_OUT)) for edit in edits) > 1:
        return []
    told = [_edit_line(candidate, edit, named, remedy.works) for edit in edits]
    if not named or not all(told):
        return []
    line = f"{', and '.join((told[0], *(text[0].lower() + text[1:] for text in told[1:])))}."
    return [_where_missing(candidate, line)]


def _where_missing(candidate: Candidate, line: str) -> str:
    """Say of a program that is missing that it is so on one machine; another may have it."""
    name = quoted(candidate.subject, _NAME_LENGTH)
    if candidate.error_class != _MISSING or not name:
        return line
    return f"Where {code(name)} is not installed, {line[0].lower()}{line[1:]}"


def _edit_line(candidate: Candidate, edit: str, action: str, works: str) -> str:
    if edit == ESCALATED:
        return f"Run {action} with escalated permissions"
    if edit.startswith(_SET):
        # A variable says nothing without a value, and a value may be that of one day.
        name = edit.removeprefix(_SET)
        found = re.search(rf"(?<!\S){re.escape(name)}=\S{{1,60}}", works)
        value = quoted(found[0], _NAME_LENGTH) if found else ""
        where = _folder_of(candidate, works) if value else ""
        return f"Set {code(name)} for {action}, as in {code(value)}{where}" if value else ""
    if edit.startswith(_USE) and candidate.error_class == _MISSING:
        command, where = _bare(candidate, works)
        rest = command.removeprefix(edit.removeprefix(_USE)).split()
        if command.startswith(edit.removeprefix(_USE)) and all(word[0] == "-" for word in rest):
            return f"Use {code(command)} instead of {action}{where}"
    for lead, text in (
        (_USE, "Use {} instead of {action}"),
        (_ADD, "Add {} to {action}"),
        (_LEAVE_OUT, "Leave out {} with {action}"),
        (_WITHOUT, "Run {action} without {}"),
        (_WITH, "Run {action} through {}"),
        (_IN, "Run {action} in {}"),
    ):
        name = quoted(edit.removeprefix(lead), _NAME_LENGTH) if edit.startswith(lead) else ""
        if name:
            return text.replace("{}", code(name)).replace("{action}", action)
    return ""


def _folder_of(candidate: Candidate, works: str) -> str:
    """Say in which folder a command was run, as its repository has it: what it names begins there.

    Of a folder elsewhere only the name holds for another day and machine.
    """
    found = _CD.match(works)
    parts = found[1].rstrip("/").split("/") if found else []
    repos = {member.repo for member in candidate.members.values()}
    roots = [at for at, part in enumerate(parts) if part in repos]
    is_far = parts[:1] in ([""], ["~"]) or parts[0].endswith(":") if parts else False
    below = parts[roots[-1] + 1 :] if roots else parts[-1:] if is_far else parts
    name = quoted("/".join(below), _NAME_LENGTH)
    return f" in the folder {code(name)}" if name else ""


def _listed(names: list[str]) -> str:
    return " and ".join((", ".join(names[:-1]), names[-1])) if len(names) > 1 else "".join(names)
