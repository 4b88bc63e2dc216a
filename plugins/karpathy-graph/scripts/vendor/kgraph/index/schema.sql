-- The index: everything here is derived from the log and may be deleted. Numbers in 'line' columns are line.seq.

CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;

-- One row a transaction, in the order of meaning. 'gone' counts the effective withdrawals of the whole transaction.
CREATE TABLE line (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, position INTEGER NOT NULL, length INTEGER NOT NULL, ts TEXT NOT NULL,
  op TEXT NOT NULL, run TEXT NOT NULL, agent TEXT NOT NULL, unit TEXT NOT NULL, reason TEXT NOT NULL,
  nodes INTEGER NOT NULL, edges INTEGER NOT NULL, others INTEGER NOT NULL, payload TEXT NOT NULL,
  gone INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX line_payload ON line(payload) WHERE payload <> '';
CREATE INDEX line_run ON line(run);
CREATE INDEX line_unit ON line(unit) WHERE unit <> '';
CREATE TABLE parent (line TEXT NOT NULL, parent TEXT NOT NULL, PRIMARY KEY (line, parent)) WITHOUT ROWID;
CREATE TABLE damage (position INTEGER NOT NULL, code TEXT NOT NULL, reason TEXT NOT NULL, PRIMARY KEY (position, code)) WITHOUT ROWID;
CREATE TABLE lost (id TEXT PRIMARY KEY, ts TEXT NOT NULL) WITHOUT ROWID;  -- known once, no longer in the log

-- A node as its live assertions make it. 'live' counts them; 'twin' is the id its identity key would make, when that is another.
CREATE TABLE node (
  nid INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, type TEXT NOT NULL, name TEXT NOT NULL, description TEXT NOT NULL,
  extra TEXT NOT NULL, twin TEXT, live INTEGER NOT NULL, canon INTEGER
);
CREATE INDEX node_twin ON node(twin) WHERE twin IS NOT NULL;
CREATE INDEX node_type ON node(type, nid) WHERE live > 0;
CREATE INDEX node_canon ON node(canon) WHERE canon IS NOT NULL;

-- kind: 0 shown name, 1 other spelling, 2 uri. Long texts are keyed by a hash (rows.name_key).
CREATE TABLE name (key TEXT NOT NULL, nid INTEGER NOT NULL, kind INTEGER NOT NULL, PRIMARY KEY (key, nid, kind)) WITHOUT ROWID;

-- An edge as its best-evidenced live assertion shows it; 'line', 'start', 'length' point at that assertion's words in the log.
CREATE TABLE edge (
  eid INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, predicate TEXT NOT NULL, src INTEGER NOT NULL, dst INTEGER NOT NULL, rel TEXT NOT NULL,
  live INTEGER NOT NULL, visible INTEGER NOT NULL, confidence REAL, status INTEGER NOT NULL,
  line INTEGER NOT NULL, start INTEGER NOT NULL, length INTEGER NOT NULL
);
CREATE INDEX edge_out ON edge(src, visible, predicate, dst, confidence, status);
CREATE INDEX edge_in ON edge(dst, visible, predicate, src, confidence, status);

-- Assertions. 'gone' counts the effective withdrawals that list them; 'run' only where it is not the line's.
CREATE TABLE node_said (
  line INTEGER NOT NULL, pos INTEGER NOT NULL, nid INTEGER NOT NULL, implied INTEGER NOT NULL, run TEXT,
  start INTEGER NOT NULL, length INTEGER NOT NULL, gone INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (line, pos)
) WITHOUT ROWID;
CREATE INDEX node_said_of ON node_said(nid, line, pos);
CREATE INDEX node_said_run ON node_said(run) WHERE run IS NOT NULL;
CREATE TABLE edge_said (
  line INTEGER NOT NULL, pos INTEGER NOT NULL, eid INTEGER NOT NULL, run TEXT, confidence REAL, status INTEGER NOT NULL,
  start INTEGER NOT NULL, length INTEGER NOT NULL, gone INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (line, pos)
) WITHOUT ROWID;
CREATE INDEX edge_said_of ON edge_said(eid, line, pos);
CREATE INDEX edge_said_run ON edge_said(run) WHERE run IS NOT NULL;

-- Later findings about a citation: the assertion, who found it, and where the finding stands.
CREATE TABLE finding (
  line INTEGER NOT NULL, pos INTEGER NOT NULL, by_line INTEGER NOT NULL, by_pos INTEGER NOT NULL, status INTEGER NOT NULL,
  start INTEGER NOT NULL, length INTEGER NOT NULL, gone INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (line, pos, by_line, by_pos)
) WITHOUT ROWID;
CREATE INDEX finding_by ON finding(by_line, by_pos);

-- Assertions that a split gives to another node: 'old' and 'new' are node ids, the last effective move wins.
CREATE TABLE move (
  line INTEGER NOT NULL, pos INTEGER NOT NULL, by_line INTEGER NOT NULL, by_pos INTEGER NOT NULL, old TEXT NOT NULL, new TEXT NOT NULL,
  gone INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (line, pos, by_line, by_pos)
) WITHOUT ROWID;
CREATE INDEX move_by ON move(by_line, by_pos);

-- What isn't a statement: unit outcomes, objective, costs.
CREATE TABLE note (
  what TEXT NOT NULL, key TEXT NOT NULL, line INTEGER NOT NULL, pos INTEGER NOT NULL, start INTEGER NOT NULL, length INTEGER NOT NULL,
  PRIMARY KEY (what, key, line, pos)
) WITHOUT ROWID;

CREATE TABLE counter (what TEXT NOT NULL, key TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (what, key)) WITHOUT ROWID;

CREATE VIRTUAL TABLE words USING fts5(name, aliases, description, content='', tokenize='porter unicode61 remove_diacritics 2');
