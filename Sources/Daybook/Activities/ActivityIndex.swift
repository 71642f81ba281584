/// The activities of each account and each hive: made from the activities, and updated with them.
struct ActivityIndex: Equatable, Sendable {
  fileprivate var posted = Relation<Account, PostedActivity>()
  fileprivate var told = Relation<Hive, PostedActivity>()

  /// The activities of an account, hidden ones too, in the order of their creation.
  func activities(of account: Account.ID) -> [PostedActivity.ID] { posted[account] }

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
    state.indexes.activities.posted.move(number, from: former?.owner, to: keys?.owner)
    state.indexes.activities.told.move(number, from: former?.hive, to: keys?.hive)
  }
}
