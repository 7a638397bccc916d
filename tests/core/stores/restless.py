"""A program that changes a folder at random: one change for each line that it reads, answered with its name.

    python restless.py FOLDER OUTSIDE SEED

OUTSIDE is a folder next to it, on the same file system, through which files in it are written too.
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

NAMES = ["a.md", "b.md", "c.md", "ملف.md", "notes", "n~", "0x10x2", "x y.md", "é.md"]
FOLDERS = ["one", "two", "three", "مجلد", "deep"]
LINKS = 6
GIT = ["git", "-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "core.hooksPath=/dev/null"]


class Restless:
    """Changes a folder.

    Args:
        folder: The folder.
        outside: A folder next to it.
        seed: Decides what is done.
    """

    def __init__(self, folder: Path, outside: Path, seed: int) -> None:
        self.folder = folder
        self.outside = outside
        self.dice = random.Random(seed)
        self.count = 0
        self.has_git = shutil.which("git") is not None

    def prepare(self) -> None:
        """Make the folder as it is at first."""
        for folder in ("", "one", "one/two", "three", ".store", ".store/v1", ".store/v2"):
            (self.folder / folder).mkdir(exist_ok=True)
            for name in NAMES[:4]:
                (self.folder / folder / name).write_bytes(self.content())
        self.outside.mkdir()
        for number, name in enumerate(["a.md", "one/b.md", "three/c.md", "one/two/a.md"]):
            (self.outside / f"hard{number}").hardlink_to(self.folder / name)
        (self.folder / "kept.md").symlink_to(".store/a.md")
        (self.folder / "linked").symlink_to("one")
        (self.folder / ".data").symlink_to(".store/v1")
        (self.folder / "served").symlink_to(".data")
        (self.folder / "chosen.md").symlink_to(".data/b.md")
        if self.has_git:
            self.git("init", "-q", "-b", "main")
            (self.folder / ".gitignore").write_text("*\n!/branch/**\n!*/\n")
            for branch in ("main", "other"):
                if branch != "main":
                    self.git("checkout", "-q", "-b", branch)
                for name in (
                    "branch/a.md",
                    "branch/sub/b.md",
                    f"branch/{branch}.md",
                    f"branch/{branch}/c.md",
                ):
                    (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
                    (self.folder / name).write_bytes(self.content())
                self.git("add", "-A", "branch", "-f")
                self.git("commit", "-q", "-m", branch)

    def git(self, *words: str) -> None:
        environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        for name in [name for name in environment if name.startswith("GIT_") and "CONFIG" not in name]:
            del environment[name]
        subprocess.run([*GIT, *words], cwd=self.folder, check=False, capture_output=True, env=environment)

    def content(self) -> bytes:
        """Other bytes of the same length each time."""
        self.count += 1
        return f"content {self.count:08d}\n".encode()

    def files(self) -> list[Path]:
        return [path for path in self.entries() if path.is_file() and not path.is_symlink()]

    def folders(self) -> list[Path]:
        return [self.folder, *(path for path in self.entries() if path.is_dir() and not path.is_symlink())]

    def entries(self) -> list[Path]:
        found: list[Path] = []
        for top, folders, files in os.walk(self.folder):
            if ".git" in folders:
                folders.remove(".git")
            folders.sort()
            found += [Path(top) / name for name in sorted([*folders, *files])]
        return found

    def any_file(self) -> Path:
        return self.dice.choice(self.files())

    def new_name(self) -> Path:
        return self.dice.choice(self.folders()) / self.dice.choice(NAMES)

    def free_name(self, names: list[str]) -> Path | None:
        path = self.dice.choice(self.folders()) / self.dice.choice(names)
        return None if os.path.lexists(path) else path

    def edit(self) -> None:
        self.any_file().write_bytes(self.content())

    def rewrite_at_once(self) -> None:
        path = self.any_file()
        for _ in range(2):
            path.write_bytes(self.content())

    def rewrite_in_place(self) -> None:
        with self.any_file().open("r+b") as file:
            file.write(self.content())

    def rewrite_and_restore_time(self) -> None:
        path = self.any_file()
        times = path.stat()
        path.write_bytes(self.content())
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))

    def truncate(self) -> None:
        self.any_file().write_bytes(b"")

    def add(self) -> None:
        path = self.new_name()
        if not path.is_dir() and not path.is_symlink():
            path.write_bytes(self.content())

    def add_nested(self) -> None:
        path = self.dice.choice(self.folders()).joinpath(*self.dice.choices(FOLDERS, k=3))
        if len(path.parts) < 30:
            try:
                path.mkdir(parents=True, exist_ok=True)
            except (FileExistsError, NotADirectoryError):
                return
            (path / self.dice.choice(NAMES[:4])).write_bytes(self.content())

    def delete(self) -> None:
        self.any_file().unlink()

    def delete_folder(self) -> None:
        folders = self.folders()[1:]
        if len(folders) > 12:
            shutil.rmtree(self.dice.choice(folders))

    def rename(self) -> None:
        path, new = self.any_file(), self.new_name()
        if not new.is_dir():
            path.rename(new)

    def replace(self) -> None:
        path = self.any_file()
        draft = path.with_name(".draft")
        draft.write_bytes(self.content())
        draft.replace(path)

    def rename_folder(self) -> None:
        folders = self.folders()[1:]
        new = self.free_name(FOLDERS)
        path = self.dice.choice(folders)
        if new is not None and path not in new.parents and ".store" not in path.name:
            path.rename(new)

    def folder_away_and_back(self) -> None:
        path = self.dice.choice(self.folders()[1:])
        away = self.outside / "away"
        path.rename(away)
        for file in sorted(away.iterdir()):
            if file.is_file() and not file.is_symlink():
                file.write_bytes(self.content())
                break
        away.rename(path)

    def file_becomes_folder(self) -> None:
        path = self.any_file()
        path.unlink()
        path.mkdir()
        (path / "a.md").write_bytes(self.content())

    def write_through_outside(self) -> None:
        path = self.dice.choice(sorted(self.outside.glob("hard*")))
        with path.open("r+b") as file:
            file.write(self.content())

    def bring_in(self) -> None:
        """A new name within the folder for a file outside it."""
        if (new := self.free_name(NAMES)) is not None:
            new.hardlink_to(self.dice.choice(sorted(self.outside.glob("hard*"))))

    def second_name(self) -> None:
        """A second name for a file within the folder, through which it may be written at once.

        Not in a folder that is left out: where nobody looks, only looking at every file would tell.
        """
        path, new = self.any_file(), self.free_name(NAMES)
        if new is not None and all(odd not in os.fsencode(new) for odd in (b"/.", b"/caf", b"\\")):
            new.hardlink_to(path)
            if self.dice.random() < 0.5:
                new.write_bytes(self.content())

    def link_file(self) -> None:
        path, new = self.any_file(), self.free_name([f"l{number}.md" for number in range(LINKS)])
        if new is not None:
            new.symlink_to(os.path.relpath(path, new.parent))

    def link_folder(self) -> None:
        path, new = self.dice.choice(self.folders()), self.free_name(["to1", "to2"])
        if new is not None and sum(entry.is_symlink() and entry.is_dir() for entry in self.entries()) < LINKS:
            new.symlink_to(os.path.relpath(path, new.parent))

    def link_nowhere(self) -> None:
        new = self.free_name(["gone.md", "out.md"])
        if new is not None:
            new.symlink_to(
                self.dice.choice(["b.md", "../one/a.md", "/etc/passwd", "out.md", ".store/new.md"])
            )

    def delete_link(self) -> None:
        links = [path for path in self.entries() if path.is_symlink()]
        if len(links) > LINKS:
            self.dice.choice(links).unlink()

    def write_behind_link(self) -> None:
        path = self.folder / ".store"
        if path.is_dir():
            (path / self.dice.choice(["a.md", "new.md"])).write_bytes(self.content())

    def swap_data(self) -> None:
        fresh = self.folder / ".fresh"
        if not fresh.is_symlink():
            fresh.symlink_to(self.dice.choice([".store/v1", ".store/v2"]))
        if not (self.folder / ".data").is_dir() or (self.folder / ".data").is_symlink():
            fresh.replace(self.folder / ".data")

    def odd_entry(self) -> None:
        new = self.free_name([".hidden", "pipe", "back\\slash.md", "n~"])
        if new is None:
            return
        if new.name == "pipe":
            os.mkfifo(new)
        else:
            new.write_bytes(self.content())

    def undecodable(self) -> None:
        path = os.fsencode(self.dice.choice(self.folders())) + b"/caf\xe9.md"
        if os.path.lexists(path):
            os.unlink(path)
        else:
            Path(os.fsdecode(path)).write_bytes(self.content())

    def change_mode(self) -> None:
        self.dice.choice([*self.folders(), self.any_file()]).chmod(self.dice.choice([0o700, 0o755]))

    def touch_folder(self) -> None:
        os.utime(self.dice.choice(self.folders()))

    def check_out(self) -> None:
        if self.has_git:
            self.git("checkout", "-q", "-f", self.dice.choice(["main", "other"]))
        else:
            self.edit()

    def many(self) -> None:
        for _ in range(20):
            self.dice.choice(CHANGES[:14])(self)


CHANGES: list[Callable[[Restless], None]] = [
    Restless.edit,
    Restless.rewrite_at_once,
    Restless.rewrite_in_place,
    Restless.rewrite_and_restore_time,
    Restless.truncate,
    Restless.add,
    Restless.add_nested,
    Restless.delete,
    Restless.delete_folder,
    Restless.rename,
    Restless.replace,
    Restless.rename_folder,
    Restless.folder_away_and_back,
    Restless.file_becomes_folder,
    Restless.second_name,
    Restless.link_file,
    Restless.link_folder,
    Restless.delete_link,
    Restless.link_nowhere,
    Restless.write_behind_link,
    Restless.write_through_outside,
    Restless.bring_in,
    Restless.swap_data,
    Restless.odd_entry,
    Restless.undecodable,
    Restless.change_mode,
    Restless.touch_folder,
    Restless.check_out,
    Restless.many,
]


def main() -> None:
    """Prepare the folder, then change it once for each line."""
    restless = Restless(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
    restless.prepare()
    print("ready", flush=True)  # noqa: T201 - this is the answer
    for _ in sys.stdin:
        change = restless.dice.choice(CHANGES)
        with contextlib.suppress(OSError, IndexError):  # not every change can be made in every state
            change(restless)
        while len(restless.files()) < 12:
            restless.add_nested()
        print(change.__name__, flush=True)  # noqa: T201 - this is the answer


if __name__ == "__main__":
    main()
