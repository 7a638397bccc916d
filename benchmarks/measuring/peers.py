"""Other packages that search bundles, installed apart, asked the same questions."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.bundles import Made
from benchmarks.measuring.edits import FOLDER, planned_edits
from benchmarks.measuring.questions import question_sets

PEERS = ("astromesh-okf", "okflib")
_PROGRAM = Path(__file__).with_name("peer_program.py")
_HOURS = 2

Row = dict[str, object]


def peer_rows(made: Made, cache: Path) -> list[Row]:
    """What each package takes to open a bundle, to answer, and to know of an edit; CPU seconds.

    They get a copy of the bundle without the files that are no concepts, since not all of them survive those.
    """
    python = _installed(cache / "peers")
    texts = [question["text"] for question in question_sets(made, 20)["spelt right"]]
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="peers-", dir=cache) as folder:
        copy = replace(made, folder=Path(folder) / "bundle")
        shutil.copytree(made.folder, copy.folder)
        for number in range(made.concepts):
            if made.concept(number).flaw:
                (copy.folder / made.concept(number).path).unlink()
        (copy.folder / FOLDER).mkdir()
        edit = planned_edits(copy, 1)[0]
        of_edit = {"path": edit.path, "text": edit.text, "word": edit.word}
        for peer in PEERS:
            print(f"  {peer}", file=sys.stderr, flush=True)
            asked = {"folder": str(copy.folder), "questions": texts, **of_edit}
            rows.append({"peer": peer, **_measured(python, peer, asked)})
            Path(edit.path).unlink(missing_ok=True)
    return rows


def peer_table(rows: Sequence[Row]) -> str:
    """The rows as a table, "" when there are none."""
    if not rows:
        return ""
    lines = [f"\n{'peer, CPU':<24}{'version':>10}{'open':>12}{'find p50':>12}{'edit':>12}{'asked':>8}"]
    for row in rows:
        if "failed" in row:
            lines.append(f"{row['peer']:<24}  {row['failed']}")
            continue
        times = "".join(f"{1000 * float(str(row[name])):>9.2f} ms" for name in ("open", "find", "edit"))
        lines.append(f"{row['peer']:<24}{row['version']:>10}{times}{row['asked']:>8}")
    return "\n".join(lines) + "\n"


def _measured(python: Path, peer: str, asked: Mapping[str, object]) -> Row:
    done = subprocess.run(
        [str(python), str(_PROGRAM), peer],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=False,
        timeout=_HOURS * 3600,
    )
    if done.returncode != 0:
        said = done.stderr.strip() or f"exit status {done.returncode}"
        return {"failed": said.splitlines()[-1]}
    return json.loads(done.stdout)


def _installed(home: Path) -> Path:
    """The interpreter of an environment that holds the packages, made first if need be."""
    python = home / "bin" / "python"
    complete = home / "complete"
    if not complete.exists():
        print(f"  installing {' and '.join(PEERS)} in {home}", file=sys.stderr, flush=True)
        venv.create(home, with_pip=True, clear=True)
        subprocess.run(
            [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PEERS],
            check=True,
        )
        complete.touch()
    return python
