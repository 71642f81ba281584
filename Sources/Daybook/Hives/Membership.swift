import Calendar

extension BookState {
  /// The events by which a person joins a hive that has room. Open days that are now shared, and on which enough
  /// members are done, advance (R5).
  func joining(
    _ number: Hive.ID, _ hive: Hive, _ member: Account.ID, _ account: Account, invite: Int32?,
    _ context: Context
  ) throws(Rejection) -> [Event] {
    guard hive.activeMembers.count < Hive.maximumMemberCount else { throw .hiveFull }
    let day = try account.today(context)
    let joined = HiveJoined(
      hive: number, member: member, day: day,
      requiredFrom: max(day, firstOpenDay(of: hive, context)), invite: invite)
    var after = hive
    after.apply(joined, at: context.at)
    after.leaveOut(account.daysLeftOut, of: member)
    return [.hiveJoined(joined)] + advancing(number, from: hive, to: after, context)
  }

  /// The events by which a member leaves a hive. Open days on which the others are all done advance (R5).
  func leaving(
    _ number: Hive.ID, _ hive: Hive, _ member: Account.ID, _ context: Context
  ) -> [Event] {
    let open = firstOpenDay(of: hive, context)
    let left = HiveLeft(hive: number, member: member, requiredThrough: open.advanced(by: -1))
    var after = hive
    after.apply(left, at: context.at)
    return [.hiveLeft(left)] + advancing(number, from: hive, to: after, context)
  }

  /// The open days that advance because the hive's members, or the days that exist for them, changed.
  func advancing(
    _ number: Hive.ID, from before: Hive, to after: Hive, _ context: Context
  ) -> [Event] {
    let open = firstOpenDay(of: before, context)
    let openAfter = firstOpenDay(of: after, context)
    var after = after
    var events: [Event] = []
    var latest = open
    for member in after.members where member.isActive {
      guard let account = accounts[member.account] else { continue }
      latest = max(latest, account.openDay(at: context.at, in: context.zones))
    }
    var day = open
    while day <= latest {
      if var advanced = after.advancing(day, number, firstOpen: open) {
        after.advance(day)
        // Earlier days may have closed as well, and ended the streak.
        let told = min(openAfter, day.advanced(by: 1))
        advanced.streak = Int32(clamping: after.streak(firstOpen: told))
        events.append(.hiveAdvanced(advanced))
      }
      day = day.advanced(by: 1)
    }
    return events
  }
}
