import Daybook
import Testing

/// Identities, devices and contacts, which only the account itself changes (HH-1).
@Suite(.tags(.unit)) struct PersonCommandTests {
  let phone = Identity(.phone, IdentityHash(padding: 1...32))
  let other = Identity(.phone, IdentityHash(padding: 2...33))
  let second = Account.ID(2) ?? First.account

  /// Ada and Eve.
  var two: Scenario { given(.accountCreated(person(2))) }

  private func linked(_ identity: Identity, isVerified: Bool = false) -> Event {
    .identityLinked(
      make {
        $0.kind = identity.kind
        $0.hash = identity.hash
        $0.isVerified = isVerified
      })
  }

  // MARK: Identities

  @Test func `an identity is linked once, and verified once (HH-2, DG-1, MO-1, DM-11)`() throws {
    let verified: IdentityVerified = make { $0.hash = phone.hash }
    #expect(try two.when(LinkIdentity(phone)) == [linked(phone)])
    #expect(
      try two.when(LinkIdentity(phone, isVerified: true)) == [linked(phone, isVerified: true)])
    let scenario = try two.and(LinkIdentity(phone))
    #expect(try scenario.when(LinkIdentity(phone)) == [])
    #expect(
      try scenario.when(LinkIdentity(phone, isVerified: true)) == [.identityVerified(verified)])
    #expect(try scenario.when(VerifyIdentity(phone)) == [.identityVerified(verified)])
    let sure = try scenario.and(VerifyIdentity(phone))
    #expect(try sure.when(VerifyIdentity(phone)) == [])
    #expect(try sure.when(LinkIdentity(phone)) == [], "linking again keeps it verified")
    #expect(sure.state.account(having: phone) == First.account)
  }

  @Test func `an identity belongs to one account, and a refusal does not reveal whose`() throws {
    let scenario = try two.and(LinkIdentity(phone))
    let refusal = #expect(throws: Rejection.identityTaken) {
      try scenario.when(LinkIdentity(phone), by: 2)
    }
    #expect(refusal?.description.contains("Ada") == false)
    #expect(throws: Rejection.identityNotFound) {
      try scenario.when(VerifyIdentity(phone), by: 2)
    }
    #expect(try scenario.when(UnlinkIdentity(phone), by: 2) == [])
    // The same hash with another kind is another identity.
    #expect(try scenario.when(LinkIdentity(Identity(.email, phone.hash)), by: 2).count == 1)
    let free = try scenario.and(UnlinkIdentity(phone))
    #expect(free.state.account(having: phone) == nil)
    #expect(try free.when(UnlinkIdentity(phone)) == [])
    #expect(try free.and(LinkIdentity(phone), by: 2).state.account(having: phone) == second)
  }

  @Test func `an account has at most twenty identities`() throws {
    var scenario = two
    for number in 0..<20 as Range<UInt8> {
      let hash = IdentityHash(padding: [number, 1])
      scenario = try scenario.and(LinkIdentity(Identity(.email, hash)))
    }
    #expect(throws: Rejection.beyond(.identities, "value")) {
      try scenario.when(LinkIdentity(phone))
    }
  }

  // MARK: Devices

  @Test func `a token that another user registers moves to that user (HH-4)`() throws {
    let mine: DeviceRegistered = make { $0.token = "abc" }
    let gone: DeviceUnregistered = make { $0.token = "abc" }
    let hers: DeviceRegistered = make {
      $0.account = second
      $0.token = "abc"
      $0.environment = .sandbox
    }
    let register = RegisterDevice(token: "abc", environment: .sandbox)
    #expect(try two.when(RegisterDevice(token: "abc")) == [.deviceRegistered(mine)])
    let scenario = try two.and(RegisterDevice(token: "abc"))
    #expect(
      try scenario.when(register, by: 2) == [.deviceUnregistered(gone), .deviceRegistered(hers)])
    let moved = try scenario.and(register, by: 2).state
    #expect(moved.account(ofDevice: "abc") == second)
    #expect(moved.accounts[First.account]?.devices == [])
    #expect(moved.accounts[second]?.devices.map(\.environment) == [.sandbox])
  }

  @Test func `registering again changes the environment, or nothing`() throws {
    let later = moment("2026-03-03T12:00:00Z")
    let scenario = try two.and(RegisterDevice(token: "abc"))
    #expect(try scenario.when(RegisterDevice(token: "abc")) == [])
    let sandbox = try scenario.and(RegisterDevice(token: "abc", environment: .sandbox), at: later)
    let device = try #require(sandbox.state.accounts[First.account]?.device("abc"))
    #expect(device.environment == .sandbox)
    #expect(device.created == Scenario.noon)
    #expect(device.updated == later)
    #expect(try sandbox.when(UnregisterDevice(token: "abc"), by: 2) == [], "it is not Eve's")
    let gone: DeviceUnregistered = make { $0.token = "abc" }
    #expect(try sandbox.when(UnregisterDevice(token: "abc")) == [.deviceUnregistered(gone)])
    #expect(try two.when(UnregisterDevice(token: "abc")) == [])
  }

  @Test func `invalid tokens and too many devices are refused`() throws {
    for token in ["", "a b", "a\n", "ü", String(repeating: "a", count: 513)] {
      #expect(throws: Rejection.invalidToken) {
        try two.when(RegisterDevice(token: token))
      }
    }
    var scenario = two
    for number in 0..<50 { scenario = try scenario.and(RegisterDevice(token: "t\(number)")) }
    #expect(throws: Rejection.beyond(.devices, "apns_token")) {
      try scenario.when(RegisterDevice(token: "t50"))
    }
  }

  // MARK: Contacts

  @Test func `a contact is stored once, however often it is uploaded (HH-6)`() throws {
    let uploaded: ContactsUploaded = make { $0.hashes = [phone.hash, other.hash] }
    let command = UploadContacts([other.hash, phone.hash, other.hash])
    #expect(try two.when(command) == [.contactsUploaded(uploaded)])
    let scenario = try two.and(command)
    #expect(try scenario.when(command) == [])
    #expect(try two.when(UploadContacts([])) == [])
    #expect(scenario.state.accounts[First.account]?.contacts.count == 2)
    let removed: ContactsRemoved = make { $0.hashes = [other.hash] }
    #expect(try scenario.when(RemoveContacts([other.hash])) == [.contactsRemoved(removed)])
    let all: ContactsRemoved = make { $0.hashes = [phone.hash, other.hash] }
    #expect(try scenario.when(RemoveContacts(nil)) == [.contactsRemoved(all)])
    #expect(try scenario.when(RemoveContacts([])) == [])
    #expect(try scenario.when(RemoveContacts(nil), by: 2) == [])
  }

  @Test func `an account whose verified phone is among the contacts matches (HH-6)`() throws {
    let scenario = try two.and(UploadContacts([phone.hash, other.hash])).and(
      LinkIdentity(other), by: 2)
    #expect(scenario.state.contactMatches(of: First.account) == [], "anybody can claim a number")
    let sure = try scenario.and(VerifyIdentity(other), by: 2)
    #expect(sure.state.contactMatches(of: First.account) == [second])
    #expect(sure.state.contactMatches(of: second) == [], "Eve uploaded nothing")
    let mail = try two.and(UploadContacts([phone.hash])).and(
      LinkIdentity(Identity(.email, phone.hash), isVerified: true), by: 2)
    #expect(mail.state.contactMatches(of: First.account) == [], "contacts are phones")
    let own = try sure.and(LinkIdentity(phone, isVerified: true))
    #expect(own.state.contactMatches(of: First.account) == [second], "nobody matches themselves")
    let erased = sure.and(.accountErased(AccountErased(account: second, segments: [])))
    #expect(erased.state.contactMatches(of: First.account) == [])
    #expect(
      try sure.and(UnlinkIdentity(other), by: 2).state.contactMatches(of: First.account) == [])
  }

  @Test func `an account has at most ten thousand contacts`() throws {
    let many = (0...10_000).map { IdentityHash(padding: [UInt8($0 & 255), UInt8($0 >> 8)]) }
    #expect(throws: Rejection.beyond(.contacts, "phones")) {
      try two.when(UploadContacts(many))
    }
    let full = try two.and(UploadContacts(Array(many.dropLast())))
    #expect(throws: Rejection.beyond(.contacts, "phones")) {
      try full.when(UploadContacts([many[10_000]]))
    }
    #expect(try full.when(UploadContacts([many[7]])) == [])
  }

  // MARK: Birthday and notifications

  @Test func `a birthday is set, changed and removed, and cannot be in the future (DG-1)`() throws {
    let told: BirthdayChanged = make { $0.birthday = day("1990-05-04") }
    let command = UpdateProfile { $0.birthday = day("1990-05-04") }
    #expect(try given().when(command) == [.birthdayChanged(told)])
    #expect(try given().and(command).when(command) == [])
    let forgotten: BirthdayChanged = make { $0.birthday = nil }
    #expect(
      try given().and(command).when(UpdateProfile { $0.birthday = nil })
        == [.birthdayChanged(forgotten)])
    #expect(try given().when(UpdateProfile { $0.birthday = day("2026-03-02") }).count == 1)
    #expect(throws: Rejection.futureBirthday(day("2026-03-03"))) {
      try given().when(UpdateProfile { $0.birthday = day("2026-03-03") })
    }
  }

  @Test func `notification times are sorted and unique, twenty-four at most (HH-25, MC-1)`()
    throws
  {
    let times = [1200, 450, 1200].compactMap { LocalTime(minutes: $0) }
    let changed: NotificationsChanged = make {
      $0.isOn = true
      $0.times = [450, 1200].compactMap { LocalTime(minutes: $0) }
    }
    let command = UpdateProfile {
      $0.notificationsAreOn = true
      $0.notificationTimes = times
    }
    #expect(try given().when(command) == [.notificationsChanged(changed)])
    #expect(try given().and(command).when(command) == [])
    // While they are off, the times are kept.
    let off: NotificationsChanged = make { $0.times = changed.times }
    #expect(
      try given().and(command).when(UpdateProfile { $0.notificationsAreOn = false })
        == [.notificationsChanged(off)])
    let many = (0...24).compactMap { LocalTime(minutes: $0) }
    #expect(
      throws: Rejection.beyond(.notificationTimes, "notification_times")
    ) {
      try given().when(UpdateProfile { $0.notificationTimes = many })
    }
    let most = UpdateProfile { $0.notificationTimes = Array(many.dropLast()) }
    #expect(try given().when(most).count == 1)
  }

  // MARK: Common rules

  @Test func `commands without an account, or for an erased one, are refused (HH-1, MO-9)`() {
    let erased = given(.accountErased(AccountErased(account: First.account, segments: [])))
    let commands: [any Command] = [
      LinkIdentity(phone), VerifyIdentity(phone), UnlinkIdentity(phone),
      RegisterDevice(token: "a"), UnregisterDevice(token: "a"), UploadContacts([phone.hash]),
      RemoveContacts(nil), CompleteOnboarding(),
    ]
    for command in commands {
      #expect(code(command, in: given(), by: nil) == "actor_missing")
      #expect(code(command, in: given(), by: 2) == "account_not_found")
      #expect(code(command, in: erased, by: 1) == "account_not_found")
    }
  }

  private func code(_ command: some Command, in scenario: Scenario, by actor: Int?) -> String? {
    do {
      _ = try scenario.when(command, by: actor)
      return nil
    } catch { return error.code }
  }

  @Test func `rejections have their codes and fields`() {
    let codes: [(Rejection, String, String)] = [
      (.lateDayStart(7), "invalid_day_start", "day_start_hour"),
      (.futureBirthday(.last), "future_birthday", "birthday"),
      (.invalidIdentity(.phone), "invalid_identity", "value"),
      (.identityTaken, "identity_taken", "value"),
      (.identityNotFound, "identity_not_found", "value"),
      (.invalidToken, "invalid_token", "apns_token"),
      (.beyond(.identities, "value"), "too_many_identities", "value"),
      (.beyond(.devices, "apns_token"), "too_many_devices", "apns_token"),
      (.beyond(.contacts, "phones"), "too_many_contacts", "phones"),
      (
        .beyond(.notificationTimes, "notification_times"),
        "too_many_notification_times", "notification_times"
      ),
      (.beyond(.starterHabits, "habits"), "too_many_habits", "habits"),
    ]
    for (rejection, code, field) in codes {
      #expect(rejection.code == code)
      #expect(rejection.field == field)
      #expect(rejection.description.hasSuffix("."))
    }
  }
}
