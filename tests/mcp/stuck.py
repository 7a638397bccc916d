"""A store that gets stuck on demand, like one whose network has gone."""

from __future__ import annotations

from pathlib import Path

from tests.core.cli.shell import write_plug_in

URI = "stuck://x"
SAID = "stuck\n"
"""What its process says on standard error when a call is stuck."""

_STORE = """
import os, sys, threading
from fingerpost import MemoryDocumentStore

class Stuck(MemoryDocumentStore):
    def changes(self, cursor=None):
        if os.path.exists({flag!r}):
            print("stuck", file=sys.stderr, flush=True)
            threading.Event().wait()
        return super().changes(cursor)

def open_store(uri):
    text = "---\\ntype: Note\\ntitle: A\\n---\\n\\n" + "quiet " * 3000
    return Stuck({{"a.md": text}})
"""


def install_stuck_store(site: Path) -> Path:
    """Install the store; it is stuck as soon as the file that is returned exists."""
    flag = site / "stuck"
    modules = {"stuck_store": _STORE.format(flag=str(flag))}
    write_plug_in(site, "stuck", {"stuck": "stuck_store:open_store"}, modules, "fingerpost.stores")
    return flag
