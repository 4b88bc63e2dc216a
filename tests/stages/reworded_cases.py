"""Sourced sentences, other ways to say the same, and ways to say something else that looks like it.

A row: the sentence; what it names (``a|b``: two names of one thing); true rewordings; hostile ones, a line each.
"""

from __future__ import annotations

from typing import NamedTuple


class Row(NamedTuple):
    sentence: str
    names: str
    true: tuple[str, ...]
    hostile: tuple[str, ...]


def row(sentence: str, names: str, true: str, hostile: str) -> Row:
    lines = [
        tuple(line.strip() for line in text.splitlines() if line.strip())
        for text in (true, hostile)
    ]
    return Row(sentence, names, *lines)


ENGLISH = [
    row(
        "Acme supplied the gearbox to Norwind in 2021",
        "Acme; gearbox; Norwind",
        """The gearbox was supplied to Norwind by Acme in 2021
        In 2021 Acme supplied the gearbox to Norwind
        In 2021, the gearbox was supplied to Norwind by Acme
        It was Acme that supplied the gearbox to Norwind in 2021
        Did Acme supply the gearbox to Norwind in 2021?
        Acme supplied the gearbox to Norwind""",
        """Norwind supplied the gearbox to Acme in 2021
        Acme supplied the gearbox to Norwind in 2022
        It was Norwind that supplied the gearbox to Acme in 2021
        Acme did not supply the gearbox to Norwind in 2021
        Acme promised to supply the gearbox to Norwind in 2021
        Acme will supply the gearbox to Norwind
        Only Acme supplied the gearbox to Norwind in 2021
        The gearbox was supplied by Norwind to Acme in 2021
        Acme would have supplied the gearbox to Norwind in 2021""",
    ),
    row(
        "In Oslo the ferry Merla rammed the pier",
        "Oslo; Merla|ferry Merla; pier",
        """The ferry Merla rammed the pier in Oslo
        The pier was rammed by Merla in Oslo
        It was in Oslo that the ferry Merla rammed the pier
        In Oslo, the pier was rammed by the ferry Merla
        Merla rammed the pier""",
        """The pier rammed the ferry Merla in Oslo
        In Oslo the ferry Merla nearly rammed the pier
        In Oslo the ferry Merla did not ram the pier
        In Oslo every ferry rammed the pier
        If Merla is late, it rammed the pier in Oslo
        Witnesses say the ferry Merla rammed the pier in Oslo
        Oslo rammed the pier""",
    ),
    row(
        "Alice's team maintains the parser",
        "Alice; parser",
        """The team of Alice maintains the parser
        The parser is maintained by Alice's team
        It is Alice's team that maintains the parser
        Does Alice's team maintain the parser?""",
        """Alice maintains the parser
        The parser maintains Alice's team
        Alice's team no longer maintains the parser
        Alice's team should maintain the parser
        The parser is not maintained by Alice's team""",
    ),
    row(
        "If the primary fails, the standby takes over",
        "primary; standby",
        """The standby takes over if the primary fails
        If the primary fails the standby takes over
        If the primary fails, then the standby takes over""",
        """The standby takes over
        The primary fails
        If the standby fails, the primary takes over
        The primary takes over if the standby fails
        The standby takes over even if the primary works
        The standby takes over unless the primary fails
        The standby took over because the primary failed
        If the primary fails, the standby does not take over""",
    ),
    row(
        "The retry delay is 250 ms",
        "retry delay",
        """The retry delay is 0.25 s
        The retry delay is 250 milliseconds
        Is the retry delay 250 ms?
        The retry delay is 0.25 seconds""",
        """The retry delay is 25 ms
        The retry delay is 250 s
        The retry delay is 2.5 s
        The retry delay was 350 ms
        The retry delay is at least 250 ms
        The retry delay is less than 250 ms
        The retry delay is not 250 ms""",
    ),
    row(
        "The trail to Velka is 5 km long",
        "trail to Velka; Velka",
        """The trail to Velka is 5,000 m long
        The trail to Velka is 5000 metres long
        Is the trail to Velka 5 km long?""",
        """The trail to Velka is 500 m long
        The trail to Velka is 5 m long
        The trail to Velka is 50 km long
        The trail to Velka is over 5 km long
        The trail to Velka isn't 5 km long""",
    ),
    row(
        "Dana owns the Billing service",
        "Dana; Billing|Billing service",
        """The Billing service is owned by Dana
        Dana is the owner of the Billing service
        The owner of the Billing service is Dana
        Billing's owner is Dana
        Is Dana the owner of the Billing service?
        It is Dana who owns the Billing service""",
        """Billing owns Dana
        Dana wants to own the Billing service
        Dana may own the Billing service
        Dana doesn't own the Billing service
        Dana owns the Billing service partly
        Dana is not the owner of the Billing service
        Dana owns half of the Billing service""",
    ),
    row(
        "Kestrel replaced Falcon and absorbed Harrier in March 2024",
        "Kestrel; Falcon; Harrier",
        """Kestrel replaced Falcon in March 2024
        Kestrel absorbed Harrier in March 2024
        Falcon was replaced by Kestrel in March 2024
        In March 2024 Harrier was absorbed by Kestrel""",
        """Falcon replaced Kestrel in March 2024
        Kestrel absorbed Falcon
        Kestrel replaced Harrier
        Harrier absorbed Kestrel in March 2024
        Kestrel replaced Falcon in March 2025
        Kestrel refused to replace Falcon
        Falcon absorbed Harrier""",
    ),
    row(
        "Priya restarted the ingest worker because the queue was full",
        "Priya; ingest worker; queue",
        """Priya restarted the ingest worker
        The ingest worker was restarted by Priya
        Because the queue was full, Priya restarted the ingest worker
        It was Priya who restarted the ingest worker""",
        """The ingest worker restarted Priya
        Priya restarted the queue
        The queue restarted the ingest worker
        Priya restarted the ingest worker although the queue was full
        The queue was full because Priya restarted the ingest worker
        Priya did not restart the ingest worker
        Priya tried to restart the ingest worker""",
    ),
    row(
        "The US firm Brightsea bought the IP of Quarrel",
        "Brightsea; Quarrel",
        """The IP of Quarrel was bought by the US firm Brightsea
        Quarrel's IP was bought by the US firm Brightsea
        The US firm Brightsea bought Quarrel's IP""",
        """The US firm Brightsea bought Quarrel
        The UK firm Brightsea bought the IP of Quarrel
        Quarrel bought the IP of the US firm Brightsea
        The US firm Brightsea sold the IP of Quarrel
        The US firm Brightsea plans to buy the IP of Quarrel""",
    ),
    row(
        "Lena closed the valve after the alarm",
        "Lena; valve",
        """The valve was closed by Lena after the alarm
        After the alarm Lena closed the valve
        After the alarm, the valve was closed by Lena
        Lena closed the valve""",
        """Lena closed the valve before the alarm
        Lena opened the valve after the alarm
        The valve closed Lena
        Lena never closed the valve
        Nobody closed the valve
        Lena forgot to close the valve""",
    ),
    row(
        "Marrow is the capital of Eld",
        "Marrow; Eld",
        """The capital of Eld is Marrow
        Eld's capital is Marrow
        Is Marrow the capital of Eld?""",
        """Eld is the capital of Marrow
        Marrow is a capital of Eld's rivals
        Marrow isn't the capital of Eld
        Marrow is the largest city of Eld
        Marrow is said to be the capital of Eld""",
    ),
    row(
        "The cache serves 4,000 requests per second",
        "cache",
        """The cache serves 4000 requests per second
        4,000 requests per second are served by the cache
        Does the cache serve 4,000 requests per second?""",
        """The cache serves 4,000 requests per minute
        The cache serves 400 requests per second
        The cache serves up to 4,000 requests per second
        The cache could serve 4,000 requests per second
        The cache served 40,000 requests per second""",
    ),
    row(
        "Omar found the fault and Petra repaired the pump",
        "Omar; Petra; pump; fault",
        """Omar found the fault
        Petra repaired the pump
        The pump was repaired by Petra
        The fault was found by Omar""",
        """Petra found the fault
        Omar repaired the pump
        The pump was repaired by Omar
        Omar caused the fault
        Petra did not repair the pump
        Petra repaired the fault""",
    ),
    row(
        "Tern imports Plover",
        "Tern; Plover",
        """Plover is imported by Tern
        Does Tern import Plover?
        It is Tern that imports Plover
        What Tern imports is Plover""",
        """Plover imports Tern
        Tern is imported by Plover
        Tern does not import Plover
        Tern imports only Plover
        Tern should import Plover
        Tern imports nothing but Plover""",
    ),
    row(
        "The board dismissed Greta Holm on 3 May 2022",
        "Greta Holm|Greta; board",
        """Greta Holm was dismissed by the board on 3 May 2022
        On 3 May 2022 the board dismissed Greta Holm
        On May 3, 2022 Greta was dismissed by the board
        The board dismissed Greta
        It was on 3 May 2022 that the board dismissed Greta Holm""",
        """Greta Holm dismissed the board on 3 May 2022
        The board dismissed Greta Holm on 5 May 2022
        The board almost dismissed Greta Holm
        The board hired Greta Holm on 3 May 2022
        Had she stayed, the board would have dismissed Greta Holm
        A newspaper claims that the board dismissed Greta Holm
        The board did not dismiss Greta Holm on 3 May 2022""",
    ),
    row(
        "Rook handed the file over to Swift",
        "Rook; Swift; file",
        """The file was handed over to Swift by Rook
        It was Rook that handed the file over to Swift
        Did Rook hand the file over to Swift?""",
        """Swift handed the file over to Rook
        The file was handed over to Rook by Swift
        Rook refused to hand the file over to Swift
        Rook handed the file over to Wren
        Rook will hand the file over to Swift""",
    ),
    row(
        "With the new filter, Lynx blocked 300 attacks",
        "Lynx; filter",
        """Lynx blocked 300 attacks with the new filter
        300 attacks were blocked by Lynx with the new filter""",
        """Lynx blocked 30 attacks with the new filter
        Lynx blocked 300 attacks without the new filter
        Lynx caused 300 attacks with the new filter
        Lynx blocked all attacks with the new filter
        Lynx blocked at least 300 attacks
        Lynx failed to block 300 attacks""",
    ),
    row(
        "The auditors rejected Pinewood's report in June",
        "auditors; Pinewood",
        """Pinewood's report was rejected by the auditors in June
        In June the auditors rejected Pinewood's report
        In June the auditors rejected the report of Pinewood""",
        """The auditors rejected Pinewood in June
        The auditors accepted Pinewood's report in June
        Pinewood rejected the auditors' report in June
        The auditors rejected Pinewood's report in July
        Some auditors rejected Pinewood's report in June
        The auditors did not reject Pinewood's report""",
    ),
    row(
        "Some nodes of Delta lost their disks",
        "Delta",
        """Did some nodes of Delta lose their disks?""",
        """All nodes of Delta lost their disks
        No nodes of Delta lost their disks
        Nodes of Delta lost their disks
        Most nodes of Delta lost their disks
        Delta lost its disks
        Some nodes of Delta did not lose their disks""",
    ),
    row(
        "Vega was built by Orion in Turin",
        "Vega; Orion; Turin",
        """Orion built Vega in Turin
        In Turin Orion built Vega
        Vega was built by Orion
        It was Orion that built Vega in Turin
        Vega was built in Turin by Orion""",
        """Vega built Orion in Turin
        Vega was built by Turin
        Orion built Vega in Milan
        Vega was rebuilt by Orion in Turin
        Vega is being built by Orion in Turin
        Vega might have been built by Orion in Turin""",
    ),
    row(
        "The river Sable separates Dorn from Elm",
        "Sable|river Sable; Dorn; Elm",
        """Dorn is separated from Elm by the river Sable
        Does the river Sable separate Dorn from Elm?
        It is the river Sable that separates Dorn from Elm""",
        """The river Sable connects Dorn with Elm
        Dorn separates the river Sable from Elm
        The river Sable no longer separates Dorn from Elm
        The river Sable separates Dorn and Elm from Fir""",
    ),
    row(
        "Heron depends on Ibis when the cache is cold",
        "Heron; Ibis; cache",
        """When the cache is cold Heron depends on Ibis
        When the cache is cold, Heron depends on Ibis""",
        """Heron depends on Ibis
        Ibis depends on Heron when the cache is cold
        Heron depends on Ibis when the cache is warm
        Heron never depends on Ibis
        Heron does not depend on Ibis when the cache is cold""",
    ),
    row(
        "Nobody told Wren that Finch had resigned",
        "Wren; Finch",
        """""",
        """Somebody told Wren that Finch had resigned
        Finch had resigned
        Wren told nobody that Finch had resigned
        Wren was told that Finch had resigned
        Finch told Wren""",
    ),
    row(
        "Lark denied that Crane leaked the keys",
        "Lark; Crane; keys",
        """It was Lark who denied that Crane leaked the keys""",
        """Crane leaked the keys
        The keys were leaked by Crane
        Lark leaked the keys
        Crane denied that Lark leaked the keys
        Lark confirmed that Crane leaked the keys
        Lark did not deny that Crane leaked the keys""",
    ),
    row(
        "Martin is said to have forged the letter",
        "Martin; letter",
        """""",
        """Martin forged the letter
        The letter was forged by Martin
        Martin said the letter was forged
        Martin has forged the letter
        It was Martin who forged the letter""",
    ),
    row(
        "The plan is that Robin replaces Jay in 2030",
        "Robin; Jay",
        """""",
        """Robin replaces Jay
        Robin replaced Jay
        Jay was replaced by Robin
        Robin replaces Jay in 2030
        In 2030 Robin replaces Jay""",
    ),
    row(
        "Without Stork, Teal would have failed",
        "Stork; Teal",
        """Teal would have failed without Stork""",
        """Teal failed
        Teal failed without Stork
        Stork failed
        Without Teal, Stork would have failed
        Teal would have failed""",
    ),
]

GERMAN = [
    row(
        "Jonas startete den Dienst Albatros am 3. Mai 2024",
        "Jonas; Albatros|Dienst Albatros",
        """Am 3. Mai 2024 startete Jonas den Dienst Albatros
        Den Dienst Albatros startete Jonas am 3. Mai 2024
        Der Dienst Albatros wurde am 3. Mai 2024 von Jonas gestartet
        Am 3. Mai 2024 wurde der Dienst Albatros von Jonas gestartet
        Jonas hat den Dienst Albatros am 3. Mai 2024 gestartet""",
        """Der Dienst Albatros startete Jonas am 3. Mai 2024
        Jonas startete den Dienst Albatros am 5. Mai 2024
        Jonas startete den Dienst Albatros nicht
        Jonas wurde von dem Dienst Albatros gestartet
        Jonas hätte den Dienst Albatros am 3. Mai 2024 gestartet
        Jonas wird den Dienst Albatros am 3. Mai 2024 starten
        Niemand startete den Dienst Albatros am 3. Mai 2024""",
    ),
    row(
        "Die Talbach GmbH lieferte die Pumpen an Norden",
        "Talbach GmbH|Talbach; Norden",
        """An Norden lieferte die Talbach GmbH die Pumpen
        Die Pumpen wurden von der Talbach GmbH an Norden geliefert
        Die Pumpen wurden an Norden von der Talbach GmbH geliefert
        Die Talbach GmbH hat die Pumpen an Norden geliefert""",
        """Norden lieferte die Pumpen an die Talbach GmbH
        Die Talbach GmbH lieferte keine Pumpen an Norden
        Die Pumpen wurden von Norden an die Talbach GmbH geliefert
        Die Talbach GmbH soll die Pumpen an Norden geliefert haben
        Die Talbach GmbH liefert die Pumpen an Norden""",
    ),
    row(
        "In Kiel ersetzte Möwe den Rechner Lotse",
        "Kiel; Möwe; Lotse|Rechner Lotse",
        """Möwe ersetzte den Rechner Lotse in Kiel
        Möwe ersetzte in Kiel den Rechner Lotse
        Der Rechner Lotse wurde in Kiel von Möwe ersetzt
        In Kiel wurde der Rechner Lotse von Möwe ersetzt""",
        """Der Rechner Lotse ersetzte Möwe in Kiel
        Möwe wurde in Kiel von dem Rechner Lotse ersetzt
        Möwe ersetzte den Rechner Lotse in Bremen
        In Kiel ersetzte Möwe den Rechner Lotse nicht
        Möwe ersetzt den Rechner Lotse in Kiel""",
    ),
    row(
        "Wenn Elster ausfällt, übernimmt Dohle die Last",
        "Elster; Dohle",
        """Dohle übernimmt die Last, wenn Elster ausfällt""",
        """Dohle übernimmt die Last
        Wenn Dohle ausfällt, übernimmt Elster die Last
        Elster fällt aus
        Elster übernimmt die Last, wenn Dohle ausfällt
        Dohle übernimmt die Last nicht, wenn Elster ausfällt""",
    ),
    row(
        "Frau Brandt leitet seit April 2023 das Labor",
        "Brandt|Frau Brandt; Labor",
        """Seit April 2023 leitet Frau Brandt das Labor
        Das Labor wird seit April 2023 von Frau Brandt geleitet
        Das Labor leitet Frau Brandt seit April 2023""",
        """Frau Brandt leitet seit April 2022 das Labor
        Das Labor wird von Frau Vogt geleitet
        Frau Brandt leitete das Labor
        Frau Brandt leitet das Labor nicht
        Frau Brandt soll das Labor leiten""",
    ),
    row(
        "Der Prüfer entdeckte am Montag einen Fehler in Star",
        "Star; Prüfer",
        """Am Montag entdeckte der Prüfer einen Fehler in Star
        Einen Fehler in Star entdeckte der Prüfer am Montag
        Ein Fehler in Star wurde am Montag von dem Prüfer entdeckt""",
        """Der Prüfer entdeckte am Dienstag einen Fehler in Star
        Der Prüfer entdeckte am Montag keinen Fehler in Star
        Der Prüfer übersah am Montag einen Fehler in Star
        Am Montag entdeckte der Prüfer alle Fehler in Star""",
    ),
    row(
        "Specht nutzt Meise für die Suche",
        "Specht; Meise",
        """Für die Suche nutzt Specht Meise
        Meise wird von Specht für die Suche genutzt
        Für die Suche wird Meise von Specht genutzt""",
        """Meise nutzt Specht für die Suche
        Specht wird von Meise für die Suche genutzt
        Specht nutzt Meise nicht für die Suche
        Specht nutzte Meise für die Suche
        Specht könnte Meise für die Suche nutzen""",
    ),
    row(
        "Im Jahr 2019 kaufte Habicht die Firma Zeisig",
        "Habicht; Zeisig|Firma Zeisig",
        """Habicht kaufte im Jahr 2019 die Firma Zeisig
        Die Firma Zeisig wurde im Jahr 2019 von Habicht gekauft
        Im Jahr 2019 wurde die Firma Zeisig von Habicht gekauft
        Habicht hat im Jahr 2019 die Firma Zeisig gekauft""",
        """Die Firma Zeisig kaufte im Jahr 2019 Habicht
        Habicht kaufte im Jahr 2018 die Firma Zeisig
        Habicht verkaufte im Jahr 2019 die Firma Zeisig
        Habicht wollte im Jahr 2019 die Firma Zeisig kaufen
        Habicht wurde im Jahr 2019 von der Firma Zeisig gekauft""",
    ),
]

JAPANESE = [
    row(
        "田中は2024年5月に決済サービスを再起動した",
        "田中; 決済サービス",
        """2024年5月に田中は決済サービスを再起動した
        決済サービスは2024年5月に田中によって再起動された
        田中が2024年5月に決済サービスを再起動した
        2024年5月に決済サービスを田中が再起動しました
        決済サービスを2024年5月に再起動したのは田中だ""",
        """決済サービスは2024年5月に田中を再起動した
        田中は2023年5月に決済サービスを再起動した
        田中は2024年5月に決済サービスを再起動しなかった
        田中は2024年5月に決済サービスによって再起動された
        田中は2024年5月に決済サービスを再起動するかもしれない
        田中は2024年5月に決済サービスを停止した""",
    ),
    row(
        "佐藤さんが報告書を山田さんに送った",
        "佐藤; 山田; 報告書",
        """佐藤さんは山田さんに報告書を送った
        報告書は佐藤さんから山田さんに送られた
        山田さんに報告書を送ったのは佐藤さんです
        佐藤さんが山田さんに報告書を送りました""",
        """山田さんが報告書を佐藤さんに送った
        佐藤さんが報告書を山田さんから送られた
        佐藤さんは山田さんに報告書を送らなかった
        報告書は山田さんから佐藤さんに送られた
        佐藤さんが山田さんに報告書を送る予定だ""",
    ),
    row(
        "認証サーバーはデータベースに依存している",
        "認証サーバー; データベース",
        """データベースに認証サーバーは依存している
        認証サーバーがデータベースに依存しています
        データベースに依存しているのは認証サーバーだ""",
        """データベースは認証サーバーに依存している
        認証サーバーはデータベースに依存していない
        認証サーバーはデータベースに依存していた
        認証サーバーはキャッシュに依存している""",
    ),
    row(
        "海鷹社が2019年に風間社を買収した",
        "海鷹社; 風間社",
        """2019年に海鷹社が風間社を買収した
        風間社は2019年に海鷹社によって買収された
        風間社は海鷹社により2019年に買収された
        2019年に風間社を買収したのは海鷹社である""",
        """風間社が2019年に海鷹社を買収した
        海鷹社は2019年に風間社によって買収された
        海鷹社が2018年に風間社を買収した
        海鷹社が2019年に風間社を買収しなかった
        海鷹社が2019年に風間社を売却した""",
    ),
    row(
        "北町駅は西線の終点である",
        "北町駅; 西線",
        """北町駅は西線の終点です
        北町駅が西線の終点だ""",
        """西線は北町駅の終点である
        北町駅は西線の終点ではない
        北町駅は東線の終点である
        北町駅は西線の起点である""",
    ),
    row(
        "研究班は横浜で新しい電池を開発した",
        "研究班; 電池; 横浜",
        """横浜で研究班は新しい電池を開発した
        新しい電池は横浜で研究班によって開発された
        研究班が新しい電池を横浜で開発しました""",
        """研究班は大阪で新しい電池を開発した
        研究班は横浜で新しい電池を開発しなかった
        新しい電池は横浜で研究班を開発した
        研究班は横浜で新しい電池を開発するつもりだ""",
    ),
]

# What turns any true sentence into one that nobody said; {s} is the sentence as it begins within another.
TEMPLATES = (
    "It is not true that {s}", "It is false that {s}", "Nobody believes that {s}", "Bob claims that {s}", "According to Bob, {s}",
    "Perhaps {s}", "If Bob is right, {s}", "{s} unless Bob is wrong", "Bob denied that {s}", "It is rumoured that {s}",
    "{s} twice", "It is doubtful whether {s}", "Bob hopes that {s}", "In the novel, {s}",
)  # fmt: skip
