import Daybook
import Pictures

/// A bar chart of shares, one on each line: a label, the bar, and the figures after it.
struct BarChart {
  /// The length of a full bar, with and without enough room.
  private static let (wholeWidth, leastWidth) = (30, 6)

  private var rows: [(label: String, share: Double, figures: String)] = []

  /// Adds a bar.
  ///
  /// - Parameters:
  ///   - label: The label.
  ///   - share: The share, from 0 to 1.
  ///   - figures: The figures behind the share.
  mutating func add(_ label: String, _ share: Double, _ figures: String) {
    rows.append((label, min(1, max(0, share)), figures))
  }

  /// Prints the bars, all to one scale.
  func print() {
    let labelWidth = rows.map(\.label.columnCount).max() ?? 0
    let figuresWidth = rows.map(\.figures.columnCount).max() ?? 0
    let room = Output.screen.columnCount.map { $0 - labelWidth - figuresWidth - 6 }
    let width = max(Self.leastWidth, min(Self.wholeWidth, room ?? Self.wholeWidth))
    for (label, share, figures) in rows {
      let length = Int((share * Double(width)).rounded())
      Output.line(
        "  " + label + String(repeating: " ", count: labelWidth - label.columnCount) + "  "
          + Style.color(RGB(0x44A340))(String(repeating: "█", count: length))
          + Style.faint(
            String(repeating: Output.screen.hasSigns ? "░" : " ", count: width - length)) + "  "
          + figures)
    }
  }
}
