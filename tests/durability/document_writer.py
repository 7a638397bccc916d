"""A process that writes documents until it is killed or done, and says what it writes; see `ledger.py`.

python -m tests.durability.document_writer documents FOLDER SEED STEPS
python -m tests.durability.document_writer concepts FOLDER SEED STEPS
python -m tests.durability.document_writer task FOLDER SEED STEPS
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable

from fingerpost.errors import ConflictError, KnowledgeNotFoundError
from fingerpost.stores import LocalDocumentStore
from tests.durability.ledger import SayingStore
from tests.durability.whole import whole_line, whole_text

_LINES = [1, 2, 8, 8, 60, 60, 400, 3000]
_MOST_FILES = 30


def write_documents(store: LocalDocumentStore, dice: random.Random, steps: int) -> None:
    """New documents, replacements, additions, entries in a log, and removals."""
    made = store.list()
    actions: dict[Callable[[], None], int] = {
        lambda: _create(store, dice, made): 3,
        lambda: store.write_bytes(dice.choice(made), whole_text(dice, dice.choice(_LINES)).encode()): 3,
        lambda: _append(store, dice.choice(made), whole_text(dice, dice.choice(_LINES[:5]))): 3,
        lambda: _append(store, "log.md", f"{whole_line(dice)}\n"): 2,
        lambda: _remove(store, dice, made): 2,
    }
    _create(store, dice, made)
    for _ in range(steps):
        if len(made) > _MOST_FILES:
            _remove(store, dice, made)
        dice.choices(list(actions), list(actions.values()))[0]()


def _create(store: LocalDocumentStore, dice: random.Random, made: list[str]) -> None:
    folder = dice.choice(["", "a/", f"b/{dice.randrange(4)}/", f"new{dice.getrandbits(16):x}/deep/deeper/"])
    path = f"{folder}note-{dice.getrandbits(40):x}.md"
    store.swap_bytes(path, None, whole_text(dice, dice.choice(_LINES)).encode())
    made.append(path)


def _append(store: LocalDocumentStore, path: str, text: str) -> None:
    """Add to what there is, as often as it takes."""
    while True:
        try:
            before = store.read_bytes(path)
        except KnowledgeNotFoundError:
            before = None
        try:
            return store.swap_bytes(path, before, (before or b"") + text.encode())
        except ConflictError:
            continue


def _remove(store: LocalDocumentStore, dice: random.Random, made: list[str]) -> None:
    if len(made) < 2:
        return
    path = made.pop(dice.randrange(len(made)))
    if dice.random() < 0.5:
        store.delete(path)
    else:
        store.swap_bytes(path, store.read_bytes(path), None)


def do_task(store: LocalDocumentStore, dice: random.Random, steps: int) -> None:
    """A task that is done anew from its beginning by whoever takes it over, with equal results."""
    for step in range(steps):
        folder = f"{dice.choice('ab')}/{dice.choice('cd')}"
        store.write_bytes(f"{folder}/note{step % 3}.md", whole_text(dice, dice.choice(_LINES[:5])).encode())


def write_concepts(store: LocalDocumentStore, dice: random.Random, steps: int) -> None:
    """New concepts, other texts, additions and log entries, through the writer of bundles."""
    from fingerpost.bundle.bundle import Bundle
    from fingerpost.bundle.writer import BundleWriter

    with Bundle(store, cache="") as bundle:
        writer = BundleWriter(bundle, actor="process:durability", prefix="generated")
        made = bundle.ids()

        def create() -> None:
            title = {"title": dice.choice(["Refunds", "A note", "Überweisung"])}
            made.append(writer.create(whole_text(dice, dice.choice(_LINES)), title).id)

        def update() -> None:
            id_ = dice.choice(made)
            revision = bundle.read(id_)["revision"]
            writer.update(id_, whole_text(dice, dice.choice(_LINES)), revision=revision)

        actions: dict[Callable[[], object], int] = {
            create: 3,
            update: 2,
            lambda: writer.append(dice.choice(made), whole_text(dice, dice.choice(_LINES[:5]))): 3,
            lambda: writer.update(dice.choice(made), fields={"tags": [f"t{dice.randrange(9)}"]}): 1,
            lambda: writer.log(whole_line(dice), "generated"): 2,
        }
        create()
        for _ in range(steps):
            dice.choices(list(actions), list(actions.values()))[0]()


def main(arguments: list[str]) -> None:
    match arguments:
        case ["documents", folder, seed, steps]:
            write_documents(SayingStore(folder), random.Random(int(seed)), int(steps))
        case ["concepts", folder, seed, steps]:
            write_concepts(SayingStore(folder), random.Random(int(seed)), int(steps))
        case ["task", folder, seed, steps]:
            do_task(SayingStore(folder), random.Random(int(seed)), int(steps))
        case _:
            raise SystemExit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
