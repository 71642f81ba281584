import Daybook
import DaybookStore

/// What an account is told of a book's entries: those about its own things, about its hives while it was a member, and
/// about the households that it is a member of now, whenever they were recorded; and that it left a household. The codes
/// of a hive that it is not in now are blank.
///
/// Entries are given in order, from one at which the hives are known that the account was a member of.
struct EventSight {
  private let account: Account.ID
  /// The hives that the account is a member of after the entries so far.
  private var hives: Set<Hive.ID> = []

  /// Begins before the first entry.
  init(of account: Account.ID) { self.account = account }

  /// All whose entries may be told to an account.
  static func aggregates(of account: Account.ID, in state: BookState) -> Set<Aggregate> {
    let own = state.aggregates(of: account).filter {
      $0.kind != .account || $0 == .account(account)
    }
    return own.union(state.householdsEver(of: account).map { .household($0) })
  }

  /// Tells the account an entry.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - aggregate: What it is about.
  ///   - state: The book as it is now.
  /// - Returns: The entry as the account is told it; nothing when it is not told.
  mutating func told(_ entry: Entry, about aggregate: Aggregate, in state: BookState) -> Entry? {
    guard sees(entry.event, aggregate, state) else { return nil }
    var told = entry.told(
      to: account, about: aggregate, sees: { state.isVisible($0, to: account) })
    // The other entries of somebody else's command are private, and so is their number.
    if entry.head.actor != account {
      told?.head.key = nil
      told?.head.step = 0
    }
    // Who leaves is told so, and no more of the household: not who sent them away.
    if let home = state.household(of: aggregate), !state.isMember(account, of: home),
      told?.head.actor != account
    {
      told?.head.actor = nil
    }
    return told
  }

  private mutating func sees(
    _ event: Event, _ aggregate: Aggregate, _ state: BookState
  ) -> Bool {
    if case .hives(let event) = event.byContext {
      return Hive.ID(Int(aggregate.number)).map { seesHive(event, $0) } ?? false
    }
    if let home = state.household(of: aggregate) {
      if case .householdLeft(let left) = event, left.member == account { return true }
      return state.isMember(account, of: home)
    }
    return state.owner(of: aggregate) == account
  }

  /// Whether the account is a member before the entry or after it.
  private mutating func seesHive(_ event: Event.Hives, _ hive: Hive.ID) -> Bool {
    switch event {
    case .hiveCreated(let created): return created.owner == account
    case .hiveJoined(let joined):
      if joined.member == account { hives.insert(hive) }
      return hives.contains(hive)
    case .hiveLeft(let left):
      defer { if left.member == account { hives.remove(hive) } }
      return hives.contains(hive)
    case .hiveDescribed, .hiveHandedOver, .hiveDeleted, .hiveHabitLinked, .hiveInviteCreated,
      .hiveInviteRevoked, .hiveDayLogged, .hiveDayCleared, .hiveAdvanced, .hiveBroken,
      .hiveRestored:
      return hives.contains(hive)
    }
  }
}
