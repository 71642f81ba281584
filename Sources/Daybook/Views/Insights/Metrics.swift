import Calendar
public import Avro

/// The usage of a whole book (HH-27): figures for its makers that identify nobody.
///
/// Days are each account's own. Erased accounts are left out. A share counts only those to whom it applies: `nil` when
/// there are none yet.
public struct Metrics: Sendable, Equatable {
  /// The number of accounts.
  public var accountCount = 0
  /// The share of accounts that logged something on the day they were created.
  public var activation: Double?
  /// The number of accounts that logged something in the last 30 days.
  public var activeCount = 0
  /// The share of those accounts that are in at least one hive.
  public var inHive: Double?
  /// The number of invites per account.
  public var invitesPerAccount: Double?
  /// The share of accounts that logged something on their 8th day, among those that have reached it.
  public var retention7: Double?
  /// The share of accounts that logged something on their 31st day, among those that have reached it.
  public var retention30: Double?
  /// The number of logged days of habits per day on which an account logged any.
  public var logsPerDay: Double?
  /// The share of accounts that have a reminder for a habit, or have notifications on.
  public var reminders: Double?

  /// Makes metrics of a book without accounts.
  public init() {}

  /// The figures with their names in JSON, in order.
  package var figures: [(name: String, value: Figure)] {
    [
      ("accounts", .count(accountCount)), ("activation", .share(activation)),
      ("active_accounts", .count(activeCount)), ("in_hive", .share(inHive)),
      ("invites_per_account", .ratio(invitesPerAccount)), ("d7_retention", .share(retention7)),
      ("d30_retention", .share(retention30)), ("logs_per_account_and_day", .ratio(logsPerDay)),
      ("reminder_opt_in", .share(reminders)),
    ]
  }

  /// The metrics as JSON.
  public var json: JSON { .object(figures.map { .init($0.name, $0.value.json) }) }
}

extension Metrics {
  /// One of the figures.
  package enum Figure: Hashable, Sendable {
    /// A count.
    case count(Int)
    /// A share from 0 to 1; `nil` when it applies to nobody.
    case share(Double?)
    /// A number of one thing per other thing; `nil` when there are none of the latter.
    case ratio(Double?)

    /// The figure as JSON has it: a share with six digits after the point, a ratio with three, or null.
    package var json: JSON {
      switch self {
      case .count(let count): .number(count)
      case .share(let share): JSON.share(share)
      case .ratio(let ratio): JSON.ratio(ratio)
      }
    }
  }
}

extension Metrics.Figure: CustomStringConvertible {
  /// The figure's digits, or a dash when it has no value.
  package var description: String { json == .null ? "–" : json.encoded }
}

extension BookState {
  /// The metrics of the book. O(logs).
  public func metrics(_ query: Query) -> Metrics {
    var days: [Set<Day>] = accounts.elements.map { _ in [] }
    var logCount = 0
    var isReminded = accounts.elements.map { _ in false }
    for habit in habits.elements where accounts.isThere(habit.owner) {
      let owner = habit.owner.index
      for record in habit.days.records where !record.isSkipped {
        days[owner].insert(record.day)
        logCount += 1
      }
      if !habit.reminders.isEmpty, !habit.isDeleted, !habit.isArchived { isReminded[owner] = true }
    }
    var metrics = Metrics()
    var (activated, sharing, reminded, activeDays) = (0, 0, 0, 0)
    var retained = [7: (kept: 0, of: 0), 30: (kept: 0, of: 0)]
    for (index, account) in accounts.elements.enumerated() where !account.isErased {
      guard let began = account.dayClock.day(of: account.created, in: query.zones),
        let today = account.dayClock.day(of: query.asOf, in: query.zones)
      else { continue }
      metrics.accountCount += 1
      activeDays += days[index].count
      if days[index].contains(began) { activated += 1 }
      if isReminded[index] || account.notifications.isOn { reminded += 1 }
      if days[index].contains(where: { $0 > today.advanced(by: -30) && $0 <= today }) {
        metrics.activeCount += 1
        if !hives(of: Account.ID(index: index)).isEmpty { sharing += 1 }
      }
      for (after, counted) in retained where began.distance(to: today) > after {
        let kept = days[index].contains(began.advanced(by: after)) ? 1 : 0
        retained[after] = (counted.kept + kept, counted.of + 1)
      }
    }
    let inviteCount = hives.elements.reduce(0) { $0 + $1.invites.count }
    metrics.activation = Self.ratio(activated, metrics.accountCount)
    metrics.inHive = Self.ratio(sharing, metrics.activeCount)
    metrics.invitesPerAccount = Self.ratio(inviteCount, metrics.accountCount)
    metrics.retention7 = retained[7].flatMap { Self.ratio($0.kept, $0.of) }
    metrics.retention30 = retained[30].flatMap { Self.ratio($0.kept, $0.of) }
    metrics.logsPerDay = Self.ratio(logCount, activeDays)
    metrics.reminders = Self.ratio(reminded, metrics.accountCount)
    return metrics
  }

  private static func ratio(_ part: Int, _ whole: Int) -> Double? {
    whole > 0 ? Double(part) / Double(whole) : nil
  }
}

extension JSON {
  /// A ratio with three digits after the point, or null.
  fileprivate static func ratio(_ ratio: Double?) -> JSON {
    guard let ratio, ratio.isFinite, ratio >= 0, ratio < 1e12 else { return .null }
    return Amount(thousandths: Int64((ratio * 1000).rounded())).map { .number($0) } ?? .null
  }
}
