"""The tools over several knowledge bases. Their docstrings are the prompts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, Optional, cast

from fingerpost.capabilities import Operation
from fingerpost.errors import ArgumentError, KnowledgeCapabilityError, KnowledgeError
from fingerpost.knowledge.answers import Part, list_answer, stored_answer, taken, text_answer
from fingerpost.knowledge.base import KnowledgeBase
from fingerpost.knowledge.given import filters_in, ids_in, object_in, tags_in, writable_id
from fingerpost.knowledge.semantic_map import SemanticMap
from fingerpost.records import Record, Records
from fingerpost.text.suggest import did_you_mean, nearest
from fingerpost.tools import LISTING_CHARS, READING_CHARS, Between, Cut, JsonText, ToolResult, tool_method
from fingerpost.tools.allowance import allowed_chars
from fingerpost.tools.budget import fit
from fingerpost.tools.failures import is_control_flow, logged
from fingerpost.tools.plain import plain

_MOST = 100
_FARTHEST = 1_000_000_000  # which any store still takes for a number
_MOST_FETCHED = 100_000  # records, lest one that never ends be waited for
Limit = Annotated[int, Between(1, _MOST)]
_NO_PARAMS = ("", "{}", "null")
_ONE_ALONE = "Call again with backend={!r}, to see that one alone."
_TOO_LONG = "The schema of {!r} is longer than an answer may be; search or browse it for what is not shown."
Offset = Annotated[int, Between(0, _FARTHEST)]
Json = Annotated[str, JsonText()]


class KnowledgeTools:
    """Seven tools, of which a builder hands out those that its knowledge bases can serve.

    Args:
        bases: The knowledge bases, by name.
        names: What stands for what in names, statements, paths and ids.
        max_chars: Longest answer of any tool, in characters; by default 6,000 for listings and 20,000 else.
        prefix: Put before the tools' names.
    """

    def __init__(
        self,
        bases: Mapping[str, KnowledgeBase],
        names: SemanticMap,
        max_chars: int | None = None,
        prefix: str = "",
    ) -> None:
        self._bases = bases
        self._names = names
        self.max_chars = max_chars
        self.prefix = prefix

    def within(self, max_chars: int) -> KnowledgeTools:
        """The same tools with a budget that is no more than this."""
        budget = min(max_chars, self.max_chars or max_chars)
        return KnowledgeTools(self._bases, self._names, budget, self.prefix)

    @tool_method(max_chars=READING_CHARS)
    def get_schemas(self, backend: str = "") -> ToolResult:
        """Show what each knowledge base holds, what it can do, and how to ask it. Call this first.

        "capabilities" says which tools a knowledge base answers: "search" (search_kb and read_kb), "query" in
        its "query_language" (read_kb), "fetch" (fetch_kb), "browse" (browse_kb), "writable" (write_kb).

        Args:
            backend: Name of one knowledge base, to see that one alone. Leave empty for all.
        """

        def answer() -> ToolResult:
            bases = [self._base(backend)] if backend.strip() else list(self._bases.values())
            schemas = {base.backend_name: self._schema(base) for base in bases}
            how = _ONE_ALONE if len(bases) > 1 else _TOO_LONG
            cuts = [Cut(name, how.format(name)) for name in schemas]
            return ToolResult(data=fit(schemas, self._room(READING_CHARS), cuts)[0])

        return self._attempt(answer)

    @tool_method(max_chars=READING_CHARS)
    def read_kb(self, backend: str, query: str, limit: Limit = 3, offset: Offset = 0) -> ToolResult:
        """Ask a knowledge base, in the way that it is asked: with a statement or with words.

        Where get_schemas shows a "query_language", write a statement in it; elsewhere use a few words that
        the text itself would use.

        Args:
            backend: Name of the knowledge base, as get_schemas shows it.
            query: The statement, or words to look for.
            limit: Most records to return, from 1 to 100.
            offset: How many records to pass over, to see further ones.
        """

        def answer() -> ToolResult:
            base, part = self._base(backend), Part(limit, offset, "like that")
            if base.capabilities.query:
                statement = self._names.resolved_statement(query)
                found = base.query(statement, limit=part.end)
            else:
                _require(base, "search")
                found = base.search(self._names.resolved(query), limit=part.end)
            return list_answer(base, self._taken(found, part.end), part, self._room(READING_CHARS))

        return self._attempt(answer)

    @tool_method(max_chars=READING_CHARS, read_only=False)
    def write_kb(
        self,
        backend: str,
        text: str = "",
        source: str = "agent",
        query: str = "",
        params_json: Json = "{}",
        id: str = "",  # noqa: A002 - the name of the field
        revision: str = "",
        type: str = "",  # noqa: A002 - the name of the field
        title: str = "",
        description: str = "",
        tags: Optional[list[str]] = None,
        status: str = "",
        append: bool = False,
    ) -> ToolResult:
        """Store knowledge, so that it can be found later. The answer says under which id.

        Args:
            backend: Name of a knowledge base that is "writable", as get_schemas shows it.
            text: What to store.
            source: Where it comes from, such as a person, a page or "agent".
            query: A statement that stores it, where the knowledge base has a "query_language".
            params_json: The parameters of that statement, as the text of a JSON object.
            id: Id of a record to change. Leave empty for a new one.
            revision: The revision of it that you have read, so that no change of somebody else is lost.
            type: What kind of thing it is.
            title: What it is called.
            description: What it says, in a sentence.
            tags: Words to find it by.
            status: "deprecated" for what is no longer in force, "draft" for what is not settled.
            append: Set to true to add the text to what the record says, where "appends" is true; else it
                takes its place.
        """

        def answer() -> ToolResult:
            base = self._base(backend)
            self._require_writable(base, append=append)
            changed = id.strip() and (type or title or description or tags or status)
            if not (text.strip() or query.strip() or changed):
                raise ArgumentError('Nothing to store: give "text" or "query".')
            fields = {
                "source": source,
                "query": self._names.resolved_statement(query),
                "id": self._names.resolved(writable_id(id)),
                "revision": revision,
                "type": type,
                "title": title,
                "description": description,
                "tags": tags_in(tags or ()),
                "status": status,
                "append": append,
            }
            metadata: dict[str, Any] = {name: value for name, value in fields.items() if value}
            if query.strip():
                metadata["params"] = object_in(params_json, "params_json")
            written = base.write([{"text": text, "metadata": metadata}])
            return stored_answer(base, written, _unused(query, params_json))

        return self._attempt(answer)

    @tool_method(max_chars=LISTING_CHARS, cuts=(Cut("text", "get_schemas lists all that there are."),))
    def get_all_kb_descriptions(self) -> ToolResult:
        """Tell in a sentence each what the knowledge bases are, to choose one."""

        def described(base: KnowledgeBase) -> str:
            try:
                return " ".join(base.get_description().split())
            except Exception as error:
                if is_control_flow(error):
                    raise
                return f"Its description cannot be read now. {self._reason(base, error)}"

        lines = {base.backend_name: described(base) for base in self._bases.values()}
        text = "\n".join(f"- {name}: {sentence}" for name, sentence in lines.items())
        return ToolResult(data=lines, text=text)

    @tool_method(max_chars=READING_CHARS)
    def search_kb(
        self,
        backend: str,
        query: str,
        limit: Limit = 3,
        offset: Offset = 0,
        filters_json: Json = "{}",
    ) -> ToolResult:
        """Search a knowledge base for what is most relevant. Returns records, best first.

        Args:
            backend: Name of a knowledge base whose "search" is true, as get_schemas shows it.
            query: A few words that the text itself would use; a question where "search_mode" is "semantic".
            limit: Most records to return, from 1 to 100.
            offset: How many records to pass over, to see further ones.
            filters_json: What the records have to be like, as the text of a JSON object, such as
                {"type": "Policy"}. "filters" in get_schemas has the names that the knowledge base knows.
        """

        def answer() -> ToolResult:
            base, part = self._base(backend), Part(limit, offset, "like that")
            _require(base, "search")
            filters = filters_in(filters_json, base)
            found = base.search(self._names.resolved(query), limit=part.end, **filters)
            return list_answer(base, self._taken(found, part.end), part, self._room(READING_CHARS))

        return self._attempt(answer)

    @tool_method(max_chars=READING_CHARS)
    def fetch_kb(self, backend: str, ids: Json, page: int = 1) -> ToolResult:
        """Read whole records of a knowledge base by their ids.

        Args:
            backend: Name of a knowledge base whose "fetch" is true, as get_schemas shows it.
            ids: One id, or several separated by commas, as other answers print them in square brackets.
            page: Which page, when the records are long; the answer says how many there are.
        """

        def answer() -> ToolResult:
            base = self._base(backend)
            _require(base, "fetch")
            wanted = [self._names.resolved(id_) for id_ in ids_in(ids)]
            if not wanted:
                raise ArgumentError('Give at least one id under "ids", as other answers print them.')
            first, others = wanted[:_MOST], len(wanted) - _MOST
            rows = self._taken(base.fetch(first), _MOST_FETCHED)
            left = f"Only the first {_MOST} ids were looked at; call again with the {others} others."
            rows = Records(rows, notes=[*([left] if others > 0 else []), *rows.notes])
            if not rows:
                raise ArgumentError(" ".join(rows.notes) or _nothing_under(base, first))
            return text_answer(base, rows, page, self._room(READING_CHARS))

        return self._attempt(answer)

    @tool_method(max_chars=LISTING_CHARS)
    def browse_kb(self, backend: str, path: str = "", limit: Limit = 50, offset: Offset = 0) -> ToolResult:
        """List what there is in a part of a knowledge base, to find a way in where you do not know the words.

        Args:
            backend: Name of a knowledge base whose "browse" is true, as get_schemas shows it.
            path: The part, such as a folder that an earlier answer lists. Leave empty for the top.
            limit: Most entries to return, from 1 to 100.
            offset: How many entries to pass over, to see further ones.
        """

        def answer() -> ToolResult:
            base, part = self._base(backend), Part(limit, offset, f"below {path.strip() or 'the top'}")
            _require(base, "browse")
            found = base.browse(self._names.resolved(path), limit=part.end)
            return list_answer(base, self._taken(found, part.end), part, self._room(LISTING_CHARS))

        return self._attempt(answer)

    def _taken(self, returned: Iterable[Record] | None, most: int) -> Records:
        """What a knowledge base returned, without physical names in what is said of it."""
        rows = taken(returned, most)
        return Records(rows, rows.total, map(self._names.hidden, rows.notes))

    def _attempt(self, answer: Callable[[], ToolResult]) -> ToolResult:
        """An answer, or the sentence of its error without physical names."""
        try:
            return answer()
        except KnowledgeError as error:
            return ToolResult(data={"error": self._names.hidden(str(error))}, is_error=True)

    def _base(self, name: str) -> KnowledgeBase:
        """The knowledge base of a name, letter case and blanks aside if only one can be meant."""
        asked = self._names.resolved(name).strip()
        alike = [base for known, base in self._bases.items() if known.strip().casefold() == asked.casefold()]
        found = self._bases.get(asked) or (alike[0] if len(alike) == 1 else None)
        if found is None:
            hint = did_you_mean(nearest(asked, self._bases, limit=1))
            raise ArgumentError(
                f"Unknown backend {name!r}. Available: {self._listed(self._bases)}. {hint}".strip()
            )
        return found

    def _require_writable(self, base: KnowledgeBase, *, append: bool) -> None:
        """Refuse what cannot be written to, naming what can be."""
        if not base.capabilities.writable:
            raise KnowledgeCapabilityError(self._refusal(base))
        if append and not base.capabilities.appends:
            raise KnowledgeCapabilityError(
                f"The knowledge base {base.backend_name!r} cannot add to a record; write the whole text."
            )

    def _refusal(self, base: KnowledgeBase) -> str:
        writable = [name for name, each in self._bases.items() if each.capabilities.writable]
        others = f"Writes go to {self._listed(writable)}." if writable else "No other takes writes either."
        return f"{base.refusal('write')} {others}"

    @staticmethod
    def _listed(names: Iterable[str]) -> str:
        return ", ".join(map(repr, names))

    def _schema(self, base: KnowledgeBase) -> dict[str, Any]:
        try:
            return cast("dict[str, Any]", plain(dict(base.schema())))
        except Exception as error:
            if is_control_flow(error):
                raise
            reason, declared = self._reason(base, error), base.capabilities.view()
            return {"backend": base.backend_name, "error": reason, "capabilities": declared}

    def _reason(self, base: KnowledgeBase, error: Exception) -> str:
        """What may be said of an error: the sentence of one of ours, of others the type and a reference."""
        if isinstance(error, KnowledgeError):
            return self._names.hidden(str(error))
        return f"The knowledge base {base.backend_name!r} failed with {logged(error, base.backend_name)}."

    def _room(self, usual: int) -> int:
        return allowed_chars(usual if self.max_chars is None else self.max_chars)


def _unused(query: str, params_json: str) -> list[str]:
    """What is to be said of parameters without a statement."""
    if query.strip() or params_json.strip() in _NO_PARAMS:
        return []
    return ['"params_json" was not used: it goes with a statement under "query".']


def _require(base: KnowledgeBase, operation: Operation) -> None:
    """Refuse what a knowledge base does not offer, naming what it offers."""
    if operation not in base.capabilities.operations:
        raise KnowledgeCapabilityError(base.refusal(operation))


def _nothing_under(base: KnowledgeBase, ids: Sequence[str]) -> str:
    return (
        f"The knowledge base {base.backend_name!r} has nothing under {', '.join(ids)}; use an id as another "
        "answer prints it."
    )
