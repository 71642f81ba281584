import Values

extension ICalendar {
  /// How much is looked at to answer a question about calendars, which may be strangers': occurrences, and the months
  /// or days that a rule passes over on its way to them.
  ///
  /// An event that happens "every 13th that is a Friday, two thousand million times" is a line of text. What is beyond
  /// the budget is left out of the answer, which says so.
  public struct ExpansionBudget: Sendable {
    /// How much may still be looked at.
    public private(set) var remaining: Int
    /// The most that one series may take of it.
    private let maximumForSeries: Int

    /// For one question of a person.
    public static let question = ExpansionBudget(
      steps: Limit.calendarSteps.maximum, forSeries: Limit.seriesSteps.maximum)

    /// For a calendar of one's own.
    public static let unlimited = ExpansionBudget(steps: .max, forSeries: .max)

    /// Makes a budget.
    ///
    /// - Parameters:
    ///   - steps: How much may be looked at.
    ///   - forSeries: The most that one series may take of it.
    public init(steps: Int, forSeries: Int) {
      remaining = max(0, steps)
      maximumForSeries = max(0, forSeries)
    }

    /// What the next series may take.
    var forSeries: Int { min(remaining, maximumForSeries) }

    /// Takes so much from it; `false` when there was not so much left, and then nothing is.
    package mutating func take(_ steps: Int) -> Bool {
      guard steps <= remaining else {
        remaining = 0
        return false
      }
      if remaining != .max { remaining -= steps }
      return true
    }
  }

  /// The times at which a series takes place.
  public struct Expansion: Hashable, Sendable {
    /// The times, each once.
    public var occurrences: [Occurrence]
    /// Whether there may be more of them than the budget allowed to find.
    public var isCutOff: Bool

    public init(_ occurrences: [Occurrence] = [], isCutOff: Bool = false) {
      self.occurrences = occurrences
      self.isCutOff = isCutOff
    }
  }
}
