"""`fingerpost demo`: a LangGraph agent answers a question from a bundle; offline with a scripted model.

Exit codes: 0 the answer is borne out by what the tools returned; 1 it is not; the rest as for every command.
"""

from __future__ import annotations

import json
import os
import re
import textwrap
from argparse import Namespace
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, cast

from fingerpost import Bundle, demo_bundle
from fingerpost.cli.output import BOLD, DIM, YELLOW, Styled, flat, flush, note, say, say_json
from fingerpost.errors import ConfigError, KnowledgeError, missing_package

QUESTION = "A customer wants to cancel a Season plan three weeks after buying it. What do they get back?"
ANSWER = (
    "They get a full refund: any plan can be cancelled within 30 days of purchase, and three weeks are less "
    "than that. The bicycle must be back first. [policies/cancellation]"
)
FACTS = ("30 days", "full refund")
"""What the answer to the question must say, and a concept that it cites too."""

_CONCEPTS = ("plans/season", "policies/cancellation")  # what the scripted model reads

_PROMPT = """You answer questions from a knowledge base and from nothing else.
Read a concept before you rely on it, and follow its links. Never present a deprecated or stale concept as
current. Cite the ids of the concepts that you answered from in square brackets. If none answers the question,
say so.

The top of the knowledge base:

"""
_SCRIPTED = "The model is scripted: it says what a script tells it to. The tool calls and results are real."
_MOST_LINES = 6
_MOST_SAID = 300
_WIDTH = 100


@dataclass(frozen=True, slots=True)
class Step:
    """One tool call of the agent: the arguments, and the result as data (a text for an error)."""

    tool: str
    arguments: Mapping[str, Any]
    result: Any
    is_error: bool


@dataclass(slots=True)
class Run:
    """What an agent did: its steps, then its answer."""

    steps: list[Step] = field(default_factory=list[Step])
    answer: str = ""

    @property
    def concepts(self) -> dict[str, Any]:
        """The concepts that were read, by id."""
        read = (step.result for step in self.steps if not step.is_error)
        return {data["id"]: data for data in read if "body" in data}


def command(subparsers: Any) -> None:
    """Add the command to the object that `argparse.ArgumentParser.add_subparsers` returns."""
    summary = "Watch a LangGraph agent answer a question from a bundle (offline, with a scripted model)."
    parser = subparsers.add_parser("demo", help=summary, description=summary)
    parser.add_argument("--model", metavar="NAME", help="a real model, such as openai:gpt-5; needs its key")
    parser.add_argument("--question", metavar="TEXT", default=QUESTION, help="what to ask; needs --model")
    parser.add_argument("--bundle", metavar="PATH", help="a folder or URI (default: the sample bundle)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.set_defaults(run=run)


def run(arguments: Namespace) -> int:
    """Run the demo and check its answer; exit code 0, or 1 when the tools' results do not bear it out."""
    if arguments.question != QUESTION and not arguments.model:
        raise ConfigError("The scripted model knows one question only; add --model with a real one.")
    bundle = Bundle(arguments.bundle or demo_bundle())
    missing = [name for name in _CONCEPTS if name not in bundle.ids()]
    if missing and not arguments.model:
        raise ConfigError(
            f"The scripted model knows the sample bundle only, and {bundle.store.identity} has no "
            f"{' and no '.join(missing)}; add --model with a real one, and a --question."
        )
    tell = _say_nothing if arguments.json else _say_at_once
    done = Run()
    with _agent(bundle, arguments.model) as agent:
        tell(Styled(f"A LangGraph agent with Fingerpost's tools over {bundle.store.identity}.", BOLD))
        tell(Styled(f"The model is {arguments.model}." if arguments.model else _SCRIPTED, DIM))
        tell()
        tell(f"Question: {arguments.question}")
        for event in _events(agent, arguments.question):
            if isinstance(event, Step):
                done.steps.append(event)
                show_step(tell, len(done.steps), event)
            else:
                done.answer = event
    sources = {
        name: done.concepts[name] for name in cited(done.answer, bundle.ids()) if name in done.concepts
    }
    problems = find_problems(done, bundle.ids(), FACTS if arguments.question == QUESTION else ())
    if arguments.json:
        say_json(_document(arguments, bundle, done, sources, problems))
    _show_answer(tell, done.answer, sources)
    for problem in problems:
        note(f"fingerpost: {problem}")
    return 1 if problems else 0


def cited(answer: str, ids: list[str]) -> list[str]:
    """The ids of concepts that an answer names, in the order of `ids`."""
    return [name for name in ids if re.search(rf"(?<![\w/.-]){re.escape(name)}(?![\w/-])", answer)]


def find_problems(done: Run, ids: list[str], facts: tuple[str, ...]) -> list[str]:
    """Why an answer does not hold, one sentence each; empty when what the tools returned bears it out.

    Args:
        done: What the agent did.
        ids: The ids of all concepts of the bundle.
        facts: Phrases that the answer and one of its sources must contain.
    """
    named = cited(done.answer, ids)
    if not named:
        return ["The answer names no concept that it rests on."]
    problems = [
        f"The answer names {name}, which was not read." for name in named if name not in done.concepts
    ]
    read = [done.concepts[name] for name in named if name in done.concepts]
    current = [concept for concept in read if concept["status"] != "deprecated"]
    if read and not current:
        retired = ", ".join(concept["id"] for concept in read)
        problems.append(f"The answer rests on nothing but what is deprecated: {retired}.")
    said = " ".join(concept["body"] for concept in current)
    for fact in facts:
        if fact not in done.answer:
            problems.append(f'The answer does not say "{fact}".')
        elif fact not in said:
            problems.append(f'The answer says "{fact}", but no current concept that it names does.')
    return problems


@contextmanager
def _agent(bundle: Bundle, model_name: str | None) -> Generator[Any]:
    """The agent with its model; whatever is missing for one of them is said before it runs."""
    try:
        from langchain import agents
    except ImportError as cause:
        raise missing_package("the demo", "demo") from cause
    from fingerpost_langchain import MalformedCallMiddleware, okf_tools

    with _real_model(model_name) if model_name else _scripted_model() as model:
        yield cast("Any", agents).create_agent(
            model,
            okf_tools(bundle),
            system_prompt=_PROMPT + bundle.index("/"),
            middleware=[MalformedCallMiddleware()],
        )


def _events(agent: Any, question: str) -> Iterator[Step | str]:
    """Run the agent: each step when it is done, then the answer."""
    from langchain_core.messages import AIMessage, ToolMessage

    calls: dict[str | None, Mapping[str, Any]] = {}
    for message in _messages(agent, question):
        if isinstance(message, AIMessage):
            calls |= {call["id"]: call["args"] for call in message.tool_calls}
            if not message.tool_calls:
                yield str(message.text)
        elif isinstance(message, ToolMessage):
            failed = message.status == "error"
            result: Any = message.content if failed else message.artifact
            yield Step(message.name or "", calls[message.tool_call_id], result, failed)


def _messages(agent: Any, question: str) -> Iterator[Any]:
    """Each message that a node of the graph adds, as soon as it does."""
    for update in agent.stream({"messages": [("user", question)]}, stream_mode="updates"):
        for added in update.values():
            if added:
                yield from added.get("messages", [])


@contextmanager
def _scripted_model() -> Generator[Any]:
    """A real client of a scripted model on loopback; nothing leaves this machine."""
    os.environ.update(
        LANGSMITH_TRACING="false",
        LANGSMITH_TRACING_V2="false",
        no_proxy=f"127.0.0.1,{os.environ.get('no_proxy', '')}",
    )
    try:
        from langchain_openai import ChatOpenAI

        from fingerpost_testing import Script, ToolCall, calls, play, say
    except ImportError as cause:
        raise missing_package("the demo", "demo") from cause
    script = Script(
        calls(ToolCall("kb_index", {"path": "/"})),
        calls(ToolCall("kb_find", {"text": "cancel season plan refund"})),
        *(calls(ToolCall("kb_read", {"concept_id": name})) for name in _CONCEPTS),
        say(ANSWER),
    )
    with play(script) as session:
        settings: dict[str, Any] = {"api_key": "none", "openai_proxy": None, "max_retries": 0}
        yield ChatOpenAI(model="scripted", base_url=session.base_url, **settings)


@contextmanager
def _real_model(name: str) -> Generator[Any]:
    """A model by LangChain's name for it; what its maker's library raises becomes one sentence."""
    from langchain.chat_models import init_chat_model

    try:
        yield init_chat_model(name)
    except KnowledgeError:
        raise
    except Exception as error:
        said = textwrap.shorten(str(error), _MOST_SAID, placeholder=" …").rstrip(".")
        raise ConfigError(
            f"The model {name!r} cannot be used ({type(error).__name__}: {said}). "
            "Check its name, its key and the network."
        ) from error


Tell = Callable[..., None]
"""Prints one line, made of parts, on standard output."""


def _say_at_once(*parts: str | Styled) -> None:
    say(*parts)
    flush()


def _say_nothing(*_parts: str | Styled) -> None:
    """Leave standard output to the one JSON document."""


def show_step(tell: Tell, number: int, step: Step) -> None:
    """Print one tool call and the first lines of its result, or the sentence of its error."""
    arguments = ", ".join(
        f"{key}={json.dumps(value, ensure_ascii=False)}" for key, value in step.arguments.items()
    )
    tell()
    tell(Styled(f"{number}  {step.tool}({arguments})", BOLD))
    lines = [Styled(str(step.result), YELLOW)] if step.is_error else list(_short(step.result))
    for line in lines[:_MOST_LINES]:
        tell("   ", line)
    more = len(lines) - _MOST_LINES
    if more > 0:
        tell(Styled(f"   ... and {more} more {'line' if more == 1 else 'lines'}", DIM))


def _short(data: Mapping[str, Any]) -> Iterator[Styled]:
    """A tool's result in a few lines; what lowers trust stands out."""
    if "results" in data:
        for hit in data["results"]:
            yield _headline(hit)
        if data["left_out_deprecated"]:
            yield Styled(f"left out because deprecated: {data['left_out_deprecated']}", YELLOW)
    elif "body" in data:
        yield _headline(data)
        yield from (Styled(warning, YELLOW) for warning in data["warnings"])
        targets = dict.fromkeys(link["id"] for link in data["links"] if "id" in link)
        if targets:
            yield Styled(f"links to {', '.join(targets)}", DIM)
    else:
        yield from (Styled(line, DIM) for line in str(data["text"]).splitlines() if line.strip())


def _headline(concept: Mapping[str, Any]) -> Styled:
    stale = ", stale" if concept["stale"] else ""
    signals = f"{concept['type']}, {concept['status']}, {concept['trust']}{stale}"
    style = YELLOW if stale or concept["status"] == "deprecated" else ""
    return Styled(f"{concept['id']}  {flat(concept['title'])}  [{signals}]", style)


def _show_answer(tell: Tell, answer: str, sources: Mapping[str, Any]) -> None:
    tell()
    tell(Styled("Answer", BOLD))
    for line in textwrap.wrap(answer, _WIDTH):
        tell("   ", line)
    tell()
    tell(Styled("Sources", BOLD))
    for concept in sources.values():
        tell("   ", _headline(concept))


def _document(
    arguments: Namespace, bundle: Bundle, done: Run, sources: Mapping[str, Any], problems: list[str]
) -> dict[str, Any]:
    signals = ("id", "title", "status", "trust", "stale")
    return {
        "model": arguments.model or "scripted",
        "is_scripted": not arguments.model,
        "bundle": bundle.store.identity,
        "question": arguments.question,
        "steps": [
            {"tool": step.tool, "arguments": step.arguments, "result": step.result, "is_error": step.is_error}
            for step in done.steps
        ],
        "answer": done.answer,
        "sources": [{key: concept[key] for key in signals} for concept in sources.values()],
        "problems": problems,
    }
