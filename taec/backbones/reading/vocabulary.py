"""English word lists of the reader: closed classes and a few nouns that tell what kind of thing is asked for."""


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


FUNCTION_WORDS = frozenset(
    _words(
        "a about above after all also am an and any are as at be because been before being below between both but by can could "
        "did do does doing down during each either few for from further had has have having he her here hers him his how i if "
        "in into is it its itself just many may me might more most much must my neither no nor not of off on once only or other "
        "our out over own per same shall she should so some such than that the their them then there these they this those "
        "through to too under until up upon us very was we were what when where which while who whom whose why will with within "
        "without would you your s t d m ll re ve according give given gives list listed name named state stated states show "
        "shown shows say says mention mentioned record recorded involve involved involving report reported describe described "
        "regarding concerning"
    )
)
"""Words that say nothing about what a question is after, the verbs of asking included."""

OPENERS = frozenset(
    _words(
        "what which who whom whose when where why how according in on at by for from of per the a an is are was were do does "
        "did has have had can could will would should give name list find take two three four under to its as if after before "
        "between among during with one"
    )
)
"""Words that are capitalised only because a question begins with them."""

NEGATIONS = frozenset(_words("no not never none without cannot neither nor prohibited excluded"))

NUMBERS = {
    word: value
    for value, word in enumerate(
        _words(
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
            "eighteen nineteen twenty"
        )
    )
} | {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100}

ORDINALS = {
    word: value
    for value, word in enumerate(_words("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"), start=1)
}

SCALES = {"thousand": 1e3, "k": 1e3, "million": 1e6, "m": 1e6, "billion": 1e9, "bn": 1e9, "b": 1e9, "trillion": 1e12}

ABBREVIATIONS = {
    "wt": "weight",
    "no": "number",
    "qty": "quantity",
    "amt": "amount",
    "tel": "telephone",
    "dept": "department",
    "yr": "year",
}

PARTS = frozenset(
    _words(
        "section chapter part heading title position role job program programme objective goal strategy policy topic category "
        "appendix annex table figure exhibit article clause step phase module unit department division plan benefit service "
        "product"
    )
)
"""Nouns of things to which documents give a heading."""

MEASURES = frozenset(_words("number count amount total name title kind type sort value share percentage"))
"""Nouns that stand before the `of` of the noun that is really asked for."""

COMPARATIVES = _words(
    "higher lower larger smaller greater longer shorter more fewer later earlier older heavier lighter younger bigger less"
)

DOCUMENTS = _words(
    "report plan handbook document guide guidebook manual paper brochure booklet library survey article study slide slides "
    "presentation deck book policy agreement contract catalogue catalog newsletter filing"
)
"""Nouns by which questions name the document they are about."""
