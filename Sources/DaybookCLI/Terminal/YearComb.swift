import Daybook
import DaybookStore
import Pictures

/// A year of a habit as a comb on a terminal: a column for each week and a row for each weekday, Monday first
/// (HH-14).
///
/// A year wider than the screen is folded into quarters, or on the narrowest screens into months.
struct YearComb {
  let heatmap: Heatmap
  let palette: Palette
  /// Whether empty bands are shown, too, so that the layout of the comb stays the same.
  var showsAll = false

  /// The habit, and the first and last day.
  static func title(of heatmap: Heatmap) -> String {
    let days = heatmap.cells.map(\.day)
    let span = days.first.map { "\($0) – \(days.last ?? $0)" } ?? ""
    return "\(heatmap.habit.description.name) · \(span)"
  }

  /// Prints the comb and its legend.
  func print() {
    Output.line(Style.bold(Self.title(of: heatmap)))
    for lines in bandLines { for line in lines { Output.line(line) } }
    for line in legend { Output.line(Style.faint(line)) }
  }

  /// The lines of each band: the months, and one line for each weekday.
  var bandLines: [[String]] { bands.map { lines(of: $0) } }

  /// The index of the band that contains a day.
  func band(of day: Day) -> Int? {
    bands.firstIndex { band in band.contains { heatmap.cells[$0].day == day } }
  }

  // MARK: Folding

  /// The ranges of cells in bands as wide as the screen allows.
  private var bands: [Range<Int>] {
    let all = heatmap.cells.indices
    guard let width = Output.screen.columnCount, !all.isEmpty else { return [all] }
    let quarters = runs { ($0.month - 1) / 3 + 4 * $0.year }
    // Several years are shown year by year if there is room.
    for count in [quarters.count] + (quarters.count > 5 ? [4] : []) + [2, 1] {
      let bands = stride(from: 0, to: quarters.count, by: max(1, count)).map { first in
        quarters[first].lowerBound..<quarters[min(first + count, quarters.count) - 1].upperBound
      }
      if bands.allSatisfy({ self.width(of: $0) <= width }) { return filled(bands) }
    }
    return filled(runs { $0.month + 12 * $0.year })
  }

  /// The bands of a folded year that are not empty.
  private func filled(_ bands: [Range<Int>]) -> [Range<Int>] {
    guard !showsAll else { return bands }
    let filled = bands.filter { band in band.contains { heatmap.sign(at: $0) != nil } }
    return filled.isEmpty ? Array(bands.suffix(1)) : filled
  }

  /// The ranges of consecutive cells for which a function of the date has the same value.
  private func runs(by number: ((year: Int, month: Int, day: Int)) -> Int) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var last: Int?
    for (place, cell) in heatmap.cells.enumerated() {
      let found = number(cell.day.parts)
      if found == last {
        runs[runs.count - 1] = runs[runs.count - 1].lowerBound..<place + 1
      } else {
        runs.append(place..<place + 1)
      }
      last = found
    }
    return runs
  }

  private func width(of band: Range<Int>) -> Int { 4 + 2 * weekCount(of: band) }

  // MARK: Drawing

  /// The column of a cell: the number of weeks since the band's first cell.
  private func week(_ place: Int, in band: Range<Int>) -> Int {
    let first = heatmap.cells[band.lowerBound].day
    return (first.distance(to: heatmap.cells[place].day) + first.weekday) / 7
  }

  private func weekCount(of band: Range<Int>) -> Int {
    band.isEmpty ? 0 : week(band.upperBound - 1, in: band) + 1
  }

  private func lines(of band: Range<Int>) -> [String] {
    let empty = [String](repeating: " ", count: weekCount(of: band))
    var rows = [[String]](repeating: empty, count: 7)
    for place in band {
      rows[heatmap.cells[place].day.weekday][week(place, in: band)] = cell(place)
    }
    return [Style.faint(monthLine(of: band))]
      + rows.enumerated().map { index, row in
        // Every other row is shifted, so that the cells interlock like a honeycomb.
        let cells = row[..<((row.lastIndex { $0 != " " } ?? -1) + 1)].joined(separator: " ")
        let name = index % 2 == 0 ? Day.weekdayNames[index] : "   "
        return Style.faint(name) + (index % 2 == 0 ? " " : "  ") + cells
      }
  }

  /// A cell in the colour of its level; an empty cell is faint, never the brightest.
  private func cell(_ place: Int) -> String {
    guard let sign = heatmap.sign(at: place) else { return " " }
    let level = heatmap.cells[place].level
    switch sign {
    case .done, .bonus, .firstThird, .secondThird, .lastThird:
      return Style.color(palette.color(level))(sign.text)
    default: return Style.faint(sign.text)
    }
  }

  private func monthLine(of band: Range<Int>) -> String {
    var line = [Character](repeating: " ", count: width(of: band))
    var end = 0
    for place in band where heatmap.cells[place].day.parts.day == 1 {
      let start = 4 + 2 * week(place, in: band)
      let name = heatmap.cells[place].day.monthName
      // A month that begins in the last week has no room for its name.
      guard start >= end, start + name.count <= line.count else { continue }
      line.replaceSubrange(start..<start + name.count, with: Array(name))
      end = start + name.count + 1
    }
    while line.last == " " { line.removeLast() }
    return String(line)
  }

  /// The legend of the signs in use, in lines of as many as fit.
  var legend: [String] {
    let there = Set(heatmap.cells.indices.compactMap { heatmap.sign(at: $0) })
    var parts: [(signs: String, meaning: String)] = []
    for sign in Sign.allCases where there.contains(sign) {
      if let last = parts.last, last.meaning == sign.meaning {
        parts[parts.count - 1].signs += " " + sign.text
      } else {
        parts.append((sign.text, sign.meaning))
      }
    }
    var lines: [String] = []
    for text in parts.map({ "\($0.signs) \($0.meaning)" }) {
      let longer = lines.last.map { "\($0)   \(text)" }
      if let longer, longer.columnCount <= Output.screen.columnCount ?? .max {
        lines[lines.count - 1] = longer
      } else {
        lines.append(text)
      }
    }
    return lines
  }
}

extension Heatmap {
  /// The sign of a day; `nil` before the habit began, and for future days.
  func sign(at place: Int) -> Sign? {
    marks[place]?.sign(atLevel: cells[place].level)
  }
}

extension Mark {
  /// The sign of a day with this mark and heat level.
  func sign(atLevel level: Int) -> Sign {
    guard self == .partial else { return sign }
    return [.firstThird, .secondThird, .lastThird][min(max(level, 1), 3) - 1]
  }
}
