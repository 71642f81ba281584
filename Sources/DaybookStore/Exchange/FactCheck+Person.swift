import Daybook

extension State {
  /// Why an entry about the person behind an account cannot follow this state, if it cannot.
  func contradiction(ofPerson entry: Entry, _ zones: any TimeZones) -> String? {
    switch entry.event {
    case .identityLinked(let event):
      guard let identity = event.identity else { return Self.hashMissing }
      guard let holder = account(having: identity) else { return nil }
      return holder == event.account
        ? "the account has the identity already" : "another account has the identity"
    case .identityVerified(let event):
      guard let identity = event.identity else { return Self.hashMissing }
      guard let link = accounts[event.account]?.link(to: identity) else { return Self.notLinked }
      return link.isVerified ? "the identity is verified already" : nil
    case .identityUnlinked(let event):
      guard let identity = event.identity else { return Self.hashMissing }
      return accounts[event.account]?.link(to: identity) == nil ? Self.notLinked : nil
    case .deviceRegistered(let event):
      guard event.token.isDeviceToken else { return "the token is none" }
      guard let holder = account(ofDevice: event.token), holder != event.account else { return nil }
      return "the device is another account's; it is unregistered there before"
    case .deviceUnregistered(let event):
      return accounts[event.account]?.device(event.token) == nil
        ? "no line above registers the device" : nil
    case .contactsUploaded(let event): return contradiction(of: event)
    case .contactsRemoved(let event):
      let known = Set((accounts[event.account]?.contacts ?? []).map(\.hash))
      let isKnown = !event.hashes.isEmpty && event.hashes.allSatisfy { known.contains($0) }
      return isKnown ? nil : "no line above uploads the contacts"
    case .birthdayChanged(let event):
      guard let day = event.birthday,
        let today = accounts[event.account]?.dayClock.day(of: entry.head.at, in: zones)
      else { return nil }
      return day > today ? "the birthday has not come yet" : nil
    case .notificationsChanged(let event):
      guard event.times.count <= AccountLimit.notificationTimes.most else {
        return AccountRejection.tooMany(.notificationTimes).description
      }
      return event.times == Set(event.times).sorted() ? nil : "the times are not in order"
    case .accountOnboarded(let event):
      return accounts[event.account]?.onboarded == nil ? nil : "the onboarding is over already"
    default: return nil
    }
  }

  private static let hashMissing = "the hash is missing"
  private static let notLinked = "no line above links the identity"

  private func contradiction(of event: ContactsUploaded) -> String? {
    let known = Set((accounts[event.account]?.contacts ?? []).map(\.hash))
    guard !event.hashes.isEmpty, event.hashes == Set(event.hashes).sorted() else {
      return "the hashes are not in order"
    }
    guard !event.hashes.contains(where: { known.contains($0) }) else {
      return "a line above uploads a contact already"
    }
    guard known.count + event.hashes.count <= AccountLimit.contacts.most else {
      return AccountRejection.tooMany(.contacts).description
    }
    return nil
  }
}
