package import Calendar

/// The marks of a chart's axis (DG-5): round numbers, from 0 to at least the greatest value.
package enum Axis {
  /// At most `count` + 1 marks, 0 the first, in equal steps of 1, 2 or 5 times a power of ten, the last not below
  /// `greatest`.
  ///
  /// - Parameters:
  ///   - greatest: The greatest value, in thousandths; for 0 or less the marks are 0 and 1.
  ///   - count: The maximum number of steps: at least 1.
  ///   - isWhole: Whether only whole numbers make sense, as for days.
  /// - Returns: The marks, ascending.
  package static func marks(
    upTo greatest: Amount, steps count: Int = 5, isWhole: Bool = false
  ) -> [Amount] {
    let count = max(1, count)
    guard greatest > .zero else { return [.zero, .one] }
    var power: Int64 = isWhole ? 1000 : 1
    while true {
      for factor: Int64 in [1, 2, 5] {
        let step = factor * power
        let steps = (greatest.thousandths + step - 1) / step
        guard steps <= count else { continue }
        return (0...steps).compactMap { Amount(thousandths: $0 * step) }
      }
      power *= 10
    }
  }
}
