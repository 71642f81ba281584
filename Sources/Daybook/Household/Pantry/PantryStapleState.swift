import Kitchen
package import Avro

/// Something that a household keeps at home (MC-9): a list says to look for it, or takes off what there is.
/// Its events and records are named after staples on disk.
public typealias PantryStaple = HouseholdItem<PantryStapleContent>

extension PantryStapleContent: HouseholdItemContent {
  /// "staple-number".
  public static var entityName: StaticString { "staple-number" }
  /// "Staple".
  public static var itemRecordName: String { "Staple" }
  /// Its name.
  public var displayName: String { name }
}

extension BookState {
  /// What a household keeps at home, by name, as a member sees it; nothing for others.
  public func pantryStaples(
    of household: Household.ID, for viewer: Account.ID
  ) -> [(number: PantryStaple.ID, pantryStaple: PantryStaple)] {
    guard self.household(household, for: viewer) != nil else { return [] }
    return householdEntities(.pantryStaple, in: pantryStaples, of: household)
      .map { ($0.number, $0.thing) }
      .sorted {
        ($0.1.content.name.foldedName, $0.1.key) < ($1.1.content.name.foldedName, $1.1.key)
      }
  }

  mutating func apply(_ event: PantryStapleAdded, _ head: EntryHead) {
    create(
      PantryStaple(
        key: event.key, household: event.household, creator: event.owner, content: event.content,
        at: head.at))
  }

  mutating func apply(_ event: PantryStapleDescribed, _ head: EntryHead) {
    update(event.pantryStaple) { $0.setContent(event.content, at: head.at) }
  }

  mutating func apply(_ event: PantryStapleRemoved, _ head: EntryHead) {
    update(event.pantryStaple) { $0.delete(at: head.at) }
  }

  mutating func apply(_ event: PantryStapleRestored, _ head: EntryHead) {
    update(event.pantryStaple) { $0.restore(at: head.at) }
  }
}

extension ColumnCommand where Answer == PantryStaple.ID {
  /// The staple's row, or that it is gone.
  package func row(of answer: PantryStaple.ID, in state: BookState) -> JSON {
    state.answer(answer) { state.pantryStapleRow($0) }
  }
}
