"""A hook for `Agent`: tool calls whose arguments are no JSON object are answered and end no run."""

from __future__ import annotations

import json
from typing import Any, Self


class MalformedCallHook:
    """Keeps an agent going when its model sends a list, or a JSON text within a JSON text, as tool arguments.

    Haystack reads such arguments and then ends the run, because it cannot give them to a tool. With this hook
    the call is made all the same: a tool of this package gets the raw text and answers as it does in every
    framework; any other tool answers with an error. In the history the arguments are then
    `{"raw": "<what the model sent>"}`.

    Example:
        agent = Agent(
            chat_generator=OpenAIChatGenerator(),
            tools=okf_tools(bundle),
            hooks={"before_tool": [MalformedCallHook()]},
        )

    Known limit: Haystack drops a call with broken JSON before any hook can see it, and asks the model again.
    """

    allowed_hook_points = ("before_tool",)

    def run(self, state: Any) -> None:
        """Make an object of the arguments of each call that is about to be made."""
        for call in state.data["messages"][-1].tool_calls:
            if not isinstance(call.arguments, dict):
                vars(call)["arguments"] = {"raw": json.dumps(call.arguments)}  # setting it would warn

    def to_dict(self) -> dict[str, Any]:
        """The hook as Haystack writes it into the description of an agent."""
        return {"type": f"{type(self).__module__}.{type(self).__name__}", "init_parameters": {}}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:  # noqa: ARG003 - it has nothing to read
        """A hook from such a description."""
        return cls()
