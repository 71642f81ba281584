package import Values

// Rejections of values beyond a limit.
extension Rejection {
  /// The rejection of a value beyond a limit.
  package static func beyond(_ limit: Limit, _ field: String?) -> Rejection {
    Rejection(limit.code ?? .invalidField, field: field, limit.sentence(field ?? limit.rawValue))
  }
}

extension Limit {
  /// The code of the rejection of a value beyond the limit; `nil` if the limit has none, because the excess
  /// is left out or read in another way.
  package var code: RejectionCode? {
    switch self {
    case .name, .title, .text, .line, .address, .command, .activityData:
      RejectionCode(rawValue: "\(rawValue)_too_long")
    case .calendarBytes, .zoneParts: .calendarTooLong
    case .hiveMembers: .hiveFull
    case .householdMembers: .householdFull
    default: RejectionCode(rawValue: "too_many_\(rawValue)")
    }
  }

  fileprivate func sentence(_ field: String) -> String {
    switch self {
    case .command:
      "The line is longer than \(maximum) bytes, so it was ignored; send less in one command."
    case .dueSteps:
      "\(field): the span holds more than \(maximum) times of day; ask for a shorter span."
    case .activityData: "\(field): it is longer than \(maximum) bytes; make it shorter."
    case .name, .title, .text, .line, .address:
      "\(field): it is longer than \(maximum) characters; make it shorter."
    default: "\(field): at most \(maximum) are allowed; leave some out."
    }
  }

  /// Refuses a text that is longer than the limit.
  func check(_ text: String?, _ field: String) throws(Rejection) {
    guard let text, !isKept(text) else { return }
    throw .beyond(self, field)
  }

  /// Refuses a count that is greater than the limit.
  func check(_ count: Int, _ field: String) throws(Rejection) {
    guard count > maximum else { return }
    throw .beyond(self, field)
  }
}
