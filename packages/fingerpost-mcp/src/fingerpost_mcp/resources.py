"""The concepts of bundles as resources: `okf://<bundle>/<concept id>`, listed in pages, read with `kb_read`.

A client puts a resource before its model, so the text is that of the tool, with the concept's signals, its
warnings and its budget, and not the bare file.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qsl, quote, unquote

from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    ListResourcesResult,
    ListResourceTemplatesResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextResourceContents,
)

from fingerpost import OKFTools, Tool
from fingerpost.tools import Toolbox

_SCHEME = "okf"
_JSON = "application/json"
_PAGE = 100  # concepts, the most that `kb_find` returns
_LISTING_CHARS = 500_000  # no model reads them, so that a page is whole
_ONLY_NAME = "kb"  # stands for a bundle that has no prefix
_ADDRESS = re.compile(
    r"okf://(?P<name>[^/?#]*)/?(?P<id>[^?#]*)(\?(?P<query>[^#]*))?(?P<anchor>(#.*)?)", re.DOTALL
)
_NUMBER = re.compile(r"[0-9]{1,12}")


def bundle_name(tools: OKFTools) -> str:
    """What a bundle is called in addresses: its prefix without the "_" at its end."""
    return tools.prefix.removesuffix("_") or _ONLY_NAME


def resource_handlers(tools: Sequence[OKFTools], toolbox: Toolbox) -> dict[str, Any]:
    """The handlers of `Server` that have to do with resources, by the names of its arguments."""
    bundles = {bundle_name(each): each for each in tools}
    listings = {
        name: Tool.of(OKFTools(each.bundle, max_chars=_LISTING_CHARS).kb_find)
        for name, each in bundles.items()
    }
    templates = [
        ResourceTemplate(
            name=each.names[1],
            uri_template=f"{_SCHEME}://{name}/{{concept_id}}{{?section,page}}",
            description="A concept, as the tool of this name reads it.",
            mime_type=_JSON,
        )
        for name, each in bundles.items()
    ]

    async def list_resources(_context: Any, params: PaginatedRequestParams | None) -> ListResourcesResult:
        name, offset = _place(list(bundles), params.cursor if params else None)
        asked = {"include_deprecated": True, "limit": _PAGE, "offset": offset}
        answer = await listings[name].acall(asked)
        if answer.is_error:
            raise MCPError(INTERNAL_ERROR, answer.data["error"])
        shown = [_resource(name, hit) for hit in answer.data["results"]]
        passed = offset + len(shown)
        if passed < answer.data["total"]:
            return ListResourcesResult(resources=shown, next_cursor=f"{name}:{passed}")
        others = list(bundles)[list(bundles).index(name) + 1 :]
        return ListResourcesResult(resources=shown, next_cursor=f"{others[0]}:0" if others else None)

    async def list_templates(_context: Any, _params: Any) -> ListResourceTemplatesResult:
        return ListResourceTemplatesResult(resource_templates=templates)

    async def read_resource(_context: Any, params: ReadResourceRequestParams) -> ReadResourceResult:
        parts = _ADDRESS.fullmatch(params.uri)
        if parts is None or parts["name"] not in bundles:
            there = ", ".join(f"{_SCHEME}://{name}/" for name in bundles)
            message = f"There is no {params.uri[:200]!r} here; addresses begin with {there}."
            raise MCPError(INVALID_PARAMS, message, {"uri": params.uri})
        arguments = {
            **dict(parse_qsl(parts["query"] or "")),
            "concept_id": unquote(parts["id"]) + parts["anchor"],
        }
        answer = await toolbox.acall(bundles[parts["name"]].names[1], arguments)
        if answer.is_error:
            raise MCPError(INVALID_PARAMS, answer.data["error"], {"uri": params.uri})
        text = TextResourceContents(uri=params.uri, mime_type=_JSON, text=answer.text)
        return ReadResourceResult(contents=[text])

    return {
        "on_list_resources": list_resources,
        "on_list_resource_templates": list_templates,
        "on_read_resource": read_resource,
    }


def _place(names: list[str], cursor: str | None) -> tuple[str, int]:
    """The bundle and the number of concepts to pass over that a cursor stands for."""
    name, _, offset = cursor.rpartition(":") if cursor else (names[0], "", "0")
    if name not in names or _NUMBER.fullmatch(offset) is None:
        raise MCPError(INVALID_PARAMS, f"There is no page {cursor!r:.100}; list again without a cursor.")
    return name, int(offset)


def _resource(name: str, hit: Any) -> Resource:
    signals = [hit["type"], *([hit["status"]] if hit["status"] != "stable" else [])]
    signals += ["stale"] if hit["stale"] else []
    return Resource(
        name=hit["id"],
        title=hit["title"],
        uri=f"{_SCHEME}://{name}/{quote(hit['id'], safe='/')}",
        description=f"{hit['description']} [{', '.join(signals)}]".strip(),
        mime_type=_JSON,
    )
