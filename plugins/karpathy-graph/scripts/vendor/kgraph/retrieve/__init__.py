"""Answers that are bounded, ranked and cited: seeds, expansion, cut, serializers, paths, grounding."""
