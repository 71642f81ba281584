import Calendar
import Daybook
import Values

/// An entry with the states before and after it, from which tables find the rows that it touched.
struct EntryChange {
  let entry: Entry
  let before: BookState
  let after: BookState
  /// The kind and the number of the entity that the entry is about.
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

  /// The entity that the entry is about, if it is of this kind.
  func subject<Thing: Entity>(
    _ kind: EntityKind, as type: Thing.Type = Thing.self
  ) -> EntityNumber<Thing>? {
    self.kind == kind ? EntityNumber<Thing>(Int(number)) : nil
  }

  /// The account that the entry erased, if it did.
  var erased: Account.ID? {
    guard case .accountErased(let event) = entry.event else { return nil }
    return event.account
  }

  var states: [BookState] { [before, after] }

  /// The touched row to report, if it has an audience.
  static func row(_ key: [String: TableValue], for audience: [Account.ID]) -> [TouchedRow] {
    audience.isEmpty ? [] : [TouchedRow(key, for: audience)]
  }
}
