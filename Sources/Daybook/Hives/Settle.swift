public import Avro

/// Records every break of a shared streak that is due, in every hive, in the order of the days (HH-22). Only the system
/// may do this, not an account. How often it runs changes no answer.
public struct Settle: ColumnCommand {
  public init() {}

  package static let form = CommandForm(
    "settle", "Records the breaks of shared streaks that are due; it needs no actor.",
    answer: "hive_broken")
  /// The command.
  public static var defaults: Settle { Settle() }

  /// No columns.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {}

  /// The number of breaks that were recorded.
  package func row(of answer: Int, in state: BookState) -> JSON { ["hive_broken": .number(answer)] }

  /// Nothing: the answer is a number.
  package func aggregate(of answer: Int) -> Aggregate? { nil }

  /// Decides the command; the answer is the number of breaks that were recorded.
  ///
  /// - Throws: ``Rejection``.
  public func decide(_ state: BookState, _ context: Context) throws(Rejection) -> Decision<Int> {
    guard context.actor == nil else { throw .systemOnly }
    var events: [Event] = []
    var todays: [DayClock: Day] = [:]
    // No clock is ahead of UTC by a whole day: a hive whose streak may end today or later has nothing to record yet.
    let end = Day(utc: context.at).advanced(by: 1)
    for number in state.indexes.hives.hives(atStakeBefore: end) {
      guard let hive = state.hives[number] else { continue }
      let open = hive.firstOpenDay(at: context.at) { number in
        guard let account = state.accounts[number] else { return .first }
        let today =
          todays[account.dayClock]
          ?? account.dayClock.latestDay(upTo: context.at, in: context.zones) ?? .first
        todays[account.dayClock] = today
        return max(today, account.closedBefore)
      }
      for (day, lost) in hive.unrecordedBreaks(firstOpen: open) {
        events.append(
          .hiveBroken(
            HiveBroken(
              hive: number, day: day.day, streak: Int32(clamping: lost),
              completeCount: Int32(day.completeCount), requiredCount: Int32(day.requiredCount))))
      }
    }
    return Decision(events, events.count)
  }
}
