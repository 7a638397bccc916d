"""Prove the install lines before the packages are published: `./run wheels`.

Builds a source distribution and, from it, a wheel of every package; installs them from that folder alone into
clean environments outside the checkout, one for the core and one for the extras of each environment that the
frameworks share; imports each package there in isolation; runs the README.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import zipfile
from email import message_from_bytes
from email.message import Message
from pathlib import Path

from packaging.requirements import Requirement

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from environments.table import MAIN, TESTED, locked

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


def built_metadata() -> dict[str, Message]:
    """What each wheel says about itself, by the name of its package."""
    found: dict[str, Message] = {}
    for path in BUILT.glob("*.whl"):
        with zipfile.ZipFile(path) as wheel:
            name = next(name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
            metadata = message_from_bytes(wheel.read(name))
        found[metadata["Name"]] = metadata
    return found


def all_extras(metadata: Message) -> tuple[str, ...]:
    """The extras that a package offers."""
    return tuple(metadata.get_all("Provides-Extra", []))


def needs(metadata: Message, *extras: str) -> list[Requirement]:
    """What a package asks for with any of these extras; "" is what it asks for without one."""
    requirements = [Requirement(line) for line in metadata.get_all("Requires-Dist", [])]
    return [
        requirement
        for requirement in requirements
        if any(
            requirement.marker is None or requirement.marker.evaluate({"extra": extra}) for extra in extras
        )
    ]


def of_others(requirements: list[Requirement]) -> list[str]:
    """The requirements that an index has to serve, as an installer takes them on the command line."""
    return sorted(
        {str(each).partition(";")[0] for each in requirements if not each.name.startswith("fingerpost")}
    )


def install(uv: Path, home: Path, lock: str, wanted: str, others: list[str]) -> Path:
    """Make an environment at `home` with `wanted` from our folder alone; return its bin folder."""
    run(uv, "venv", "--quiet", "--python", sys.executable, home)
    into = (uv, "pip", "install", "--quiet", "--python", home)
    if others:
        run(*into, "--constraint", ROOT / "locks" / f"{lock}.txt", *others)
    # uv's cache would serve a wheel of the same name and version from an earlier build.
    run(*into, "--no-cache", "--no-index", "--find-links", BUILT, wanted)
    run(uv, "pip", "check", "--quiet", "--python", home)
    return home / "bin"


def try_out(uv: Path, home: Path, lock: str, wanted: str, packages: dict[str, list[Requirement]]) -> Path:
    """Install `wanted`, and import each package that it brings; return the bin folder."""
    asked = [requirement for requirements in packages.values() for requirement in requirements]
    binaries = install(uv, home, lock, wanted, of_others(asked))
    for name in packages:
        run(binaries / "python", "-I", "-c", f"import {name.replace('-', '_')}", cwd=home)
    run(binaries / "fingerpost", "--version", cwd=home)
    print(f"{wanted}: installs, imports and starts", flush=True)
    return binaries


def main(uv: Path) -> None:
    """Build, install, import, and run the README."""
    names = build(uv)
    metadata = built_metadata()
    core = metadata["fingerpost"]
    with tempfile.TemporaryDirectory() as folder:
        try_out(uv, Path(folder, "core"), MAIN, "fingerpost", {"fingerpost": needs(core, "")})
        for base in TESTED:
            packages = {
                name: needs(metadata[name], "", *all_extras(metadata[name]))
                for name in locked()[base].packages
            }
            extras = [
                extra
                for extra in all_extras(core)
                if all(each.name in packages for each in needs(core, extra) if each.marker)
            ]
            wanted = f"fingerpost[{','.join(extras)}]"
            binaries = try_out(uv, Path(folder, base), base, wanted, packages)
        blocks = ROOT / "tests" / "docs" / "blocks.py"
        run(binaries / "python", "-I", blocks, ROOT / "README.md", cwd=Path(folder))
    print(f"{len(names)} packages install from their wheels, and the README runs with them.")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
