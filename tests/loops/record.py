"""Play everything with the drivers that are here and record it, for `./run matrix`."""

from __future__ import annotations

import json
import logging
import sys
from importlib.metadata import version
from typing import Any

from tests.loops.offered import golden_file, offered
from tests.loops.playing import BY_NAME, play
from tests.loops.present import DRIVERS, FRAMEWORKS
from tests.loops.recorded import Way, read, write

logging.disable(logging.CRITICAL)


def main(names: list[str]) -> int:
    """Record the cells of the named drivers, or all, that are here beside those of other environments."""
    unknown = [name for name in names if name not in FRAMEWORKS]
    if unknown:
        say(f"There is no driver {unknown[0]!r}; there are: {', '.join(FRAMEWORKS)}.")
        return 2
    before = read()
    recorded = read()
    for name in names or DRIVERS:
        if name in DRIVERS:
            record(recorded, name)
    ordered(recorded)
    try:
        write(recorded)
    except LookupError as unexplained:
        say(str(unexplained.args[0]))
        return 1
    changed = [
        f"{way}, {label}, {name}: {verdict}"
        for way in ("adapter", "plain")
        for label, row in recorded[way].items()
        for name, verdict in row.items()
        if before[way].get(label, {}).get(name) != verdict
    ]
    say("\n  ".join(["Cells that changed:", *changed]) if changed else "No cell changed.")
    return 0


def record(recorded: dict[str, Any], name: str) -> None:
    """Play everything with one driver."""
    driver = DRIVERS[name]
    recorded["frameworks"][name] = [driver.framework, driver.package, version(driver.package)]
    definitions = json.dumps(offered(driver), indent=1, ensure_ascii=False)
    golden_file(name).write_text(f"{definitions}\n", encoding="utf-8")
    ways: list[Way] = ["adapter"]
    if getattr(driver, "plain", None) is not None:
        ways.append("plain")
    for way in ways:
        for label, scenario in BY_NAME.items():
            verdict = play(driver, scenario, is_plain=way == "plain").verdict
            recorded[way].setdefault(label, {})[name] = verdict
    say(f"{driver.framework}: {len(ways) * len(BY_NAME)} cells")


def ordered(recorded: dict[str, Any]) -> None:
    """Put frameworks and scenarios into the order of the documentation; what there is no more goes."""
    found = recorded["frameworks"]
    recorded["frameworks"] = {name: found[name] for name in FRAMEWORKS if name in found}
    for way in ("adapter", "plain"):
        rows = recorded[way]
        recorded[way] = {
            label: {name: rows[label][name] for name in FRAMEWORKS if name in rows.get(label, {})}
            for label in BY_NAME
        }


def say(line: str) -> None:
    """Tell on standard error how far it is."""
    sys.stderr.write(f"{line}\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
