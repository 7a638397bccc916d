from __future__ import annotations

import os

# What a framework does to the arguments of plain functions is recorded of the locked releases alone.
if os.environ.get("FINGERPOST_ENVIRONMENT", "").startswith("floors-"):
    collect_ignore = ["test_plain_functions.py"]
