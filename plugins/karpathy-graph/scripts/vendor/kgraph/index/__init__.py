"""What a line means, as rows, and the SQLite projection of it: derived, and made again from the log whenever it is gone."""
