/// A share of a whole as a bar with round ends, in the classes `track` and `share` (DG-5).
package struct ShareBar: Sendable {
  private let share: Double
  private let width: Double
  private let height: Double

  /// - Parameters:
  ///   - share: The share, from 0 to 1; what lies outside is cut.
  ///   - width: The length of the whole.
  ///   - height: The thickness.
  package init(_ share: Double, width: Double, height: Double) {
    self.share = share.isFinite ? min(1, max(0, share)) : 0
    self.width = width
    self.height = height
  }

  /// The bar as SVG.
  ///
  /// - Parameters:
  ///   - x: The left end.
  ///   - y: The upper edge.
  ///   - hint: What the share says in words.
  /// - Returns: The whole, and on it the share, unless that is nothing.
  package func body(x: Double = 0, y: Double = 0, hint: String? = nil) -> String {
    let whole = SVG.bar("track", at: (x, y), width: width, height: height)
    guard share > 0 else { return whole }
    // A bar is at least as long as its round ends.
    let length = max(share * width, height)
    return whole + SVG.bar("share", at: (x, y), width: length, height: height, hint: hint)
  }

  /// The bar as an element of a page, whose text beside it says the same.
  package var svg: String {
    "<svg viewBox=\"0 0 \(SVG.length(width)) \(SVG.length(height))\" aria-hidden=\"true\">\(body())</svg>"
  }
}

extension SVG {
  /// A bar with round ends in a class, its left upper corner at a place.
  package static func bar(
    _ style: String, at place: (x: Double, y: Double), width: Double, height: Double,
    hint: String? = nil
  ) -> String {
    let title = hint.map { "<title>\(escaped($0))</title>" } ?? ""
    return
      "<rect class=\"\(style)\" x=\"\(length(place.x))\" y=\"\(length(place.y))\""
      + " width=\"\(length(width))\" height=\"\(length(height))\""
      + " rx=\"\(length(height / 2))\">\(title)</rect>"
  }
}
