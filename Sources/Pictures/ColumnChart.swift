/// Shares over time as columns, with an axis of percent at the left and one of labels below (DG-5).
package struct ColumnChart: Sendable {
  /// A column of the chart.
  package struct Column: Sendable {
    /// The text below it, if there is room.
    let label: String
    /// Its height, 0…1; `nil` where nothing was due.
    let share: Double?
    /// Its description in words.
    package let hint: String

    package init(label: String, share: Double?, hint: String) {
      self.label = label
      self.share = share
      self.hint = hint
    }
  }

  private let columns: [Column]
  private let ticks: [(share: Double, label: String)]

  /// The size of the plot, and the room around it for the axes.
  private static let (plotWidth, plotHeight, left, top, bottom) = (600.0, 140.0, 40.0, 12.0, 22.0)
  package static let (width, height) = (
    left + plotWidth + 10, top + plotHeight + bottom
  )
  /// About how wide a character of a label is.
  private static let letterWidth = 6.2

  /// Makes a chart.
  ///
  /// - Parameters:
  ///   - columns: The columns, oldest first.
  ///   - ticks: The labels of 0, a half and 1.
  package init(_ columns: [Column], ticks: [String]) {
    self.columns = columns
    self.ticks = zip([0, 0.5, 1], ticks).map { ($0, $1) }
  }

  /// The columns and axes as SVG, in the classes `axis`, `share` and `faint`.
  package var body: String {
    var body = ""
    for tick in ticks {
      let y = Self.top + Self.plotHeight * (1 - tick.share)
      body +=
        "<path class=\"axis\" d=\"M\(SVG.length(Self.left)) \(SVG.length(y))H\(SVG.length(Self.left + Self.plotWidth))\"/>"
      body += text(tick.label, x: Self.left - 6, y: y + 3.5, "end")
    }
    guard !columns.isEmpty else { return body }
    let step = Self.plotWidth / Double(columns.count)
    // Labels that would touch each other are left out, from the newest backwards.
    let longest = Double(columns.map(\.label.count).max() ?? 0) * Self.letterWidth
    let stride = max(1, Int(((longest + 8) / step).rounded(.up)))
    for (place, column) in columns.enumerated() {
      let x = Self.left + step * Double(place)
      let share = min(1, max(0, column.share ?? 0))
      // A column of value 0 keeps a foot, so that it differs from a period in which nothing was due.
      let height = column.share == nil ? 0 : max(1.5, share * Self.plotHeight)
      body += "<g><title>\(SVG.escaped(column.hint))</title>"
      body += rect("hit", x, Self.top, step, Self.plotHeight)
      if height > 0 {
        body += rect(
          "share", x + step * 0.14, Self.top + Self.plotHeight - height, step * 0.72, height)
      }
      body += "</g>"
      if (columns.count - 1 - place) % stride == 0 {
        body += text(column.label, x: x + step / 2, y: Self.height - 6, "middle")
      }
    }
    return body
  }

  /// The chart as an element of a page.
  ///
  /// - Parameter label: A text for people who cannot see it.
  /// - Returns: An SVG element.
  package func svg(label: String) -> String {
    "<svg class=\"chart\" viewBox=\"0 0 \(SVG.length(Self.width)) \(SVG.length(Self.height))\" role=\"img\""
      + " aria-label=\"\(SVG.escaped(label))\">\(body)</svg>"
  }

  private func rect(
    _ style: String, _ x: Double, _ y: Double, _ width: Double, _ height: Double
  ) -> String {
    "<rect class=\"\(style)\" x=\"\(SVG.length(x))\" y=\"\(SVG.length(y))\""
      + " width=\"\(SVG.length(width))\" height=\"\(SVG.length(height))\"/>"
  }

  private func text(_ text: String, x: Double, y: Double, _ anchor: String) -> String {
    "<text class=\"faint\" x=\"\(SVG.length(x))\" y=\"\(SVG.length(y))\" font-size=\"10\""
      + " text-anchor=\"\(anchor)\">\(SVG.escaped(text))</text>"
  }
}
