/// Where the days of a comb stand: a column for each week, and a row for each weekday, Monday first.
package struct CombLayout: Sendable {
  /// The distance from one week to the next, and from one weekday to the next.
  package static let (stepX, stepY) =
    (CombShape.radius * 1.732 + 2.2, CombShape.radius * 1.5 + 2.2)

  /// The centre of the first week's Monday.
  private let left, top: Double

  /// - Parameters:
  ///   - left: The centre of the first column.
  ///   - top: The centre of the first row.
  package init(left: Double, top: Double) {
    self.left = left
    self.top = top
  }

  /// The centre of a day.
  ///
  /// - Parameters:
  ///   - week: The column, from 0.
  ///   - weekday: The row: 0 for Monday.
  /// - Returns: The centre. Every other row is shifted, so that the cells interlock like a honeycomb.
  package func cell(week: Int, weekday: Int) -> (x: Double, y: Double) {
    (
      left + Self.stepX * Double(week) + (weekday % 2 == 0 ? 0 : Self.stepX / 2),
      top + Self.stepY * Double(weekday)
    )
  }

  /// Where a month's name begins: above the column of its first day.
  package func head(ofWeek week: Int) -> (x: Double, y: Double) {
    (left + Self.stepX * Double(week) - CombShape.radius, top - 13)
  }

  /// The base line of a weekday's name, beside its row.
  package func baseline(ofWeekday weekday: Int) -> Double {
    top + Self.stepY * Double(weekday) + 3.5
  }

  /// The right and the lower edge of a comb of some weeks.
  package func end(afterWeeks count: Int) -> (x: Double, y: Double) {
    (left + Self.stepX * (Double(count) + 0.5), top + Self.stepY * 7)
  }
}

extension SVG {
  /// A defined shape at a place, such as one of ``CombShape/definitions``.
  ///
  /// - Parameters:
  ///   - name: The shape's name.
  ///   - place: Its centre.
  ///   - hint: What it says in words.
  ///   - attributes: Further attributes, each with a space before it.
  /// - Returns: SVG.
  package static func use(
    _ name: String, at place: (x: Double, y: Double), hint: String? = nil, attributes: String = ""
  ) -> String {
    let use =
      "<use href=\"#\(name)\"\(attributes) x=\"\(length(place.x))\" y=\"\(length(place.y))\""
    return hint.map { "\(use)><title>\(escaped($0))</title></use>" } ?? "\(use)/>"
  }
}
