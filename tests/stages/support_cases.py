"""Quotes, with what a careful reader would write from them and what a careless or dishonest one would.

A case is a quote; the things that its unit names (``a|b`` are two names of one thing); true claims; wrong ones with their kind.
"""

from __future__ import annotations

from typing import NamedTuple


class Case(NamedTuple):
    quote: str
    names: str
    true: tuple[str, ...]
    wrong: tuple[tuple[str, str], ...]
    place: str = ""


def case(quote: str, names: str, true: str, wrong: str, place: str = "") -> Case:
    """``true``: a claim a line; ``wrong``: 'kind: claim' a line."""
    return Case(
        quote,
        names,
        tuple(line.strip() for line in true.strip().splitlines() if line.strip()),
        tuple(
            (line.partition(":")[0].strip(), line.partition(":")[2].strip())
            for line in wrong.strip().splitlines()
            if line.strip()
        ),
        place,
    )


# The set by which the rules were written.
FIRST = [
    case(
        "At 09:14 UTC the payment gateway began to return 502 errors, and Dana Okafor restarted the ledger service at 09:31.",
        "Payment Gateway|gateway; Dana Okafor|Dana; Ledger Service",
        """The payment gateway returned 502 errors from 09:14 UTC
        Dana Okafor restarted the ledger service at 09:31
        Dana restarted the ledger service
        The gateway began to return 502 errors at 09:14
        The ledger service was restarted by Dana Okafor""",
        """date: The payment gateway began to return 502 errors at 10:14 UTC
        number: The payment gateway began to return 504 errors at 09:14 UTC
        actor: Priya Nair restarted the ledger service at 09:31
        opposite: Dana Okafor did not restart the ledger service
        direction: The ledger service restarted Dana Okafor
        unrelated: The company headquarters are in Utrecht""",
    ),
    case(
        "Test coverage of the parser rose from 61 % to 78 % after the fuzzing work by Tomas Lind.",
        "parser; Tomas Lind",
        """Test coverage of the parser rose to 78 %
        Coverage of the parser was 61 percent before the fuzzing work
        The fuzzing work of Tomas Lind raised the parser's test coverage
        Test coverage of the parser rose from 61% to 78%""",
        """number: Test coverage of the parser rose to 95 %
        opposite: Test coverage of the parser fell to 78 %
        direction: Test coverage of the parser rose from 78 % to 61 %
        actor: The fuzzing work was done by Ines Moreau
        negation: Test coverage of the parser did not rise""",
    ),
    case(
        "We suspect that the expired certificate on edge-3 may have caused the outage.",
        "edge-3",
        """The expired certificate on edge-3 may have caused the outage
        An expired certificate is suspected to have caused the outage
        The team suspects an expired certificate on edge-3""",
        """hedge: The expired certificate on edge-3 caused the outage
        hedge: The outage was caused by an expired certificate
        opposite: The expired certificate on edge-3 did not cause the outage
        actor: The expired certificate on edge-7 may have caused the outage""",
    ),
    case(
        "Billing depends on the Identity service for every login.",
        "Billing; Identity",
        """Billing depends on Identity
        Billing depends on the Identity service for logins
        Every login of Billing needs the Identity service""",
        """direction: Identity depends on Billing
        opposite: Billing does not depend on Identity
        opposite: Billing never depends on the Identity service
        actor: Search depends on the Identity service""",
    ),
    case(
        "The rollout to region eu-west finished within 250 ms per node, well under the limit of 2 s.",
        "eu-west",
        """The rollout to eu-west finished within 0.25 s per node
        The rollout limit is 2 s
        The rollout finished within 250 ms per node""",
        """unit: The rollout to eu-west finished within 250 s per node
        number: The rollout limit is 5 s
        opposite: The rollout to eu-west failed to finish""",
    ),
    case(
        "Harbour Foods acquired the Oslo-based bakery chain Brod & Co. in June 2019 for 42 million euros.",
        "Harbour Foods; Brod & Co.|Brod; Oslo",
        """Harbour Foods acquired Brod & Co. in June 2019
        Brod & Co. was acquired by Harbour Foods
        Harbour Foods paid 42 million euros for Brod & Co.
        Brod & Co. is a bakery chain based in Oslo""",
        """date: Harbour Foods acquired Brod & Co. in July 2019
        date: Harbour Foods acquired Brod & Co. in June 2016
        number: Harbour Foods paid 24 million euros for Brod & Co.
        unit: Harbour Foods paid 42 million dollars for Brod & Co.
        unit: Harbour Foods paid 42 billion euros for Brod & Co.
        direction: Brod & Co. acquired Harbour Foods in June 2019
        opposite: Harbour Foods sold Brod & Co. in June 2019""",
    ),
    case(
        "The committee rejected option B because it would lock the team into one vendor.",
        "option B; committee",
        """The committee rejected option B
        Option B was rejected because of vendor lock-in
        Option B was rejected by the committee""",
        """opposite: The committee accepted option B
        opposite: The committee did not reject option B
        actor: The committee rejected option C
        unrelated: Lunch is served at noon on Fridays""",
    ),
    case(
        "Each node holds at most 4 GB of cache; the replica set has five members.",
        "node; replica set",
        """Each node holds at most 4 GB of cache
        The replica set has 5 members
        A node's cache is limited to at most 4 GB""",
        """number: Each node holds at most 8 GB of cache
        unit: Each node holds at most 4 TB of cache
        hedge: Each node holds 4 GB of cache
        opposite: Each node holds at least 4 GB of cache
        number: The replica set has seven members""",
    ),
    case(
        "She left the team in 2021 and has since led the observability group at Northwind.",
        "Mira Castellanos|Mira; Northwind; observability group",
        """Mira Castellanos left the team in 2021
        Mira Castellanos leads the observability group at Northwind
        Mira left the team in 2021""",
        """date: Mira Castellanos left the team in 2012
        opposite: Mira Castellanos joined the team in 2021
        opposite: Mira Castellanos did not leave the team""",
    ),
    case(
        "If the primary fails, the standby takes over within 30 seconds.",
        "primary; standby",
        """The standby takes over within 30 seconds if the primary fails
        The standby takes over when the primary fails
        If the primary fails, the standby takes over""",
        """hedge: The standby took over within 30 seconds
        number: If the primary fails, the standby takes over within 300 seconds
        hedge: The primary fails
        direction: If the standby fails, the primary takes over within 30 seconds""",
    ),
    case(
        "Some of the sensors reported wrong values during the storm.",
        "sensors",
        """Some sensors reported wrong values during the storm
        Some of the sensors gave wrong values in the storm""",
        """hedge: All sensors reported wrong values during the storm
        opposite: The sensors reported correct values during the storm
        opposite: None of the sensors reported wrong values""",
    ),
    case(
        "Bob claims that the disk array was never backed up.",
        "Bob; disk array",
        """Bob claims that the disk array was never backed up
        According to Bob the disk array was never backed up
        Bob says the disk array was not backed up""",
        """hedge: The disk array was never backed up
        opposite: Bob claims that the disk array was backed up
        actor: Alice claims that the disk array was never backed up""",
    ),
    case(
        "Der Dienst Abrechnung wurde am 3. Mai 2024 von Jonas Weber neu gestartet.",
        "Abrechnung; Jonas Weber|Weber",
        """Jonas Weber startete den Dienst Abrechnung am 3. Mai 2024 neu
        Der Dienst Abrechnung wurde von Jonas Weber neu gestartet
        Am 3. Mai 2024 wurde der Dienst Abrechnung neu gestartet""",
        """date: Der Dienst Abrechnung wurde am 5. Mai 2024 von Jonas Weber neu gestartet
        negation: Der Dienst Abrechnung wurde nicht neu gestartet
        actor: Der Dienst Abrechnung wurde von Karin Vogt neu gestartet""",
    ),
    case(
        "Die Umstellung auf PostgreSQL senkte die Antwortzeit möglicherweise um 40 Prozent.",
        "PostgreSQL",
        """Die Umstellung auf PostgreSQL senkte die Antwortzeit möglicherweise um 40 Prozent
        Die Antwortzeit sank nach der Umstellung auf PostgreSQL möglicherweise um 40 %""",
        """hedge: Die Umstellung auf PostgreSQL senkte die Antwortzeit um 40 Prozent
        number: Die Umstellung auf PostgreSQL senkte die Antwortzeit möglicherweise um 14 Prozent""",
    ),
    case(
        "田中は2024年5月に決済サービスを再起動した。",
        "田中; 決済サービス",
        """田中は決済サービスを再起動した
        決済サービスは2024年5月に再起動された""",
        """number: 田中は2023年5月に決済サービスを再起動した
        negation: 田中は決済サービスを再起動しなかった
        unrelated: 東京は日本の首都である""",
    ),
    case(
        "障害の原因は証明書の期限切れかもしれない。",
        "証明書",
        """障害の原因は証明書の期限切れかもしれない
        証明書の期限切れが障害の原因かもしれない""",
        """hedge: 障害の原因は証明書の期限切れである
        negation: 障害の原因は証明書の期限切れではない""",
    ),
    case(
        "Vendor X supplied Component Z until March 2026; since then Vendor W has delivered it.",
        "Vendor X; Component Z; Vendor W",
        """Vendor X supplied Component Z until March 2026
        Vendor W has delivered Component Z since March 2026
        Component Z was supplied by Vendor X until March 2026""",
        """actor: Vendor Q supplied Component Z until March 2026
        date: Vendor X supplied Component Z until May 2026
        opposite: Vendor X never supplied Component Z
        unrelated: The bridge was repainted in green""",
    ),
    case(
        "The new scheduler does not retry failed jobs; operators have to requeue them by hand.",
        "scheduler; operators",
        """The new scheduler does not retry failed jobs
        Failed jobs have to be requeued by hand
        Operators must requeue failed jobs manually""",
        """opposite: The new scheduler retries failed jobs
        opposite: Failed jobs are requeued automatically
        number: The new scheduler retries failed jobs 3 times""",
    ),
]
