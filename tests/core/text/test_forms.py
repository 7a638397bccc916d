"""Forms: the inflected forms of a word meet under one key, and different words do not.

The rules and their reasons are on the page docs/languages.md, which `test_languages_page.py` reads.
"""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.text.folding import fold
from fingerpost.text.forms import form_key, key_starts, starts_of

ONE_WORD = {
    "English plurals": """
        alias/aliases atlas/atlases bias/biases canvas/canvases series/series refund/refunds
        policy/policies box/boxes class/classes batch/batches search/searches cache/caches
        dish/dishes buzz/buzzes fee/fees key/keys day/days city/cities fly/flies movie/movies
        cookie/cookies category/categories address/addresses process/processes status/statuses
        bus/buses gas/gases hero/heroes potato/potatoes shoe/shoes size/sizes case/cases
        house/houses course/courses schema/schemas photo/photos employee/employees value/values
        issue/issues queue/queues tax/taxes index/indexes/indices analysis/analyses
        hypothesis/hypotheses crisis/crises child/children woman/women matrix/matrices shelf/shelves
        api/apis chargeback/chargebacks token/tokens guideline/guidelines guide/guides suite/suites
        series news/news
    """,
    "English verbs": """
        cancel/cancels/cancelled/canceled/cancelling/canceling/cancellation/cancellations
        refund/refunds/refunded/refunding stop/stops/stopped/stopping
        require/requires/required/requiring close/closes/closed/closing note/notes/noted/noting
        use/uses/used/using try/tries/tried/trying plan/plans/planned/planning planed/planing/plane
        charge/charged/charges/charging merge/merged/merging parse/parsed/parsing
        change/changed/changing issue/issued/issuing queue/queued/queuing value/valued/valuing
        create/created/creates/creating update/updated/updating delete/deleted/deleting
        file/filed/filing fill/filled/filling install/installed/installing/installation
        control/controlled/controlling commit/commits/committed/committing refer/referred/referring
        embed/embeds/embedded/embedding log/logs/logged/logging map/mapped/mapping
        ship/shipped/shipping add/added/adding tax/taxed/taxes apply/applies/applied/applying
        copy/copies/copied/copying delay/delayed/delaying play/played agree/agrees/agreed/agreeing
        free/freed/freeing/frees show/showed process/processed/processing guide/guided/guiding
        unite/united listen/listened/listening taste/tasted/tasting enable/enabled/enabling
        schedule/scheduled/scheduling quote/quoted pay/pays/paid/paying buy/bought send/sent
        sell/sold choose/chosen/chose write/written take/taken break/broken drive/driven
        waste/wasted/wasting
    """,
    "German": """
        lehrling/lehrlinge/lehrlingen fluchtling/fluchtlinge zins/zinsen
        vertrag/vertrage/vertragen/vertrags/vertrages/vertraege/vertraegen frist/fristen
        kundigung/kundigungen kuendigung/kundigung/kuendigungen rechnung/rechnungen adresse/adressen
        frage/fragen klage/klagen kunde/kunden liste/liste schule/schulen
        preis/preise/preisen/preises jahr/jahre/jahren/jahres monat/monate/monaten/monats
        gebuhr/gebuhren/gebuehr/gebuehren datei/dateien familie/familien qualitat/qualitaten
        regel/regeln artikel/artikeln/artikels prozess/prozesse/prozesses beschluss/beschlusse
        gesetz/gesetze/gesetzes/gesetzen gesetzlich/gesetzliche/gesetzlichen/gesetzliches
        ergebnis/ergebnisse/ergebnissen strasse/strassen mueller/muller uberweisung/ueberweisung
        hauser/haeuser aerzte/arzte oeffnung/offnung gultig/gueltig/gueltige gross/grosse/groesse
        bescheid/bescheide/bescheides behorde/behorden/behoerde kurs/kurse
    """,
    "French and Spanish": """
        facture/factures commande/commandes annulation/annulations produit/produits
        client/clients/cliente/clientes remboursement/remboursements politique/politiques
        personnel/personnelle factura/facturas pedido/pedidos devolucion/devoluciones
        condicion/condiciones contrato/contratos producto/productos
    """,
    "Arabic": """
        صندوق/الصندوق/والصندوق/بالصندوق/كالصندوق/فالصندوق/للصندوق بخور/البخور الغاء/الالغاء/بالالغاء
        سياسه/سياسات/السياسات اعلان/الاعلانات تعديل/تعديلات اجازه/اجازات استشاره/استشارات
        استفسار/استفسارات طلب/طلبات/الطلبات شركه/شركات/للشركات خدمه/الخدمات
        موظف/موظفون/موظفين/الموظفين عملاء/للعملاء/العملاء
    """,
    "Korean": """
        환불/환불을/환불은/환불이/환불의/환불에서/환불에서는
        고양이/고양이가/고양이를 정책/정책으로 회의/회의를
    """,
}

DIFFERENT_WORDS = {
    "English": """
        bing/binge collage/collagen coup/coupe fast/fasten final/finale haste/hasten guess/guss
        less/lessen maid/maiden mar/mars poll/pollen premier/premiere regime/regimen
        vigilant/vigilante alia/alias policy/police policy/polite university/universe sing/single
        red/reed need/ne string/str thing/th poet/pot does/doe news/new goods/good customs/custom
        unit/unite united/unit plan/plane state/stat strip/stripe star/stare scrap/scrape hop/hope
        not/note fill/file quit/quite car/care guest/gust guide/guid suit/suite past/paste
        cast/caster listen/list evening/even marketing/market accounting/account heaven/heave
        warden/ward human/humane local/locale moral/morale rational/rationale heroin/heroine
        silicon/silicone corps/corpse corp/corps len/lens lesson/lessen http/https seven/sever
        severe/sever organ/organize general/generate user/use number/numb order/ord letter/let
        builder/build station/state nation/native form/formal form/firm order/border thing/think
        bring/bran being/be feed/fed speed/spe sixteen/sixth eighteen/eight token/took garden/guard
        quiet/quite fuel/full dose/does rise/raise device/devise advice/advise bus/busy this/thin
        always/alway status/statue basis/base access/excess process/precess bonus/bone virus/vine
        lease/least please/plea dense/den tense/ten lapse/lap browse/brow sparse/spar range/ran
        bound/bond
    """,
    "German": """
        kind/kinder zeit/zeitung land/lander liste/listen recht/richtig frist/first kunde/kundigung
        vertrag/vertreter miete/mitte schuld/schule wohnung/wohnen sache/suche lehrling/lehre
        zins/zinn steuer/steur fluchtling/flucht
    """,
    "French and Spanish": "animal/animaux luz/luces cuenta/cuento pedido/pedir caja/cajon facture/facteur",
    "Arabic": """
        دين/والدين له/الله مدرس/مدرسه مكتب/مكتبه ثلاث/ثلاثين ثلاث/ثلاثون اربع/اربعين اربع/اربعون
        ثمان/ثمانين ثمان/ثمانون قان/قانون تام/تامين سعر/سعودي كرك/ترك عود/عدو طلبه/طلبات اجاز/اجازات
        صندوق/وصندوق
    """,
    "Korean": "회의/회 환불/환율 국가/국 도로/도",
    "digits": "v1s/v1 100s/100 q4ing/q4 i18ns/i18n",
}


def groups(table: dict[str, str]) -> list[list[str]]:
    return [group.split("/") for words in table.values() for group in words.split()]


@pytest.mark.parametrize("group", groups(ONE_WORD), ids="/".join)
def test_forms_of_one_word_have_one_key(group: list[str]) -> None:
    assert len({form_key(word) for word in group}) == 1, {word: form_key(word) for word in group}


@pytest.mark.parametrize("group", groups(DIFFERENT_WORDS), ids="/".join)
def test_different_words_have_different_keys(group: list[str]) -> None:
    assert [pair for pair in combinations(group, 2) if form_key(pair[0]) == form_key(pair[1])] == []


def test_the_tables_hold_words_as_they_are_compared() -> None:
    words = [word for group in groups(ONE_WORD) + groups(DIFFERENT_WORDS) for word in group]
    assert [word for word in words if fold(word) != word] == []


@pytest.mark.parametrize(
    "word", ["", "a", "is", "was", "tag", "ids", "退款", "v2", "sha256s", "привет", "कानून", "ภาษาไทย"]
)
def test_short_words_words_with_digits_and_other_languages_are_their_own_key(word: str) -> None:
    assert form_key(word) == word


@pytest.mark.parametrize("word", ["پنجره", "چرخ", "گل", "ژاله", "کتابها"])
def test_persian_words_keep_all_their_letters(word: str) -> None:
    assert form_key(fold(word)) == fold(word)


@given(st.text(st.sampled_from("abcdegilmnoqrstuyz"), min_size=4, max_size=12))
def test_a_key_keeps_the_first_letter_and_is_never_longer_by_more_than_an_e(word: str) -> None:
    assert form_key(word)[0] == word[0]
    assert len(form_key(word)) <= len(word) + 1


@given(
    st.one_of(st.text(), st.text(st.sampled_from("aeioudgnstxyzlm")), st.text(st.sampled_from("الوبكلفاتين")))
)
def test_every_text_has_a_key(text: str) -> None:
    assert bool(form_key(text)) == bool(text)


@given(st.text(st.sampled_from("ابتدرسعفقكلمنهوي"), min_size=3, max_size=8))
def test_the_article_in_arabic_makes_no_difference(word: str) -> None:
    assert form_key("ال" + word) == form_key(word)


ALPHABETS = (
    "aeiousnrdgtlmyxzhcbq",
    "aouey",
    "aouesnd",
    "وفبكالمستينرعهةپ",
    "بكالوab",
    "가에서를을aueoy",
    "aeоуéüñ漢9",
)


@given(st.sampled_from(ALPHABETS).flatmap(lambda letters: st.text(st.sampled_from(letters), min_size=1)))
def test_the_words_of_a_key_are_all_found_by_how_they_start(word: str) -> None:
    assert key_starts([word])[0] in starts_of(form_key(word))


@pytest.mark.parametrize(
    "word", ["held", "helds", "bought", "sold", "uebung", "oeieg", "ueywn", "الوالدين", "axes", "ae가"]
)
def test_so_are_those_that_start_otherwise_than_their_key(word: str) -> None:
    assert key_starts([word])[0] in starts_of(form_key(word))


def test_words_that_start_otherwise_are_told_apart() -> None:
    assert len(set(key_starts(["margin", "profit", "losses", "mile", "", "ж"]))) == 6
