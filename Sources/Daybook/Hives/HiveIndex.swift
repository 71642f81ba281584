/// What is looked up about hives by other things than their number: made from the hives, and with them.
public struct HiveIndex: Sendable {
  private var hives: [Account.ID: [Hive.ID]] = [:]
  private var codes: [String: Hive.ID] = [:]

  /// The hives that an account is or was a member of, ascending.
  func hives(of account: Account.ID) -> [Hive.ID] { hives.isEmpty ? [] : hives[account] ?? [] }

  /// The hive of an invite's code, revoked or not.
  ///
  /// The look is by hash: how long it takes says nothing of how near a guess comes to a code.
  func hive(of code: String) -> Hive.ID? { codes[code] }

  mutating func note(_ account: Account.ID, in hive: Hive.ID) {
    var list = hives[account] ?? []
    guard !list.contains(hive) else { return }
    list.insert(hive, at: list.firstIndex { hive < $0 } ?? list.count)
    hives[account] = list
  }

  mutating func note(_ code: String, of hive: Hive.ID) { codes[code] = hive }

  /// Notes all that a hive holds.
  mutating func note(_ hive: Hive, _ number: Hive.ID) {
    for member in hive.members { note(member.account, in: number) }
    for invite in hive.invites { note(invite.code, of: number) }
  }

  /// Forgets what a hive holds beyond what it held before.
  mutating func takeBack(_ hive: Hive, to before: Hive?, _ number: Hive.ID) {
    for member in hive.members.dropFirst(before?.members.count ?? 0) {
      hives[member.account]?.removeAll { $0 == number }
    }
    for invite in hive.invites.dropFirst(before?.invites.count ?? 0) { codes[invite.code] = nil }
  }
}

extension State {
  /// The hive of an invite's code, revoked or not. For who may know of it.
  public func hive(ofCode code: String) -> Hive.ID? { hiveIndex.hive(of: code) }

  /// The hives that an account is a member of, in the order of their creation (HH-16).
  public func hives(of account: Account.ID) -> [Hive.ID] {
    hiveIndex.hives(of: account).filter { number in
      guard let hive = hives[number], !hive.isDeleted else { return false }
      return hive.member(account) != nil
    }
  }
}
