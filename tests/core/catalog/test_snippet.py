"""Snippets: the place of a match, on one line."""

from __future__ import annotations

import os
import random
import signal
import threading
import zlib

import pytest

from fingerpost.catalog.snippet import snippet
from fingerpost.catalog.texts import WINDOW, Text, Unpacking


def test_a_snippet_shows_the_place_of_the_match_on_one_line() -> None:
    body = "start " * 40 + "the\nrefund   window is 30 days " + "end " * 40
    cut = snippet(body, ["refund"])
    assert cut.startswith("…")
    assert cut.endswith("…")
    assert "the refund window is 30 days" in cut
    assert len(cut) <= 202


@pytest.mark.parametrize("length", [20, 150, 400])
def test_whatever_separates_words_is_shown_as_one_blank(length: int) -> None:
    chance = random.Random(length)
    for separator in filter(str.isspace, map(chr, range(0x3001))):
        gaps = [separator * chance.randint(0, 4) + chance.choice(("", " ", "\n")) for _ in range(length // 5)]
        shown = snippet("word".join(gaps) + " here", ["here"]).strip("…")
        assert shown.split() == shown.split(" ")
        assert shown.endswith(" here")


@pytest.mark.parametrize(
    ("body", "word"),
    [
        ("Für das Café gilt die Regel.", "cafe"),
        ("Für das Café gilt die REGEL.", "regel"),
        ("我们的退款政策", "退款"),
        ("订单x退款y政策", "退款"),
        ("قواعد المدرسة الجديدة", "المدرسه"),
        ("— the refund —", "refund"),
        ("re\u00adfund here", "refund"),
        ("使用Docker部署服务", "docker"),
        ("注文はRefundで", "refund"),
        ("ใช้docker", "docker"),
        ("über使用Docker部署", "docker"),
        ("the orderId of it", "order"),
        ("the orderId of it", "id"),
        ("parseHTTPResponse", "response"),
    ],
)
def test_a_short_text_is_shown_whole_however_the_word_is_spelt_in_it(body: str, word: str) -> None:
    assert snippet(body, [word]) == body


@pytest.mark.parametrize(
    ("body", "word"),
    [
        ("nothing here", "refund"),
        ("nothing here", "退款"),
        ("prefunding refunds", "refund"),
        ("prefunding refunds使用", "refund"),
        ("reorderId orderly", "order"),
        ("ids hidden", "id"),
        ("naïve", "na"),
        ("cafés in NFD", "cafe"),
        ("\ud800refund\udfff", "other"),
        ("", "refund"),
    ],
)
def test_a_word_that_does_not_stand_there_by_itself_shows_nothing(body: str, word: str) -> None:
    assert snippet(body, [word]) == ""


def test_the_first_word_of_those_that_stand_there_is_shown() -> None:
    body = "policy " * 60 + "refund"
    assert "refund" in snippet(body, ["missing", "refund", "policy"])
    assert "refund" not in snippet(body, ["policy", "refund"])


def test_a_word_is_shown_where_it_stands_first_in_capitals_or_not() -> None:
    body = "x " * 200 + "REFUND at first" + " x" * 200 + " refund at last"
    assert "REFUND at first" in snippet(body, ["refund"])


def test_a_place_far_into_a_text_without_ascii_is_found() -> None:
    body = "مدرسة كبيرة " * 200 + "أحمد هنا"
    assert snippet(body, ["احمد"]).endswith("أحمد هنا")
    long = "我们的政策" * 300 + "退款" + "我们的政策" * 300
    assert "退款" in snippet(long, ["退款"])


def test_parts_of_characters_are_never_shown() -> None:
    body = "é" * 500 + " refund " + "é" * 500
    cut = snippet(body, ["refund"])
    assert set(cut) <= set("é refund…")
    assert "refund" in cut


@pytest.mark.parametrize("glued", ["éfin", "finé", "дfin", "finд"])
def test_a_word_that_is_part_of_a_longer_one_in_any_script_is_passed_over(glued: str) -> None:
    body = f"{glued} {'filler ' * 60}then fin here"
    assert snippet(body, ["fin"]).endswith("then fin here")


def test_a_word_is_shown_where_it_stands_first_as_it_was_typed_or_as_it_is_folded() -> None:
    apart = " x" * 200
    typed = {"kuche": "küche"}
    assert "die küche" in snippet(f"die küche{apart} der kuche", ["kuche"], typed)
    assert "der kuche" in snippet(f"der kuche{apart} die küche", ["kuche"], typed)
    assert "die küche" in snippet(f"die küchen{apart} die küche{apart}", ["kuche"], typed)
    assert "Die KÜCHE" in snippet(f"Die KÜCHE{apart}", ["kuche"], typed)


def test_what_was_typed_is_looked_for_from_the_start_whatever_is_unpacked_of_a_text() -> None:
    body = "ein Maß " + "x " * 3000 + "noch ein mass"
    assert snippet(body, ["mass"], {"mass": "maß"}).startswith("ein Maß")
    assert "noch ein mass" in snippet(body.replace("ß", "z"), ["mass"], {"mass": "maß"})


def test_a_text_that_is_looked_through_again_gives_the_same_places() -> None:
    body = " ".join(f"é{number}" for number in range(200))
    text = Text(body.encode())
    for word in ("e150", "e3", "e77", "e199", "e3", "e150"):
        place = text.place(word.encode(), alone=True)
        assert text.body[place:].decode().startswith(word.replace("e", "é"))


@pytest.mark.parametrize("before", ["éé—", "ﷺ—", "漢字漢字漢字—", ""])
def test_a_place_within_a_piece_is_the_beginning_of_a_character(before: str) -> None:
    """Folding makes the piece shorter or longer than it is."""
    body = f"{before}cafés " + "x " * 200
    place = Text(body.encode()).place(b"cafes", alone=True)
    assert body in body.encode()[:place].decode() + body.encode()[place:].decode()
    assert 0 <= place <= len(before.encode())


def test_a_child_forked_while_a_text_is_unpacked_unpacks_its_own() -> None:
    is_at_it, go_on = threading.Event(), threading.Event()

    class Slow(Unpacking):
        def take(self, most: int) -> bytes:
            is_at_it.set()
            assert go_on.wait(30)
            return super().take(most)

    packed = zlib.compressobj(wbits=WINDOW)
    stored = packed.compress(b"the refund") + packed.flush()
    reader = threading.Thread(target=lambda: Text(b"", 10, Slow(b"", stored)).all)
    reader.start()
    assert is_at_it.wait(30)
    child = os.fork()
    if child == 0:  # pragma: no cover - measured in no child
        signal.alarm(20)
        os._exit(0 if Text(b"", 10, Unpacking(b"", stored)).all == b"the refund" else 1)
    go_on.set()
    reader.join()
    assert os.waitpid(child, 0)[1] == 0
