public import Avro

/// Something that a household keeps at home (MC-9): a list says to look for it, or takes off what there is.
public typealias Staple = Belonging<StapleContent>

extension StapleContent: BelongingContent {
  /// "staple-number".
  public static var entityName: StaticString { "staple-number" }
  /// "Staple".
  public static var belongingName: String { "Staple" }
  /// Its name.
  public var calledName: String { name }
}

extension State {
  /// What a household keeps at home, by name, as a member sees it; nothing for others.
  public func staples(
    of household: Household.ID, for viewer: Account.ID
  ) -> [(number: Staple.ID, staple: Staple)] {
    guard self.household(household, for: viewer) != nil else { return [] }
    return belongings(.staple, in: staples, of: household)
      .map { ($0.number, $0.thing) }
      .sorted {
        ($0.1.content.name.foldedName, $0.1.key) < ($1.1.content.name.foldedName, $1.1.key)
      }
  }

  mutating func apply(_ event: StapleAdded, _ head: EntryHead) {
    create(
      Staple(
        key: event.key, household: event.household, creator: event.owner, content: event.content,
        at: head.at))
  }

  mutating func apply(_ event: StapleDescribed, _ head: EntryHead) {
    update(event.staple) { $0.say(event.content, at: head.at) }
  }

  mutating func apply(_ event: StapleRemoved, _ head: EntryHead) {
    update(event.staple) { $0.delete(at: head.at) }
  }
}

extension ColumnCommand where Answer == Staple.ID {
  /// The staple's row, or that it is gone.
  public func row(of answer: Staple.ID, in state: State) -> JSON {
    state.answer(answer) { state.stapleRow($0) }
  }
}
