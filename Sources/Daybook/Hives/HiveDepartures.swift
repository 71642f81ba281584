import Values
package import Calendar

extension BookState {
  /// The events by which an account leaves all its hives, before it is erased: a hive that it leads goes to the member
  /// of longest standing, or is deleted when it has no other member.
  package func hiveDepartures(of account: Account.ID, at instant: Instant, in zones: any TimeZones)
    -> [Event]
  {
    let context = Context(
      actor: account, at: instant, freshKey: Key(high: 0, low: 0), zones: zones)
    var events: [Event] = []
    for number in hives(of: account) {
      guard let hive = hives[number] else { continue }
      if hive.owner == account {
        guard let successor = hive.successor else {
          events.append(.hiveDeleted(HiveDeleted(hive: number)))
          continue
        }
        events.append(.hiveHandedOver(HiveHandedOver(hive: number, owner: successor)))
      }
      events += leaving(number, hive, account, context)
    }
    return events
  }
}

extension Hive {
  /// The new owner when the present one leaves: the other member of longest standing.
  var successor: Account.ID? {
    activeMembers.filter { $0.account != owner }
      .min { one, other in
        (one.stays.last?.joined ?? .last, one.account)
          < (other.stays.last?.joined ?? .last, other.account)
      }?.account
  }
}
