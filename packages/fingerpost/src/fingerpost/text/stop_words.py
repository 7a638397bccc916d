"""Words that carry no subject: what a question is made of besides what it is about.

They are indexed like all words and left out of a query that asks for anything else.
"""

from __future__ import annotations

import re
from collections.abc import Collection

_LANGUAGES = {
    "English": frozenset(
        """
        a about after all also an and any are as at be been before being but by can could d did do does
        doing done for from get gets got had has have having he her here his how i if in into is it its
        just let ll m may me might my no nor not of off on onto or our out re s shall she should so some
        such t tell than that the their them then there these they this those through to too under until
        up upon us ve very was we were what when where whether which while who whom whose why will with
        within without would you your yours explain find give please show
        """.split()
    ),
    "German": frozenset(
        """
        aber als am an auch auf aus bei beim bin bis bzw da damit dann das dass dein dem den denn der des
        die dies diese diesem diesen dieser dieses doch du durch ein eine einem einen einer eines er es
        etwas euer eure falls fuer fur gegen gibt habe haben hat hast hier ich ihr ihre ihrem ihren ihrer
        im in ins ist ja jede jedem jeden jeder jedes kann kein keine keinem keinen keiner konnen koennen
        man mein meine meinem meinen meiner mich mir mit muss mussen muessen nach nein nicht noch nun nur
        ob oder ohne sein seine seit sich sie sind so soll sollen sowie ueber uber um und uns unser unsere
        unseren unter vom von vor wann war waren warum was weil welche welchem welchen welcher welches wem
        wen wenn wer werden wessen wie wieso wieviel will wir wird wo wofur wofuer woher wohin womit wurde
        wurden zu zum zur zwischen bitte erklare erklaere zeig zeige
        """.split()
    ),
    "French": frozenset(
        """
        a alors apres au aucun aucune aussi autre autres aux avant avec avez avoir avons ce cela ces cet
        cette ceux chez comment combien dans de depuis des donc dont du elle elles en entre est et etait
        etes etre eu eux fait faire faut il ils je la laquelle le lequel les lesquels leur leurs lors
        lorsque mais me mes moi mon ne ni nos notre nous on ont ou par parce pas pendant peut peux plus
        pour pourquoi puis puisque qu quand que quel quelle quelles quels qui quoi sa sans se sera ses si
        son sont sous sur ta te tes toi ton tous tout toute toutes tu un une vos votre vous y expliquez
        """.split()
    ),
    "Spanish": frozenset(
        """
        a al algo alguna algunas alguno algunos ante antes aunque cada como con cual cuales cuando cuanta
        cuantas cuanto cuantos de del desde despues donde durante e el ella ellas ellos en entre era eran
        es esa esas ese eso esos esta estan estar estas este esto estos estoy fue ha hacer hago han hasta
        hay la las le les lo los mas me mi mientras mis mucho muy nada ni no nos nosotros o os otra otras
        otro otros para pero por porque pueda puede pueden puedo pues que quien quienes se sea segun ser
        si sin sobre son soy su sus tambien tan tanto te tener tengo ti tiene tienen todo todos tu tus u
        un una unas uno unos usted ustedes y ya yo explica muestra
        """.split()
    ),
    "Arabic": frozenset(
        """
        اذا الا الان التي الذي الذين الي ام ان انا انت او اي ايضا اين بعد به بها بين تكون تلك ثم حتي حول
        حيث خلال ذلك علي عليه عليها عن عند غير فقط في فيه فيها قبل قد كان كانت كل كم كما كيف لا لان لدي
        لدينا لدي لكن لم لماذا لن له لها لو ليس ليست ما ماذا متي مع من منذ منه منها مهما نحن نعم هذا هذه
        هل هم هنا هناك هو هي و وما وهل وهو وهي يا يتم يجب يكون يمكن يمكنني
        """.split()
    ),
}
STOP_WORDS = frozenset[str]().union(*_LANGUAGES.values())
"""Words that carry no subject, in English, German, French, Spanish and Arabic (folded)."""

WEAK_WORDS = frozenset(
    """
    anything applies apply deal deals describe do does doing done explain find finding finds found get
    gets getting handle handled handles handling happen happens know look make makes manage manages mean
    means need needs nothing responsible see something take takes tell use used uses using want wants
    work works

    bedeutet benutzen bekommen brauche brauchen erklaren finde finden funktioniert gilt machen nutzen
    verantwortlich verwenden zustandig

    faire fonctionne gerer obtenir responsable signifie trouver utiliser utilise encontrar encuentro
    funciona hacer gestionar obtener significa usar uso

    اجد استخدام استخدم اعرف تعني مسوول يعني 处理 處理 使用 办理 負責 负责 使う 使い 方法
    """.split()
)
"""Words that questions are made of, and that may be what one is about: they count for little."""

_FOREIGN = [words - _LANGUAGES["English"] for language, words in _LANGUAGES.items() if language != "English"]

# "war crimes", "plus plan", "comment on a ticket": stop words of one language, subjects in another.
_SUBJECTS_ELSEWHERE = frozenset(
    """
    bin comment con die dies dont era fait falls fur hat hay man par para plus pour sea ser sin son sous sur
    tan ton tout war
    """.split()
)
_ACRONYM = re.compile(r"\b(?:EST|IT|LA|MIT|UN|US|WHO)\b")

_CONTRACTION = re.compile(
    r"\b(?:[cdjlmnst]|qu|lorsqu|jusqu|puisqu)'(?=\w)"  # l'annulation
    r"|\b\w*n't\b"  # don't
    r"|'(?:s|t|re|ve|ll|d|m)\b"  # customer's
)
_PHRASE = re.compile(
    # Chinese
    "我?想了解(?:一下)?|为什么|為什麼|怎么样|怎么办理?|怎麼辦理?|怎么|怎麼|怎样|怎樣|什么|什麼|如何|哪里|哪裡|哪些|哪个|哪個|"
    "多少|请问|請問|是否|"
    "可以|我们|我們|你们|你們|他们|他們|以及|或者|还是|還是|吗|嗎|呢|吧|(?<![目标標])的(?![士确確])|"
    "(?<![为為除])了(?![解结結])|是(?![非正])|"
    # Japanese
    "について|に関する|に関して|とは何ですか|とは|でしょうか|ですか|ますか|教えてください|教えて下さい|教えて|"
    "ください|下さい|どうすれば|どうやって|どのように|どこで|どこ|なぜ|いくら|何ですか|何|を"
)
_PARTICLE = re.compile("(?<![ぁ-ゖ])[はがにでとのへもや](?![ぁ-ゖ])")


def without_function_words(folded: str) -> str:
    """Take out of a query what is no word of its own but carries no subject either.

    These are contractions and elisions, and the question words and particles of Chinese and Japanese, which
    would otherwise make pairs with the characters beside them.

    Args:
        folded: A folded query.

    Returns:
        The query with blanks in their place.
    """
    text = _CONTRACTION.sub(" ", folded) if "'" in folded else folded
    return text if text.isascii() else _PARTICLE.sub(" ", _PHRASE.sub(" ", text))


def subjects(words: Collection[str], text: str) -> list[str]:
    """Those of a query's words that may be what it is about.

    A stop word of one language that is a subject in another ("die", "plus") counts as a stop word only in
    the company of a second one of its language. IT, US, WHO and the like in capitals are subjects.

    Args:
        words: The folded words.
        text: The query as typed.
    """
    if STOP_WORDS.isdisjoint(words):
        return list(words)
    kept = set[str]() if text.isupper() else {found.lower() for found in _ACRONYM.findall(text)}
    kept |= _SUBJECTS_ELSEWHERE.intersection(words)
    for language in _FOREIGN:
        spoken = language.intersection(words)
        if len(spoken) > 1:
            kept -= spoken
    return [word for word in words if word in kept or word not in STOP_WORDS]
