"""What the product's seeds promise, promise by promise, and what keeps each."""

from __future__ import annotations

from tests.requirements import (
    backend_guide,
    builder_tools,
    bundle_backend,
    configured_bundles,
    document_stores,
    knowledge_bases,
    knowledge_sources,
    local_storage,
    navigation,
    navigation_answers,
    navigation_around,
    own_backends,
)
from tests.requirements.asides import KNOWLEDGE_BASES
from tests.requirements.promise import Promise, Seed

_KNOWLEDGE_BASES = {
    "Knowledge Bases": own_backends.INTRODUCTION,
    "KnowledgeBase": knowledge_bases.INTERFACE,
    "KnowledgeCapabilities": knowledge_bases.DECLARATION,
    "Schemas": knowledge_bases.SCHEMAS,
    "Errors": knowledge_bases.ERRORS,
    "DocumentStore and the OKF backend": document_stores.TWO_AXES,
    "Configuring a store": document_stores.STORES,
    "The OKF backend": bundle_backend.BUNDLE,
    "KnowledgeBuilder and Tools": builder_tools.TOOLS,
    "semantic_map": builder_tools.NAMES,
    "KnowledgeBuilder example (semantic_map)": builder_tools.EXAMPLE,
    "Configuration-Driven OKF": configured_bundles.BLOCK,
    "The three roles": configured_bundles.ROLES,
    "Permission is per (agent, database)": configured_bundles.PERMISSION,
    "Validation": configured_bundles.CHECKS,
    "Construction is lazy": configured_bundles.LAZY,
    "Choosing between the two paths": configured_bundles.CHOICE,
    "KB Router Pattern": configured_bundles.ROUTER,
    "Example: OpenAI KB Router": configured_bundles.EXAMPLES,
    "Custom KnowledgeBase Adapters": own_backends.OWN,
    "Minimal implementation": own_backends.MINIMAL,
    "The operation set": own_backends.OPERATIONS,
    "Registering the custom backend": own_backends.REGISTERING,
    "Optional overrides": own_backends.OVERRIDES,
    "Migration Notes": own_backends.CHANGES,
    "When to Use Knowledge Bases vs. Memory": own_backends.WHEN,
}

_NAVIGATION = {**navigation.SECTIONS, **navigation_answers.SECTIONS, **navigation_around.SECTIONS}

SEEDS = (
    Seed("000", "KB", _KNOWLEDGE_BASES, KNOWLEDGE_BASES),
    Seed("001", "DEV", backend_guide.SECTIONS, backend_guide.ASIDES),
    Seed("002", "STORE", local_storage.SECTIONS, local_storage.ASIDES),
    Seed("003", "SRC", knowledge_sources.SECTIONS, knowledge_sources.ASIDES),
    Seed("004", "NAV", _NAVIGATION, navigation_around.ASIDES),
)

PROMISES: tuple[Promise, ...] = tuple(promise for seed in SEEDS for promise in seed.promises)
