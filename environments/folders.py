"""Where things are: this checkout, and what `run` makes in it."""

from __future__ import annotations

import os

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
VENVS = os.path.join(ROOT, ".venvs")
