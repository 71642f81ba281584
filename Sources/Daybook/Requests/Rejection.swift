package import Values
package import Calendar

/// A refusal by the rules: a stable code for programs, a sentence for people. Nothing is then written.
///
/// Each refusal is a constant of this type, or a function where its sentence tells values, and stands in the folder of
/// its context. What the codes are is said once, in ``RejectionCode``.
public struct Rejection: Error, Hashable, Sendable, CustomStringConvertible {
  /// Which refusal it is, in the table of all.
  public let reason: RejectionCode
  /// The field that it is about, by its name in JSON, if it is about one.
  public let field: String?
  /// One sentence: what is wrong, and mostly what to do instead.
  public let description: String
  /// What is another's, where the refusal tells by itself that it is there.
  private let revealed: EntityKind?

  /// What sort of refusal it is.
  public var kind: Kind { reason.kind }
  /// A stable name in snake_case, such as `not_owner`.
  public var code: String { reason.rawValue }

  /// A refusal about the field that the table names.
  package init(_ reason: RejectionCode, _ description: String) {
    self.init(reason, field: reason.field, description)
  }

  /// A refusal about another field than the table names, or about none; and what is another's, where it tells that that
  /// is there.
  package init(
    _ reason: RejectionCode, field: String?, revealing revealed: EntityKind? = nil,
    _ description: String
  ) {
    self.reason = reason
    self.field = field
    self.revealed = revealed
    self.description = description
  }

  /// The refusal, about a column of another name than the table has.
  func about(_ column: String) -> Rejection {
    Rejection(reason, field: column, revealing: revealed, description)
  }

  /// The refusal as a caller is told: to one who acts for an account alone, what is another's is as what is not there.
  package func told(to caller: Caller) -> Rejection {
    guard case .account = caller, let revealed else { return self }
    return revealed.notFound
  }

  /// What is told alike is the same refusal.
  public static func == (left: Rejection, right: Rejection) -> Bool {
    left.reason == right.reason && left.field == right.field
      && left.description == right.description
  }

  /// What is told.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(reason)
    hasher.combine(field)
    hasher.combine(description)
  }

  /// The sorts of refusals, by what one who was refused can do. Exit codes follow from them, and what a server would
  /// answer.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// What was sent is no command, or not in its form: correct the program that sent it (HTTP 400).
    case malformed
    /// Nobody was named as the one who acts: say who does (HTTP 401).
    case unauthenticated
    /// It is there, and not for the one who asks (HTTP 403).
    case forbidden
    /// What is named is not there, or not to be seen by the one who asks (HTTP 404).
    case notFound = "not_found"
    /// It does not go with what the book holds: look again, and ask otherwise (HTTP 409).
    case conflict
    /// A value cannot be: give another one (HTTP 422).
    case invalid
    /// More is given than is taken, or there is no room for more (HTTP 422).
    case limit
    /// It is too early or too late for it (HTTP 422).
    case untimely
  }
}

// What several contexts refuse.
extension Rejection {
  /// The key names something already: another's, something deleted, or something else than would be made now.
  package static func keyTaken(_ key: Key) -> Rejection {
    Rejection(.keyTaken, "The key \(key) already names something else.")
  }

  /// A task or a label is another's.
  package static let notOwner = Rejection(.notOwner, "Only its owner may do that.")

  /// A task or a label is another's, and was named by its key.
  static func notOwner(ofNamed kind: EntityKind) -> Rejection {
    Rejection(
      .notOwner, field: notOwner.field, revealing: kind, notOwner.description)
  }

  /// A habit, goal or hive is another's. A hive is seen by all of its members.
  package static func notOwner(of kind: EntityKind) -> Rejection {
    Rejection(
      .notOwner, field: kind.word, revealing: kind == .hive ? nil : kind,
      "Only its owner may do that to a \(kind.word).")
  }

  /// The title of a goal or task holds control characters.
  package static let invalidTitle = Rejection(
    .invalidTitle, "title: the title holds control characters; leave them out.")

  /// The colour is not `#RRGGBB`.
  package static func invalidColor(_ color: String, _ field: String) -> Rejection {
    Rejection(
      .invalidColor, field: field, "\(field): \"\(color)\" is not a colour such as #FF9F1C.")
  }

  /// The day that is logged has not come yet.
  package static func futureDay(day: Day, today: Day) -> Rejection {
    Rejection(.futureDay, "\(day) has not come yet (today is \(today)); log it on the day.")
  }

  /// The day about which is asked has not come yet.
  package static func futureDayAsked(day: Day, today: Day) -> Rejection {
    Rejection(
      .futureDay, field: nil,
      "\(day) has not come yet (today is \(today)); ask about a day up to today.")
  }

  /// The client's instant is after the book's clock.
  package static func futureInstant(_ instant: Instant) -> Rejection {
    Rejection(.futureInstant, "p_at: \(instant) is after the book's clock.")
  }
}
