"""The durability benchmark does the parts that it is asked for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchmarks import durability


@pytest.mark.parametrize("name", ["foo", "kills,foo", "kills, foo"])
def test_a_part_that_there_is_not_is_told_before_anything_is_done(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        durability.main(["--only", name])
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.endswith(
        "there is no part 'foo'; there are: writes, writers, kills, cuts, crowd, changes, disks, damage\n"
    )


def test_the_parts_named_are_done_and_no_others(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def nothing_wrong(plan: durability.Plan) -> Iterator[str]:
        assert plan.folder.is_dir()
        yield from ()

    monkeypatch.setattr(durability, "PARTS", dict.fromkeys(("one", "two", "three"), nothing_wrong))
    assert durability.main(["--only", "three, one"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in printed[:2]] == ["three", "one"]
    assert printed[-1] == "Nothing was wrong."


def test_a_part_that_finds_a_fault_is_not_told_to_have_found_none(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def something_wrong(plan: durability.Plan) -> Iterator[str]:
        yield f"It is torn, of {plan.some(10)}."

    monkeypatch.setattr(durability, "PARTS", {"one": something_wrong})
    assert durability.main(["--only", "one", "--share", "0.2"]) == 1
    printed = capsys.readouterr().out
    assert "    It is torn, of 2.\n" in printed
    assert printed.endswith("\n1 faults.\n")


def test_writers_are_killed_lose_their_power_and_write_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert durability.main(["--only", "writes,writers", "--share", "0.02"]) == 0
    printed = capsys.readouterr().out
    assert printed.count("wrong: 0") == (3 if durability.power.why_not() else 6)
    assert printed.splitlines()[-1] == "Nothing was wrong."
