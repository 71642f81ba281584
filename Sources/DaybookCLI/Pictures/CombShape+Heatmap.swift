import Daybook
import DaybookStore
import Pictures

extension CombShape {
  /// The shape of a day in a heatmap; `nil` before the habit began.
  init?(_ heatmap: Heatmap, at place: Int) {
    if let shape = CombShape(heatmap.sign(at: place)) {
      self = shape
    } else {
      guard heatmap.marks[place] == nil, heatmap.cells[place].day > heatmap.today else {
        return nil
      }
      self = .future
    }
  }

  /// The shape for a sign; `nil` without one.
  init?(_ sign: Sign?) {
    switch sign {
    case .done: self = .done
    case .bonus: self = .bonus
    case .firstThird: self = .part(1)
    case .secondThird: self = .part(2)
    case .lastThird: self = .part(3)
    case .missed: self = .missed
    case .skipped: self = .skipped
    case .paused: self = .paused
    case .off: self = .off
    case .leftOut: self = .leftOut
    case .open: self = .open
    case .partial, .unshared, nil: return nil
    }
  }

  /// The tooltip of a day.
  func hint(of cell: HeatCell) -> String {
    let value = cell.value.map { ": \($0) of \(cell.target)" } ?? ""
    return "\(cell.day.weekdayName) \(cell.day), \(meaning)\(value)"
  }

  /// The number of days of each shape in a heatmap.
  static func counts(in heatmap: Heatmap) -> [(shape: CombShape, count: Int)] {
    var counts: [CombShape: Int] = [:]
    for place in heatmap.cells.indices {
      if let shape = CombShape(heatmap, at: place) { counts[shape, default: 0] += 1 }
    }
    return counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}
