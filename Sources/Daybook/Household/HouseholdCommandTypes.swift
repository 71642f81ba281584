extension Request {
  /// The commands about households and their tasks, by name.
  static let householdTypes: [any ColumnCommand.Type] = [
    CreateHousehold.self, RenameHousehold.self,
    AddHouseholdMember.self, LeaveHousehold.self,
    RemoveHouseholdMember.self,
    DeleteHousehold.self, CreateHouseholdCode.self, RevokeHouseholdCode.self, JoinHousehold.self,
    CreateHouseholdTask.self, UpdateHouseholdTask.self,
    AssignHouseholdTask.self, CompleteHouseholdTask.self,
    ReopenHouseholdTask.self, DeleteHouseholdTask.self,
  ]

  /// The commands about grocery lists, by name.
  static let groceryTypes: [any ColumnCommand.Type] = [
    GenerateGroceryList.self, AddGroceryItem.self,
    UpdateGroceryItem.self, CheckGroceryItem.self,
    UncheckGroceryItem.self, RemoveGroceryItem.self, ChooseGroceryList.self,
    DeleteGroceryList.self,
  ]

  /// The commands about a household's calendar, by name.
  static let calendarTypes: [any ColumnCommand.Type] = [
    CreateCalendarEvent.self,
    UpdateCalendarEvent.self,
    DeleteCalendarEvent.self, ImportCalendar.self,
  ]
}

/// A command that creates an entity of a household, under a key of the client's.
protocol HouseholdCreationCommand: ColumnCommand {
  associatedtype Content: Columns
  var household: Household.ID { get set }
  /// The client's name for it; a fresh one unless given.
  var key: Key? { get set }
  /// The content of the entity.
  var content: Content { get set }
  /// When it began by the clock of its app; now if that is not given, or lies in the future.
  var begun: Instant? { get set }
}

extension HouseholdCreationCommand {
  /// `household`, `key`, the columns of the content, and `created_at`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(HouseholdCodec(), &household)
    try visitor.column("key", &key)
    try content.visitColumns(&visitor)
    try visitor.column("created_at", &begun, [.created])
  }
}

extension RequestReader {
  /// The household that `household` names by key; if left out, the only one that the actor is in.
  mutating func household() throws -> Household.ID {
    if let key = try optionalKey("household") {
      guard let number = seen(state.households.number(of: key)) else {
        throw Rejection.householdNotFound
      }
      return number
    }
    guard let actor else { throw Rejection.actorMissing }
    // Past states may be queried by accounts created later.
    guard state.viewer(actor)?.isErased == false else {
      throw Rejection.accountNotFound
    }
    // The second household is enough to refuse; the number of others does not matter.
    let own = state.households(of: actor, most: 2)
    guard let first = own.first else { throw Rejection.noHousehold }
    guard own.count == 1 else { throw Rejection.severalHouseholds }
    return first
  }
}
