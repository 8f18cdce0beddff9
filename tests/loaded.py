"""What a command has loaded at its end, in an interpreter of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import json, sys
sys.argv = ["helix", *json.loads(sys.argv[1])]
from helix_tui.cli.main import main
try:
    main()
except SystemExit as done:
    code = done.code or 0
else:
    code = 0
own = {name for name in sys.modules if name.startswith("helix_tui.")}
loaded = sorted({name.split(".")[0] for name in sys.modules} | own)
print("\\n" + json.dumps({"code": code, "loaded": loaded}))
"""


def run(arguments: list[str], home: Path) -> tuple[int, set[str]]:
    """A command's exit code, and the packages and modules of ours it had loaded at its end."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps(arguments)],
        capture_output=True,
        text=True,
        check=True,
        env={"PATH": os.environ["PATH"], "HOME": str(home)},
    )
    said = json.loads(done.stdout.splitlines()[-1])
    return said["code"], set(said["loaded"])
