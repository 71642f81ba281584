import Avro
import Values

// The events of recipes, planned meals and pantry staples are alike, whatever the content.

/// An event that creates an item in a household.
protocol ItemCreationEvent: OwnedCreationEvent, BackdatableEvent
where Created == HouseholdItem<Content> {
  associatedtype Content: StoredContent
  /// The documentation of its owner's field.
  static var ownerDoc: String { get }
  var household: Household.ID { get set }
  var content: Content { get set }
}

extension ItemCreationEvent {
  func contradiction(in state: BookState) -> String? { content.contradiction }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("key", &key)
    try visitor.visit("household", &household)
    try visitor.visit("owner", &owner, [.doc(Self.ownerDoc)])
    try visitor.visit("content", &content)
    try visitor.visit("begun", &begun, [.begun])
  }

  func created(_ head: EntryHead) -> HouseholdItem<Content> {
    HouseholdItem(
      key: key, household: household, creator: owner, content: content,
      created: begun(head), updated: head.at)
  }
}

/// An event that replaces an item's content.
protocol ItemContentEvent: EditEvent, SetEvent, NumberedEvent
where Changed == HouseholdItem<Content> {
  associatedtype Content: StoredContent
  var content: Content { get set }
}

extension ItemContentEvent {
  init(_ id: HouseholdItem<Content>.ID, as item: HouseholdItem<Content>) {
    self.init()
    self[keyPath: Self.number] = id
    content = item.content
  }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit(Changed.field, &self[keyPath: Self.number])
    try visitor.visit("content", &content)
  }

  func contradiction(in state: BookState) -> String? { content.contradiction }
  func edit(_ item: inout HouseholdItem<Content>) { item.content = content }
}
