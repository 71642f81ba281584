import Daybook

extension BookState {
  /// Why an entry about an account or the person behind it cannot follow this state; nil when it
  /// can. An entry that an erasure blanked can; ``ErasureCheck`` says which accounts are blank.
  func contradiction(
    of event: Event.Accounts, _ head: EntryHead, _ zones: any TimeZones
  ) -> String? {
    switch event {
    case .accountCreated(let event):
      return clockIsWrong(event.timeZone, event.dayStartHour, head.at, zones)
    case .dayClockChanged(let event):
      return clockIsWrong(event.timeZone, event.dayStartHour, head.at, zones)
    case .accountPaused(let event):
      guard let last = event.last, last < event.first else { return nil }
      return "the pause ends (\(last)) before it begins (\(event.first))"
    case .identityLinked(let event):
      guard let identity = event.identity else { return nil }
      if let holder = account(having: identity) {
        return holder == event.account
          ? "the account has the identity already" : "another account has the identity"
      }
      return faultIfFull(.identities, accounts[event.account]?.identities.count)
    case .identityVerified(let event):
      guard let identity = event.identity else { return nil }
      guard let link = accounts[event.account]?.link(to: identity) else { return Self.notLinked }
      return link.isVerified ? "the identity is verified already" : nil
    case .identityUnlinked(let event):
      guard let identity = event.identity else { return nil }
      return accounts[event.account]?.link(to: identity) == nil ? Self.notLinked : nil
    case .deviceRegistered(let event):
      if event.token.isEmpty { return nil }
      guard event.token.isDeviceToken else { return "the token is not valid" }
      guard let holder = account(ofDevice: event.token) else {
        return faultIfFull(.devices, accounts[event.account]?.devices.count)
      }
      return holder == event.account
        ? nil : "the device is another account's; unregister it there first"
    case .deviceUnregistered(let event):
      return !event.token.isEmpty && accounts[event.account]?.device(event.token) == nil
        ? "no line above registers the device" : nil
    case .contactsUploaded(let event): return contradiction(of: event)
    case .contactsRemoved(let event):
      let known = Set((accounts[event.account]?.contacts ?? []).map(\.hash))
      return event.hashes.allSatisfy { known.contains($0) }
        ? nil : "no line above uploads the contacts"
    case .contactNamed(let event): return contradiction(of: event)
    case .birthdayChanged(let event):
      guard let day = event.birthday,
        let today = accounts[event.account]?.dayClock.day(of: head.at, in: zones)
      else { return nil }
      return day > today ? "the birthday has not come yet" : nil
    case .notificationsChanged(let event):
      if let reason = faultIfFull(.notificationTimes, event.times.count - 1) { return reason }
      return event.times == Set(event.times).sorted() ? nil : "the times are not in order"
    case .accountOnboarded(let event):
      return accounts[event.account]?.onboarded == nil ? nil : "the onboarding is over already"
    case .pausesReverted(let event):
      let isWrong = event.pauses.contains { pause in
        pause.days.last.map { $0 < pause.days.first } ?? false
      }
      return isWrong ? "a pause ends before it begins" : nil
    case .habitsOrdered(let event):
      if event.habits.contains(where: { habits[$0]?.owner != event.account }) {
        return "a habit is another account's"
      }
      return Set(event.habits).count == event.habits.count ? nil : "a habit is named twice"
    case .rowNamed(let event):
      guard let row = event.row, let name = event.name else { return nil }
      return accounts[event.account]?.rowNames[event.table].shown(row) == name
        ? "a line above says the same of the row" : nil
    case .commandUndone(let event):
      // In the export of one account, the undone entry may have another position.
      return event.position > 0 && event.count > 0 ? nil : "nothing was undone"
    case .profileChanged, .accountResumed, .accountErased, .upgradeRequested: return nil
    }
  }

  private static let notLinked = "no line above links the identity"

  private func contradiction(of event: ContactsUploaded) -> String? {
    let known = Set((accounts[event.account]?.contacts ?? []).map(\.hash))
    guard event.hashes == Set(event.hashes).sorted() else {
      return "the hashes are not in order"
    }
    guard !event.hashes.contains(where: { known.contains($0) }) else {
      return "a line above uploads a contact already"
    }
    return faultIfFull(.contacts, known.count + event.hashes.count - 1)
  }

  private func contradiction(of event: ContactNamed) -> String? {
    guard let hash = event.hash, let account = accounts[event.account] else { return nil }
    if let text = event.text, IdentityHash(text) != nil || IdentityHash(ofContact: text) != hash {
      return "the hash is not that of the text"
    }
    guard event.isNews(to: account) else { return "a line above says the same of the contact" }
    return account.contact(hash) == nil ? faultIfFull(.contacts, account.contacts.count) : nil
  }

  /// Why an account at its limit accepts no more; nil when it accepts more.
  private func faultIfFull(_ limit: Limit, _ count: Int?) -> String? {
    count ?? 0 < limit.maximum ? nil : Rejection.beyond(limit, nil).description
  }
}
