import Avro
import Values

/// An event by which something is there from now on, though it may have begun before: an app that was offline says when
/// (DM-9).
protocol BegunEvent: EventRecord {
  /// When it began by the clock of its app, always before it was recorded; nothing where it began with the entry.
  var begun: Instant? { get set }
}

extension BegunEvent {
  /// When what it creates was created.
  func begun(_ head: EntryHead) -> Instant { begun ?? head.at }
}

extension Event {
  /// When what it creates began by the clock of its app, where it says so.
  package var begun: Instant? { (content.record as? any BegunEvent)?.begun }
}

extension FieldNote {
  /// What the field of ``BegunEvent/begun`` says.
  static let begun = FieldNote.doc(
    "when it began by its app's clock, where that was before it was recorded")
  /// What the column says in which a command has it.
  static let created = FieldNote.doc(whenBegun)
  static let whenBegun = "when it began by its app's clock; now unless given, or later"
}

extension Context {
  /// When something began of which a client says when it did; nothing where that is now. What begins later than now has
  /// a clock that is wrong.
  func begun(_ said: Instant?) -> Instant? { said.flatMap { $0 < at ? $0 : nil } }
}
