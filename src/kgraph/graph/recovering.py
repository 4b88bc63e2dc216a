"""A damaged log salvaged: the lines that are whole, and whose parents are, go on; the file as it was is kept beside it."""

from __future__ import annotations

import os
import shutil
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from kgraph.errors import Exists
from kgraph.index.load import Found, Seals, read_lines
from kgraph.log.jsonl import sync_folder

if TYPE_CHECKING:
    from kgraph.graph.engine import Engine

ASIDE = "log.damaged"


def recover(engine: Engine) -> dict[str, Any]:
    """See ``Graph.recover``."""
    with engine.log.writing(engine.wait_seconds):
        lines = list(read_lines(engine.log))
        left_out = _left_out(lines)
        kept = [one for one in lines if one.position not in left_out]
        aside = ""
        if left_out:
            aside = _keep_aside(engine)
            engine.log.rewrite([engine.log.read(one.position, 0, one.length) for one in kept])
            engine.index.make_again()
            engine.index.accept_losses()
    rows = []
    for one in lines:
        if one.position in left_out:
            tx = one.transaction.id if one.transaction else ""
            rows.append({"position": one.position, "tx": tx, "reason": left_out[one.position]})
    return {"lines": len(kept), "left_out": rows, "aside": aside}


def _left_out(lines: list[Found]) -> dict[int, str]:
    """Why each line that can't go on can't, by its position. A line of a later kgraph is whole."""
    wrong = {
        one.position: one.damage.reason if one.damage else ""
        for one in lines
        if one.transaction is None
    }
    seals = Seals()
    children: dict[str, list[Found]] = defaultdict(list)
    for one in lines:
        if one.transaction is not None:
            seals.add(one.transaction, one.position)
            for parent in one.transaction.after:
                children[parent].append(one)
    wrong |= {damage.position: damage.reason for damage in seals.broken()}
    there = {one.transaction.id for one in lines if one.transaction and one.position not in wrong}
    gone = [parent for parent in children if parent not in there]
    while gone:
        parent = gone.pop()
        for one in children[parent]:
            if one.transaction is not None and one.position not in wrong:
                wrong[one.position] = f"it follows {parent[:12]}, which is not whole or not there"
                gone.append(one.transaction.id)
    return wrong


def _keep_aside(engine: Engine) -> str:
    """A copy of the log as it is, safe on the disk before anything is changed."""
    where = getattr(engine.log, "folder", "")
    path = os.path.join(where, ASIDE)
    if os.path.lexists(path):
        raise Exists(f"{path} is there from an earlier recovery", "move it elsewhere, then go on")
    waiting = f"{path}.{os.getpid()}.tmp"
    shutil.copyfile(os.path.join(where, "log.jsonl"), waiting)
    with open(waiting, "rb+") as copy:
        os.fsync(copy.fileno())
    os.replace(waiting, path)
    sync_folder(where)
    return path
