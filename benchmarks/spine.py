"""What the spine costs: importing the package, reading one concept, the second run of the demo.

    ./run bench spine

Each figure stands beside its floor, measured in the same run. CPU time, medians; the machine may be busy.
"""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from fingerpost import Bundle, OKFTools
from fingerpost.demo import demo_bundle

ROOT = Path(__file__).resolve().parent.parent
READS = 2_000
STARTS = 21


def child_cpu(command: list[str]) -> float:
    """CPU seconds of a finished child process, user and system."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=ROOT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def imports() -> None:
    bare, loaded, used = [], [], []
    for _ in range(STARTS):
        bare.append(child_cpu([sys.executable, "-c", "pass"]) * 1000)
        loaded.append(child_cpu([sys.executable, "-c", "import fingerpost"]) * 1000)
        used.append(child_cpu([sys.executable, "-c", "from fingerpost import OKFTools"]) * 1000)
    floor = statistics.median(bare)
    print(f"bare Python                     {floor:8.1f} ms CPU  (floor)")
    for name, times in (("import fingerpost", loaded), ("from fingerpost import OKFTools", used)):
        median = statistics.median(times)
        print(f"{name:<31} {median:8.1f} ms CPU  (+{median - floor:.1f} over bare Python)")


def percentiles(call: object, times: int) -> tuple[float, float]:
    durations: list[float] = []
    for _ in range(times):
        start = time.process_time_ns()
        call()  # type: ignore[operator]
        durations.append((time.process_time_ns() - start) / 1e6)
    durations.sort()
    return durations[len(durations) // 2], durations[int(len(durations) * 0.99)]


def concept_of(size: int) -> str:
    """A concept of about `size` bytes, with links, a table and a fence, like those found in the wild."""
    head = (
        "---\ntype: Policy\ntitle: Refunds\ndescription: When customers get their money back.\n"
        "tags: [refunds, customers]\nstatus: stable\ngenerated: { by: human:a, at: 2026-01-01T00:00:00Z }\n"
        "verified:\n  - { by: human:b, at: 2026-02-01T00:00:00Z }\n"
        "stale_after: 2030-01-01T00:00:00Z\n---\n\n# Rule\n\n"
        "| plan | days |\n|---|---|\n| [day](other-1.md) | 0 |\n\n```sql\nSELECT 1\n```\n\n"
    )
    paragraph = (
        "A plan can be cancelled within thirty days, see [the rules](other-2.md) and `code`; later the "
        "unused months "
        "are paid back to the card that was used, less what the customer owes for *damage* at that time.\n\n"
    )
    return (head + paragraph * (size // len(paragraph) + 1))[:size]


def reading(concepts: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        text = concept_of(4096)
        for number in range(concepts):
            Path(folder, f"other-{number}.md").write_text(text, encoding="utf-8")
        kb = OKFTools(folder)
        time.sleep(2.1)  # until then a file counts as young, and is read again at each call to be sure
        kb.kb_read("other-1")
        kb.kb_read("other-1")
        path = Path(folder, "other-1.md")
        floor, _ = percentiles(lambda: json.dumps(path.read_text(encoding="utf-8")), READS)
        median, late = percentiles(lambda: kb.kb_read("other-1"), READS)
        print(
            f"kb_read, 4 KB, {concepts:>4} concepts     p50 {median:.3f} ms, p99 {late:.3f} ms CPU"
            f"  (floor, read and dump: {floor:.3f} ms; {median / floor:.1f} x)"
        )


def first_answer() -> None:
    start = time.process_time()
    Bundle(demo_bundle()).find("refund")
    print(f"demo bundle, open and first find {(time.process_time() - start) * 1000:7.1f} ms CPU")


def second_demo() -> None:
    command = [str(ROOT / "run"), "demo"]
    child_cpu(command)
    times = [child_cpu(command) for _ in range(3)]
    floor = child_cpu(
        [str(ROOT / ".venvs/demo/bin/python"), "-c", "import langchain.agents, langchain_openai"]
    )
    median = statistics.median(times)
    print(f"./run demo, again               {median:8.2f} s CPU   (floor, its imports: {floor:.2f} s)")


def main(arguments: list[str]) -> int:
    """Print each figure as soon as it is known."""
    if arguments:
        print(__doc__)
        return 0 if arguments in (["-h"], ["--help"]) else 2
    imports()
    first_answer()
    for count in (10, 100, 1000):
        reading(count)
    second_demo()
    return 0


if __name__ == "__main__":
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    sys.exit(main(sys.argv[1:]))
