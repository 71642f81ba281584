/// Keeps a spreadsheet from carrying out what somebody wrote as a formula.
///
/// A cell that begins with `=`, `+`, `-`, `@`, a tab or a line end is computed by most spreadsheets, and may then send
/// what stands beside it elsewhere. An apostrophe before it makes it a text. Numbers stay as they are. So that the text
/// comes back as it was, one that begins with apostrophes before such a character gets one more.
enum FormulaGuard {
  /// What formulas begin with; the wide forms do where Chinese or Japanese is written.
  private static let marks: Set<Unicode.Scalar> = [
    "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
  ]

  /// The cell as it is safe to open.
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
