"""Stands in for `helix`: knows the truth beside the home and gives it back as candidates."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path


def main(arguments: list[str]) -> int:
    if arguments[0] == "detect":
        (truth,) = Path(os.environ["HOME"]).parent.glob("truth-*.json")
        print(json.dumps({"candidates": candidates(json.loads(truth.read_text()))}))
    elif arguments[0] == "signature":
        messages = sys.stdin.buffer.read().split(b"\0" if "-0" in arguments else b"\n")[:-1]
        for message in messages:
            is_missing = b"command not found" in message
            row = {"class": "command_not_found" if is_missing else None, "subject": None}
            print(json.dumps({**row, "template": "", "group": "1", "benign": False}))
    return 0


def candidates(truth: dict[str, list[dict[str, object]]]) -> list[dict[str, object]]:
    return [
        {
            "id": pattern["id"],
            "kind": pattern["kind"],
            "title": pattern["title"],
            "members": pattern["members"],
            "flavors": pattern["flavors"],
            "cross_flavor": pattern["cross_flavor"],
            "evidence": [],
        }
        for pattern in truth["patterns"]
    ]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
