/// Collects what hives' members are to be told when a day advances (HH-25), while a state is carried on.
public struct AdvancePushes: Projection {
  /// The state after the entries so far.
  public private(set) var state: State
  /// What is to be told, in the order of the entries.
  public private(set) var pushes: [DueNotification] = []

  /// Goes on from a state: entries before it tell nobody anything.
  public init(from state: State) { self.state = state }

  /// Applies the entry; of a day that advanced, every member is told.
  public mutating func apply(_ entry: Entry) {
    state.apply(entry)
    guard case .hiveAdvanced(let event) = entry.event, let hive = state.hives[event.hive] else {
      return
    }
    for member in hive.members where member.isActive {
      guard let key = state.accounts[member.account]?.key else { continue }
      pushes.append(
        DueNotification(
          id: "hive_advanced:\(hive.key):\(key):\(event.day)", at: entry.head.at,
          account: member.account, day: event.day,
          content: .hiveAdvanced(event.hive, streak: Int(event.streak))))
    }
  }

  /// Applies the log, which tells nobody anything.
  public mutating func apply(_ logged: HabitLogged, _ head: EntryHead) {
    state.apply(logged, head)
  }
}
