"""German words, written for this benchmark: umlauts, compounds and inflected forms."""

from __future__ import annotations

# Singular and plural, and behind a slash the letters that join the noun to the next part of a compound.
_NOUNS = """
    Ablauf/ Abläufe, Abnahme/ Abnahmen, Abrechnung/s Abrechnungen, Absatz/ Absätze, Abteilung/s
    Abteilungen, Änderung/s Änderungen, Anfrage/ Anfragen, Angebot/s Angebote, Anlage/n Anlagen,
    Anspruch/s Ansprüche, Antrag/s Anträge, Arbeit/s Arbeiten, Aufgabe/n Aufgaben, Auftrag/s Aufträge,
    Ausbildung/s Ausbildungen, Ausgabe/n Ausgaben, Auskunft/s Auskünfte, Ausnahme/ Ausnahmen, Bahnhof/s
    Bahnhöfe, Baustelle/n Baustellen, Beamter/ Beamte, Behörde/n Behörden, Beitrag/s Beiträge, Bericht/s
    Berichte, Beschwerde/ Beschwerden, Bestellung/s Bestellungen, Betrag/s Beträge, Betrieb/s Betriebe,
    Bewerbung/s Bewerbungen, Brücke/n Brücken, Büro/ Büros, Darlehen/s Darlehen, Datum/s Daten, Dienst/
    Dienste, Einkauf/s Einkäufe, Empfänger/ Empfänger, Entgelt/ Entgelte, Erklärung/s Erklärungen,
    Fahrzeug/ Fahrzeuge, Fähre/n Fähren, Förderung/s Förderungen, Frachtführer/ Frachtführer, Frist/
    Fristen, Führung/s Führungen, Gebäude/ Gebäude, Gebühr/en Gebühren, Gehalt/s Gehälter, Gemeinde/
    Gemeinden, Genehmigung/s Genehmigungen, Gerät/e Geräte, Gericht/s Gerichte, Geschäft/s Geschäfte,
    Gesetz/es Gesetze, Gewährleistung/s Gewährleistungen, Grundstück/s Grundstücke, Gutachten/ Gutachten,
    Händler/ Händler, Haftung/s Haftungen, Haushalt/s Haushalte, Herkunft/s Herkünfte, Hinweis/ Hinweise,
    Jahr/es Jahre, Kasse/n Kassen, Käufer/ Käufer, Klausel/ Klauseln, Konto/ Konten, Körperschaft/s
    Körperschaften, Kosten/ Kosten, Krankenhaus/ Krankenhäuser, Kunde/n Kunden, Kündigung/s Kündigungen,
    Küste/n Küsten, Lager/ Lager, Lieferung/s Lieferungen, Lohn/ Löhne, Mahnung/s Mahnungen, Mangel/
    Mängel, Maßnahme/n Maßnahmen, Mieter/ Mieter, Mitglied/s Mitglieder, Möbel/ Möbel, Mühle/n Mühlen,
    Nachweis/ Nachweise, Nutzung/s Nutzungen, Öffnung/s Öffnungen, Ordnung/s Ordnungen, Pächter/ Pächter,
    Paket/ Pakete, Pflicht/ Pflichten, Preis/ Preise, Prüfung/s Prüfungen, Quittung/s Quittungen, Rabatt/
    Rabatte, Rechnung/s Rechnungen, Regel/ Regeln, Reise/ Reisen, Rücknahme/ Rücknahmen, Rückstand/s
    Rückstände, Satzung/s Satzungen, Schaden/s Schäden, Schlüssel/ Schlüssel, Schüler/ Schüler, Schutz/
    Schutze, Sitzung/s Sitzungen, Spediteur/ Spediteure, Stadt/ Städte, Steuer/ Steuern, Straße/n Straßen,
    Störung/s Störungen, Träger/ Träger, Übergabe/ Übergaben, Überstunde/n Überstunden, Umsatz/ Umsätze,
    Unfall/ Unfälle, Urlaub/s Urlaube, Urkunde/n Urkunden, Verband/s Verbände, Vergütung/s Vergütungen,
    Verkauf/s Verkäufe, Vermögen/s Vermögen, Versicherung/s Versicherungen, Verspätung/s Verspätungen,
    Vertrag/s Verträge, Vertreter/ Vertreter, Vollmacht/ Vollmachten, Vorschuss/ Vorschüsse, Wärme/
    Wärmen, Währung/s Währungen, Ware/n Waren, Wartung/s Wartungen, Werkstatt/ Werkstätten, Widerruf/s
    Widerrufe, Wohnung/s Wohnungen, Zahlung/s Zahlungen, Zähler/ Zähler, Zeugnis/ Zeugnisse, Zins/ Zinsen,
    Zoll/ Zölle, Zubehör/ Zubehöre, Zugang/s Zugänge, Zuschuss/ Zuschüsse, Zustellung/s Zustellungen
"""
_PAIRS = [entry.split() for entry in _NOUNS.replace("\n", " ").split(",")]
PLURALS = {pair[0].partition("/")[0]: pair[1] for pair in _PAIRS}
JOINTS = {pair[0].partition("/")[0]: pair[0].partition("/")[2] for pair in _PAIRS}
NOUNS = list(PLURALS)

ADJECTIVES = """
    abweichend allgemein amtlich angemessen anteilig ausdrücklich ausländisch befristet berechtigt
    besonder betrieblich bindend bundesweit dauerhaft dringend eigen einfach einmalig einzeln elektronisch
    endgültig erforderlich europäisch fällig fehlerhaft flexibel fortlaufend freiwillig fristgerecht früh
    ganzjährig gebraucht geeignet gefährlich gemeinsam genau gesetzlich gewerblich gewöhnlich gleich
    großzügig gültig häufig heimisch höher inländisch jährlich jung jünger kommunal kostenlos kräftig
    künftig kurz ländlich langfristig laufend mangelhaft maßgeblich mehrjährig mehrsprachig mittelfristig
    mobil möglich monatlich mündlich nachträglich nächst nachweislich nördlich nötig notwendig öffentlich
    ordentlich örtlich pauschal persönlich pünktlich regelmäßig rückwirkend sachlich schädlich schriftlich
    selbstständig sicher sofortig ständig stetig steuerfrei südlich tatsächlich täglich technisch üblich
    umfassend unbefristet ungültig unmittelbar unverzüglich verbindlich verfügbar verjährt verspätet
    vertraglich vollständig vorläufig vorrangig wesentlich wirksam wöchentlich zulässig zusätzlich
    zuständig zwingend
""".split()

# Third person, past participle, infinitive.
_VERBS = """
    prüft geprüft prüfen, bestellt bestellt bestellen, kündigt gekündigt kündigen, liefert geliefert
    liefern, meldet gemeldet melden, mahnt gemahnt mahnen, bucht gebucht buchen, erklärt erklärt erklären,
    fördert gefördert fördern, genehmigt genehmigt genehmigen, erstattet erstattet erstatten, verlängert
    verlängert verlängern, verkürzt verkürzt verkürzen, ändert geändert ändern, zahlt gezahlt zahlen,
    führt geführt führen, öffnet geöffnet öffnen, schließt geschlossen schließen, übergibt übergeben
    übergeben, übernimmt übernommen übernehmen, verkauft verkauft verkaufen, kauft gekauft kaufen, mietet
    gemietet mieten, vermietet vermietet vermieten, versichert versichert versichern, begründet begründet
    begründen, bestätigt bestätigt bestätigen, beantragt beantragt beantragen, bewertet bewertet bewerten,
    kürzt gekürzt kürzen, löscht gelöscht löschen, speichert gespeichert speichern, sichert gesichert
    sichern, wartet gewartet warten, zählt gezählt zählen, ergänzt ergänzt ergänzen, ersetzt ersetzt
    ersetzen, schätzt geschätzt schätzen, verwaltet verwaltet verwalten, regelt geregelt regeln, berechnet
    berechnet berechnen, vergütet vergütet vergüten
"""
VERBS = [tuple(entry.split()) for entry in _VERBS.replace("\n", " ").split(",")]

ADVERBS = """
    bereits danach ebenfalls erneut frühestens gelegentlich immer jährlich jederzeit künftig meist
    mindestens nachträglich nie oft pünktlich rechtzeitig regelmäßig schließlich selten sofort später
    spätestens ständig täglich unverzüglich vorher vorläufig wöchentlich zunächst zusätzlich zuletzt
""".split()

QUESTIONS = (
    "Wie funktioniert {}?",
    "Was ist bei {} zu beachten?",
    "Wo finde ich {}?",
    "Wer ist für {} zuständig?",
    "Bitte erkläre mir {}",
)

# Slots as in English; A is an adjective with an ending, K a compound, S a plural.
SENTENCES = (
    "Die {A} {n} der {K} wird bis {D} von {N} {p}.",
    "{N} {v} die {s} {r}, wenn die {n} für {K} {a} ist.",
    "Jede {n} über {Q} Euro ist {r} zu {i}, sonst gilt die {A} {K}.",
    "Für {s} und {s} gilt die {K}, soweit {N} nichts anderes {p} hat.",
    "Nach {D} sind alle {A} {s} unter `{I}` zu {i}.",
    "Wer eine {n} {v}, muss die {K} {r} {i}.",
    "Das {n} von {N} ist {a}, die {A} {s} sind {a}.",
    "Ohne {A} {K} dürfen {s} nicht {p} werden.",
    "Die {K} {v} {Q} {s}, und {N} {v} die übrigen.",
    "Sobald die {n} {p} ist, {v} {N} die {A} {K} {r}.",
    "Im Übrigen werden {s} der {K} {r} {p}.",
    "Eine {A} {n} kann {N} binnen {Q} Tagen {i}.",
)

DESCRIPTIONS = (
    "Wie die {A} {n} von {N} {p} wird.",
    "Was {N} {i} muss, bevor die {K} {p} wird.",
    "Welche {s} für die {K} gelten.",
)

TITLES = (
    "{K} {N}",
    "{A} {K} für {s}",
    "{K} und {n} {N}",
    "{n} der {A} {K}",
    "{K} bei {s}",
    "{A} {s} {N}",
    "{N} {K}",
    "{K} {n} {#}",
)


def compound(first: str, second: str) -> str:
    """One noun out of two."""
    return first + JOINTS[first] + second.lower()


def inflected(adjective: str, draw: int) -> str:
    """An adjective with one of its endings."""
    stem = adjective[:-2] + "l" if adjective.endswith("el") else adjective
    return stem + ("e", "en", "er", "es", "em")[draw % 5]


def written_out(word: str) -> str:
    """A word as it is typed where the keyboard has no umlauts."""
    for umlaut, letters in zip("äöüßÄÖÜ", ("ae", "oe", "ue", "ss", "Ae", "Oe", "Ue"), strict=True):
        word = word.replace(umlaut, letters)
    return word
