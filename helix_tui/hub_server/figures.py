"""Count what the hub did, as text that Prometheus reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

_HELP = {
    "helix_hub_requests_total": ("counter", "Requests to /decisions by the status of the answer."),
    "helix_hub_team_requests_total": (
        "counter",
        "Requests for a team's store by the status of the answer.",
    ),
    "helix_hub_commits_total": ("counter", "Transactions that recorded decisions."),
    "helix_hub_waiting": ("gauge", "Decisions that wait to be recorded."),
}


class Figures:
    """The counts since the server started."""

    def __init__(self) -> None:
        self.answers: Counter[int] = Counter()
        self.team_answers: Counter[int] = Counter()
        self.commits = 0

    def text(self, waiting: int) -> str:
        """All figures in the text format of Prometheus."""
        return "\n".join([*self._lines(waiting), ""])

    def _lines(self, waiting: int) -> Iterator[str]:
        values: dict[str, list[tuple[str, int]]] = {
            "helix_hub_requests_total": [
                (f'{{status="{status}"}}', count) for status, count in sorted(self.answers.items())
            ],
            "helix_hub_team_requests_total": [
                (f'{{status="{status}"}}', count)
                for status, count in sorted(self.team_answers.items())
            ],
            "helix_hub_commits_total": [("", self.commits)],
            "helix_hub_waiting": [("", waiting)],
        }
        for name, rows in values.items():
            kind, meaning = _HELP[name]
            yield f"# HELP {name} {meaning}"
            yield f"# TYPE {name} {kind}"
            for labels, value in rows:
                yield f"{name}{labels} {value}"
