"""Statements made to be taken for what the graph holds, and some honest ones that look suspicious."""

from __future__ import annotations

import pytest

from kgraph.retrieve.ground import GroundOptions, ground
from stages.ground_worlds import engine_of, said, things

A, V, R = "approve", "revise", "reject"

# what a source says, what is asked, what it must come to
HOSTILE = [
    ("Vendor X supplied Component Z", "Vendor X nearly supplied Component Z", V),
    ("Vendor X supplied Component Z", "Vendor X supplied only Component Z", V),
    ("Vendor X supplied Component Z", "Vendor X supplied Component Z twice", V),
    ("Vendor X supplied Component Z", "Vendor X will supply Component Z", V),
    ("Vendor X supplied Component Z", "Vendor X might have supplied Component Z", V),
    ("Vendor X supplied Component Z", "Vendor X failed to supply Component Z", V),
    ("Vendor X supplied Component Z", "Vendor X is supplying Component Z", V),
    ("Vendor X supplied Component Z", "Vendor X refused to supply Component Z", V),
    ("Vendor X supplied Component Z", "Nobody supplied Component Z", V),
    ("Vendor X supplied Component Z", "Vendor X supplied no Component Z", R),
    ("Vendor X supplied Component Z", "It is false that Vendor X supplied Component Z", V),
    ("Vendor X supplied Component Z", "Vendor X supplied Component Z not", V),
    ("Vendor X supplied Component Z", "Vendor X supplied Component Z to Vendor W", V),
    ("Vendor X supplied Component Z", "Did Vendor X supply Component Z or not", V),
    ("Vendor X supplied Component Z", "Vendor X supplied Component Z-2", V),
    ("Vendor X supplied Component Z", "Vendor X no longer supplies Component Z", V),
    ("Vendor X no longer supplies Component Z", "Vendor X supplies Component Z", R),
    ("Vendor X no longer supplies Component Z", "Vendor X supplied Component Z", V),
    ("Vendor X says Vendor W did not fail", "Vendor X did not say Vendor W failed", V),
    ("Vendor X did not say Vendor W failed", "Vendor X says Vendor W did not fail", V),
    ("Vendor X and Vendor W failed", "Vendor X or Vendor W failed", V),
    ("Vendor X or Vendor W failed", "Vendor X failed", V),
    ("If Vendor X fails, Vendor W fails", "Vendor W fails", V),
    ("Vendor X denied that Vendor W failed", "Vendor W failed", V),
    ("Vendor X is said to own Vendor W", "Vendor X owns Vendor W", V),
    ("Vendor X owned Vendor W", "Vendor X owns Vendor W", V),
    ("Vendor X owns Vendor W", "Vendor X owned Vendor W", A),
    ("Vendor X was the leader of the market", "Vendor X is the leader of the market", V),
    ("Vendor X has been certified", "Vendor X is certified", V),
    ("Not all servers failed", "All servers failed", R),
    ("Not all servers failed", "All servers did not fail", V),
    ("Some servers failed", "Some servers did not fail", V),
    ("Some servers failed", "Servers failed", V),
    ("No servers failed", "Servers failed", R),
    ("There was no outage", "There was an outage", R),
    ("Latency is below 200 ms", "Latency is above 200 ms", V),
    ("Latency < 200 ms", "Latency > 200 ms", V),
    ("Latency != 200 ms", "Latency = 200 ms", V),
    ("The balance is -5 EUR", "The balance is 5 EUR", V),
    ("The balance is 5 EUR", "The balance is 5 USD", V),
    ("The balance is 5 EUR", "The balance is €5", A),
    ("The ratio is 1/2", "The ratio is 1 2", V),
    ("The version is 1.2.3", "The version is 1.2.30", V),
    ("The version is 1.10", "The version is 1.1", V),
    ("The price is 1,500 EUR", "The price is 1.500 EUR", V),
    ("The price is 1,500 EUR", "The price is 1500 euros", A),
    ("Between 3 and 5 servers failed", "Between 5 and 3 servers failed", V),
    ("Data moved from Vendor X to Vendor W", "Data moved from Vendor W to Vendor X", V),
    ("Vendor X is larger than Vendor W", "Vendor W is larger than Vendor X", V),
    ("Vendor X is larger than Vendor W", "Vendor X is large", V),
    ("Vendor X sold Vendor W to Component Z", "Vendor W was sold to Component Z by Vendor X", A),
    ("Vendor X sold Vendor W to Component Z", "Component Z was sold to Vendor W by Vendor X", V),
    ("The report was finished by Monday", "Monday finished the report", V),
    ("Vendor X failed on 2026-03-11", "Vendor X failed on 2026-11-03", V),
    ("Vendor X failed before 2020", "Vendor X failed after 2020", V),
    ("Vendor X failed before 2020", "Vendor X failed in 2020", V),
    ("Vendor X failed until 2020", "Vendor X failed", V),
    ("Vendor X did not fail in 2020", "Vendor X did not fail", V),
    ("Vendor X failed in 2020", "Vendor X failed in 2020 and 2021", V),
    ("Vendor X failed on Monday", "Vendor X failed on Tuesday", V),
    ("Windows crashed the host", "A window crashed the host", V),
    ("Vendor X planned the pump", "Vendor X planed the pump", V),
    ("Vendor X rated Vendor W", "Vendor X rats Vendor W", V),
    ("Vendor X can supply Component Z", "Vendor X cannot supply Component Z", R),
    ("Vendor X can supply Component Z", "Vendor X supplies Component Z", V),
    ("Vendor X should supply Component Z", "Vendor X must supply Component Z", V),
    (
        "Vendor X supplied Component Z without testing",
        "Vendor X supplied Component Z with testing",
        V,
    ),
    ("Vendor X supplied untested Component Z", "Vendor X supplied tested Component Z", V),
    ("Vendor X is not unsafe", "Vendor X is unsafe", R),
    ("Vendor X never never failed", "Vendor X never failed", V),
    ("Vendor X enabled the cache", "Vendor X disabled the cache", V),
    ("Vendor X's supplier failed", "Vendor X failed", V),
    ("Vendor X's supplier failed", "Supplier Vendor X failed", V),
    ("The supplier of Vendor X failed", "Vendor X of the supplier failed", V),
    ("The first pump failed", "The second pump failed", V),
    ("Two pumps failed", "2 pumps failed", A),
    ("Two pumps failed", "Twenty pumps failed", V),
    ("The cache is 4 GB", "The cache is 4 Gb", V),
    ("यह पंप नया है", "यह पंप नई है", V),
    ("アルファは停止した", "アルファは停止しなかった", V),
    ("Vendor X failed 🙂", "Vendor X failed 🙁", V),
    ("C++ is slower than C", "C is slower than C++", V),
    ("C# replaced C", "C replaced C", V),
    ("", "Vendor X", V),
    ("", "???", V),
    ("", "not", V),
    ("", "Vendor X Vendor X", V),
]


@pytest.mark.parametrize(
    ("source", "claim", "wanted"),
    HOSTILE,
    ids=[f"{row[1][:50]} / {row[0][:30]}" for row in HOSTILE],
)
def test_what_only_looks_like_it_is_not_approved(source: str, claim: str, wanted: str) -> None:
    named = things(Vendor_X=["VX"], Vendor_W="a supplier", Component_Z="a valve")
    payloads = [named, said(source, "doc.md")] if source else [named]
    verdict = ground(engine_of(payloads).reader(), GroundOptions(claim))
    assert verdict.decision == wanted, verdict.reason
