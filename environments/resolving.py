"""Resolving what the environments hold: into the locks, or to see what the newest releases change."""

from __future__ import annotations

import os
import re

from environments import folders
from environments.building import lock_file, need_uv
from environments.programs import Failure, call, clean_environ
from environments.table import Environment, all_packages, locked


def resolve(uv: str, name: str, output: str, options: list[str]) -> None:
    """Resolve what an environment holds into the file `output`.

    What the packages of this repository ask for is read from their own pyproject.toml. They ask for each
    other too, which no index can serve: their names are left out.
    """
    import tempfile

    wanted = locked()[name]
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as ours:
        ours.write("\n".join(all_packages()))
        ours.flush()
        command = [uv, "pip", "compile", "--universal", "--python-version", "3.11", "--generate-hashes"]
        command += ["--no-emit-index-url", "--quiet", "--custom-compile-command", "./run lock"]
        command += ["--all-extras", "--excludes", ours.name] if wanted.packages else []
        command += [*wanted.options, *again(wanted), *options, "--output-file", output]
        command += [f"locks/{name}.in" for name in wanted.inputs]
        command += [f"packages/{package}/pyproject.toml" for package in wanted.packages]
        neutral = clean_environ()
        neutral.pop("UV_FIND_LINKS", None)
        if call(command, cwd=folders.ROOT, env=neutral) != 0:
            raise Failure(f"locks/{wanted.inputs[0]}.in could not be resolved for the environment {name}.")


def again(wanted: Environment) -> list[str]:
    """Options by which floors follow a package that lowers its own, though the lock holds a newer release."""
    import tomllib

    if "lowest-direct" not in wanted.options:
        return []
    names: set[str] = set()
    for package in wanted.packages:
        with open(os.path.join(folders.ROOT, "packages", package, "pyproject.toml"), "rb") as file:
            project = tomllib.load(file)["project"]
        for lines in (project.get("dependencies", []), *project.get("optional-dependencies", {}).values()):
            names |= {re.split(r"[^\w.-]", line)[0] for line in lines}
    return [word for name in sorted(names - {*all_packages()}) for word in ("--upgrade-package", name)]


def resolve_all(options: list[str]) -> int:
    """Resolve everything into `locks/`; return the exit status of a success."""
    uv = need_uv()
    for name in locked():
        resolve(uv, name, f"locks/{name}.txt", options)
    return 0


def versions(lock: str) -> dict[str, str]:
    """The version of each package in a lock; several are joined where platforms differ."""
    with open(lock, encoding="utf-8") as file:
        pins = re.findall(r"^([\w.-]+)(?:\[[\w,-]+\])?==(\S+)", file.read(), re.MULTILINE)
    found: dict[str, str] = {}
    for name, version in pins:
        found[name] = f"{found[name]}, {version}" if name in found else version
    return found


def resolve_newest(base: str) -> list[str]:
    """Resolve an environment without its pins, apart from the repository; return what moved, a line each."""
    newest = lock_file("newest-" + base)
    resolve(need_uv(), base, newest, ["--upgrade"])
    before, after = versions(lock_file(base)), versions(newest)
    return [
        f"{name} {before.get(name, '(new)')} -> {after.get(name, '(gone)')}"
        for name in sorted({*before, *after})
        if before.get(name) != after.get(name)
    ]
