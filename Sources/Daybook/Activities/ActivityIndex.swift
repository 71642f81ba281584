/// The activities of each hive: made from the activities, and updated with them.
struct ActivityIndex: Equatable, Sendable {
  fileprivate var told = Relation<Hive, PostedActivity>()

  /// The activities that are shown in a hive, in the order of their creation.
  func activities(in hive: Hive.ID) -> [PostedActivity.ID] { told[hive] }
}

extension PostedActivity {
  /// The account that posted an activity, and the hive in which it is shown while it exists.
  struct IndexKeys: Equatable {
    var owner: Account.ID
    var hive: Hive.ID?
  }

  func indexKeys(_ number: ID) -> IndexKeys {
    IndexKeys(owner: owner, hive: isDeleted ? nil : hive)
  }

  static func reindex(
    _ number: ID, from former: IndexKeys?, to keys: IndexKeys?, in state: inout BookState
  ) {
    state.indexes.owned.move(number, from: former?.owner, to: keys?.owner)
    state.indexes.activities.told.move(number, from: former?.hive, to: keys?.hive)
  }
}
