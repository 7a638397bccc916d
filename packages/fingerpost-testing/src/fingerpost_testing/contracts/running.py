"""Run a contract without a test runner, as a notebook or a script does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fingerpost_testing.contracts.contract import Contract
from fingerpost_testing.contracts.demands import raised


@dataclass(frozen=True, slots=True)
class ContractReport:
    """What became of each check of a contract, by its name.

    Attributes:
        held: The checks that hold.
        left_out: Why checks were left out.
        broken: What is wrong where checks do not hold.
    """

    held: tuple[str, ...]
    left_out: Mapping[str, str]
    broken: Mapping[str, str]

    def __str__(self) -> str:
        broken = f"{len(self.broken) or 'none'} {'are' if len(self.broken) > 1 else 'is'} broken"
        counts = f"{len(self.held)} checks hold, {len(self.left_out)} do not apply, {broken}."
        return "\n".join([counts, *(f"{name}: {sentence}" for name, sentence in self.broken.items())])


def run_contract(contract: type[Contract]) -> ContractReport:
    """Run every check of a contract.

    Args:
        contract: The class that inherits from one.
    """
    from unittest import SkipTest  # here, because it is slow to load

    held: list[str] = []
    left_out: dict[str, str] = {}
    broken: dict[str, str] = {}
    for name in (name for name in dir(contract) if name.startswith("test")):
        checks = contract()
        checks.setup_method()
        try:
            getattr(checks, name)()
        except SkipTest as reason:
            left_out[name] = str(reason)
        except AssertionError as error:
            broken[name] = str(error)
        except Exception as error:  # noqa: BLE001 - whatever it is, the check does not hold
            broken[name] = raised(error)
        else:
            held.append(name)
        finally:
            checks.teardown_method()
    return ContractReport(tuple(held), left_out, broken)
