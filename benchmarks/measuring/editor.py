"""The process that edits: a line of JSON in for each edit, a line out when it is done."""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.measuring.edits import Edit

if __name__ == "__main__":
    for line in sys.stdin:
        Edit.of(json.loads(line)).carry_out()
        print("done", flush=True)
