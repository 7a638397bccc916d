"""Prove the install lines before the packages are published: `./run wheels`.

Builds a source distribution and, from it, a wheel of every package; installs them from that folder alone into
clean environments outside the checkout; imports each package there in isolation; runs the README.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import zipfile
from email import message_from_bytes
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
BUILT = ROOT / "dist"


def run(*command: str | Path, cwd: Path = ROOT) -> None:
    """Run a program in the open; the whole script stops when it fails."""
    words = [str(part) for part in command]
    if subprocess.run(words, cwd=cwd, check=False).returncode != 0:
        sys.exit(f"This step failed: {' '.join(words)}")


def build(uv: Path) -> list[str]:
    """Build every package into the folder `dist` and return their names."""
    for old in BUILT.glob("fingerpost*"):
        old.unlink()
    folders = sorted(path.parent for path in ROOT.glob("packages/*/pyproject.toml"))
    for folder in folders:
        isolation = ("--no-build-isolation", "--python", sys.executable)
        run(uv, "build", "--quiet", *isolation, "--out-dir", BUILT, folder)
    return [folder.name for folder in folders]


def requirements() -> tuple[list[str], list[str], list[str]]:
    """Extras of the core, what the core needs from others, and what all packages need from others."""
    extras: list[str] = []
    core: set[str] = set()
    everything: set[str] = set()
    for path in BUILT.glob("*.whl"):
        with zipfile.ZipFile(path) as wheel:
            name = next(name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
            metadata = message_from_bytes(wheel.read(name))
        for line in metadata.get_all("Requires-Dist", []):
            requirement = Requirement(line)
            if canonicalize_name(requirement.name).startswith("fingerpost"):
                continue
            optional = requirement.marker is not None and "extra" in str(requirement.marker)
            requirement.marker = None
            everything.add(str(requirement))
            if metadata["Name"] == "fingerpost" and not optional:
                core.add(str(requirement))
        if metadata["Name"] == "fingerpost":
            extras = metadata.get_all("Provides-Extra", [])
    return extras, sorted(core), sorted(everything)


def install(uv: Path, home: Path, wanted: str, needs: list[str]) -> Path:
    """Make an environment at `home` with `wanted` from our folder alone; return its bin folder."""
    run(uv, "venv", "--quiet", "--python", sys.executable, home)
    into = (uv, "pip", "install", "--quiet", "--python", home)
    if needs:
        run(*into, "--constraint", ROOT / "locks" / "a.txt", *needs)
    # uv's cache would serve a wheel of the same name and version from an earlier build.
    run(*into, "--no-cache", "--no-index", "--find-links", BUILT, wanted)
    run(uv, "pip", "check", "--quiet", "--python", home)
    return home / "bin"


def main(uv: Path) -> None:
    """Build, install, import, and run the README."""
    names = build(uv)
    extras, core_needs, all_needs = requirements()
    everything = f"fingerpost[{','.join(extras)}]"
    with tempfile.TemporaryDirectory() as folder:
        elsewhere = Path(folder)
        for home, wanted, needs, imports in (
            ("core", "fingerpost", core_needs, names[:1]),
            ("all", everything, all_needs, names),
        ):
            binaries = install(uv, elsewhere / home, wanted, needs)
            for name in imports:
                run(binaries / "python", "-I", "-c", f"import {name.replace('-', '_')}", cwd=elsewhere)
            run(binaries / "fingerpost", "--version", cwd=elsewhere)
            print(f"{wanted}: installs, imports and starts", flush=True)
        blocks = ROOT / "tests" / "docs" / "blocks.py"
        run(binaries / "python", "-I", blocks, ROOT / "README.md", cwd=elsewhere)
    print(f"{len(names)} packages install from their wheels, and the README runs with them.")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
