import Calendar
import Daybook
import Values

/// An entry, and the book before and after it: by that, tables tell which of their rows it touched.
struct Change {
  let entry: Entry
  let before: BookState
  let after: BookState
  /// What the entry is about, and its number.
  let kind: EntityKind
  let number: Int32

  init(_ entry: Entry, _ before: BookState, _ after: BookState) {
    self.entry = entry
    self.before = before
    self.after = after
    switch entry.event.subject {
    case .aggregate(let aggregate): (kind, number) = (aggregate.kind, aggregate.number)
    case .new(let kind, let key, _):
      self.kind = kind
      number = after.table(of: kind).entityNumber(of: key) ?? 0
    }
  }

  /// What it is about, if that is of a kind.
  func subject<Thing: Entity>(
    _ kind: EntityKind, as type: Thing.Type = Thing.self
  ) -> EntityNumber<Thing>? {
    self.kind == kind ? EntityNumber<Thing>(Int(number)) : nil
  }

  /// The account that it erased, if it did.
  var erased: Account.ID? {
    guard case .accountErased(let event) = entry.event else { return nil }
    return event.account
  }

  /// Both states.
  var states: [BookState] { [before, after] }

  /// What is to be told of a row, if there is somebody to tell it.
  static func row(_ key: [String: Value], for audience: [Account.ID]) -> [TouchedRow] {
    audience.isEmpty ? [] : [TouchedRow(key, for: audience)]
  }
}
