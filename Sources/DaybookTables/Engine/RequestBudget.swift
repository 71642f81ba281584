/// Counts what a request costs, so that none takes more than it may of what others wait for.
///
/// A step is about ten nanoseconds on a small machine: a value that is compared, or some bytes that are looked at. Steps
/// are counted, and no time is taken: the same request is refused today and tomorrow, on any machine.
final class RequestBudget {
  /// How much a request may cost.
  struct Allowance: Sendable {
    let steps: Int
    /// How many values may be kept at once.
    let values: Int
    /// How many rows may be written.
    var rows = Int.max

    /// The most rows of a write that shares a commit with those of others.
    static let briefRows = 20

    /// Of a read that holds a thread on which others wait: some milliseconds. What costs more is begun anew elsewhere.
    static let brief = Allowance(steps: 500_000, values: 200_000)
    /// Of a read on a thread of its own: seconds.
    static let read = Allowance(steps: 200_000_000, values: 5_000_000)
    /// Of a write that shares a commit with those of others: a millisecond. What costs more begins again in a turn of
    /// its own.
    static let briefWrite = Allowance(steps: 100_000, values: 100_000, rows: briefRows)
    /// Of a write, for which all other writes wait: some tenths of a second.
    static let write = Allowance(steps: 20_000_000, values: 5_000_000)
  }

  /// More was asked for than a request may take, or nobody waits for it any more.
  struct Spent: Error {}

  /// How often it is asked whether somebody still waits, in steps.
  private static let interval = 100_000

  private var stepsLeft: Int
  private var valuesLeft: Int
  private var nextLook: Int
  private let isWanted: () -> Bool
  /// Whether all is spent: whoever counts goes on to where it is checked.
  private(set) var isSpent = false

  /// - Parameters:
  ///   - allowance: How much there is.
  ///   - isWanted: Whether somebody still waits for what comes of it.
  init(_ allowance: Allowance, while isWanted: @escaping () -> Bool = { true }) {
    stepsLeft = allowance.steps
    valuesLeft = allowance.values
    nextLook = max(0, stepsLeft - Self.interval)
    self.isWanted = isWanted
  }

  /// Counts steps.
  func spend(_ steps: Int) {
    stepsLeft -= min(steps, stepsLeft + 1)
    if stepsLeft < nextLook { look() }
  }

  /// Counts values that are kept.
  func keep(_ values: Int) {
    valuesLeft -= values
    if valuesLeft < 0 { isSpent = true }
  }

  /// Counts values that are kept no more.
  func letGo(_ values: Int) { valuesLeft += values }

  /// Ends what may go on no longer.
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

extension Value {
  /// In how many steps it is compared with another, at most about: the shorter of two texts decides.
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
