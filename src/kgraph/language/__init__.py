"""What kgraph knows of human language: tokens, word forms, folding, scripts, and the lists of closed-class words.

Everything that reads words uses these, so that two parts never disagree about what a word is. Word lists are data files beside this
package, each saying what it is for, and are read when first asked for.
"""
