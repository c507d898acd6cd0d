"""Says whether an installed wheel is compiled and lints: cibuildwheel runs it beside each."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = "import torch\nfor batch in loader:\n    total -= torch.exp(batch).item()\n"


def main() -> int:
    """Run the installed linter; the exit status is 0 if it is compiled and finds what it should."""
    linter = [sys.executable, "-m", "overhead_lint"]
    with tempfile.TemporaryDirectory() as folder:  # not where the sources are
        (Path(folder) / "train.py").write_text(PROGRAM, encoding="utf-8")
        version, found = (
            subprocess.run([*linter, *arguments], cwd=folder, capture_output=True, text=True, check=False)
            for arguments in (["--version"], ["--isolated", "--output-format", "concise", "train.py"])
        )
    is_right = version.stdout.rstrip().endswith("(compiled)") and "OVH404" in found.stdout
    if not is_right:
        print(version.stdout, version.stderr, found.stdout, found.stderr, sep="", file=sys.stderr)
    return int(not is_right)


if __name__ == "__main__":
    sys.exit(main())
