"""Microsoft Agent Framework's `Agent` with `OpenAIChatClient`: the Responses API, despite its name."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from agent_framework.openai import OpenAIChatClient

from tests.loops.drivers import agent_framework

DRIVER = replace(
    agent_framework.DRIVER,
    framework="Agent Framework (Responses)",
    run=partial(agent_framework.run, make_client=OpenAIChatClient),
)
