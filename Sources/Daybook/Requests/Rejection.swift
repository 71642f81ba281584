package import Values
package import Calendar

/// A rejection by the rules: a stable code for programs, a sentence for people. Nothing is written.
///
/// Each rejection is a constant of this type, or a function where its sentence holds values, and is declared in the
/// folder of its context. The codes are listed once, in ``RejectionCode``.
public struct Rejection: Error, Hashable, Sendable, CustomStringConvertible {
  /// The rejection's code, from the table of all codes.
  public let reason: RejectionCode
  /// The field at fault, by its name in JSON, if there is one.
  public let field: String?
  /// One sentence: what is wrong, and usually how to correct it.
  public let description: String
  /// The kind of another person's entity whose existence the rejection reveals.
  private let revealed: EntityKind?

  /// The kind of rejection.
  public var kind: Kind { reason.kind }
  /// A stable name in snake_case, such as `not_owner`.
  public var code: String { reason.rawValue }

  /// A rejection about the field that the table names.
  package init(_ reason: RejectionCode, _ description: String) {
    self.init(reason, field: reason.field, description)
  }

  /// A rejection about a field other than the table's, or about none, with the kind of another person's entity whose
  /// existence it reveals.
  package init(
    _ reason: RejectionCode, field: String?, revealing revealed: EntityKind? = nil,
    _ description: String
  ) {
    self.reason = reason
    self.field = field
    self.revealed = revealed
    self.description = description
  }

  /// The same rejection, about a column with another name than the table's.
  func about(_ column: String) -> Rejection {
    Rejection(reason, field: column, revealing: revealed, description)
  }

  /// The rejection as a caller sees it: for a caller who acts for one account only, another person's entity appears not
  /// to exist.
  package func asSeen(by caller: Caller) -> Rejection {
    guard case .account = caller, let revealed else { return self }
    return revealed.notFound
  }

  /// Compares what callers see.
  public static func == (left: Rejection, right: Rejection) -> Bool {
    left.reason == right.reason && left.field == right.field
      && left.description == right.description
  }

  /// Hashes what callers see.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(reason)
    hasher.combine(field)
    hasher.combine(description)
  }

  /// The kinds of rejections, by what the caller can do about them. They determine exit codes, and a server's status
  /// codes.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// The request is not a command, or has the wrong form: correct the program that sent it (HTTP 400).
    case malformed
    /// No actor is named: name one (HTTP 401).
    case unauthenticated
    /// The entity exists, but the actor may not do this to it (HTTP 403).
    case forbidden
    /// The entity that is named does not exist, or the actor may not see it (HTTP 404).
    case notFound = "not_found"
    /// The command conflicts with the state of the book: read it again, and send another command (HTTP 409).
    case conflict
    /// A value is not valid: give another one (HTTP 422).
    case invalid
    /// A limit is exceeded, or there is no room for more (HTTP 422).
    case limit
    /// The command comes too early or too late (HTTP 422).
    case untimely
  }
}

// Rejections that several contexts share.
extension Rejection {
  /// The key already names something: another person's entity, a deleted one, or one with other content.
  package static func keyTaken(_ key: Key) -> Rejection {
    Rejection(.keyTaken, "The key \(key) already names something else.")
  }

  /// The task or label belongs to another person.
  package static let notOwner = Rejection(.notOwner, "Only its owner may do that.")

  /// The task or label belongs to another person, and was named by its key.
  static func notOwner(ofNamed kind: EntityKind) -> Rejection {
    Rejection(
      .notOwner, field: notOwner.field, revealing: kind, notOwner.description)
  }

  /// The habit, goal or hive belongs to another person. All members see a hive.
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

  /// The day to log has not come yet.
  package static func futureDay(day: Day, today: Day) -> Rejection {
    Rejection(.futureDay, "\(day) has not come yet (today is \(today)); log it on the day.")
  }

  /// The day in question has not come yet.
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
