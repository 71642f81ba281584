import Avro
import Daybook
import Testing

/// Commands about people in JSON: plain values are hashed on arrival, or refused.
@Suite(.tags(.unit)) struct PersonRequestTests {
  private let hash = IdentityHash(padding: 1...32)

  /// A hash for tests: the bytes of the text.
  private let hashing: Request.Hashing = { IdentityHash(padding: $0.utf8) }

  private func body<Body>(
    _ text: String, _ type: Body.Type, hashing: Request.Hashing?
  ) throws -> Body {
    let request = try Request(
      try JSON(parsing: text), given().state, actor: First.account, hashing: hashing)
    return try #require(request.body as? Body)
  }

  /// The code and field of the refusal when the text is read.
  private func refusal(_ text: String, hashing: Request.Hashing?) throws -> [String?] {
    do {
      _ = try Request(try JSON(parsing: text), given().state, actor: nil, hashing: hashing)
    } catch let rejection as Rejection {
      return [rejection.code, rejection.field]
    }
    return []
  }

  @Test func `a plain value is normalised and hashed, and a hash is taken unchanged (HH-6)`() throws
  {
    let plain = try body(
      #"{"do":"link_identity","kind":"phone","value":"+44 (20) 7946-0958","verified":true}"#,
      LinkIdentity.self, hashing: hashing)
    #expect(plain.identity == Identity(.phone, hashing("+442079460958")))
    #expect(plain.isVerified)
    let hashed = try body(
      #"{"do":"link_identity","kind":"apple","hash":"\#(hash)"}"#, LinkIdentity.self, hashing: nil)
    #expect(hashed.identity == Identity(.apple, hash))
    #expect(!hashed.isVerified)
    let mail = try body(
      #"{"do":"verify_identity","kind":"email","value":" A@B.org"}"#, VerifyIdentity.self,
      hashing: hashing)
    #expect(mail.identity == Identity(.email, hashing("a@b.org")))
    let gone = try body(
      #"{"do":"unlink_identity","kind":"google","value":"X1"}"#, UnlinkIdentity.self,
      hashing: hashing)
    #expect(gone.identity == Identity(.google, hashing("X1")))
  }

  @Test func `contacts are sent as numbers, hashes or both (HH-6)`() throws {
    let read = try body(
      #"{"do":"upload_contacts","phones":["+44 20 7946 0958"],"hashes":["\#(hash)"]}"#,
      UploadContacts.self, hashing: hashing)
    #expect(Set(read.hashes) == [hash, hashing("+442079460958")])
    let some = try body(
      #"{"do":"remove_contacts","hashes":["\#(hash)"]}"#, RemoveContacts.self, hashing: nil)
    #expect(some.hashes == [hash])
    let all = try body(#"{"do":"remove_contacts","all":true}"#, RemoveContacts.self, hashing: nil)
    #expect(all.hashes == nil)
  }

  @Test func `without a pepper a plain value is refused, with its field (HH-6)`() throws {
    let value = #"{"do":"link_identity","kind":"phone","value":"+442079460958"}"#
    #expect(try refusal(value, hashing: nil) == ["pepper_missing", "value"])
    #expect(try refusal(value, hashing: hashing) == [])
    let phones = #"{"do":"upload_contacts","phones":["+442079460958"]}"#
    #expect(try refusal(phones, hashing: nil) == ["pepper_missing", "phones"])
    #expect(try refusal(#"{"do":"upload_contacts","phones":[]}"#, hashing: nil) == [])
  }

  @Test func `a malformed request is refused with its field`() throws {
    let link = #""do":"link_identity","kind":"phone""#
    let onboard = #""do":"complete_onboarding""#
    let rows: [(String, [String?])] = [
      (#"{"do":"link_identity"}"#, ["missing_field", "kind"]),
      (#"{"do":"link_identity","kind":"fax","value":"1"}"#, ["invalid_field", "kind"]),
      ("{\(link)}", ["missing_field", "value"]),
      ("{\(link),\"value\":\"12\"}", ["invalid_identity", "value"]),
      ("{\(link),\"value\":12}", ["invalid_field", "value"]),
      ("{\(link),\"hash\":\"12\"}", ["invalid_field", "hash"]),
      ("{\(link),\"value\":\"+12345678\",\"hash\":\"\(hash)\"}", ["invalid_field", "hash"]),
      ("{\(link),\"hash\":\"\(hash)\",\"verified\":1}", ["invalid_field", "verified"]),
      (#"{"do":"upload_contacts"}"#, ["missing_field", "phones"]),
      (#"{"do":"upload_contacts","phones":"+12345678"}"#, ["invalid_field", "phones"]),
      (#"{"do":"upload_contacts","phones":["+12345678",1]}"#, ["invalid_field", "phones"]),
      (#"{"do":"upload_contacts","phones":["+12345678","1"]}"#, ["invalid_identity", "phones"]),
      (#"{"do":"upload_contacts","hashes":["1"]}"#, ["invalid_field", "hashes"]),
      (#"{"do":"remove_contacts"}"#, ["missing_field", "phones"]),
      (#"{"do":"remove_contacts","all":false}"#, ["missing_field", "phones"]),
      (#"{"do":"register_device"}"#, ["missing_field", "apns_token"]),
      (
        #"{"do":"register_device","apns_token":"a","environment":"dev"}"#,
        ["invalid_field", "environment"]
      ),
      (#"{"do":"unregister_device"}"#, ["missing_field", "apns_token"]),
      ("{\(onboard),\"habits\":\"walk\"}", ["invalid_field", "habits"]),
      ("{\(onboard),\"habits\":[\"fly\"]}", ["invalid_field", "habits"]),
      ("{\(onboard),\"habits\":[{\"tile\":\"walk\",\"key\":\"x\"}]}", ["invalid_field", "habits"]),
      (
        "{\(onboard),\"habits\":[{\"tile\":\"walk\",\"size\":\"x\"}]}", ["invalid_field", "habits"]
      ),
      ("{\(onboard),\"theme\":\"dark\"}", ["invalid_field", "theme"]),
      (#"{"do":"update_profile","birthday":"1990-02-30"}"#, ["invalid_field", "birthday"]),
      (
        #"{"do":"update_profile","notifications_enabled":"yes"}"#,
        ["invalid_field", "notifications_enabled"]
      ),
      (
        #"{"do":"update_profile","notification_times":["25:00"]}"#,
        ["invalid_field", "notification_times"]
      ),
    ]
    for (text, expected) in rows {
      #expect(try refusal(text, hashing: hashing) == expected, "\(text)")
    }
  }

  @Test func `an onboarding names its tiles, and optionally their keys (HH-5)`() throws {
    let key = Key(high: 5, low: 5)
    let read = try body(
      #"{"do":"complete_onboarding","theme":"mint","timezone":"Etc/UTC","day_start_hour":6,"#
        + #""notifications_enabled":true,"notification_times":["07:30"],"#
        + #""habits":["drink_water",{"tile":"walk","key":"\#(key)"}]}"#,
      CompleteOnboarding.self, hashing: nil)
    var chosen = Account.Profile()
    chosen.theme = .mint
    chosen.timeZone = "Etc/UTC"
    chosen.dayStartHour = 6
    chosen.notificationsAreOn = true
    chosen.notificationTimes = [LocalTime(minutes: 450)].compactMap(\.self)
    #expect(read.patch.applied(to: .defaults).profile == chosen)
    #expect(read.habits == [.init(.drinkWater), .init(.walk, key: key)])
  }

  @Test func `a birthday of null is removed`() throws {
    var told = Account.Profile()
    told.birthday = day("1980-01-01")
    let edited = { (text: String) in
      try body(
        #"{"do":"update_profile"\#(text)}"#, UpdateProfile.self, hashing: nil
      ).patch.applied(to: told).birthday
    }
    #expect(try edited("") == day("1980-01-01"))
    #expect(try edited(#","birthday":null"#) == nil)
    #expect(try edited(#","birthday":"1990-05-04""#) == day("1990-05-04"))
  }

  // MARK: Rows

  @Test func `rows show hashes and tokens under the specification's names (HH-4, HH-6)`() throws {
    let state = try given().and(LinkIdentity(Identity(.phone, hash), isVerified: true))
      .and(RegisterDevice(token: "abc", environment: .sandbox)).and(UploadContacts([hash]))
      .and(
        UpdateProfile {
          $0.birthday = day("1990-05-04")
          $0.notificationsAreOn = true
          $0.notificationTimes = [.midnight]
        }
      ).and(CompleteOnboarding()).state
    let tables = Dictionary(uniqueKeysWithValues: state.tables.map { ($0.name, $0.rows) })
    let user = person(1).key
    let noon = "2026-03-02T12:00:00Z"
    #expect(
      tables["identities"]?.map(\.encoded) == [
        #"{"user_id":"\#(user)","kind":"phone","hash":"\#(hash)","verified":true,"#
          + #""created_at":"\#(noon)","updated_at":"\#(noon)"}"#
      ])
    #expect(
      tables["device_tokens"]?.map(\.encoded) == [
        #"{"user_id":"\#(user)","apns_token":"abc","environment":"sandbox","#
          + #""created_at":"\#(noon)","updated_at":"\#(noon)"}"#
      ])
    #expect(
      tables["contact_hashes"]?.map(\.encoded) == [
        #"{"user_id":"\#(user)","contact_hash":"\#(hash)","display_name":null,"#
          + #""created_at":"\#(noon)"}"#
      ])
    #expect(
      tables["profiles"]?.map(\.encoded) == [
        #"{"id":"\#(user)","display_name":"Ada 1","avatar_url":null,"timezone":"Etc/UTC","#
          + #""day_start_hour":4,"theme":"honey","birthday":"1990-05-04","#
          + #""notifications_enabled":true,"notification_times":["00:00"],"#
          + #""onboarded_at":"\#(noon)","closed_before":null,"created_at":"\#(noon)","#
          + #""updated_at":"\#(noon)"}"#
      ])
  }
}
