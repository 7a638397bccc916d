"""A process that changes a bundle in every way that a folder can be changed, once for each line it is sent.

    python -m tests.durability.editor FOLDER SEED

The folder lies in one of its own, where the editor keeps what hard links lead to. A line of JSON comes back
for each change: how it was made, and whether the next one rewrites the same file at once.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

from tests.durability.some_bundles import text_of, write

FILES = 50
_GIT = ("git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "core.hooksPath=.none")
_FLOOD = 9000  # of files made and removed, which is more than a queue of events holds

OFTEN = (
    "write write append replace add add_deep delete rename rename_over rename_folder same_size restored "
    "restored write_twice write_twice hard_link old_hard_link link link_target linked_folder no_concept "
    "checkout"
).split()
RARELY = ["swap", "flood"]  # after them every file is looked at anew


def marker(dice: random.Random) -> str:
    """A word that no other resembles."""
    return "".join(dice.choices("bcdfghjklmnpqrstvwxz", k=14))


class Editor:
    """Changes a folder.

    Args:
        folder: The folder; it is filled.
        dice: What chooses.
    """

    def __init__(self, folder: Path, dice: random.Random) -> None:
        self.folder, self.dice = folder, dice
        self._beside = folder.parent / "beside"
        self._beside.mkdir()
        for number in range(FILES):
            write(folder / f"folder{number % 5}" / f"note{number}.md", self._text())
        self._branches = ["two", "one"]
        if shutil.which("git"):
            self._begin_history()
        self._again: Path | None = None

    def change(self) -> tuple[str, bool]:
        """Make the next change; its name, and whether the next one follows at once."""
        if self._again is not None:
            self._rewrite(self._again)
            self._again = None
            return "rewritten at once", False
        name = self.dice.choice(OFTEN if self.dice.random() < 0.99 else RARELY)
        getattr(self, name)()
        while len(self._files()) < FILES // 2:
            self.add()
        while len(self._files()) > 2 * FILES - 10:
            self.delete()
        return name, self._again is not None

    def _files(self) -> list[Path]:
        return sorted(
            path for path in self.folder.rglob("*.md") if not path.is_symlink() and "/." not in str(path)
        )

    def _file(self) -> Path:
        return self.dice.choice(self._files())

    def _text(self) -> str:
        return text_of(marker(self.dice), self.dice)

    def _rewrite(self, file: Path) -> None:
        """Write other text of the same size, with the old time."""
        before, text = file.stat(), file.read_text(encoding="utf-8")
        if "title: " in text:
            old = text.split("title: ", 1)[1].split("\n", 1)[0]
            text = text.replace(old, marker(self.dice)[: len(old)].ljust(len(old), "q"))
        write(file, text)
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))

    # The changes.

    def write(self) -> None:
        write(self._file(), self._text())

    def append(self) -> None:
        with self._file().open("a", encoding="utf-8") as file:
            file.write(f"\nAlso {marker(self.dice)}.\n")

    def replace(self) -> None:
        file = self._file()
        write(self._beside / "new", self._text())
        (self._beside / "new").replace(file)

    def add(self) -> None:
        write(self._file().with_name(f"{marker(self.dice)}.md"), self._text())

    def add_deep(self) -> None:
        place = self._file().parent / "new" / marker(self.dice)
        write(place / "deep" / "first.md", self._text())
        write(place / "second.md", self._text())

    def delete(self) -> None:
        self._file().unlink()

    def rename(self) -> None:
        self._file().rename(self._file().with_name(f"{marker(self.dice)}.md"))

    def rename_over(self) -> None:
        self._file().replace(self._file())

    def rename_folder(self) -> None:
        folders = [path for path in self.folder.iterdir() if path.is_dir() and not path.is_symlink()]
        chosen = self.dice.choice([path for path in folders if not path.name.startswith(".")])
        chosen.rename(self.folder / marker(self.dice))

    def same_size(self) -> None:
        file = self._file()
        text = file.read_text(encoding="utf-8")
        write(file, text.replace("refund", "margin").replace("invoice", "seventy"))

    def restored(self) -> None:
        self._rewrite(self._file())

    def write_twice(self) -> None:
        self._again = self._file()
        write(self._again, self._text())

    def hard_link(self) -> None:
        file, other = self._file(), self._beside / marker(self.dice)
        os.link(file, other)
        write(other, self._text())

    def old_hard_link(self) -> None:
        linked = [path for path in sorted(self._beside.iterdir()) if path.stat().st_nlink > 1]
        if linked:
            self._rewrite(self.dice.choice(linked))
        else:
            os.link(self._file(), self._beside / marker(self.dice))

    def link(self) -> None:
        link = self.folder / f"link{self.dice.randrange(3)}.md"
        link.unlink(missing_ok=True)
        target = f".targets/{self.dice.randrange(3)}.md"
        write(self.folder / target, self._text())
        link.symlink_to(target)

    def link_target(self) -> None:
        write(self.folder / f".targets/{self.dice.randrange(3)}.md", self._text())

    def linked_folder(self) -> None:
        target = self.folder / ".elsewhere" / "inner"
        write(target / f"note{self.dice.randrange(2)}.md", self._text())
        link = self._files()[0].parent / "linked"
        if link.is_symlink():
            self._rewrite(self.dice.choice(sorted(target.glob("*.md"))))
        else:
            link.symlink_to(os.path.relpath(target, link.parent))

    def no_concept(self) -> None:
        write(self._file(), self.dice.choice(["", "no frontmatter\n", "---\ntype: [\n---\n"]))

    def checkout(self) -> None:
        if not (self.folder / ".git").exists():
            self.write()
            return
        self._branches.reverse()
        self._git("checkout", "-q", "-f", self._branches[0])

    def swap(self) -> None:
        copy, old = self.folder.with_name("copy"), self.folder.with_name("old")
        shutil.copytree(self.folder, copy, symlinks=True)
        files = sorted(path for path in copy.rglob("*.md") if not path.is_symlink() and "/." not in str(path))
        write(self.dice.choice(files), self._text())
        self.folder.rename(old)
        copy.rename(self.folder)
        shutil.rmtree(old)

    def flood(self) -> None:
        place = self._file().parent
        for number in range(_FLOOD):
            os.close(os.open(place / f"flood{number % 2}.txt", os.O_CREAT | os.O_WRONLY, 0o600))
            os.unlink(place / f"flood{number % 2}.txt")
        self._rewrite(self._file())

    def _begin_history(self) -> None:
        self._git("init", "-q", "-b", "one")
        self._commit("one")
        self._git("checkout", "-q", "-b", "two")
        for file in self._files()[::3]:
            write(file, self._text())
        self._files()[1].unlink()
        write(self.folder / "only" / "on-two.md", self._text())
        self._commit("two")

    def _commit(self, message: str) -> None:
        self._git("add", "-A")
        self._git("commit", "-q", "-m", message)

    def _git(self, *arguments: str) -> None:
        settings = os.environ | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        subprocess.run([*_GIT, *arguments], cwd=self.folder, env=settings, check=True, capture_output=True)


def main(folder: Path, seed: int) -> None:
    editor = Editor(folder, random.Random(seed))
    sys.stdout.write(json.dumps(["begun", False]) + "\n")
    sys.stdout.flush()
    for _ in sys.stdin:
        sys.stdout.write(json.dumps(editor.change()) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
