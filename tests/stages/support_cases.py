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

# Written afterwards, without a look at the rules, to measure them.
SECOND = [
    case(
        "At 14:02 the on-call engineer, Marta Ruiz, noticed that the checkout queue had grown to 48,000 messages and paged the storage team.",
        "Marta Ruiz|Marta; checkout queue; storage team",
        """Marta Ruiz was the on-call engineer
        Marta Ruiz paged the storage team
        The checkout queue had grown to 48,000 messages by 14:02
        At 14:02 Marta Ruiz noticed that the checkout queue had grown
        The storage team was paged by Marta Ruiz
        The checkout queue held 48000 messages""",
        """number: The checkout queue had grown to 84,000 messages
        actor: Ivan Petrov paged the storage team
        date: At 15:02 Marta Ruiz noticed that the checkout queue had grown
        direction: The storage team paged Marta Ruiz
        opposite: The checkout queue had shrunk to 48,000 messages""",
    ),
    case(
        "Redis was replaced by Valkey on 2025-02-17 because of the licence change.",
        "Redis; Valkey",
        """Redis was replaced by Valkey on 17 February 2025
        Valkey replaced Redis
        Valkey replaced Redis because of the licence change
        The licence change led to the replacement of Redis
        Redis was replaced in February 2025""",
        """direction: Valkey was replaced by Redis
        direction: Redis replaced Valkey
        date: Redis was replaced by Valkey on 2025-02-19
        negation: Redis was not replaced by Valkey
        unrelated: The office plants are watered on Mondays""",
    ),
    case(
        "The Dutch harbour authority opened a third quay for container ships in 1998; it is 1.2 km long.",
        "harbour authority; quay",
        """The harbour authority opened a third quay in 1998
        The third quay is 1.2 km long
        The quay has a length of 1,200 metres
        The third quay serves container ships
        A third quay for container ships was opened in 1998 by the Dutch harbour authority""",
        """number: The third quay is 2.1 km long
        unit: The third quay is 1.2 m long
        date: The harbour authority opened a third quay in 1989
        opposite: The harbour authority closed a third quay in 1998
        number: The harbour authority opened a fourth quay in 1998""",
    ),
    case(
        "Nobody on the team had tested the restore procedure before the incident.",
        "restore procedure",
        """Nobody on the team had tested the restore procedure before the incident
        The restore procedure had not been tested before the incident
        The team had never tested the restore procedure before the incident
        The restore procedure was untested before the incident""",
        """opposite: The team had tested the restore procedure before the incident
        opposite: Everybody on the team had tested the restore procedure
        opposite: The restore procedure had been tested before the incident""",
    ),
    case(
        "Our median build time dropped from 11 minutes to 7 minutes once the remote cache was enabled for all branches.",
        "remote cache; median build time",
        """The median build time dropped to 7 minutes
        Enabling the remote cache reduced the median build time
        The median build time fell from 11 to 7 minutes
        The remote cache was enabled for all branches
        Before the remote cache was enabled the median build time was 11 minutes""",
        """opposite: The median build time rose from 11 minutes to 7 minutes
        direction: The median build time dropped from 7 minutes to 11 minutes
        unit: The median build time dropped to 7 seconds
        opposite: The remote cache was disabled for all branches
        number: The median build time dropped to 5 minutes""",
    ),
    case(
        "Professor Adeyemi argues that the eruption did not cause the famine of 1816.",
        "Adeyemi|Professor Adeyemi",
        """Adeyemi argues that the eruption did not cause the famine of 1816
        According to Adeyemi the eruption did not cause the famine
        Professor Adeyemi disputes that the eruption caused the famine of 1816""",
        """opposite: Adeyemi argues that the eruption caused the famine of 1816
        hedge: The eruption did not cause the famine of 1816
        actor: Professor Lindqvist argues that the eruption did not cause the famine of 1816
        date: Adeyemi argues that the eruption did not cause the famine of 1861""",
    ),
    case(
        "The API gateway forwards every request to the auth service and rejects those without a valid token.",
        "API gateway; auth service",
        """The API gateway forwards every request to the auth service
        The API gateway rejects requests without a valid token
        Requests without a valid token are rejected by the API gateway
        Every request is forwarded to the auth service""",
        """direction: The auth service forwards every request to the API gateway
        opposite: The API gateway accepts requests without a valid token
        negation: The API gateway does not forward requests to the auth service
        actor: The API gateway forwards every request to the billing service""",
    ),
    case(
        "Version 3.4.1 fixes the memory leak that was introduced in 3.4.0.",
        "",
        """Version 3.4.1 fixes a memory leak
        The memory leak was introduced in version 3.4.0
        The memory leak introduced in 3.4.0 is fixed in 3.4.1
        A memory leak in 3.4.0 was fixed by version 3.4.1""",
        """number: Version 3.4.2 fixes the memory leak
        number: The memory leak was introduced in 3.3.0
        opposite: Version 3.4.1 does not fix the memory leak
        unrelated: Dark mode is the default theme""",
    ),
    case(
        "It will probably take until the third quarter before the new warehouse in Gdansk can be used.",
        "Gdansk; warehouse",
        """The new warehouse in Gdansk will probably not be usable before the third quarter
        The new warehouse in Gdansk can probably be used from the third quarter
        The new warehouse is in Gdansk""",
        """hedge: The new warehouse in Gdansk was used in the third quarter
        actor: The new warehouse in Szczecin can probably be used from the third quarter
        unrelated: The cafeteria serves fish on Fridays""",
    ),
    case(
        "Only administrators may delete a project.",
        "administrators; project",
        """Only administrators may delete a project
        A project may be deleted by administrators only
        Administrators may delete a project""",
        """opposite: Administrators may not delete a project
        hedge: All users may delete a project
        actor: Only guests may delete a project""",
    ),
    case(
        "The patient received 250 mg of amoxicillin three times a day for one week.",
        "amoxicillin; patient",
        """The patient received 250 mg of amoxicillin three times a day
        The patient was given amoxicillin for a week
        The patient took amoxicillin 3 times a day
        Amoxicillin was given for one week""",
        """unit: The patient received 250 g of amoxicillin three times a day
        number: The patient received 500 mg of amoxicillin three times a day
        number: The patient received amoxicillin four times a day
        actor: The patient received 250 mg of ibuprofen three times a day
        negation: The patient received no amoxicillin""",
    ),
    case(
        "Both pumps were switched off by Lena Hofer at 06:40, and the basin was drained an hour later.",
        "Lena Hofer|Lena; pumps; basin",
        """Lena Hofer switched off both pumps at 06:40
        Both pumps were switched off at 06:40
        The 2 pumps were switched off by Lena
        The basin was drained an hour after the pumps had been switched off
        Lena switched off the pumps""",
        """opposite: Lena Hofer switched on both pumps at 06:40
        date: Both pumps were switched off at 16:40
        actor: Otto Brandt switched off both pumps at 06:40
        number: Lena Hofer switched off three pumps at 06:40
        opposite: The basin was filled an hour later""",
    ),
    case(
        "Section 4 of the contract obliges the supplier to deliver within 14 days of the order.",
        "supplier; contract",
        """The supplier must deliver within 14 days of the order
        Section 4 of the contract sets a delivery time of 14 days
        The contract obliges the supplier to deliver within 14 days
        The supplier is obliged by section 4 to deliver within 14 days of the order
        The supplier has to deliver within two weeks of the order""",
        """number: The supplier must deliver within 40 days of the order
        unit: The supplier must deliver within 14 weeks of the order
        actor: Section 4 of the contract obliges the customer to deliver within 14 days
        negation: The supplier need not deliver within 14 days of the order
        number: Section 7 of the contract obliges the supplier to deliver within 14 days""",
    ),
    case(
        "The team chose Kafka over RabbitMQ since it can replay messages.",
        "Kafka; RabbitMQ",
        """The team chose Kafka over RabbitMQ
        Kafka was chosen because it can replay messages
        Kafka was preferred to RabbitMQ
        Kafka can replay messages""",
        """direction: The team chose RabbitMQ over Kafka
        negation: Kafka cannot replay messages
        opposite: The team did not choose Kafka
        actor: The team chose Pulsar over RabbitMQ""",
    ),
    case(
        "About a third of the respondents (n = 412) said they had never used the export function.",
        "export function; respondents",
        """About a third of the respondents had never used the export function
        The survey had 412 respondents
        Roughly a third of the respondents said they never used the export function""",
        """number: The survey had 214 respondents
        opposite: About a third of the respondents had always used the export function
        hedge: All respondents had never used the export function""",
    ),
    case(
        "Anna handed the investigation over to Bruno at noon and went off shift.",
        "Anna; Bruno",
        """Anna handed the investigation over to Bruno at noon
        Bruno took over the investigation from Anna at noon
        Anna went off shift
        The investigation was handed over to Bruno by Anna""",
        """direction: Bruno handed the investigation over to Anna at noon
        actor: Carla handed the investigation over to Bruno at noon
        negation: Anna did not hand over the investigation""",
    ),
    case(
        "Lake Ferrum lies 310 m above sea level and is up to 48 m deep.",
        "Lake Ferrum",
        """Lake Ferrum lies 310 m above sea level
        Lake Ferrum is up to 48 m deep
        The maximum depth of Lake Ferrum is 48 m
        Lake Ferrum lies at an altitude of 310 metres""",
        """number: Lake Ferrum lies 130 m above sea level
        opposite: Lake Ferrum lies 310 m below sea level
        unit: Lake Ferrum is up to 48 km deep
        actor: Lake Aurum lies 310 m above sea level""",
    ),
    case(
        "We have decided not to support Internet Explorer any longer.",
        "Internet Explorer",
        """Internet Explorer is no longer supported
        It was decided not to support Internet Explorer any longer
        The team decided to drop support for Internet Explorer
        Support for Internet Explorer was discontinued""",
        """opposite: Internet Explorer is still supported
        opposite: It was decided to support Internet Explorer
        actor: It was decided not to support Firefox any longer""",
    ),
    case(
        "Payments are retried up to five times with exponential back-off starting at 200 ms.",
        "Payments",
        """Payments are retried up to 5 times
        Payment retries use exponential back-off
        The back-off for payments starts at 200 ms
        The exponential back-off starts at 0.2 s""",
        """number: Payments are retried up to nine times
        unit: The back-off for payments starts at 200 s
        negation: Payments are not retried
        opposite: Payments are retried at least five times""",
    ),
    case(
        "The board appointed Yusuf Demir as chief executive in March, succeeding Clara Oyelaran.",
        "Yusuf Demir|Demir; Clara Oyelaran|Oyelaran; board",
        """The board appointed Yusuf Demir as chief executive
        Yusuf Demir succeeded Clara Oyelaran as chief executive
        Yusuf Demir was appointed chief executive in March
        Clara Oyelaran was chief executive before Yusuf Demir
        Demir became chief executive in March""",
        """direction: Clara Oyelaran succeeded Yusuf Demir
        date: Yusuf Demir was appointed chief executive in May
        opposite: The board dismissed Yusuf Demir as chief executive
        actor: The board appointed Peter Novak as chief executive""",
    ),
    case(
        "There was no data loss, but 1,300 customers had to log in again.",
        "customers",
        """There was no data loss
        No data was lost
        1,300 customers had to log in again
        The incident forced 1300 customers to log in again""",
        """opposite: There was data loss
        number: 3,100 customers had to log in again
        negation: Customers did not have to log in again
        unrelated: The bridge was built of granite""",
    ),
    case(
        "The parser module imports the lexer, and the lexer in turn needs the unicode tables.",
        "parser|parser module; lexer; unicode tables",
        """The parser module imports the lexer
        The lexer needs the unicode tables
        The lexer is imported by the parser
        The unicode tables are needed by the lexer""",
        """direction: The lexer imports the parser module
        direction: The unicode tables need the lexer
        negation: The parser module does not import the lexer
        unrelated: The user guide is written in French""",
    ),
    case(
        "In the 2019 season the club won 21 of its 34 matches and finished second.",
        "club",
        """The club won 21 of 34 matches in the 2019 season
        The club finished second in 2019
        In the 2019 season the club finished second
        The club won 21 matches""",
        """opposite: The club lost 21 of its 34 matches in the 2019 season
        number: The club won 12 of its 34 matches
        date: The club finished second in 2018
        opposite: The club finished first in the 2019 season""",
    ),
    case(
        "Customers on the free plan can't export more than 100 rows.",
        "free plan",
        """Customers on the free plan can't export more than 100 rows
        The free plan limits exports to 100 rows
        On the free plan at most 100 rows can be exported
        Free-plan customers cannot export more than 100 rows""",
        """opposite: Customers on the free plan can export more than 100 rows
        number: Customers on the free plan can't export more than 1000 rows
        actor: Customers on the Enterprise plan can't export more than 100 rows""",
    ),
    case(
        "The fire was extinguished at 03:15 by the volunteer brigade of Almond Creek.",
        "Almond Creek; volunteer brigade",
        """The volunteer brigade of Almond Creek extinguished the fire
        The fire was extinguished at 03:15
        The fire was put out by the volunteer brigade of Almond Creek at 03:15
        Almond Creek has a volunteer brigade""",
        """date: The fire was extinguished at 05:15
        actor: The volunteer brigade of Pine Ridge extinguished the fire
        negation: The fire was not extinguished
        unrelated: Shares of the company rose sharply""",
    ),
    case(
        "Since release 8 the client verifies server certificates by default; earlier releases did not.",
        "client",
        """Since release 8 the client verifies server certificates by default
        The client verifies server certificates by default
        Releases before 8 did not verify server certificates by default
        Earlier releases of the client did not verify server certificates""",
        """number: Since release 6 the client verifies server certificates by default
        opposite: The client does not verify server certificates by default
        unrelated: The logo is blue and white""",
    ),
    case(
        "Solar panels supply roughly 35 % of the plant's electricity; the rest comes from the grid.",
        "solar panels; plant; grid",
        """Solar panels supply roughly 35 % of the plant's electricity
        About 35 percent of the plant's electricity comes from solar panels
        The plant draws the rest of its electricity from the grid
        The plant gets electricity from the grid""",
        """number: Solar panels supply roughly 53 % of the plant's electricity
        hedge: Solar panels supply exactly 35 % of the plant's electricity
        number: Solar panels supply all of the plant's electricity
        negation: Solar panels supply none of the plant's electricity""",
    ),
    case(
        "Dr. Silva's group at the Institute of Marine Research measured a pH of 7.9 in the lagoon.",
        "Silva|Dr. Silva; Institute of Marine Research; lagoon",
        """Dr. Silva's group measured a pH of 7.9 in the lagoon
        The pH of the lagoon was 7.9
        A pH of 7.9 was measured in the lagoon by the group of Dr. Silva
        Dr. Silva works at the Institute of Marine Research""",
        """number: The pH of the lagoon was 9.7
        actor: Dr. Okoye's group measured a pH of 7.9 in the lagoon
        unrelated: The train leaves from platform nine""",
    ),
    case(
        "Jenkins was shut down last week. All pipelines now run on GitLab.",
        "Jenkins; GitLab",
        """Jenkins was shut down
        All pipelines run on GitLab
        Pipelines run on GitLab now
        Jenkins was shut down last week""",
        """direction: GitLab was shut down last week
        opposite: Jenkins was started last week
        opposite: No pipelines run on GitLab
        direction: All pipelines now run on Jenkins""",
    ),
    case(
        "Users who enable two-factor authentication are less likely to lose their accounts.",
        "two-factor authentication; users",
        """Users who enable two-factor authentication are less likely to lose their accounts
        Two-factor authentication makes account loss less likely
        Losing an account is less likely with two-factor authentication""",
        """opposite: Users who enable two-factor authentication are more likely to lose their accounts
        opposite: Users who disable two-factor authentication are less likely to lose their accounts
        hedge: Users who enable two-factor authentication never lose their accounts""",
    ),
    case(
        "The first edition appeared in Leipzig in 1781; a second, enlarged edition followed six years later.",
        "Leipzig",
        """The first edition appeared in Leipzig in 1781
        A second edition followed six years after the first
        The second edition was enlarged
        The first edition was published in Leipzig""",
        """date: The first edition appeared in Leipzig in 1871
        actor: The first edition appeared in Vienna in 1781
        number: A second edition followed nine years later
        opposite: The second edition was abridged""",
    ),
    case(
        "| Region | Nodes | Uptime |\n| eu-north | 12 | 99.95 % |",
        "eu-north",
        """The region eu-north has 12 nodes
        The uptime of eu-north is 99.95 %
        eu-north has an uptime of 99.95 percent""",
        """number: The region eu-north has 21 nodes
        number: The uptime of eu-north is 99.59 %
        actor: The region us-east has 12 nodes""",
    ),
    case(
        "- 10:42 Priya: rolled back config-service to build 881",
        "Priya; config-service",
        """Priya rolled back config-service to build 881 at 10:42
        Priya rolled config-service back to build 881
        config-service was rolled back to build 881 by Priya""",
        """number: Priya rolled back config-service to build 818
        actor: Sven rolled back config-service to build 881
        date: Priya rolled back config-service at 11:42
        direction: config-service rolled back Priya""",
    ),
    case(
        "He was born in Turku on 4 August 1921 and emigrated to Canada in 1947, where he founded the Maple Press.",
        "Eino Salo|Salo; Turku; Canada; Maple Press",
        """Eino Salo was born in Turku on 4 August 1921
        Eino Salo emigrated to Canada in 1947
        Salo founded the Maple Press in Canada
        The Maple Press was founded by Eino Salo
        Eino Salo was born on 1921-08-04""",
        """date: Eino Salo was born in Turku on 4 August 1912
        date: Eino Salo emigrated to Canada in 1974
        actor: Eino Salo emigrated to Australia in 1947
        direction: The Maple Press founded Eino Salo
        negation: Eino Salo never emigrated to Canada""",
    ),
    case(
        "If the disk is more than 90 % full, the agent stops writing and raises an alarm.",
        "agent; disk",
        """The agent stops writing when the disk is more than 90 % full
        The agent raises an alarm if the disk is more than 90 % full
        A disk that is more than 90 % full makes the agent stop writing""",
        """hedge: The agent stops writing and raises an alarm
        number: The agent stops writing when the disk is more than 19 % full
        opposite: The agent starts writing when the disk is more than 90 % full
        opposite: The agent stops writing if the disk is less than 90 % full""",
    ),
    case(
        "Shares of Tidewater fell 7.4 % on Thursday after the regulator opened an inquiry.",
        "Tidewater; regulator",
        """Shares of Tidewater fell 7.4 % on Thursday
        Tidewater's shares fell by 7.4 percent
        The regulator opened an inquiry
        Tidewater shares dropped after the regulator opened an inquiry
        Tidewater's share price fell on Thursday""",
        """opposite: Shares of Tidewater rose 7.4 % on Thursday
        number: Shares of Tidewater fell 4.7 % on Thursday
        date: Shares of Tidewater fell 7.4 % on Tuesday
        actor: Shares of Seawind fell 7.4 % on Thursday
        opposite: The regulator closed an inquiry""",
    ),
    case(
        "Schema migrations must be backward compatible, since old and new pods run side by side during a deploy.",
        "schema migrations; pods",
        """Schema migrations must be backward compatible
        Old and new pods run side by side during a deploy
        Schema migrations have to be backward compatible because old and new pods run at the same time
        During a deploy old and new pods run side by side""",
        """negation: Schema migrations need not be backward compatible
        opposite: Schema migrations must be backward incompatible
        unrelated: The mascot of the team is an otter""",
    ),
    case(
        "The museum is open daily except Mondays from 10 am to 6 pm.",
        "museum",
        """The museum is open daily except Mondays
        The museum is closed on Mondays
        The museum opens at 10 am
        The museum is open from 10 am to 6 pm""",
        """number: The museum is open daily from 9 am to 6 pm
        opposite: The museum is closed daily except Mondays
        date: The museum is closed on Sundays""",
    ),
    case(
        "The library is not thread-safe.",
        "library",
        """The library is not thread-safe
        The library isn't thread-safe""",
        """opposite: The library is thread-safe
        unrelated: The library supports four databases""",
    ),
    case(
        "Wir haben am Dienstag festgestellt, dass der Server Nordsee keine Backups mehr schreibt.",
        "Nordsee",
        """Der Server Nordsee schreibt keine Backups mehr
        Am Dienstag wurde festgestellt, dass der Server Nordsee keine Backups mehr schreibt
        Nordsee schreibt keine Backups mehr""",
        """negation: Der Server Nordsee schreibt Backups
        actor: Der Server Ostsee schreibt keine Backups mehr
        date: Am Freitag wurde festgestellt, dass der Server Nordsee keine Backups mehr schreibt
        unrelated: Das Museum ist montags geschlossen""",
    ),
    case(
        "Die Firma Talbach GmbH lieferte im Jahr 2022 insgesamt 340 Pumpen an die Stadtwerke.",
        "Talbach GmbH|Talbach; Stadtwerke",
        """Die Talbach GmbH lieferte 2022 insgesamt 340 Pumpen an die Stadtwerke
        Die Stadtwerke erhielten 2022 von der Talbach GmbH 340 Pumpen
        340 Pumpen wurden 2022 von der Firma Talbach GmbH an die Stadtwerke geliefert
        Talbach lieferte Pumpen an die Stadtwerke""",
        """number: Die Talbach GmbH lieferte 2022 insgesamt 430 Pumpen an die Stadtwerke
        date: Die Talbach GmbH lieferte im Jahr 2020 340 Pumpen an die Stadtwerke
        negation: Die Talbach GmbH lieferte keine Pumpen an die Stadtwerke""",
    ),
    case(
        "Das Update wird voraussichtlich im Herbst ausgeliefert.",
        "Update",
        """Das Update wird voraussichtlich im Herbst ausgeliefert
        Im Herbst wird das Update voraussichtlich ausgeliefert""",
        """hedge: Das Update wurde im Herbst ausgeliefert
        negation: Das Update wird nicht im Herbst ausgeliefert""",
    ),
    case(
        "Frau Lindner leitet seit April 2023 die Abteilung Netze; zuvor war Herr Basler dafür verantwortlich.",
        "Lindner|Frau Lindner; Basler|Herr Basler; Netze",
        """Frau Lindner leitet seit April 2023 die Abteilung Netze
        Seit April 2023 leitet Frau Lindner die Abteilung Netze
        Vor Frau Lindner war Herr Basler für die Abteilung Netze verantwortlich
        Die Abteilung Netze wird von Frau Lindner geleitet""",
        """date: Frau Lindner leitet seit August 2023 die Abteilung Netze
        negation: Frau Lindner leitet die Abteilung Netze nicht""",
    ),
    case(
        "新しい倉庫は2021年4月に横浜で開業し、従業員は約120人である。",
        "倉庫; 横浜",
        """新しい倉庫は2021年4月に横浜で開業した
        倉庫の従業員は約120人である
        横浜の新しい倉庫は2021年に開業した""",
        """number: 新しい倉庫は2012年4月に横浜で開業した
        number: 倉庫の従業員は約210人である
        negation: 新しい倉庫は横浜で開業しなかった
        unrelated: この辞書は無料で配布されている""",
    ),
    case(
        "認証サーバーはデータベースに依存している。",
        "認証サーバー; データベース",
        """認証サーバーはデータベースに依存している
        認証サーバーはデータベースに依存する""",
        """direction: データベースは認証サーバーに依存している
        negation: 認証サーバーはデータベースに依存していない""",
    ),
    case(
        "佐藤さんが報告書を山田さんに送った。",
        "佐藤; 山田; 報告書",
        """佐藤さんが報告書を山田さんに送った
        佐藤さんは山田さんに報告書を送った
        報告書は佐藤さんから山田さんに送られた""",
        """direction: 山田さんが報告書を佐藤さんに送った
        negation: 佐藤さんは山田さんに報告書を送らなかった""",
    ),
    case(
        "Despite the rain, more than 2,000 people attended the opening of the Velora bridge on Saturday.",
        "Velora bridge|Velora",
        """More than 2,000 people attended the opening of the Velora bridge
        The Velora bridge was opened on Saturday
        The opening of the Velora bridge was attended by more than 2000 people
        It rained at the opening of the Velora bridge""",
        """number: More than 5,000 people attended the opening of the Velora bridge
        opposite: Fewer than 2,000 people attended the opening of the Velora bridge
        date: The Velora bridge was opened on Sunday
        opposite: More than 2,000 people attended the closing of the Velora bridge""",
    ),
    case(
        "MapleDB stores its write-ahead log on a separate volume so that a full data disk cannot block commits.",
        "MapleDB",
        """MapleDB stores its write-ahead log on a separate volume
        The write-ahead log of MapleDB is on a separate volume
        A full data disk cannot block commits in MapleDB
        MapleDB keeps the write-ahead log on its own volume""",
        """negation: MapleDB does not store its write-ahead log on a separate volume
        opposite: A full data disk can block commits in MapleDB
        actor: CedarDB stores its write-ahead log on a separate volume""",
    ),
    case(
        "After two failed attempts, the probe landed on the moon's far side on 3 January.",
        "probe",
        """The probe landed on the moon's far side on 3 January
        The probe landed on the far side of the moon
        Two attempts had failed before the probe landed
        On January 3 the probe landed on the moon's far side""",
        """date: The probe landed on the moon's far side on 13 January
        opposite: The probe did not land on the moon's far side
        number: The probe landed after five failed attempts
        opposite: The probe landed on the moon's near side""",
    ),
    case(
        "Tickets tagged 'billing' are assigned to Team Heron, everything else to Team Kite.",
        "Team Heron; Team Kite",
        """Billing tickets are assigned to Team Heron
        Tickets tagged 'billing' go to Team Heron
        Tickets that aren't tagged 'billing' are assigned to Team Kite
        Team Heron handles billing tickets""",
        """negation: Tickets tagged 'billing' are not assigned to Team Heron
        actor: Tickets tagged 'billing' are assigned to Team Swift
        unrelated: The garden has three apple trees""",
    ),
    case(
        "The treaty was signed by Norland and Esteria on 12 May 1954 and entered into force a year later.",
        "Norland; Esteria; treaty",
        """Norland and Esteria signed the treaty on 12 May 1954
        The treaty was signed on 12 May 1954
        Esteria signed the treaty
        The treaty entered into force a year after it was signed
        Norland signed the treaty in May 1954""",
        """date: The treaty was signed on 21 May 1954
        actor: The treaty was signed by Norland and Sudland
        negation: Esteria did not sign the treaty
        date: Norland and Esteria signed the treaty in 1945""",
    ),
    case(
        "Compression reduced the bundle from 3.1 MB to 900 kB.",
        "bundle",
        """Compression reduced the bundle to 900 kB
        The bundle was 3.1 MB before compression
        Compression reduced the bundle size
        The bundle shrank from 3.1 MB to 900 kB""",
        """unit: Compression reduced the bundle to 900 MB
        number: Compression reduced the bundle to 90 kB
        opposite: Compression increased the bundle from 3.1 MB to 900 kB
        direction: Compression reduced the bundle from 900 kB to 3.1 MB""",
    ),
    case(
        "Kenji joined the SRE team in Osaka; before that he had worked for Hoshi Electric for nine years.",
        "Kenji; SRE team; Hoshi Electric; Osaka",
        """Kenji joined the SRE team in Osaka
        Kenji had worked for Hoshi Electric for nine years
        Kenji worked at Hoshi Electric for 9 years before he joined the SRE team
        The SRE team in Osaka was joined by Kenji""",
        """opposite: Kenji left the SRE team in Osaka
        number: Kenji had worked for Hoshi Electric for six years
        actor: Kenji joined the SRE team in Kyoto
        actor: Kenji had worked for Tsuki Motors for nine years""",
    ),
    case(
        "The audit found no evidence that customer data left the company.",
        "audit",
        """The audit found no evidence that customer data left the company
        No evidence was found that customer data left the company
        The audit did not find evidence that customer data left the company""",
        """opposite: The audit found evidence that customer data left the company
        opposite: Customer data left the company
        unrelated: The marathon starts at the town hall""",
    ),
    case(
        "Water boils at 93 °C at this altitude, so the pasta needs two minutes longer.",
        "pasta",
        """Water boils at 93 °C at this altitude
        At this altitude the pasta needs two minutes longer
        The pasta needs 2 minutes longer
        At this altitude the boiling point of water is 93 °C""",
        """number: Water boils at 39 °C at this altitude
        unit: Water boils at 93 °F at this altitude
        opposite: The pasta needs two minutes less
        number: The pasta needs seven minutes longer""",
    ),
    case(
        "the",
        "Vendor X; Component Z",
        "",
        """short: Vendor X supplied Component Z
        short: Component Z failed in March""",
    ),
    case(
        "Component Z",
        "Vendor X; Component Z",
        "",
        """short: Vendor X supplied Component Z
        short: Component Z failed after 40 hours of use""",
    ),
    case(
        "was not",
        "gateway",
        "",
        """short: The gateway was not restarted
        short: The gateway was never patched""",
    ),
]

# A third, smaller one, of other kinds of text.
THIRD = [
    case("fix(auth): stop refreshing tokens that have already expired (#4127)", "auth",
         """Expired tokens are no longer refreshed
         The auth module stops refreshing tokens that have already expired
         Pull request 4127 fixes the refreshing of expired tokens""",
         """number: Pull request 4172 fixes the refreshing of expired tokens
         unrelated: The invoices are printed in colour"""),
    case("Q: Does the free tier include SSO? A: No, SSO is part of the Business plan only.", "SSO; Business plan; free tier",
         """SSO is part of the Business plan only
         The free tier does not include SSO
         SSO is only available in the Business plan""",
         """opposite: The free tier includes SSO
         actor: SSO is part of the Starter plan only"""),
    case("Between 2010 and 2015 the town's population grew by 12 per cent, reaching 48,300.", "town",
         """The town's population grew by 12 percent between 2010 and 2015
         The population of the town reached 48,300
         From 2010 to 2015 the population grew by 12 %""",
         """number: The town's population grew by 21 per cent
         opposite: The town's population shrank by 12 per cent between 2010 and 2015
         date: Between 2011 and 2015 the town's population grew by 12 per cent"""),
    case("Neither the primary nor the replica had enough disk space left.", "primary; replica",
         """Neither the primary nor the replica had enough disk space left
         The primary did not have enough disk space left
         The replica lacked disk space""",
         """opposite: The primary and the replica had enough disk space left
         opposite: The replica had enough disk space left"""),
    case("Lisa, who runs procurement, told us that Hanse Logistics will take over the Rotterdam route from Kromhout in May.",
         "Lisa; Hanse Logistics; Kromhout; Rotterdam",
         """Lisa runs procurement
         Hanse Logistics will take over the Rotterdam route from Kromhout in May
         According to Lisa, Hanse Logistics will take over the Rotterdam route in May
         The Rotterdam route will pass from Kromhout to Hanse Logistics in May""",
         """direction: Kromhout will take over the Rotterdam route from Hanse Logistics in May
         hedge: Hanse Logistics took over the Rotterdam route from Kromhout
         date: Hanse Logistics will take over the Rotterdam route from Kromhout in June
         actor: Peter runs procurement"""),
    case("The valve opens automatically once the pressure exceeds 6 bar.", "valve",
         """The valve opens automatically once the pressure exceeds 6 bar
         The valve opens when the pressure is above 6 bar
         Above 6 bar the valve opens automatically""",
         """number: The valve opens automatically once the pressure exceeds 9 bar
         opposite: The valve closes automatically once the pressure exceeds 6 bar
         opposite: The valve opens manually once the pressure exceeds 6 bar"""),
    case("Rosalind Franklin's X-ray image, taken in May 1952 by her student Raymond Gosling, showed the structure of B-DNA.",
         "Rosalind Franklin|Franklin; Raymond Gosling|Gosling; B-DNA",
         """Raymond Gosling took the X-ray image in May 1952
         The X-ray image was taken in May 1952
         Gosling was a student of Rosalind Franklin
         The X-ray image showed the structure of B-DNA""",
         """date: The X-ray image was taken in May 1925
         actor: The X-ray image was taken by Maurice Wilkins
         direction: Rosalind Franklin was a student of Raymond Gosling"""),
    case("Deploys are frozen from 20 December to 3 January; only security fixes may be released.", "deploys",
         """Deploys are frozen from 20 December to 3 January
         Only security fixes may be released during the freeze
         The deploy freeze lasts from December 20 to January 3""",
         """date: Deploys are frozen from 22 December to 3 January
         hedge: All fixes may be released
         opposite: Security fixes may not be released"""),
    case("Nachdem der Lüfter ausgefallen war, schaltete sich der Server Fjord um 04:12 Uhr ab.", "Fjord|Server Fjord; Lüfter",
         """Der Server Fjord schaltete sich um 04:12 Uhr ab
         Der Lüfter war ausgefallen
         Der Server Fjord schaltete sich ab, nachdem der Lüfter ausgefallen war""",
         """number: Der Server Fjord schaltete sich um 05:12 Uhr ab
         negation: Der Server Fjord schaltete sich nicht ab"""),
    case("Our experiments suggest that larger batches do not hurt accuracy.", "batches",
         """Experiments suggest that larger batches do not hurt accuracy
         Larger batches seem not to hurt accuracy
         The experiments suggest that accuracy does not suffer from larger batches""",
         """opposite: Experiments suggest that larger batches hurt accuracy
         opposite: Experiments suggest that smaller batches do not hurt accuracy
         hedge: Larger batches do not hurt accuracy"""),
    case("I've moved the nightly backup job from cron to the Argo scheduler, Mei reviewed it.", "Mei; Argo|Argo scheduler; nightly backup job",
         """The nightly backup job was moved from cron to the Argo scheduler
         Mei reviewed the move of the nightly backup job
         The nightly backup job runs on the Argo scheduler""",
         """direction: The nightly backup job was moved from the Argo scheduler to cron
         actor: Tom reviewed it
         negation: The nightly backup job was not moved"""),
]  # fmt: skip
