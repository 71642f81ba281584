/// A text table whose columns are as wide as their widest cells, as far as the screen allows.
///
/// If the columns do not fit, those with the lowest weight are left out, and the table says which; then text
/// is wrapped.
struct TextTable {
  /// The properties of a column.
  struct Column: ExpressibleByStringLiteral {
    /// The title in the header.
    let title: String
    /// The importance, 0…9: columns with a low weight are left out first.
    let weight: Int
    /// Whether its cells are numbers, which are right-aligned.
    let isNumber: Bool
    /// Whether its cells may be wrapped between words.
    let isText: Bool

    private init(_ title: String, _ weight: Int, isNumber: Bool = false, isText: Bool = false) {
      self.title = title
      self.weight = weight
      self.isNumber = isNumber
      self.isText = isText
    }

    /// Makes a column of numbers.
    static func number(_ title: String, _ weight: Int) -> Column {
      Column(title, weight, isNumber: true)
    }

    /// Makes a column of text that may be wrapped.
    static func text(_ title: String, _ weight: Int) -> Column {
      Column(title, weight, isText: true)
    }

    /// Makes a column of cells that are never wrapped: days, keys, marks.
    static func whole(_ title: String, _ weight: Int) -> Column { Column(title, weight) }

    init(stringLiteral title: String) { self.init(title, 5, isText: true) }
  }

  /// The number of spaces between two columns.
  static let gap = 2

  private let columns: [Column]
  private var rows: [[String]] = []

  init(_ columns: [Column]) { self.columns = columns }

  mutating func add(_ cells: [String]) { rows.append(cells) }

  /// Prints the table, with a faint header or none.
  func print(withHeader hasHeader: Bool = true) {
    let titles = columns.map(\.title)
    let all = (hasHeader ? [titles] : []) + rows
    let natural = columns.indices.map { column in
      all.map { column < $0.count ? $0[column].columnCount : 0 }.max() ?? 0
    }
    guard let width = Output.screen.columnCount else {
      if hasHeader { Output.line(Style.faint(line(titles, natural, columns.indices.map(\.self)))) }
      for row in rows { Output.line(line(row, natural, columns.indices.map(\.self))) }
      return
    }
    let fit = TableFit(columns, natural, width: width)
    if hasHeader { print(titles, fit) { Style.faint($0) } }
    for row in rows { print(row, fit) { $0 } }
    guard !fit.leftOut.isEmpty else { return }
    let names = fit.leftOut.map { columns[$0].title }.filter { !$0.isEmpty }
    guard !names.isEmpty else { return }
    Output.line(Style.faint("No room for: \(names.joined(separator: ", "))."))
  }

  /// A row of a table whose lines are never wrapped.
  private func line(_ cells: [String], _ widths: [Int], _ shown: [Int]) -> String {
    var line = ""
    for (place, column) in shown.enumerated() where column < cells.count {
      let cell = cells[column]
      let space = String(repeating: " ", count: max(0, widths[column] - cell.columnCount))
      let isLast = place == shown.count - 1 || column == cells.count - 1
      line += columns[column].isNumber ? space + cell : cell + (isLast ? "" : space)
      if !isLast { line += String(repeating: " ", count: Self.gap) }
    }
    return line
  }

  /// Prints a row in as many lines as it needs.
  private func print(_ cells: [String], _ fit: TableFit, _ style: (String) -> String) {
    let wrapped = columns.indices.map { column in
      let cell = column < cells.count ? cells[column] : ""
      return cell.columnCount > fit.widths[column] && fit.shown.contains(column)
        ? cell.wrapped(to: fit.widths[column]) : [cell]
    }
    for number in 0..<(fit.shown.map { wrapped[$0].count }.max() ?? 0) {
      let row = wrapped.map { number < $0.count ? $0[number].isolated : "" }
      var text = line(row, fit.widths, fit.shown)
      while text.last == " " { text.removeLast() }
      Output.whole(style(text))
    }
  }
}

/// Decides which columns of a table fit a screen, and their widths.
struct TableFit {
  /// The smallest width of a text column.
  private static let leastTextWidth = 12

  /// The visible columns, ascending.
  private(set) var shown: [Int]
  /// The columns that do not fit, ascending.
  private(set) var leftOut: [Int] = []
  /// The width of each column.
  private(set) var widths: [Int]

  init(_ columns: [TextTable.Column], _ natural: [Int], width: Int) {
    shown = Array(columns.indices)
    widths = natural
    func total(_ widths: [Int]) -> Int {
      shown.reduce(0) { $0 + widths[$1] } + TextTable.gap * max(0, shown.count - 1)
    }
    let least = columns.indices.map {
      columns[$0].isText ? min(natural[$0], Self.leastTextWidth) : natural[$0]
    }
    // Among columns of equal weight the last is dropped first.
    while shown.count > 1, total(least) > width,
      let lightest = shown.reversed().min(by: { columns[$0].weight < columns[$1].weight })
    {
      shown.removeAll { $0 == lightest }
      leftOut = (leftOut + [lightest]).sorted()
    }
    // The widest column shrinks first, so that all shrunken columns end up about equal.
    while total(widths) > width {
      let texts = shown.filter { columns[$0].isText && widths[$0] > least[$0] }
      guard let widest = texts.max(by: { widths[$0] < widths[$1] }) else { break }
      widths[widest] -= 1
    }
    if let only = shown.first, shown.count == 1 { widths[only] = min(widths[only], width) }
  }
}
