"""A tool's `inputs`: the whole schema for whoever shows it, and no rule for whoever checks arguments.

smolagents checks the arguments of a call before the tool is reached, and refuses what the core would have
read ("2" for 2). It looks arguments up in `inputs` for that, and copies `inputs` to show them to a model.
Should it do either in another way, these are the plain dicts of which they are made.
"""

from __future__ import annotations

import copy
from typing import Any

import fingerpost

_ANYTHING: Any = {"type": "any", "nullable": True, "description": ""}


class Shown(dict[str, Any]):
    """The schema of one argument, as it is; who asks whether it is nullable learns whether it is optional."""

    is_optional = False

    def __contains__(self, key: object) -> bool:
        return key == "nullable" or super().__contains__(key)

    def __missing__(self, key: str) -> Any:
        return self.is_optional if key == "nullable" else None

    def get(self, key: str, default: Any = None) -> Any:
        """As `[key]`, for who asks in this way."""
        return self.is_optional if key == "nullable" else super().get(key, default)


class Inputs(dict[str, Any]):
    """The schema of each argument, by name, to be copied; looked up, every argument is allowed."""

    def __contains__(self, key: object) -> bool:
        return True

    def __getitem__(self, key: str) -> Any:
        return _ANYTHING

    def items(self) -> Any:
        """Each argument, with anything allowed."""
        return dict.fromkeys(self, _ANYTHING).items()

    def values(self) -> Any:
        """One entry at least: for arguments that are no object, smolagents takes the first."""
        return [_ANYTHING]

    def __deepcopy__(self, memo: Any) -> Any:
        return copy.deepcopy(dict(self), memo)

    @classmethod
    def of(cls, tool: fingerpost.Tool) -> Inputs:
        """The inputs of a tool."""
        made = cls()
        for parameter in tool.parameters:
            shown = Shown(tool.schema["properties"][parameter.name])
            shown.is_optional = not parameter.required
            made[parameter.name] = shown
        return made
