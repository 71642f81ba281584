// A program that keeps books in files uses types of the journal: positions, heads, damage, blocks.
@_exported public import Journal
