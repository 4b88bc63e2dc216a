"""Doubts as people read them."""

from __future__ import annotations

from kgraph.support.levels import Doubt, Reason, Support

_SAYS = {
    Doubt.NUMBER: ("it says {said!r}, the quote {quoted!r}", "the quote has no {said!r}"),
    Doubt.NEGATION: (
        "{said!r} and {quoted!r} are opposed",
        "only one of the two denies it ({either!r})",
    ),
    Doubt.ACTOR: (
        "it names {said!r} where the quote has {quoted!r}",
        "the quote doesn't speak of {said!r}",
    ),
    Doubt.DIRECTION: (
        "it has {said!r}, the quote {quoted!r}: the other way round",
        "the other way round",
    ),
    Doubt.HEDGE: ("the quote limits it by {quoted!r}", "the quote limits it"),
    Doubt.NOTHING_IN_COMMON: ("statement and quote share no words that say something",) * 2,
    Doubt.SHORT: ("the quote {quoted!r} is too short to say it",) * 2,
}


def in_words(support: Support) -> str:
    """The first doubt as a clause; '' where there is none."""
    return reason_in_words(support.reasons[0]) if support.reasons else ""


def reason_in_words(reason: Reason) -> str:
    said, quoted = _short(reason.said), _short(reason.quoted)
    full, half = _SAYS[reason.doubt]
    form = full if (said and quoted) or "{said" not in full or not half else half
    if reason.doubt in (Doubt.HEDGE,) and not quoted:
        form = half
    return form.format(said=said, quoted=quoted, either=said or quoted)


def _short(text: str) -> str:
    collapsed = " ".join(text.split())
    return collapsed if len(collapsed) <= 60 else collapsed[:59] + "…"


def as_json(support: Support) -> dict[str, object]:
    """``{"level", "reasons": [{"doubt", "said", "quoted", "text"}]}``; reasons only where there are any."""
    found: dict[str, object] = {"level": support.level.value}
    if support.reasons:
        found["reasons"] = [
            {
                "doubt": one.doubt.value,
                "said": one.said,
                "quoted": one.quoted,
                "text": reason_in_words(one),
            }
            for one in support.reasons
        ]
    return found
