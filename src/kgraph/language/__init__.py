"""What is known of languages, as data and small functions: where sentences end, what words are."""
