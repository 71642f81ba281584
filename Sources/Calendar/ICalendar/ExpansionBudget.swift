import Values

extension ICalendar {
  /// A limit on the work of answering one question about calendars, which may come from strangers. The steps
  /// are occurrences, and the months or days that a rule skips on its way to them.
  ///
  /// One line of text can ask for "every Friday the 13th, two thousand million times". An answer leaves out
  /// the occurrences beyond the budget, and says so.
  public struct ExpansionBudget: Sendable {
    /// The number of steps left.
    public private(set) var remaining: Int
    /// The most steps that one series may take.
    private let maximumForSeries: Int

    /// The budget for one question from a person.
    public static let question = ExpansionBudget(
      steps: Limit.calendarSteps.maximum, forSeries: Limit.seriesSteps.maximum)

    /// The budget for trusted calendars: no limit.
    public static let unlimited = ExpansionBudget(steps: .max, forSeries: .max)

    /// Makes a budget.
    ///
    /// - Parameters:
    ///   - steps: The number of steps.
    ///   - forSeries: The most steps that one series may take.
    public init(steps: Int, forSeries: Int) {
      remaining = max(0, steps)
      maximumForSeries = max(0, forSeries)
    }

    /// The number of steps available to the next series.
    var forSeries: Int { min(remaining, maximumForSeries) }

    /// Spends steps; if fewer are left, empties the budget and returns `false`.
    package mutating func spend(_ steps: Int) -> Bool {
      guard steps <= remaining else {
        remaining = 0
        return false
      }
      if remaining != .max { remaining -= steps }
      return true
    }
  }

  /// The occurrences of a series.
  public struct Expansion: Hashable, Sendable {
    /// The occurrences, without duplicates.
    public var occurrences: [Occurrence]
    /// Whether there may be more occurrences than the budget allowed.
    public var isCutOff: Bool

    public init(_ occurrences: [Occurrence] = [], isCutOff: Bool = false) {
      self.occurrences = occurrences
      self.isCutOff = isCutOff
    }
  }
}
