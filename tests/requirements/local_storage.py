"""Seed 002, LocalKB and its storage protocols."""

from __future__ import annotations

from tests.requirements.promise import Promise, Section

SECTIONS: dict[str, Section] = {
    "Writing a Custom KB Backend": (
        Promise(
            "STORE-001",
            ("VectorStore, KeywordStore, MetadataStore", "typing.Protocols"),
            "Three protocols are met by having their methods, without a base class.",
            later="local",
        ),
    ),
    "When to write your own": (
        Promise(
            "STORE-002",
            ("existing vector DB", "OpenSearch"),
            "Any vector database can be put below LocalKB by a class of one's own.",
            later="local",
        ),
        Promise(
            "STORE-003",
            ("cache / replication / auth",),
            "A store may wrap another to cache, authorise or trace.",
            later="local",
        ),
        Promise(
            "STORE-004",
            ("proprietary or internal search service",),
            "A service of one's own may stand behind a store.",
            later="local",
        ),
    ),
    "Minimal VectorStore skeleton": (
        Promise(
            "STORE-005",
            ("def dimension(self)",),
            "A vector store tells the length of its vectors.",
            later="local",
        ),
        Promise(
            "STORE-006",
            ("chunks and embeddings must be aligned", "ValueError"),
            "Chunks without their vectors, or vectors without their chunks, are a ValueError.",
            later="local",
        ),
        Promise(
            "STORE-007",
            ("def search(self, query_embedding, top_k)",),
            "A search takes a vector and gives pairs of chunk and score.",
            later="local",
        ),
        Promise(
            "STORE-008",
            ("pass an instance to LocalKB", "vector_store=MyVectorStore"),
            "An instance of the class is handed to LocalKB by name.",
            later="local",
        ),
        Promise(
            "STORE-009",
            ("from fastaiagent.kb.chunking import Chunk",),
            "Chunks are a public type that stores take and give.",
            later="local",
        ),
    ),
    "What LocalKB guarantees when it calls you": (
        Promise(
            "STORE-010",
            (
                "add(chunks, embeddings)",
                "len(chunks) == len(embeddings)",
                "unique id",
                "length self.dimension",
            ),
            "Chunks and vectors come in equal number, with ids of their own and the right length.",
            later="local",
        ),
        Promise(
            "STORE-011",
            ("Called once per add_documents batch",),
            "One batch of documents is one call.",
            later="local",
        ),
        Promise(
            "STORE-012",
            ("top_k >= 1", "Return an empty list"),
            "At least one result is asked for, and an empty store answers with none.",
            later="local",
        ),
        Promise(
            "STORE-013",
            ("delete(chunk_ids)", "silently ignored"),
            "Deleting what is not there is no error.",
            later="local",
        ),
        Promise(
            "STORE-014",
            ("rebuild(chunks, embeddings)", "full replacement"),
            "Where single deletions are dear, everything is handed over anew after a change.",
            later="local",
        ),
        Promise("STORE-015", ("reset()",), "A store can be emptied.", later="local"),
        Promise(
            "STORE-016",
            ("count()", "approximate is fine"),
            "A count may be rough where it says so.",
            later="local",
        ),
    ),
    "Contract tests": (
        Promise(
            "STORE-017",
            ("same contract test suite", "VectorStoreContract"),
            "The suite that the built-in stores pass can be run over anyone's.",
            later="local",
        ),
        Promise(
            "STORE-018",
            ("def make(self)", "runs the full contract", "misaligned-args error"),
            "A subclass with one method that makes a store runs all of it.",
            later="local",
        ),
    ),
    "KeywordStore and MetadataStore": (
        Promise(
            "STORE-019",
            ("KeywordStore is the same shape",),
            "A keyword store is a vector store without vectors.",
            later="local",
        ),
        Promise(
            "STORE-020",
            ("put_document, list_documents, get_chunks",),
            "A metadata store keeps whole documents, lists them and gives their chunks.",
            later="local",
        ),
    ),
    "Tips": (
        Promise(
            "STORE-021",
            ("highest-score-first", "similarity = 1 - distance"),
            "Results come by falling score, and distances are turned round.",
            later="local",
        ),
        Promise(
            "STORE-022",
            ("Metadata round-trip", "ChromaVectorStore"),
            "Any metadata of a chunk comes back as it was, also where the engine holds plain values alone.",
            later="local",
        ),
        Promise(
            "STORE-023",
            ("Lazy connections",),
            "A store for something remote connects at its first use.",
            later="local",
        ),
        Promise(
            "STORE-024",
            ("silent no-op is the contract",),
            "Unknown ids are passed over without a word.",
            later="local",
        ),
    ),
}

ASIDES: dict[str, tuple[str, ...]] = {
    "asking for contributions to another repository": ("please open a PR",),
    "names of a sample, of its test file and of what Python brings": (
        "TestMyVectorStoreContract",
        "test_kb_protocols",
        "test_my_vector_store",
        "clear",
        "pop",
        "sort",
        "values",
        "zip",
    ),
}
