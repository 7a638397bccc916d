from __future__ import annotations

from fingerpost.tools.docstrings import read_docstring

DOCSTRING = """Read one concept.

    Follow its links with this tool.

    Args:
        concept_id: The id, such as
            "policies/refunds".
        section (str, optional): A heading: case does not matter.
        page: Which page.

    Returns:
        The concept as JSON.

    Raises:
        ValueError: Never.
    """


def test_arguments_and_exceptions_are_taken_out_of_the_description() -> None:
    assert read_docstring(DOCSTRING).description == (
        "Read one concept.\n\nFollow its links with this tool.\n\nReturns:\n    The concept as JSON."
    )


def test_each_argument_gets_its_text_on_one_line() -> None:
    assert read_docstring(DOCSTRING).arguments == {
        "concept_id": 'The id, such as "policies/refunds".',
        "section": "A heading: case does not matter.",
        "page": "Which page.",
    }


def test_text_behind_the_arguments_is_part_of_the_description_again() -> None:
    found = read_docstring("Do.\n\nArgs:\n    a: One.\n\n    b: Two.\n\nMore to say.")
    assert found.description == "Do.\n\nMore to say."
    assert found.arguments == {"a": "One.", "b": "Two."}


def test_no_docstring_is_no_text() -> None:
    assert read_docstring(None).description == ""
    assert read_docstring("Args:").arguments == {}


def test_a_docstring_of_another_style_stays_as_it_is() -> None:
    assert read_docstring("Do.\n\n:param a: One.").description == "Do.\n\n:param a: One."
