"""From units to payloads: each extractor reads what it is given and proposes; nothing here writes."""
