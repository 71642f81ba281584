extension String {
  /// The text in lines of limited width, wrapped at spaces, or inside a word only if it is longer than a
  /// line. A style continues on the next line.
  ///
  /// - Parameters:
  ///   - width: The number of columns; at least 2, for the widest letter.
  ///   - indentation: The indentation of the lines after the first; by default that of the first line's text,
  ///     after its box `[ ]` or number.
  /// - Returns: The lines.
  func wrapped(to width: Int, indentation: Int? = nil) -> [String] {
    if utf8.count <= width, !utf8.contains(0x0A) { return [self] }
    return split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
      let line = StyledLine(String(line))
      let wanted = indentation ?? line.indentation
      return line.broken(at: width, indentation: width - wanted >= max(2, width / 2) ? wanted : 0)
    }
  }
}

/// A line as characters, each with its width and current style.
private struct StyledLine {
  private struct Cell {
    let character: Character
    let columns: Int
    /// The escapes that set its style.
    let style: String
    var isSpace: Bool { character == " " }
  }

  private let cells: [Cell]

  init(_ text: String) {
    var cells: [Cell] = []
    var style = ""
    for piece in text.displayPieces {
      switch piece {
      case .escape(let escape): style = escape == Style.end ? "" : style + escape
      case .character(let character, let columns):
        cells.append(Cell(character: character, columns: columns, style: style))
      }
    }
    self.cells = cells
  }

  /// The indentation of the text: leading spaces, and a box such as `[ ]` or a number such as `1.` after
  /// them.
  var indentation: Int {
    let spaces = cells.prefix(while: \.isSpace).count
    let text = String(cells.dropFirst(spaces).prefix(6).map(\.character))
    if text.hasPrefix("[ ] ") || text.hasPrefix("[x] ") { return spaces + 4 }
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let isNumbered = !digits.isEmpty && text.dropFirst(digits.count).hasPrefix(". ")
    return isNumbered ? spaces + digits.count + 2 : spaces
  }

  func broken(at width: Int, indentation: Int) -> [String] {
    var lines: [String] = []
    var start = 0
    repeat {
      let inset = lines.isEmpty ? 0 : indentation
      let (end, next) = lineEnd(from: start, max(2, width - inset))
      lines.append(String(repeating: " ", count: inset) + text(of: start..<end))
      start = next
    } while start < cells.count
    return lines
  }

  /// The end of a line that begins with a cell, and the beginning of the next.
  private func lineEnd(from start: Int, _ room: Int) -> (end: Int, next: Int) {
    var (end, used) = (start, 0)
    while end < cells.count, used + cells[end].columns <= room {
      used += cells[end].columns
      end += 1
    }
    guard end < cells.count else { return (end, end) }
    var next = end
    if !cells[end].isSpace, let space = cells[start..<end].lastIndex(where: \.isSpace),
      cells[start..<space].contains(where: { !$0.isSpace })
    {
      (end, next) = (space, space)
    }
    while next < cells.count, cells[next].isSpace { next += 1 }
    while end > start, cells[end - 1].isSpace { end -= 1 }
    return (end, next)
  }

  private func text(of range: Range<Int>) -> String {
    var (text, style) = ("", "")
    for cell in cells[range] {
      if cell.style != style {
        if !style.isEmpty { text += Style.end }
        text += cell.style
        style = cell.style
      }
      text.append(cell.character)
    }
    return style.isEmpty ? text : text + Style.end
  }
}
