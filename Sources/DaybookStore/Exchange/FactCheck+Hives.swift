import Daybook

extension State {
  /// Why nobody could have recorded this of a hive, if nobody could.
  func contradiction(of entry: Entry, in number: Hive.ID) -> String? {
    guard let hive = hives[number] else { return nil }
    return contradiction(ofActor: entry, in: hive) ?? contradiction(of: entry.event, in: hive)
  }

  /// Members act for themselves, the owner for the hive, and the system on its days.
  private func contradiction(ofActor entry: Entry, in hive: Hive) -> String? {
    let actor = entry.head.actor
    func isBy(_ accounts: Account.ID?...) -> String? {
      guard let actor else { return "nobody acts: actor is missing" }
      return accounts.contains(actor) ? nil : "the actor may not do that in the hive"
    }
    switch entry.event {
    case .hiveJoined(let event): return isBy(event.member, hive.owner)
    case .hiveLeft(let event): return isBy(event.member, hive.owner)
    case .hiveHabitLinked(let event): return isBy(event.member)
    case .hiveDayLogged(let event): return isBy(event.member)
    case .hiveDayCleared(let event): return isBy(event.member)
    case .hiveAdvanced:
      let isKnown = actor.map { actor in hive.members.contains { $0.account == actor } } ?? true
      return isKnown ? nil : "the actor may not do that in the hive"
    case .hiveBroken: return actor == nil ? nil : "only the system settles hives"
    default: return isBy(hive.owner)
    }
  }

  private func contradiction(of event: Event, in hive: Hive) -> String? {
    func isMember(_ account: Account.ID) -> String? {
      hive.member(account) == nil ? "the person is no member of the hive" : nil
    }
    switch event {
    case .hiveJoined(let event):
      if hive.member(event.member) != nil { return "the person is a member already" }
      return hive.activeMembers.count < Hive.mostMembers ? nil : "the hive is full"
    case .hiveLeft(let event):
      return event.member == hive.owner ? "a hive's owner cannot leave it" : isMember(event.member)
    case .hiveHandedOver(let event): return isMember(event.owner)
    case .hiveHabitLinked(let event):
      guard let habit = event.habit.flatMap({ habits[$0] }) else { return isMember(event.member) }
      return habit.owner == event.member
        ? isMember(event.member) : "the habit is another account's"
    case .hiveDayLogged(let event): return isMember(event.member)
    case .hiveDayCleared(let event): return isMember(event.member)
    case .hiveAdvanced(let event):
      return hive.hasAdvanced(event.day) ? "the day advanced already" : nil
    case .hiveInviteCreated(let event):
      return self.hive(ofCode: event.code) == nil ? nil : "another invite has the code"
    default: return nil
    }
  }
}
