import Daybook

extension BookState {
  /// Why nobody could have recorded this event of a hive; nil when somebody could.
  func contradiction(of entry: Entry, in number: Hive.ID) -> String? {
    guard let hive = hives[number], case .hives(let event) = entry.event.byContext else {
      return nil
    }
    return contradiction(ofActor: entry.head.actor, event, in: hive)
      ?? contradiction(of: event, entry.head, hive)
  }

  /// Checks the actor: members act for themselves, the owner for the hive, and the system on its
  /// days.
  private func contradiction(
    ofActor actor: Account.ID?, _ event: Event.Hives, in hive: Hive
  ) -> String? {
    func faultUnlessBy(_ accounts: Account.ID?...) -> String? {
      guard let actor else { return "nobody acts: actor is missing" }
      return accounts.contains(actor) ? nil : "the actor may not do that in the hive"
    }
    switch event {
    case .hiveJoined(let event): return faultUnlessBy(event.member, hive.owner)
    case .hiveLeft(let event): return faultUnlessBy(event.member, hive.owner)
    case .hiveHabitLinked(let event): return faultUnlessBy(event.member)
    case .hiveDayLogged(let event): return faultUnlessBy(event.member)
    case .hiveDayCleared(let event): return faultUnlessBy(event.member)
    case .hiveAdvanced:
      let isKnown = actor.map { actor in hive.members.contains { $0.account == actor } } ?? true
      return isKnown ? nil : "the actor may not do that in the hive"
    case .hiveBroken: return actor == nil ? nil : "only the system settles hives"
    case .hiveCreated, .hiveDescribed, .hiveHandedOver, .hiveDeleted, .hiveRestored,
      .hiveInviteCreated, .hiveInviteRevoked:
      return faultUnlessBy(hive.owner)
    }
  }

  /// Why nobody could have created the hive; nil when somebody could.
  func contradiction(of event: HiveCreated) -> String? {
    if let reason = lookIsWrong(event.description.color) { return reason }
    if event.target == .zero { return "the target must be above 0" }
    guard WeekdayMask(bits: Int(event.weekmask)) != nil else {
      return "weekmask: \(event.weekmask) is not from 1 to 127"
    }
    let isThreshold = event.rule == .threshold
    guard
      isThreshold
        ? (1...Int32(Hive.maximumMemberCount)).contains(event.threshold) : event.threshold == 0
    else { return "the rule and the threshold contradict each other" }
    if let source = event.source.flatMap({ habits[$0] }), source.owner != event.owner {
      return "the habit is another account's"
    }
    return nil
  }

  private func contradiction(
    of event: Event.Hives, _ head: EntryHead, _ hive: Hive
  ) -> String? {
    func faultUnlessMember(_ account: Account.ID) -> String? {
      hive.member(account) == nil ? "the person is not a member of the hive" : nil
    }
    switch event {
    case .hiveDescribed(let event):
      return lookIsWrong(event.description.color)
    case .hiveJoined(let event):
      if hive.member(event.member) != nil { return "the person is a member already" }
      guard hive.activeMembers.count < Hive.maximumMemberCount else { return "the hive is full" }
      return contradiction(of: event, head, hive)
    case .hiveLeft(let event):
      return event.member == hive.owner
        ? "a hive's owner cannot leave it" : faultUnlessMember(event.member)
    case .hiveHandedOver(let event): return faultUnlessMember(event.owner)
    case .hiveHabitLinked(let event):
      guard let habit = event.habit.flatMap({ habits[$0] }) else {
        return faultUnlessMember(event.member)
      }
      return habit.owner == event.member
        ? faultUnlessMember(event.member) : "the habit is another account's"
    case .hiveDayLogged(let event):
      let least = min(.one, hive.target)
      guard event.value >= least, event.value <= hive.target else {
        return "the value is not from \(least) to the target, \(hive.target)"
      }
      return faultUnlessMember(event.member)
    case .hiveDayCleared(let event): return faultUnlessMember(event.member)
    case .hiveAdvanced(let event):
      if hive.hasAdvanced(event.day) { return "the day advanced already" }
      return contradiction(
        ofDay: event.day, event.streak, event.completeCount, event.requiredCount, hive)
        ?? (hive.day(event.day, firstOpen: event.day).isDone ? nil : "too few were done to advance")
    case .hiveBroken(let event):
      if hive.hasAdvanced(event.day) { return "the day advanced" }
      if let last = hive.recordedBreak, event.day <= last {
        return "the break of \(last) is on a line above"
      }
      return contradiction(
        ofDay: event.day, event.streak, event.completeCount, event.requiredCount, hive)
    case .hiveInviteCreated(let event):
      if self.hive(ofCode: event.code) != nil { return "another invite has the code" }
      guard JoinCode.isCode(event.code) else {
        return "\"\(event.code)\" is not twelve hexadecimal digits"
      }
      guard event.maximumUseCount > 0 else { return "an invite is for 1 or more" }
      return event.expires > head.at ? nil : "the invite expires before it is made"
    case .hiveInviteRevoked(let event):
      guard let invite = hive.invite(event.invite) else { return Self.noInvite }
      return invite.isRevoked ? "a line above takes the invite back already" : nil
    // The creation of a hive is checked before the hive exists.
    case .hiveCreated, .hiveDeleted, .hiveRestored: return nil
    }
  }

  private static let noInvite = "the hive has no such invite"

  /// Checks a joining: the first member creates the hive, the owner adds others, and anybody else
  /// needs an invite.
  private func contradiction(of event: HiveJoined, _ head: EntryHead, _ hive: Hive) -> String? {
    if event.requiredFrom < event.day { return "a member cannot be required before joining" }
    guard let number = event.invite else {
      return head.actor == hive.owner ? nil : "nobody joins without an invite"
    }
    guard let invite = hive.invite(number), !invite.isRevoked else { return Self.noInvite }
    if head.at > invite.expires { return "the invite has expired" }
    return invite.useCount < invite.maximumUseCount ? nil : "the invite is used up"
  }

  /// Checks the numbers of a day that advances or breaks the streak.
  private func contradiction(
    ofDay day: Day, _ streak: Int32, _ complete: Int32, _ required: Int32, _ hive: Hive
  ) -> String? {
    let found = hive.day(day, firstOpen: day)
    guard found.verdict == .open else { return "the hive's day \(day) does not count" }
    guard streak > 0 else { return "a streak is 1 or more" }
    guard found.completeCount == Int(complete), found.requiredCount == Int(required), required > 1
    else {
      return
        "\(found.completeCount) of \(found.requiredCount) were done, not \(complete) of \(required)"
    }
    return nil
  }
}

extension HiveDay {
  /// Whether enough members are done for the day to advance.
  fileprivate var isDone: Bool { completeCount >= neededCount }
}

extension Hive {
  /// The n-th invite, from 1.
  fileprivate func invite(_ number: Int32) -> HiveInvite? {
    let place = Int(number) - 1
    return invites.indices.contains(place) ? invites[place] : nil
  }
}
