"""The repository that a command names at its host: `owner/name`, in whatever form it is given."""

from __future__ import annotations

import re

_NAME = r"[A-Za-z0-9_.-]{1,100}"
_QUOTE = r"[\"'\\]{0,3}"
_FORMS = (
    # gh pr view --repo owner/name, -R owner/name
    re.compile(rf"(?<!\S)(?:--repo[= ]|-R ?){_QUOTE}(?:github\.com/)?(?P<slug>{_NAME}/{_NAME})"),
    # gh api repos/owner/name/pulls
    re.compile(rf"(?<![\w.-])repos/(?P<slug>{_NAME}/{_NAME})"),
    # https://host/owner/name.git, git@host:owner/name
    re.compile(rf"(?:://[^/\s]{{1,100}}/|git@[^:\s]{{1,100}}:)(?P<slug>{_NAME}/{_NAME})"),
    # repository(owner: "owner", name: "name")
    re.compile(
        rf"owner{_QUOTE}\s?[:=]\s?{_QUOTE}(?P<owner>{_NAME}).{{1,12}}"
        rf"(?:name|repo){_QUOTE}\s?[:=]\s?{_QUOTE}(?P<name>{_NAME})",
        re.DOTALL,
    ),
    # gh repo clone owner/name, gh repo view owner/name
    re.compile(rf"\bgh repo [a-z]{{3,12}} {_QUOTE}(?P<slug>{_NAME}/{_NAME})"),
)


def named_repository(command: str) -> str:
    """Return the repository that a command names first, as `owner/name`; nothing without one."""
    found = [match for form in _FORMS if (match := form.search(command))]
    if not found:
        return ""
    first = min(found, key=lambda match: match.start())
    named = first.groupdict()
    return (named.get("slug") or f"{named['owner']}/{named['name']}").removesuffix(".git")
