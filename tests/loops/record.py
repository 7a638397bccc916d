"""Play everything with the drivers that are here and record it, for `./run matrix`."""

from __future__ import annotations

import json
import logging
import sys
from importlib.metadata import version

from tests.loops.offered import golden_file, offered
from tests.loops.playing import BY_NAME, play
from tests.loops.present import DRIVERS, FRAMEWORKS
from tests.loops.recorded import Way, read, write

logging.disable(logging.CRITICAL)


def main() -> None:
    """Record the cells of the drivers that are here beside those of other environments."""
    recorded = read()
    for name, driver in DRIVERS.items():
        recorded["frameworks"][name] = [driver.framework, driver.package, version(driver.package)]
        golden_file(name).write_text(
            json.dumps(offered(driver), indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
        )
        ways: list[Way] = ["adapter"]
        if getattr(driver, "plain", None) is not None:
            ways.append("plain")
        for way in ways:
            for label, scenario in BY_NAME.items():
                verdict = play(driver, scenario, is_plain=way == "plain").verdict
                recorded[way].setdefault(label, {})[name] = verdict
        say(f"{driver.framework}: {len(ways) * len(BY_NAME)} cells")
    order = list(FRAMEWORKS)
    recorded["frameworks"] = {
        name: recorded["frameworks"][name] for name in order if name in recorded["frameworks"]
    }
    for way in ("adapter", "plain"):
        recorded[way] = {
            label: {
                name: recorded[way][label][name] for name in order if name in recorded[way].get(label, {})
            }
            for label in BY_NAME
        }
    try:
        write(recorded)
    except LookupError as unexplained:
        say(str(unexplained.args[0]))
        sys.exit(1)


def say(line: str) -> None:
    """Tell on standard error how far it is."""
    sys.stderr.write(f"{line}\n")


if __name__ == "__main__":
    main()
