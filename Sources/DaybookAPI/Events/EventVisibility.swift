import Daybook
import DaybookStore

/// The part of a book's entries that an account may see: those about its own entities, about its hives while it was
/// a member, about the households of which it is a member now, whenever they were recorded, and about its leaving a
/// household. The codes of hives that it has left are blank.
///
/// Entries must be given in order, starting where the account's hives are known.
struct EventVisibility {
  private let account: Account.ID
  /// The hives of which the account is a member after the entries so far.
  private var hives: Set<Hive.ID> = []

  /// Starts before the first entry.
  init(of account: Account.ID) { self.account = account }

  /// All aggregates whose entries an account may see.
  static func aggregates(of account: Account.ID, in state: BookState) -> Set<Aggregate> {
    let own = state.aggregates(of: account).filter {
      $0.kind != .account || $0 == .account(account)
    }
    return own.union(state.allHouseholds(of: account).map { .household($0) })
  }

  /// The entry as the account may see it.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - aggregate: The aggregate that it is about.
  ///   - state: The present state of the book.
  /// - Returns: The entry, perhaps with parts left out; `nil` if the account may not see it.
  mutating func visible(_ entry: Entry, about aggregate: Aggregate, in state: BookState) -> Entry? {
    guard sees(entry.event, aggregate, state) else { return nil }
    var told = entry.asSeen(
      by: account, about: aggregate, sees: { state.isVisible($0, to: account) })
    // The other results of somebody else's command are private, and so is their number.
    if entry.head.actor != account {
      told?.head.key = nil
      told?.head.step = 0
    }
    // An account that leaves a household learns that it left, but not who removed it.
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
    if case .hives = event.byContext {
      return Hive.ID(Int(aggregate.number)).map { seesHive(event, $0) } ?? false
    }
    if let home = state.household(of: aggregate) {
      if case .householdLeft(let left) = event, left.member == account { return true }
      return state.isMember(account, of: home)
    }
    return state.owner(of: aggregate) == account
  }

  /// Whether the account is a member before or after the entry.
  private mutating func seesHive(_ event: Event, _ hive: Hive.ID) -> Bool {
    if case .hiveCreated(let created) = event { return created.owner == account }
    if case .hiveJoined(let joined) = event, joined.member == account { hives.insert(hive) }
    let isMember = hives.contains(hive)
    if case .hiveLeft(let left) = event, left.member == account { hives.remove(hive) }
    return isMember
  }
}
