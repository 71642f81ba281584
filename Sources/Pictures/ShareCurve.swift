/// A line through shares from 0 to 1, such as a habit's strength day by day.
package struct ShareCurve: Sendable {
  /// The size of the picture, and the room around the line.
  package static let (width, height, margin) = (320.0, 88.0, 6.0)
  /// More points than this are not told apart in the picture.
  private static let mostPoints = 160

  private let shares: [Double]

  /// - Parameter shares: The shares in order, each from 0 to 1; what lies outside is cut.
  package init(_ shares: [Double]) {
    let step = max(1, (shares.count + Self.mostPoints - 1) / Self.mostPoints)
    // Labels are a fixed distance apart, counted from the end, so that the last one is always there.
    self.shares = stride(from: shares.count - 1, through: 0, by: -step).reversed()
      .map { min(max(shares[$0].isFinite ? shares[$0] : 0, 0), 1) }
  }

  private var points: [(x: Double, y: Double)] {
    let (span, rise) = (Self.width - 2 * Self.margin, Self.height - 2 * Self.margin)
    let last = Double(max(1, shares.count - 1))
    return shares.enumerated().map { place, share in
      (Self.margin + span * Double(place) / last, Self.height - Self.margin - rise * share)
    }
  }

  /// The picture. Its classes get their colours from whoever shows it: `rail`, `under`, `line` and `end`.
  ///
  /// - Parameter label: Its description in words.
  /// - Returns: SVG; nothing for less than two shares.
  package func svg(label: String) -> String {
    let points = points
    guard points.count > 1, let end = points.last else { return "" }
    let line = points.map { "\(SVG.length($0.x)) \(SVG.length($0.y))" }.joined(separator: "L")
    let floor = SVG.length(Self.height - Self.margin)
    let rails = [0.25, 0.5, 0.75, 1].map { share in
      let y = SVG.length(Self.height - Self.margin - (Self.height - 2 * Self.margin) * share)
      return "M\(SVG.length(Self.margin)) \(y)H\(SVG.length(Self.width - Self.margin))"
    }
    return
      "<svg class=\"curve\" viewBox=\"0 0 \(SVG.length(Self.width)) \(SVG.length(Self.height))\""
      + " role=\"img\" aria-label=\"\(SVG.escaped(label))\">"
      + "<path class=\"rail\" d=\"\(rails.joined())\"/>"
      + "<path class=\"under\" d=\"M\(SVG.length(Self.margin)) \(floor)L\(line)L\(SVG.length(end.x)) \(floor)Z\"/>"
      + "<path class=\"line\" d=\"M\(line)\"/>"
      + "<path class=\"end\" d=\"\(CombShape.hexagon(4.5, at: end))\"/></svg>"
  }
}
