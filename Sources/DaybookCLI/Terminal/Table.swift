/// Columns of text, each as wide as its widest cell; numbers to the right.
struct Table {
  private var rows: [[String]] = []
  private let rightAligned: Set<Int>

  /// Makes a table; `rightAligned` are the numbers of columns, from 0.
  init(header: [String], rightAligned: Set<Int> = []) {
    self.rightAligned = rightAligned
    rows.append(header)
  }

  mutating func add(_ cells: [String]) { rows.append(cells) }

  /// Writes the table, its header faint, or without it.
  func write(withHeader hasHeader: Bool = true) {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { column < $0.count ? $0[column].columnCount : 0 }.max() ?? 0
    }
    for (index, row) in rows.enumerated() where index > 0 || hasHeader {
      var line = ""
      for (column, cell) in row.enumerated() {
        let space = String(repeating: " ", count: widths[column] - cell.columnCount)
        let isLast = column == row.count - 1
        line += rightAligned.contains(column) ? space + cell : cell + (isLast ? "" : space)
        if !isLast { line += "  " }
      }
      Output.line(index == 0 ? Style.faint(line) : line)
    }
  }
}

extension String {
  /// How many columns the text takes on a terminal: escapes none, emoji and East Asian wide ones two.
  var columnCount: Int {
    var count = 0
    var isEscape = false
    for character in self {
      if character == "\u{1B}" { isEscape = true }
      if !isEscape { count += character.columnCount }
      if isEscape, character.isLetter { isEscape = false }
    }
    return count
  }

  /// The text, cut to a number of columns.
  func cut(to columns: Int) -> String {
    guard columnCount > columns else { return self }
    var text = ""
    var count = 0
    for character in self {
      count += character.columnCount
      if count > columns - 1 { break }
      text.append(character)
    }
    return text + "…"
  }
}

extension Character {
  fileprivate var columnCount: Int {
    guard let scalar = unicodeScalars.first else { return 0 }
    if unicodeScalars.contains(where: { $0.value == 0xFE0F }) { return 2 }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE4F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      return 2
    default: return scalar.properties.isEmojiPresentation ? 2 : 1
    }
  }
}
