import Daybook

/// Shares as bars, a line each: a label, the bar, and the figures behind it.
struct BarChart {
  /// How long a whole bar is where there is room for it, and where there is not.
  private static let (wholeWidth, leastWidth) = (30, 6)

  private var rows: [(label: String, share: Double, figures: String)] = []

  /// Adds a bar.
  ///
  /// - Parameters:
  ///   - label: What it is about.
  ///   - share: From 0 to 1.
  ///   - figures: What the share is made of.
  mutating func add(_ label: String, _ share: Double, _ figures: String) {
    rows.append((label, min(1, max(0, share)), figures))
  }

  /// Writes the bars, all to one scale.
  func write() {
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
