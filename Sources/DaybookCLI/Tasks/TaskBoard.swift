import Daybook

/// Tasks as a person sees them: the buckets side by side, or one below another.
struct TaskBoard {
  private static let gap = 2
  private static let narrowest = 20
  /// Parts that are deeper stand no further to the right.
  private static let deepest = 12

  private let columns: [[String]]
  private let headers: [String]

  init(_ list: TaskList, for account: Account?, _ query: Query) {
    let sections = list.sections
    headers = sections.map { section in
      "\(section.bucket.title) (\(section.lines.reduce(0) { $0 + ($1.isMatch ? 1 : 0) }))"
    }
    columns = sections.map { section in
      section.lines.map { Self.text(of: $0, for: account, query) }
    }
  }

  /// Writes the board, in columns where there is room for them.
  func write(width: Int) {
    let shown = columns.count > 1 ? columns.count : 1
    let columnWidth = (width - (shown - 1) * Self.gap) / shown
    if columns.count > 1, columnWidth >= Self.narrowest {
      writeColumns(columnWidth)
    } else {
      writeList(width)
    }
  }

  private func writeList(_ width: Int) {
    var isFirst = true
    for (header, lines) in zip(headers, columns) where !lines.isEmpty {
      if !isFirst { Output.line() }
      isFirst = false
      Output.line(Style.bold(header))
      for line in lines { Output.line(width > 0 ? line.cut(to: width) : line) }
    }
  }

  private func writeColumns(_ width: Int) {
    func row(_ cells: [String], _ style: (String) -> String = { $0 }) {
      var line = ""
      for (index, cell) in cells.enumerated() {
        let text = cell.cut(to: width)
        line += style(text)
        guard index < cells.count - 1 else { break }
        line += String(repeating: " ", count: width - text.columnCount + Self.gap)
      }
      while line.last == " " { line.removeLast() }
      Output.line(line)
    }
    row(headers) { Style.bold($0) }
    for index in 0..<(columns.map(\.count).max() ?? 0) {
      row(columns.map { index < $0.count ? $0[index] : "" })
    }
  }

  private static func text(
    of line: TaskList.Line, for account: Account?, _ query: Query
  ) -> String {
    var words = [line.task.isDone ? "[x]" : "[ ]", line.task.title]
    if let due = line.task.due {
      words.append(
        (line.isOverdue ? "overdue " : "due ") + due.words(for: account, query))
    }
    if line.task.repetition != nil { words.append("(repeats)") }
    words += line.labels.map { "#\($0.name)" }
    return String(repeating: "  ", count: min(line.depth, Self.deepest))
      + words.joined(separator: " ")
  }
}
