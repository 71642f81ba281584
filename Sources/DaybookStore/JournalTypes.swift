// Who keeps books in files meets the journal below them: positions, heads, damage, blocks.
@_exported public import Journal
