"""The fields of an Attested Computation (OKF 0.2 §10). They are described here, and never run."""

from __future__ import annotations

from dataclasses import dataclass

from fingerpost.okf.field_reader import FieldReader, kind_of
from fingerpost.okf.yaml_problems import field_name

_TYPE = "attested computation"
_YES = frozenset(("true", "yes", "on"))


@dataclass(frozen=True, slots=True)
class Parameter:
    """A hole that a caller may fill.

    Attributes:
        name: Name.
        type: What the runtime takes for it, as written.
        required: Whether it has to be given.
    """

    name: str
    type: str
    required: bool


@dataclass(frozen=True, slots=True)
class AttestedComputation:
    """What a concept of type Attested Computation declares; a field that is absent is "" or empty.

    Attributes:
        runtime: What runs the computation, such as "bigquery".
        parameters: The only values that a caller may supply.
        computation: Path of the file that holds the computation; "" when it stands in the body.
        executor: Path or URL of how to run it.
        receipt: Names of what a run has to hand back.
        attester: Path or URL of what checks a run.
    """

    runtime: str
    parameters: tuple[Parameter, ...]
    computation: str
    executor: str
    receipt: tuple[str, ...]
    attester: str


def is_attested_computation(concept_type: str) -> bool:
    """Whether a type is that of attested computations, whatever its letter case."""
    return concept_type.strip().lower() == _TYPE


def read_attested_computation(reader: FieldReader) -> AttestedComputation:
    """Read the fields of an attested computation.

    Args:
        reader: A reader on the frontmatter of such a concept. It gathers OKF512 for a missing runtime, and
            OKF513 for values of a wrong kind.

    Returns:
        What it declares.
    """
    values = reader.values
    runtime = reader.text(values, "runtime")
    if not runtime:
        reader.report(
            "OKF512", ("type",), "An Attested Computation needs a `runtime`, and this one has none."
        )
    executor = reader.mapping(values, "executor") or {}
    attester = reader.mapping(values, "attester") or {}
    return AttestedComputation(
        runtime=runtime,
        parameters=_parameters(reader),
        computation=reader.text(values, "computation"),
        executor=reader.text(executor, "resource", ("executor",)),
        receipt=reader.texts(executor, "receipt", ("executor",)),
        attester=reader.text(attester, "resource", ("attester",)),
    )


def _parameters(reader: FieldReader) -> tuple[Parameter, ...]:
    declared = reader.values.get("parameters")
    if declared is None:
        return ()
    if not isinstance(declared, list):
        reader.report("OKF513", ("parameters",), f"`parameters` is {kind_of(declared)} and has to be a list.")
        return ()
    found: list[Parameter] = []
    for index, item in enumerate(declared):
        path = ("parameters", index)
        name = reader.text(item, "name", path) if isinstance(item, dict) else ""
        if not isinstance(item, dict) or not name:
            reader.report("OKF513", path, f"`{field_name(path)}` is no mapping with a name, and is left out.")
            continue
        required = reader.text(item, "required", path).lower() in _YES
        found.append(Parameter(name, reader.text(item, "type", path), required))
    return tuple(found)
