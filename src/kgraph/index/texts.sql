-- The text of the sources that were read, for search: derived from files, bound to their hashes, and may be deleted.
-- A block is what is ranked (paragraph, item, row, heading, lines of code); its spans are the sentences in it.
CREATE TABLE document (
  did INTEGER PRIMARY KEY, uri TEXT NOT NULL UNIQUE, sha256 TEXT NOT NULL, size INTEGER NOT NULL, mtime INTEGER NOT NULL
);
CREATE TABLE block (
  bid INTEGER PRIMARY KEY, did INTEGER NOT NULL, kind TEXT NOT NULL, above TEXT NOT NULL, body TEXT NOT NULL, spans TEXT NOT NULL
);
CREATE INDEX block_of ON block(did);
CREATE VIRTUAL TABLE words USING fts5(body, above, content='', tokenize='porter unicode61 remove_diacritics 2');
