import Values

// What happens to recipes, planned meals and pantry staples is the same, whatever their content.

/// An event by which an item comes to a household.
protocol ItemCreationEvent: CreationEvent where Created == HouseholdItem<Content> {
  associatedtype Content: HouseholdItemContent
  var key: Key { get }
  var household: Household.ID { get }
  var owner: Account.ID { get }
  var content: Content { get }
}

extension ItemCreationEvent {
  func created(_ head: EntryHead) -> HouseholdItem<Content> {
    HouseholdItem(
      key: key, household: household, creator: owner, content: content, at: head.at)
  }
}

/// An event after which an item has other content.
protocol ItemContentEvent: ChangeEvent where Changed == HouseholdItem<Content> {
  associatedtype Content: HouseholdItemContent
  var content: Content { get }
}

extension ItemContentEvent {
  func change(_ item: inout HouseholdItem<Content>, _ head: EntryHead) {
    item.content = content
    item.updated = head.at
  }
}
