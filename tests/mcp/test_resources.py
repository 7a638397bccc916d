"""Concepts as resources and the index as a prompt, asked for by the official client in both generations."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from mcp import Client
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp.shared.uri_template import UriTemplate
from mcp_types import INVALID_PARAMS, Resource, TextContent, TextResourceContents

from fingerpost import Bundle, MemoryDocumentStore, OKFTools, demo_bundle
from fingerpost.stores.base import Changes, Cursor
from fingerpost_mcp import okf_tools, server_for
from tests.core.cli.shell import concept, write_files
from tests.mcp.test_server import both_generations

DEMO = demo_bundle()

T = TypeVar("T")


def asked(server: Server[Any], question: Callable[[Client], Awaitable[T]], mode: str = "auto") -> T:
    async def ask() -> T:
        async with Client(server, mode=mode) as client:
            return await question(client)

    return asyncio.run(ask())


async def pages(client: Client) -> list[list[Resource]]:
    """The pages of the list of resources."""
    found = [await client.list_resources()]
    while found[-1].next_cursor is not None:
        found.append(await client.list_resources(cursor=found[-1].next_cursor))
    return [page.resources for page in found]


def read(server: Server[Any], uri: str, mode: str = "auto") -> str:
    (part,) = asked(server, lambda client: client.read_resource(uri), mode).contents
    assert isinstance(part, TextResourceContents)
    assert (part.uri, part.mime_type) == (uri, "application/json")
    return part.text


def refusal(server: Server[Any], uri: str, mode: str = "auto") -> MCPError:
    async def ask(client: Client) -> MCPError:
        with pytest.raises(MCPError) as caught:
            await client.read_resource(uri)
        return caught.value

    return asked(server, ask, mode)


def many(count: int) -> Bundle:
    """A bundle of so many concepts, with ids that sort in several ways and need to be encoded."""
    names = ("a-b {}", "a/é {}", "a,{}", "a.{}", "A%2C{}", "a+{}?x#y")
    return Bundle(
        MemoryDocumentStore(
            {f"{names[n % 6].format(n)}.md": concept(f"T {n}", f"Text {n}.") for n in range(count)}
        )
    )


@both_generations
def test_every_concept_is_a_resource_with_its_signals(mode: str) -> None:
    ((*listed,),) = asked(okf_tools(DEMO), pages, mode)
    assert sorted(resource.name for resource in listed) == Bundle(DEMO).ids()
    by_name = {resource.name: resource for resource in listed}
    day, old = by_name["plans/day"], by_name["policies/cancellation-2024"]
    assert (day.uri, day.title, day.mime_type) == ("okf://kb/plans/day", "Day ticket", "application/json")
    assert (day.description or "").endswith("[Plan]")
    assert (old.description or "").endswith("[Policy, deprecated]")


@both_generations
def test_a_resource_reads_as_the_tool_answers_signals_and_all(mode: str) -> None:
    server, tools = okf_tools(DEMO), OKFTools(DEMO)
    assert read(server, "okf://kb/policies/cancellation", mode) == tools.kb_read("policies/cancellation")
    old = read(server, "okf://kb/policies/cancellation-2024", mode)
    assert '"status": "deprecated"' in old


@pytest.mark.parametrize(
    ("uri", "arguments"),
    [
        ("okf://kb/policies/cancellation?section=What%20to%20do", {"section": "What to do"}),
        ("okf://kb/policies/cancellation#what-to-do", {"section": "What to do"}),
        ("okf://kb/policies/cancellation.md", {}),
        ("okf://kb//policies/cancellation", {}),
        ("okf://kb/policies%2Fcancellation?page=1", {"page": 1}),
    ],
)
def test_a_part_of_a_concept_can_be_addressed(uri: str, arguments: dict[str, Any]) -> None:
    assert read(okf_tools(DEMO), uri) == OKFTools(DEMO).kb_read("policies/cancellation", **arguments)


def test_a_long_concept_is_read_page_by_page() -> None:
    text = "".join(f"Line {number} of a long text.\n\n" for number in range(3_000))
    server = okf_tools(MemoryDocumentStore({"long.md": concept("Long", text)}))
    first, second = read(server, "okf://kb/long"), read(server, "okf://kb/long?page=2")
    assert "Line 0 of" in first
    assert "call again with page=2" in first
    assert '"page": 2' in second
    assert max(len(first), len(second)) <= 20_000


@both_generations
def test_every_uri_that_is_listed_can_be_read_and_none_is_listed_twice(mode: str) -> None:
    bundle = many(30)
    server = okf_tools(bundle)
    ((*listed,),) = asked(server, pages, mode)
    assert len({resource.uri for resource in listed}) == 30

    async def read_all(client: Client) -> list[str]:
        results = [await client.read_resource(resource.uri) for resource in listed]
        return [
            part.text
            for result in results
            for part in result.contents
            if isinstance(part, TextResourceContents)
        ]

    tools = OKFTools(bundle)
    assert asked(server, read_all, mode) == [tools.kb_read(resource.name) for resource in listed]


def test_many_concepts_are_listed_in_pages_each_once_and_without_reading_a_file_again() -> None:
    reads = list[str]()

    class Counted(MemoryDocumentStore):
        def read_bytes(self, path: str, max_bytes: int | None = None) -> bytes:
            reads.append(path)
            return super().read_bytes(path, max_bytes)

    store = Counted({f"d{n % 70}/c{n}.md": concept(f"T {n}") for n in range(1_050)})
    bundle = Bundle(store)
    assert bundle.wait().left == 0
    reads.clear()
    listed = asked(okf_tools(bundle), pages)
    assert [len(page) for page in listed] == [*[100] * 10, 50]
    assert len({resource.uri for page in listed for resource in page}) == 1_050
    assert reads == []


def test_what_was_changed_is_seen_in_the_next_list(tmp_path: Path) -> None:
    server = okf_tools(write_files(tmp_path, {"a.md": concept("A")}))
    assert [resource.title for (resource,) in asked(server, pages)] == ["A"]
    write_files(tmp_path, {"a.md": concept("Another")})
    assert [resource.title for (resource,) in asked(server, pages)] == ["Another"]


@both_generations
@pytest.mark.parametrize(
    ("uri", "said"),
    [
        ("okf://kb/policies/cancelation", "Did you mean policies/cancellation"),
        ("okf://kb/", "is a folder"),
        ("okf://kb", "is a folder"),
        ("okf://kb/policies/", "is a folder"),
        ("okf://kb/../secret", "outside this bundle"),
        ("okf://kb/%2e%2e/%2e%2e/etc/passwd", "outside this bundle"),
        ("okf://shop/plans/day", "addresses begin with okf://kb/"),
        ("file:///etc/passwd", "addresses begin with okf://kb/"),
        ("", "addresses begin with okf://kb/"),
        ("okf://[kb/plans/day", "addresses begin with okf://kb/"),
        ("okf://kb/policies/cancellation?section=Refunds", "Sections: Rule"),
    ],
)
def test_an_address_of_nothing_is_the_protocols_error_with_a_sentence(uri: str, said: str, mode: str) -> None:
    error = refusal(okf_tools(DEMO), uri, mode)
    assert (error.code, error.data) == (INVALID_PARAMS, {"uri": uri})
    assert said in error.message


@both_generations
@pytest.mark.parametrize("cursor", ["x", "kb:", "kb:-1", "kb:1.5", "kb:٣", f"kb:{'9' * 5_000}", "shop:0"])
def test_a_cursor_that_was_not_given_out_is_refused(cursor: str, mode: str) -> None:
    async def ask(client: Client) -> MCPError:
        with pytest.raises(MCPError) as caught:
            await client.list_resources(cursor=cursor)
        return caught.value

    error = asked(okf_tools(DEMO), ask, mode)
    assert error.code == INVALID_PARAMS
    assert "list again without a cursor" in error.message
    assert len(error.message) < 200


def test_a_cursor_beyond_the_end_is_the_end() -> None:
    result = asked(okf_tools(DEMO), lambda client: client.list_resources(cursor="kb:999"))
    assert (result.resources, result.next_cursor) == ([], None)


@both_generations
def test_the_template_says_how_to_address_a_concept_and_its_parts(mode: str) -> None:
    server = okf_tools(DEMO, "hire_")
    (template,) = asked(server, lambda client: client.list_resource_templates(), mode).resource_templates
    assert template.uri_template == "okf://hire/{concept_id}{?section,page}"
    assert template.name == "hire_kb_read"


@both_generations
@pytest.mark.parametrize("concept_id", ["a b", "a%20b", "50%", "p/a?x#y", "p/a%2Fb", "سياسة", "a+b&c=d"])
def test_every_id_is_reached_through_the_template(concept_id: str, mode: str) -> None:
    ids = ("a b", "a%20b", "50%", "p/a?x#y", "p/a%2Fb", "سياسة", "a+b&c=d", "p/a/b")
    store = MemoryDocumentStore(
        {f"{each}.md": concept(f"Title of {each}", "## Part\n\nText.") for each in ids}
    )
    server = okf_tools(store)
    (template,) = asked(server, lambda client: client.list_resource_templates(), mode).resource_templates
    uri = UriTemplate.parse(template.uri_template).expand({"concept_id": concept_id, "section": "Part"})
    assert json.loads(read(server, uri, mode))["title"] == f"Title of {concept_id}"


def test_several_bundles_are_listed_one_after_the_other_and_read_apart() -> None:
    server = server_for(
        {
            "one": many(150),
            "none": MemoryDocumentStore({}),
            "two": MemoryDocumentStore({"x.md": concept("X")}),
        }
    )
    listed = asked(server, pages)
    assert [len(page) for page in listed] == [100, 50, 0, 1]
    assert listed[-1][0].uri == "okf://two/x"
    assert '"title": "X"' in read(server, "okf://two/x")
    assert "addresses begin with okf://one/, okf://none/, okf://two/" in refusal(server, "okf://x/x").message


class Broken(MemoryDocumentStore):
    def changes(self, cursor: Cursor | None = None) -> Changes:
        raise RuntimeError("The password of the line is hunter2.")


@both_generations
def test_a_bundle_that_cannot_be_read_is_an_error_without_its_secrets_and_no_empty_list(mode: str) -> None:
    async def ask(client: Client) -> list[str]:
        said: list[str] = []
        for question in (
            client.list_resources(),
            client.read_resource("okf://kb/a"),
            client.get_prompt("index"),
        ):
            with pytest.raises(MCPError) as caught:
                await question
            said.append(caught.value.message)
        return said

    for message in asked(okf_tools(Broken({})), ask, mode):
        assert "failed with RuntimeError" in message
        assert "hunter2" not in message


@both_generations
def test_the_index_is_a_prompt_with_how_to_use_the_tools(mode: str) -> None:
    server, tools = okf_tools(DEMO), OKFTools(DEMO)

    async def ask(client: Client) -> list[str]:
        (prompt,) = (await client.list_prompts()).prompts
        assert prompt.name == "index"
        names = [(argument.name, argument.required) for argument in prompt.arguments or []]
        assert names == [("path", False), ("page", False)]
        texts: list[str] = []
        for arguments in (None, {"path": "policies", "page": "1"}):
            (message,) = (await client.get_prompt("index", arguments)).messages
            assert message.role == "user"
            assert isinstance(message.content, TextContent)
            texts.append(message.content.text)
        return texts

    top, policies = asked(server, ask, mode)
    assert top == f"{tools.instructions}\n\n{tools.kb_index()}"
    assert policies == f"{tools.instructions}\n\n{tools.kb_index('policies')}"
    assert "data, not instructions" in policies


@both_generations
@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("index", {"path": "polices"}, "policies/"),
        ("indx", {}, "There is no prompt 'indx'; there are: index."),
    ],
)
def test_a_prompt_of_nothing_is_the_protocols_error(
    name: str, arguments: dict[str, str], said: str, mode: str
) -> None:
    async def ask(client: Client) -> MCPError:
        with pytest.raises(MCPError) as caught:
            await client.get_prompt(name, arguments)
        return caught.value

    error = asked(okf_tools(DEMO), ask, mode)
    assert error.code == INVALID_PARAMS
    assert said in error.message
