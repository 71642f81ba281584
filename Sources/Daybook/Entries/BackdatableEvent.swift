import Avro
import Values

/// An event that creates something which may have begun earlier: an app that was offline says when (DM-9).
protocol BackdatableEvent: EventRecord {
  /// When it began by the clock of its app, always before it was recorded; nothing when it began with the entry.
  var begun: Instant? { get set }
}

extension BackdatableEvent {
  /// When the created entity began.
  func begun(_ head: EntryHead) -> Instant { begun ?? head.at }
}

extension Event {
  /// When the created entity began by the clock of its app, if the event says so.
  package var begun: Instant? { (content.record as? any BackdatableEvent)?.begun }
}

extension FieldNote {
  /// The note of the field ``BackdatableEvent/begun``.
  static let begun = FieldNote.doc(
    "when it began by its app's clock, where that was before it was recorded")
  /// The note of the column in which a command says when something began.
  static let created = FieldNote.doc(whenBegun)
  static let whenBegun =
    "when it began, by the app's clock; now if it is not given or in the future"
}

extension Context {
  /// The begin that a client says, or nothing when that is now. A begin after now comes from a wrong clock, and is
  /// ignored.
  func begun(_ said: Instant?) -> Instant? { said.flatMap { $0 < at ? $0 : nil } }
}
