public import Avro

extension State {
  /// The goal's row of `goals`.
  public func goalRow(_ goal: Goal) -> JSON {
    [
      "id": .key(goal.key), "user_id": .key(accounts[goal.owner]?.key),
      "title": .string(goal.title), "description": .text(goal.description),
      "created_at": .instant(goal.created), "updated_at": .instant(goal.updated),
    ]
  }

  var goalRows: [JSON] {
    goals.elements.filter { !$0.isDeleted }.sorted { $0.key < $1.key }.map { goalRow($0) }
  }
}
