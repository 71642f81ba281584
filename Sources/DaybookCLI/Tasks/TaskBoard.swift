import Daybook

/// Displays tasks: the buckets side by side, or one below the other.
struct TaskBoard {
  private static let gap = 2
  private static let narrowest = 20
  /// Deeper subtasks are not indented further.
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

  /// Prints the board, in columns if the screen has room for them.
  func print() {
    let width = (Output.screen.columnCount ?? 0) - (columns.count - 1) * Self.gap
    let columnWidth = columns.isEmpty ? 0 : width / columns.count
    if columns.count > 1, columnWidth >= Self.narrowest {
      writeColumns(columnWidth)
    } else {
      writeList()
    }
  }

  private func writeList() {
    var isFirst = true
    for (header, lines) in zip(headers, columns) where !lines.isEmpty {
      if !isFirst { Output.line() }
      isFirst = false
      Output.line(Style.bold(header))
      for line in lines { Output.line(line) }
    }
  }

  private func writeColumns(_ width: Int) {
    func row(_ cells: [String], _ style: (String) -> String = { $0 }) {
      var line = ""
      for (index, cell) in cells.enumerated() {
        line += style(cell.isolated)
        guard index < cells.count - 1 else { break }
        line += String(repeating: " ", count: width - cell.columnCount + Self.gap)
      }
      while line.last == " " { line.removeLast() }
      Output.whole(line)
    }
    let headers = headers.map { $0.wrapped(to: width) }
    for index in 0..<(headers.map(\.count).max() ?? 0) {
      row(headers.map { index < $0.count ? $0[index] : "" }) { Style.bold($0) }
    }
    let wrapped = columns.map { $0.flatMap { $0.wrapped(to: width) } }
    for index in 0..<(wrapped.map(\.count).max() ?? 0) {
      row(wrapped.map { index < $0.count ? $0[index] : "" })
    }
  }

  private static func text(
    of line: TaskList.Line, for account: Account?, _ query: Query
  ) -> String {
    var words = [Sign.box(line.task.isDone), line.task.title]
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
