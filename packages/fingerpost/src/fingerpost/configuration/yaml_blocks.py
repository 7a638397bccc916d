"""The blocks of a YAML file that are of concern here; whatever else it says is the application's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import yaml

_MERGE = "tag:yaml.org,2002:merge"


def load_blocks(text: str, is_block: Callable[[str], bool]) -> Any:
    """What a text of YAML says under some keys. Nothing else of it is made, so it may have tags of its own.

    Args:
        text: The text.
        is_block: Whether a key is one of them.

    Raises:
        yaml.YAMLError: It is no YAML, or one of the blocks says a key twice, of which one would be lost.
    """
    loader = yaml.SafeLoader(text)
    try:
        root = loader.get_single_node()
        if isinstance(root, yaml.MappingNode):
            root.value = [pair for pair in root.value if is_block(_key(pair)) or pair[0].tag == _MERGE]
            _refuse_repeated(root)
        return None if root is None else cast("Any", loader).construct_document(root)
    finally:
        loader.dispose()


def _refuse_repeated(root: yaml.Node) -> None:
    """Check all that is below a node, each part once however often it is referred to."""
    waiting: list[yaml.Node] = [root]
    checked: set[int] = set()
    while waiting:
        node = waiting.pop()
        if id(node) in checked or not isinstance(node, yaml.CollectionNode):
            continue
        checked.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            waiting += node.value
            continue
        seen: set[tuple[str, str]] = set()
        for pair in cast("list[tuple[yaml.Node, yaml.Node]]", node.value):
            key = pair[0]
            if isinstance(key, yaml.ScalarNode) and key.tag != _MERGE:
                if (key.tag, key.value) in seen:
                    problem = f"the key {key.value!r} stands here a second time"
                    raise yaml.MarkedYAMLError(problem=problem, problem_mark=key.start_mark)
                seen.add((key.tag, key.value))
            waiting.append(pair[1])


def _key(pair: tuple[yaml.Node, yaml.Node]) -> str:
    key = pair[0]
    return str(key.value) if isinstance(key, yaml.ScalarNode) else ""
