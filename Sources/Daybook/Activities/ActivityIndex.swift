/// Who posted which activities, and in which hives they are told: made from them, and with them.
struct ActivityIndex: Equatable, Sendable {
  fileprivate var posted = Relation<Account, PostedActivity>()
  fileprivate var told = Relation<Hive, PostedActivity>()

  /// How much lies in what another index does not share.
  func unsharedCount(with other: ActivityIndex) -> Int {
    posted.pairs.unsharedCount(with: other.posted.pairs)
      + told.pairs.unsharedCount(with: other.told.pairs)
  }

  /// The activities of an account, hidden ones too, in the order of their creation.
  func activities(of account: Account.ID) -> [PostedActivity.ID] { posted[account] }

  /// The activities that are told in a hive, in the order of their creation.
  func activities(in hive: Hive.ID) -> [PostedActivity.ID] { told[hive] }
}

extension PostedActivity {
  /// Who posted it; and where it is told, while it is there.
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
