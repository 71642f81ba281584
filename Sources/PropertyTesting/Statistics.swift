/// Statistics about the generated values of a run: tables of values, shares of classes, and required
/// coverage.
///
/// A property's body records one case at a time. Cases that are discarded, that fail, or that are replayed
/// during shrinking do not count.
public struct Statistics: Sendable {
  private struct Table: Sendable {
    var label: String
    var counts: [String: Int] = [:]
    var total = 0
  }

  private struct Class: Sendable {
    var label: String
    var required: Double?
    var hits = 0
    var lastCase = 0
  }

  private enum Observation: Sendable {
    case collected(table: Int, value: String)
    case met(class: Int)
  }

  /// The number of cases counted.
  public private(set) var cases = 0
  private var tables: [Table] = []
  private var classes: [Class] = []
  private var pending: [Observation] = []
  private var pendingScores: [(label: String, score: Double)] = []

  init() {}

  // MARK: Recording

  /// Counts a value in the table with a label.
  public mutating func collect<Value>(_ label: String, _ value: Value) {
    let index: Int
    if let known = tables.firstIndex(where: { $0.label == label }) {
      index = known
    } else {
      index = tables.count
      tables.append(Table(label: label))
    }
    pending.append(.collected(table: index, value: describe(value)))
  }

  /// Counts the case in the class with a label if the condition is true.
  public mutating func classify(_ label: String, _ condition: Bool) {
    note(label, condition, required: nil)
  }

  /// Counts the case as ``classify(_:_:)`` does, and fails the run if too few cases meet the condition.
  ///
  /// Chance alone does not fail a run. If the class is empty, or its share is too low by more than one
  /// standard deviation, the run continues for up to ten times the usual number of cases, and at least a
  /// thousand. It fails if the class is then still empty, or its share too low by more than three standard
  /// deviations.
  ///
  /// - Parameters:
  ///   - label: The name of the class.
  ///   - percent: The required share of all cases, 0 to 100.
  ///   - condition: Whether this case belongs to the class.
  public mutating func cover(_ label: String, atLeast percent: Double, _ condition: Bool) {
    note(label, condition, required: percent)
  }

  /// Gives the case a score; the run searches for cases with high scores.
  ///
  /// Once the sizes have grown, every second case is derived from the one with the highest score so far, for
  /// each label in turn. Such cases count like any others. This finds rare cases, such as a value near a
  /// limit, or a long chain.
  ///
  /// - Parameters:
  ///   - label: What is being searched for.
  ///   - score: How close the case comes to it; higher is closer. NaN is ignored.
  public mutating func target(_ label: String, _ score: Double) {
    pendingScores.append((label, score))
  }

  private mutating func note(_ label: String, _ condition: Bool, required: Double?) {
    let index: Int
    if let known = classes.firstIndex(where: { $0.label == label }) {
      index = known
      if let required { classes[index].required = required }
    } else {
      index = classes.count
      classes.append(Class(label: label, required: required))
    }
    if condition { pending.append(.met(class: index)) }
  }

  /// Adds what the current case recorded.
  mutating func commit() {
    cases += 1
    for observation in pending {
      switch observation {
      case .collected(let table, let value):
        tables[table].counts[value, default: 0] += 1
        tables[table].total += 1
      case .met(let index) where classes[index].lastCase != cases:
        classes[index].hits += 1
        classes[index].lastCase = cases
      case .met: break
      }
    }
    rollBack()
  }

  /// Discards what the current case recorded.
  mutating func rollBack() {
    pending.removeAll(keepingCapacity: true)
    pendingScores.removeAll(keepingCapacity: true)
  }

  /// The scores of the current case, which is not yet counted.
  var scores: [(label: String, score: Double)] { pendingScores }

  // MARK: Results

  /// The share of all cases in the class with a label, in percent; `nil` if the label never occurred.
  public func percentage(of label: String) -> Double? {
    guard let entry = classes.first(where: { $0.label == label }) else { return nil }
    return cases == 0 ? 0 : Double(entry.hits) * 100 / Double(cases)
  }

  /// How often each value was counted in the table with a label.
  public func counts(of label: String) -> [String: Int] {
    tables.first { $0.label == label }?.counts ?? [:]
  }

  /// Whether the run may end: every required class has a case, and about as many as required.
  var isCovered: Bool { !classes.contains { isShort($0, byDeviations: 1) } }

  /// One sentence for every class with fewer cases than chance explains.
  var shortfalls: [String] {
    classes.compactMap { entry in
      guard let required = entry.required, isShort(entry, byDeviations: 3) else { return nil }
      return "only \(percent(entry.hits, of: cases)) of \(cases) cases are covered by "
        + "“\(entry.label)”, \(required) % are required"
    }
  }

  /// Whether a required class is empty, or has too few cases by more than `deviations` standard deviations of
  /// the count expected at the required share.
  private func isShort(_ entry: Class, byDeviations deviations: Double) -> Bool {
    guard let required = entry.required, required > 0 else { return false }
    let share = required / 100
    let missing = Double(cases) * share - Double(entry.hits)
    let variance = max(0, Double(cases) * share * (1 - share))
    return entry.hits == 0 || missing > deviations * variance.squareRoot()
  }
}

extension Statistics: CustomStringConvertible {
  /// A short table: the classes first, then the most common values of each label.
  public var description: String {
    var lines: [String] = []
    let width = classes.map(\.label.count).max() ?? 0
    for entry in classes {
      let required = entry.required.map { "  (at least \($0) %)" } ?? ""
      let share = percent(entry.hits, of: cases)
      lines.append("\(padded(entry.label, to: width))  \(aligned(share, to: 7))\(required)")
    }
    for table in tables where table.total > 0 {
      lines.append("\(table.label):")
      let rows = table.counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      let shown = rows.prefix(10)
      let width = shown.map(\.key.count).max() ?? 0
      for row in shown {
        let share = percent(row.value, of: table.total)
        lines.append("  \(padded(row.key, to: width))  \(aligned(share, to: 7))")
      }
      if rows.count > shown.count { lines.append("  and \(rows.count - shown.count) more") }
    }
    return lines.joined(separator: "\n")
  }
}

private func percent(_ part: Int, of whole: Int) -> String {
  guard whole > 0 else { return "0.0 %" }
  let tenths = (part * 1_000 + whole / 2) / whole
  return "\(tenths / 10).\(tenths % 10) %"
}

private func padded(_ text: String, to width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}

private func aligned(_ text: String, to width: Int) -> String {
  String(repeating: " ", count: max(0, width - text.count)) + text
}
