"""Sessions: one script being played to one agent, with the log of what the agent sent."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

from fingerpost_testing.messages import last_message
from fingerpost_testing.script import Script, ScriptError, Turn, UnconsumedTurns, UnexpectedRequest
from fingerpost_testing.transcript import Request, Transcript


class CheckedOnExit:
    """A context whose end checks that scripts were followed, and hides no error that is on its way."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Check the scripts; what is wrong becomes a note on an error that is already on its way."""
        try:
            self.finish()
        except ScriptError as complaint:
            if error is None:
                raise
            error.add_note(str(complaint))

    def finish(self) -> None:
        """End it and check that every script was followed to its end.

        Raises:
            UnexpectedRequest: A request came that a script had no turn for, or that could not be answered.
            UnconsumedTurns: A script has turns left.
        """
        raise NotImplementedError


class Session(CheckedOnExit):
    """A script being played. Made by `ScriptedServer.play` and `play`; leaving its context calls `finish`.

    Requests take the turns in the order in which they arrive, also when they arrive at the same time.

    Attributes:
        name: The name of the session, part of its address.
        script: What is played.
        base_url: What an OpenAI client takes as `base_url`; it ends in "/v1".
    """

    def __init__(self, name: str, script: Script, base_url: str) -> None:
        self.name = name
        self.script = script
        self.base_url = base_url
        self._lock = threading.Lock()
        self._requests: list[Request] = []
        self._refused: list[str] = []
        self._taken = 0
        self._finished = False

    @property
    def requests(self) -> tuple[Request, ...]:
        """The requests so far, in order, refused ones included."""
        with self._lock:
            return tuple(self._requests)

    @property
    def transcript(self) -> Transcript:
        """What happened so far, without the framework."""
        return Transcript.of(self.requests)

    @property
    def finished(self) -> bool:
        """Whether `finish` was called; a finished session answers nothing."""
        return self._finished

    def take_turn(self, body: Mapping[str, Any], headers: Mapping[str, str]) -> tuple[int, Turn]:
        """Log a request and give it the next turn; the server calls this.

        Returns:
            The number of the request, from 1, and its turn.

        Raises:
            UnexpectedRequest: The script has no turn left. `finish` raises it again.
        """
        with self._lock:
            if self._finished or self._taken == len(self.script):
                self._requests.append(Request(body, None, headers))
                raise UnexpectedRequest(self._note_refusal(self._surplus(body)))
            turn = self.script.turns[self._taken]
            self._taken += 1
            self._requests.append(Request(body, turn, headers))
            return len(self._requests), turn

    def refuse(self, reason: str) -> str:
        """Note a request that cannot be answered; the server calls this. `finish` raises it.

        Args:
            reason: What is wrong with it, as a clause.

        Returns:
            The sentence for the client.
        """
        with self._lock:
            return self._note_refusal(f"got a request that it cannot answer: {reason}")

    def finish(self) -> None:
        """End the session and check that its script was followed to the end. A second call does nothing.

        Raises:
            UnexpectedRequest: A request came after the last turn, or could not be answered.
            UnconsumedTurns: The script has turns left.
        """
        with self._lock:
            if self._finished:
                return
            self._finished = True
            if self._refused:
                raise UnexpectedRequest(" ".join(self._refused))
            left = self.script.turns[self._taken :]
            if left:
                coming = "; ".join(
                    f"turn {number}: {turn}" for number, turn in enumerate(left, self._taken + 1)
                )
                raise UnconsumedTurns(
                    f"Session {self.name!r} ended after {self._taken} of {len(self.script)} turns, "
                    f"and these were never asked for: {coming}."
                )

    def _note_refusal(self, what: str) -> str:
        sentence = f"Session {self.name!r} {what}."
        self._refused.append(sentence)
        return sentence

    def _surplus(self, body: Mapping[str, Any]) -> str:
        reason = "it is finished" if self._finished else f"its script has {len(self.script)} turns"
        return f"got request {len(self._requests)}, but {reason}; {last_message(body)}"
