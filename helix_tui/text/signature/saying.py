"""How much a line says: what only follows from an error, or tells of progress, names none."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

# What programs say of another one that failed: it named its error before.
_CONSEQUENCE = (
    r"[\w-]{0,20}make(?:\[\d{1,3}\])?: (?:\*{3} (?:\[.{1,300}\] (?:Error|Killed|Terminated)"
    r"|Waiting for)|Target .{1,200} not remade)",
    r"npm (?:ERR!|error) (?:code (?:ELIFECYCLE|\d)|errno\b|path\b|command\b|signal\b|Lifecycle\b"
    r"|workspace\b|location\b|Exit status|Failed at the|This is probably not"
    r"|A complete log|\S{1,200}@\S{1,60} [\w:-]{1,60}: `|[/\\]|[A-Z]:\\|$)",
    r"npm (?:ERR!|error) {2,20}\S",
    r"(?:\[?ERR_PNPM_\w{1,60}\]? {1,4})?ELIFECYCLE\b",
    r"ERR_PNPM_RECURSIVE_\w{1,40}FAIL\b",
    r"(?:[Ee]rror:? |\S{1,40}: )?(?:[Cc]ommand|[Pp]rocess|[Ss]cript|[Tt]ask)\b.{0,200}"
    r"\b(?:failed|exited|completed|terminated)(?: with)? (?:exit )?(?:code|status)\b",
    r"(?:error: )?(?:[Ee]xit(?:ed)?|failed)(?: with)? (?:code|status):? \d{1,10}\.?$",
    r"(?:subprocess\.)?CalledProcessError\b",
    r"The command .{1,300} returned a non-zero code",
    r"(?:[Ee]rror: )?(?:[Rr]ecipe|[Ss]cript|[Jj]ob|[Tt]ask|[Tt]arget) [`\"'].{1,100}[`\"']"
    r" (?:failed|exited|was terminated)\b",
    r"(?:[Ee]rror: )?[Ll]ifecycle script .{1,100} failed\b",
    r"(?:(?:ERROR|Error): )?Job (?:'[^']{1,80}' )?failed\b",
    r"(?:ERROR: )?failed to solve: process\b",
    r"executor failed running\b",
    r"error Command failed\b",
    r"(?:error: )?could not compile `",
    r"ninja: build stopped\b",
    r"(?:BUILD|Build) FAILED\b",
    r"Execution failed for task\b",
    r"> Task :\S{1,200} FAILED$",
    r"(?:fatal: )?[Tt]he remote end hung up unexpectedly",
    r"fatal: Could not read from remote repository",
    r"error: failed to push some refs\b",
    r"error: subprocess-exited-with-error",
    r"##\[error\]Process completed",
    r"husky - ",
    r"husky > \S{1,40} hook failed",
    r"(?:[✖✗×] )?(?:Found )?\d{1,7} (?:errors?|problems?|issues?|warnings?|violations?)\b"
    r"(?:[.:!]?$| ?\(| in \d|, )",
    r"\d{1,7} files? (?:would be reformatted|failed)\b",
    r"(?:❌ {1,4})?Failure - ",
    r"(?:🏁 {1,4})?Job failed\b",
    r"exitcode '\d{1,4}': failure",
    r"(?:🥊|🚨) {1,4}\S{1,80}(?: \(\S{1,20}\))?$",
    r"(?:✖|\[FAILED\]) \S.{0,120}\[FAILED\]$|✖ lint-staged\b",
    r"(?:[Ee]rror: )?Command failed: ",
    r"FAILURE: Build failed with an exception",
    r"\S{1,200} [\w:-]{1,60}: Failed$",
    r"(?:ERROR {1,4})?run failed: command\b",
    r"NX {1,4}(?:Ran|Running) target",
    r"\S{1,60}: (?:FAIL code|exit) \d",
    r"evaluation failed :\(",
    r"task: Failed to run task\b",
    r"lerna ERR! .{1,200} exited \d",
    r".{1,100}\.{3,100}Failed$",
    r"Encountered a bad command exit code",
    r"Exit code: \d{1,10}$",
    r"(?:FAIL|FAILED|Aborting\.?)$",
)
_PROGRESS = (
    "Acquiring Attaching Building Bundling Caching Checking Cloning Collecting Compiling "
    "Connecting Copying Counting Creating Downloading Executing Extracting Fetching Formatting "
    "Generating Initializing Installing Launching Linking Linting Loading Looking Obtaining "
    "Preparing Processing Pulling Pushing Reading Receiving Refreshing Removing Resolving "
    "Restoring Running Scanning Searching Sending Starting Switching Syncing Testing "
    "Transforming Trying Unpacking Updating Uploading Using Validating Verifying Waiting "
    "Writing"
)
# Levels that are no trouble, progress, and what a program says of itself before it works.
_HARMLESS = (
    r"(?:INFO|DEBUG|TRACE|NOTICE|VERBOSE)(?:[:\]]| {1,8}[\[\w-]|$)",
    r"\[(?:INFO|DEBUG|TRACE|info|debug)\]",
    r"(?:info|debug|trace|verbose):? ",
    r"I\d{4} \d\d:",
    r"(?:npm|lerna|yarn) (?:notice|WARN|warn|info)\b",
    r"[\w-]{0,20}make(?:\[\d{1,3}\])?: (?:Entering|Leaving|Nothing)\b",
    r"- (?:hook id|exit code|duration): ",
    r"(?:Resolved|Audited|Installed|Prepared|Uninstalled|[Aa]dded|[Rr]emoved|Finished|Done|Built)\b"
    r".{0,100}\bin \d",
    r"RUN {1,4}v\d",
    r"\[\d{1,6}/\d{1,6}\] ",
    r"#\d{1,4} ",
    r"\d{1,3}(?:\.\d{1,3})? ?%",
    rf"(?:{_PROGRESS.replace(' ', '|')})\b(?!.{{0,300}}(?:fail|error|not ))",
)
_UNFINISHED = ("...", "…")
# Headings, and commands that are echoed before they run.
_NOISE = (
    r"[\W_]{1,400}$",
    r"[=_-]{4}",
    r"[>$#+] ",
    r"\[[\w:-]{1,40}\] \$ ",
    r"(?:[\w./@-]{1,80} ){0,2}[\w:-]{1,40}\$ ",
    r"[A-Z][a-z]{1,20} => ",
    r"task: \[",
    r"\* (?:What went wrong|Try|Get more help)\b",
    r"npm (?:ERR!|error)$",
    r"Command: ",
    r"(?:[\w.-]{1,40}/){0,9}[a-z][\w.+-]{0,30}(?: [\w./=:@-]{1,200}){0,30}? --?\w",
)
_ADVICE = (
    r"(?:hint|note|help|tip|usage|warning)\b:? ",
    r"To [a-z]{1,20}\b.{0,200}\b(?:run|use)\b",
    r"(?:Run|Try|See|Use|Note|Please|Usage|For more)\b",
    r"at \S.{0,200}\)$",
    r"File \"",
)
_TROUBLED = (
    "already bad broken cannot can't conflict conflicts couldn't crashed denied deprecated "
    "duplicate error errors exceeded exceeds expected expired fail failed failing fails failure "
    "failures forbidden illegal incompatible inconsistent invalid issue issues locked lost "
    "mismatch missing must never no not oops panicked problem problems refused rejected require "
    "required requires timed too unable unauthorized undeclared undefined unexpected unknown "
    "unsupported without wrong aborted corrupt corrupted violates violation"
)
_TROUBLE = (rf"(?i).{{0,400}}?\b(?:{_TROUBLED.replace(' ', '|')})\b",)
_WORD = re.compile(r"(?<![\w./@-])[A-Za-z][A-Za-z']+(?![\w./@-]*[/@])")
_FEWEST_WORDS = 2


@cache
def _fits(patterns: tuple[str, ...]) -> Callable[[str], re.Match[str] | None]:
    # Needed for few outputs, and a start has to be quick.
    return re.compile("|".join(patterns)).match


def is_consequence(line: str) -> bool:
    """Whether a line only says that something failed which said why itself."""
    return _fits(_CONSEQUENCE)(line) is not None


def is_harmless(line: str) -> bool:
    """Whether a line tells of progress, or is of a level that is no trouble."""
    return line.endswith(_UNFINISHED) or _fits(_HARMLESS)(line) is not None


def says_most(lines: list[str]) -> str:
    """Of lines that nothing marks as an error the one that says most of it."""
    trouble = first = last = follows = quiet = ""
    for line in lines:
        if is_consequence(line):
            follows = follows or line
        elif _fits(_NOISE)(line):
            continue
        elif is_harmless(line):
            quiet = quiet or line
        else:
            first = first or line
            if len(_WORD.findall(line[:400])) < _FEWEST_WORDS or _fits(_ADVICE)(line):
                continue
            last = line
            if not trouble and _fits(_TROUBLE)(line):
                trouble = line
    if follows:
        return trouble or last or follows
    return trouble or first or quiet
