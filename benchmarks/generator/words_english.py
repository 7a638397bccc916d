"""English words, written for this benchmark: what organisations write about."""

from __future__ import annotations

NOUNS = """
    account adjustment agreement alert allocation allowance amendment annex appeal applicant approval
    archive asset assignment attachment attendance auction audit authority average backlog badge balance
    bank barcode barrel basket batch battery bearing benchmark benefit bid bill board bonus booking border
    bottle branch bridge broker budget buffer building bulletin bundle buyer cable calendar campaign
    cancellation candidate canvas capacity carrier cartridge catalogue category ceiling certificate
    chamber channel charge charter checklist claim classroom clause clearance client clinic cluster
    coating collateral collection column commission committee commodity community complaint compliance
    component compressor concern condition conference confirmation consent consignment consultant
    container contract contractor contribution conversion conveyor cooperative copyright corridor cost
    counter coupon courier coverage crate credit creditor crew crossing currency curriculum customer
    cutover cylinder dashboard dataset deadline dealer debtor decision declaration deduction default
    defect delay delegate delivery demand department dependency deposit depot designer detector device
    diagram dialogue digest dispatch dispute dividend division document domain donation donor drainage
    drawer driver duty editor elevator embargo emission employee employer encryption endpoint engine
    engineer entitlement envelope equipment escalation estimate evidence exception exchange excise
    exemption exhibit expense export extension facility factory failure farmer fault feature fee feedback
    fence fertilizer filter finding firewall fixture fleet flight folder forecast formula forwarder
    foundation franchise freight fuel function furnace garage gasket gateway gauge generator glossary
    grant greenhouse grievance guarantee guard guideline handbook handover harbour harvest hazard
    headcount heater hedge holder holiday hospital hotline household hub identity impact import incentive
    incident income indicator induction inflation ingredient inspection inspector installer instalment
    institute instruction insurance interest interface interview inventory investment investor invoice
    irrigation issuer journal judgement junction keyboard kitchen label laboratory ladder landlord
    language latency launch laundry lawyer layout lead leaflet lease ledger lender letter lever liability
    library licence lighting limit liquidity listing loader loan locker lodging lottery machine magazine
    mailbox mainframe maintenance manager mandate manifest manual manufacturer margin market material
    mechanic mediator medicine member merchant merger message meter migration milestone mineral mixer
    module monitor mortgage motor museum network newsletter notice notification nozzle nurse nursery
    obligation occupancy offer office officer operator orchard order outage outlet outlook output overhead
    overtime owner packaging pallet panel parcel parking partner passenger passport patent patient payment
    payroll penalty pension performance permit petition pharmacy pilot pipeline plant plaster platform
    pledge plumber policy pollution portfolio position postage premium preparation prescription pressure
    price printer priority prison privacy probation procurement producer product professor profile
    programme project promotion property proposal protocol provider province provision publisher pump
    purchase quality quantity quarry quarter queue quota quotation railway ratio reactor rebate receipt
    receiver recipe reconciliation record recruiter recycling referral refinery refund region register
    registrar regulation reimbursement reinsurance relay release remedy reminder renewal rental repair
    replacement reply report request rescue reservation reserve reservoir resident resolution retailer
    retention return revenue review revision reward roadmap rollback roster royalty runway safeguard
    salary sample sanction satellite scaffold scanner schedule scholarship school sensor sequence server
    service session settlement severance shareholder shelter shift shipment signature silo skipper
    software solvent sponsor staff stamp standard statement station statute steward stock storage strategy
    stream subscriber subsidy substation supplier surcharge survey switchboard syllabus tariff tax
    taxpayer teacher technician template tenant tender terminal territory textbook threshold ticket timber
    timetable token tooling tower tractor trainee trainer transfer transformer translator traveller
    treasury treatment treaty tribunal trustee tunnel turbine turnover tutor umbrella underwriter upgrade
    utility vaccine validation valuation valve variance vehicle vendor ventilation venue version vessel
    veteran village violation visitor voltage volunteer voucher voyage wage waiver warehouse warranty
    waste waterway weighbridge welder welfare wharf wholesaler winery workflow workplace workshop yard
    yield zone
""".split()

ADJECTIVES = """
    absent abundant accurate acoustic active adequate adjacent administrative aerial affordable agile
    ambient annual arid atomic automatic auxiliary balanced biannual bilateral binding blank broad calm
    central certified chemical civil clean coastal coherent cold colonial commercial compact complete
    complex conditional confidential conservative constant contingent continental convertible corporate
    critical cultural current customary cyclic daily damp decimal dedicated defective delicate dense
    digital diligent direct distant distinct domestic dormant double dual durable dynamic early eastern
    elastic electric eligible emergency empty enclosed ethical exact excess exclusive exempt expert
    explicit external familiar federal final fiscal fixed flexible foreign formal fragile frequent
    friendly frozen general generic genuine global gradual gross guided hazardous heavy hidden historic
    hollow honest horizontal hourly hybrid idle illegal immediate imperial implicit inactive incoming
    independent indirect industrial informal inland inner instant integral interim internal intermediate
    invalid joint judicial junior large lateral lawful legal lenient light linear liquid local lofty
    logical long loose magnetic main major mandatory manual marginal marine maritime mature maximal
    mechanical medical mobile moderate modest monthly mountain multiple municipal mutual narrow national
    native natural nearby negative neutral nightly nominal northern notable nuclear numeric offshore
    opaque optional oral ordinary organic outgoing outer overdue oversized parallel partial passive
    patient periodic permanent pending physical plain pleasant polar political portable positive potential
    practical precise preferred preliminary previous primary private probable prompt proper proportional
    provisional public quarterly quick quiet random rapid rational ready recent recurrent reduced
    redundant regional regular reliable remote renewable residual responsible retail retired reverse rigid
    robust rough royal rural safe seasonal secondary secure senior separate serial severe shallow shared
    short silent similar simple single smooth social solar solid southern spare special specific stable
    standing static statutory steady sterile strict strong structural subordinate sudden suitable superior
    surplus sustainable swift symbolic taxable technical temporary terminal thermal thick thin tidal tidy
    tight total toxic traditional transparent trivial tropical turbulent typical unanimous uniform unique
    universal unpaid unsafe upper urban urgent useful usual vacant valid valuable variable vertical viable
    virtual visible vital voluntary warm weekly western wholesale wide wooden written yearly
""".split()

# Regular verbs whose forms differ from the stem by an ending alone.
VERBS = """
    accept adapt adjust admit adopt affect align allow amend answer appeal appoint approach assign assist
    attach attend avoid award block borrow calculate cancel check claim collect combine comment compare
    complete conduct confirm connect consider consult contact contain convert correct count cover create
    decline defend deliver demand deploy deposit detect develop direct discuss display document draft earn
    edit employ enable enforce enter escalate establish estimate evaluate examine exceed exchange exclude
    execute exempt expand explain export extend fasten file filter finance finish follow forward gather
    grant handle harvest import improve include increase inform insert inspect install insure invite
    isolate issue launch limit list load locate maintain manage measure mention monitor mount move narrow
    obtain offer open operate order outline pack perform postpone predict prepare present prevent print
    process produce prohibit promote propose protect provide publish purchase qualify question reach
    recall receive recommend reconcile record recover recruit reduce reform refund register reject release
    remind remove renew repair replace report request require resolve respond restore restrict retain
    return review reward rotate sample schedule screen secure select separate settle shorten signal sort
    specify standardise store strengthen submit suggest supervise support suspend target test track train
    transfer transform translate transport treat trigger update upload validate verify visit vote waive
    warn watch weigh
""".split()

ADVERBS = """
    again already always annually briefly carefully clearly closely correctly directly early entirely
    equally exactly finally formally fully generally gradually hardly immediately later locally loosely
    mainly manually monthly mostly normally officially often once openly partly possibly precisely
    previously promptly properly quickly quietly rarely readily recently regularly safely seldom
    separately shortly slowly sometimes soon strictly thoroughly twice usually weekly
""".split()

ACCENTED = """
    Almería Besançon Béziers Bogotá Brasília café cliché cortège crème Curaçao Córdoba décor détente Düren
    élite façade fiancé frère garçon Gdańsk Göteborg Jönköping Kraków León Liège Łódź Malmö Málaga manège
    matinée Mérida naïve Neuchâtel Orléans Örebro pâté piñata Plzeň Poznań protégé purée Québec rémoulade
    résumé Rhône risqué rosé Sète señor Skövde smørrebrød soirée Tromsø Tórshavn Umeå Valparaíso Västerås
    Wrocław Århus Échallens Évora
""".split()

PREFIXES = """
    anti bi co counter cross de extra fore hyper inter intra macro mega meta micro mid mini multi non out over
    para poly post pre pro pseudo quasi re semi sub super sur trans tri ultra un under
""".split()

FOLDERS = """
    finance legal sales support engineering research people procurement logistics security marketing
    operations quality facilities treasury insurance education health energy transport agriculture housing
    mining textiles metrics tables policies contracts services datasets playbooks reports decisions
    glossary incidents audits projects regions partners products releases standards training travel
    vendors warehouses benefits budgets campaigns claims customers deliveries europe asia africa americas
    oceania archive planning testing pricing payroll privacy recruiting returns risks routing safety
    shipping stock surveys taxes tickets tooling
""".split()

QUESTIONS = (
    "How do we handle {}?",
    "What is the {}?",
    "Where can I find the {}?",
    "Who is responsible for the {} and why?",
    "Please explain {} to me",
    "When should I use {}?",
    "Is there anything about {}?",
)

# Slots: a adjective, n noun, s plural, v verb in the third person, p past, i infinitive, r adverb, N name,
# I identifier, D date, Q number.
SENTENCES = (
    "The {a} {n} {v} the {n} of {N} before {D}.",
    "Each {n} {v} a {a} {n} when the {n} is {a} and the {n} is not.",
    "Ask {N} to {i} the {a} {s} {r}, because the {n} was {p} by the {n} team.",
    "Once the {n} is {p}, {s} are {p} by the {a} {n} and by {N}.",
    "We {i} {s} with {N} and {i} every {n} over {Q} units.",
    "A {n} that was {p} on {D} can be {p} {r} through {N}.",
    "If {N} {v} the {n}, then {i} the {n} and {i} {Q} {s} in the {a} {n}.",
    "The {n} in `{I}` is {a}; its {n} must be {p} {r}.",
    "It is {a} to {i} {s} of the {n} without a {a} {n}.",
    "{N} and {N} {r} {i} the {n} for all {s} of the {a} region.",
    "Since {D} the {n} has been {p} for {Q} {s}, each with its own {n}.",
    "No {n} may {i} the {n} of another {n} unless {N} has {p} it.",
    "This {n} replaces the {a} {n} that {N} {p} for the {n}.",
    "There are {Q} {s} per {n}, of which the {a} ones are {p} first.",
    "For {a} {s} the {n} {v} {Q} days, and {N} {v} the rest.",
    "After the {n} was {p}, the {n} of {N} became {a} and {a}.",
    "{N} keeps the {n} and the {n} under `{I}` until {D}.",
    "They {i} the {a} {n} {r} and {i} what {N} left to the {n}.",
)

DESCRIPTIONS = (
    "How the {a} {n} is {p} with {N}.",
    "What {N} has to {i} before the {n} is {p}.",
    "The {n} that {v} {a} {s} of {N}.",
    "When {s} are {p} and who may {i} the {a} {n}.",
)

# Slots of titles: as above, and V infinitive in capitals, X accented word, # number.
TITLES = (
    "{n} {n} {N}",
    "{a} {n} for {N}",
    "{N} {n} {n}",
    "{V} {a} {s}",
    "{V} {n} {s} with {N}",
    "{a} {n} {n}",
    "{n} of {a} {s}",
    "{a} {N} {n}",
    "{n} {n} {#}",
    "{V} the {N} {n}",
    "{a} {s} and {s}",
    "{n} {s} of {N}",
)
ACCENTED_TITLES = ("{X} {n} {n}", "{a} {n} {X}", "{X} {N} {n}", "{n} {s} in {X}")


def plural(noun: str) -> str:
    """The plural of a regular noun."""
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "z", "ch", "sh")) else "s")


def third_person(verb: str) -> str:
    """The form that follows "it"."""
    return plural(verb)


def past(verb: str) -> str:
    """The past of a regular verb."""
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ied"
    return verb + ("d" if verb.endswith("e") else _doubled(verb) + "ed")


def gerund(verb: str) -> str:
    """The form with -ing of a regular verb."""
    return (verb[:-1] if verb.endswith("e") else verb + _doubled(verb)) + "ing"


def _doubled(verb: str) -> str:
    return verb[-1] if verb in ("admit", "submit", "cancel", "transfer") else ""
