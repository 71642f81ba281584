import DaybookStore

/// Counts the cost of a request, so that no request takes too much of what others wait for.
///
/// A step is about ten nanoseconds on a small machine: one compared value, or a few bytes. The budget counts steps
/// and measures no time, so the same request is refused at any time and on any machine.
final class RequestBudget {
  /// How much a request may cost.
  struct Allowance: Sendable {
    let steps: Int
    /// The most values that may be kept at once.
    let values: Int
    /// The most rows that may be written.
    var rows = Int.max

    /// For a read on a thread where others wait: some milliseconds. A read that costs more starts again elsewhere.
    static let brief = Allowance(steps: 500_000, values: 200_000)
    /// For a read on a thread of its own: seconds.
    static let read = Allowance(steps: 200_000_000, values: 5_000_000)
    /// For a write that shares a commit with others: a millisecond. A write that costs more starts again in its own
    /// turn.
    static let briefWrite = Allowance(steps: 100_000, values: 100_000, rows: Batch.shortCount)
    /// For a write for which all other writes wait: some tenths of a second.
    static let write = Allowance(steps: 20_000_000, values: 5_000_000)
  }

  /// A request exceeded its allowance, or nobody waits for it any more.
  struct Spent: Error {}

  /// The number of steps between two checks that somebody still waits.
  private static let interval = 100_000

  private var stepsLeft: Int
  private var valuesLeft: Int
  private var nextLook: Int
  private let isWanted: () -> Bool
  /// Whether the budget is spent. Counting goes on until the next check.
  private(set) var isSpent = false

  /// - Parameters:
  ///   - allowance: The allowance.
  ///   - isWanted: Whether somebody still waits for the answer.
  init(_ allowance: Allowance, while isWanted: @escaping () -> Bool = { true }) {
    stepsLeft = allowance.steps
    valuesLeft = allowance.values
    nextLook = max(0, stepsLeft - Self.interval)
    self.isWanted = isWanted
  }

  func spend(_ steps: Int) {
    stepsLeft -= min(steps, stepsLeft + 1)
    if stepsLeft < nextLook { look() }
  }

  /// Counts values that are kept.
  func keep(_ values: Int) {
    valuesLeft -= values
    if valuesLeft < 0 { isSpent = true }
  }

  /// Releases values that are no longer kept.
  func release(_ values: Int) { valuesLeft += values }

  /// Stops a request whose budget is spent.
  ///
  /// - Throws: ``Spent``.
  func check() throws(Spent) {
    if isSpent { throw Spent() }
  }

  private func look() {
    nextLook = max(0, stepsLeft - Self.interval)
    if stepsLeft < 0 || !isWanted() { isSpent = true }
  }
}

extension TableValue {
  /// The approximate cost of a comparison with another value, in steps; the shorter of two texts decides.
  var weight: Int {
    switch self {
    case .null, .bool, .integer, .uuid, .timestamp, .date: 1
    case .decimal(let text): 8 + text.utf8.count / 8
    case .text(let text): 1 + text.utf8.count / 32
    case .array(let elements): elements.reduce(1) { $0 + 1 + $1.utf8.count / 32 }
    case .json(let value): 4 * value.weight
    }
  }
}
