/// Keeps a spreadsheet from running a user's text as a formula.
///
/// Most spreadsheets compute a cell that begins with `=`, `+`, `-`, `@`, a tab or a line end, and
/// such a formula may send neighbouring cells elsewhere. An apostrophe in front makes the cell a
/// text. Numbers stay as they are. A text that begins with apostrophes before such a character gets
/// one more, so that the original can be restored.
enum FormulaGuard {
  /// The characters that begin a formula; the full-width forms do so in Chinese and Japanese
  /// locales.
  private static let marks: Set<Unicode.Scalar> = [
    "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
  ]

  /// The cell in a form that is safe to open.
  static func guarded(_ cell: String) -> String {
    isFormula(cell) && !isNumber(cell) ? "'" + cell : cell
  }

  /// The cell as it was before it was guarded.
  static func plain(_ cell: String) -> String {
    cell.unicodeScalars.first == "'" && isFormula(cell)
      ? String(String.UnicodeScalarView(cell.unicodeScalars.dropFirst())) : cell
  }

  private static func isFormula(_ cell: String) -> Bool {
    cell.unicodeScalars.first { $0 != "'" }.map(marks.contains) ?? false
  }

  private static func isNumber(_ cell: String) -> Bool {
    let digits = cell.utf8.dropFirst()
    return cell.utf8.first == UInt8(ascii: "-") && !digits.isEmpty
      && digits.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
  }
}
