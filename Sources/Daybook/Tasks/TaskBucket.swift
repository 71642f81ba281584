public import Avro

/// When a task is to be done: one of five fixed buckets (DM-1).
public enum TaskBucket: String, AvroEnumeration {
  /// This week.
  case thisWeek = "THIS_WEEK"
  /// The weekend.
  case weekend = "WEEKEND"
  /// Next week.
  case nextWeek = "NEXT_WEEK"
  /// Next month.
  case nextMonth = "NEXT_MONTH"
  /// Tasks that repeat.
  case routines = "ROUTINES"

  public static var enumerationName: String { "TaskBucket" }

  /// Reads a bucket's key in either case, with `-`, a space or nothing for the `_`.
  public init?(loosely text: some StringProtocol) {
    let letters = text.lowercased().filter { $0.isLetter }
    guard
      let found = Self.allCases.first(where: {
        $0.rawValue.lowercased().filter { $0.isLetter } == letters
      })
    else { return nil }
    self = found
  }

  /// The name that people see: `This week`.
  public var title: String {
    switch self {
    case .thisWeek: "This week"
    case .weekend: "Weekend"
    case .nextWeek: "Next week"
    case .nextMonth: "Next month"
    case .routines: "Routines"
    }
  }
}
