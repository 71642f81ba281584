public import Avro

extension Request {
  /// The commands about the person behind an account.
  static let personTypes: [String: any RequestBody.Type] = [
    "link_identity": LinkIdentity.self, "verify_identity": VerifyIdentity.self,
    "unlink_identity": UnlinkIdentity.self, "register_device": RegisterDevice.self,
    "unregister_device": UnregisterDevice.self, "upload_contacts": UploadContacts.self,
    "remove_contacts": RemoveContacts.self, "complete_onboarding": CompleteOnboarding.self,
  ]
}

extension LinkIdentity: RequestBody {
  /// `kind`, `value` or `hash`, `verified`.
  public init(_ reader: inout RequestReader) throws {
    self.init(
      try reader.identity(),
      isVerified: try reader.optional("verified", "true or false") { $0.boolean } ?? false)
  }

  /// The identity's row.
  public func row(of answer: Account.ID, in state: State) -> JSON {
    state.identityRow(identity, of: answer)
  }
}

extension VerifyIdentity: RequestBody {
  /// `kind`, `value` or `hash`.
  public init(_ reader: inout RequestReader) throws { self.init(try reader.identity()) }

  /// The identity's row.
  public func row(of answer: Account.ID, in state: State) -> JSON {
    state.identityRow(identity, of: answer)
  }
}

extension UnlinkIdentity: RequestBody {
  /// `kind`, `value` or `hash`.
  public init(_ reader: inout RequestReader) throws { self.init(try reader.identity()) }

  /// What is gone.
  public func row(of answer: Account.ID, in state: State) -> JSON {
    [
      "user_id": .key(state.accounts[answer]?.key), "kind": .string(identity.kind.rawValue),
      "deleted": true,
    ]
  }
}

extension RegisterDevice: RequestBody {
  /// `apns_token`, `environment`.
  public init(_ reader: inout RequestReader) throws {
    self.init(
      token: try reader.text("apns_token"),
      environment: try reader.optional("environment", "prod or sandbox") {
        $0.text.flatMap { PushEnvironment(rawValue: $0) }
      } ?? .prod)
  }

  /// The device's row.
  public func row(of answer: Account.ID, in state: State) -> JSON {
    guard let account = state.accounts[answer] else { return .null }
    return state.deviceRows(account).first { $0["apns_token"]?.text == token } ?? .null
  }
}

extension UnregisterDevice: RequestBody {
  /// `apns_token`.
  public init(_ reader: inout RequestReader) throws {
    self.init(token: try reader.text("apns_token"))
  }

  /// What is gone.
  public func row(of answer: Account.ID, in state: State) -> JSON {
    [
      "user_id": .key(state.accounts[answer]?.key), "apns_token": .string(token),
      "deleted": true,
    ]
  }
}

extension UploadContacts: RequestBody {
  /// `phones`, `hashes`: one of them, or both.
  public init(_ reader: inout RequestReader) throws {
    guard let hashes = try reader.contacts() else { throw Rejection.missingField("phones") }
    self.init(hashes)
  }

  /// How many contacts there are now.
  public func row(of answer: Account.ID, in state: State) -> JSON {
    state.contactCountRow(answer)
  }
}

extension RemoveContacts: RequestBody {
  /// `phones`, `hashes`: one of them, or both; or `all`.
  public init(_ reader: inout RequestReader) throws {
    let hashes = try reader.contacts()
    let all = try reader.optional("all", "true or false") { $0.boolean } ?? false
    guard all || hashes != nil else { throw Rejection.missingField("phones") }
    self.init(all ? nil : hashes)
  }

  /// How many contacts there are now.
  public func row(of answer: Account.ID, in state: State) -> JSON {
    state.contactCountRow(answer)
  }
}

extension CompleteOnboarding: RequestBody {
  /// `theme`, `timezone`, `day_start_hour`, `notifications_enabled`, `notification_times`, `habits`: names of
  /// tiles, or objects of `tile` and `key`.
  public init(_ reader: inout RequestReader) throws {
    self.init(
      theme: try reader.theme(), timeZone: try reader.textEdit("timezone"),
      dayStartHour: try reader.edit("day_start_hour", "a whole number") { $0.integer },
      notificationsAreOn: try reader.flagEdit("notifications_enabled"),
      notificationTimes: try reader.times("notification_times"),
      habits: try reader.optional("habits", Starter.words, [Starter].init(json:)) ?? [])
  }

  /// The profile's row.
  public func row(of answer: Account.ID, in state: State) -> JSON { state.profileRow(answer) }
}

extension CompleteOnboarding.Starter {
  fileprivate static let words =
    "a list of tiles (\(StarterTile.allCases.map(\.rawValue).joined(separator: ", "))), "
    + "or of {\"tile\":…,\"key\":…}"
}

extension [CompleteOnboarding.Starter] {
  fileprivate init?(json: JSON) {
    guard let elements = json.elements else { return nil }
    self = []
    for element in elements {
      guard let name = element.text ?? element["tile"]?.text,
        let tile = StarterTile(rawValue: name)
      else { return nil }
      var starter = CompleteOnboarding.Starter(tile)
      for member in element.members ?? [] where member.name != "tile" {
        guard member.name == "key", let key = member.value.text.flatMap({ Key($0) }) else {
          return nil
        }
        starter.key = key
      }
      append(starter)
    }
  }
}

extension State {
  fileprivate func identityRow(_ identity: Identity, of number: Account.ID) -> JSON {
    guard let account = accounts[number] else { return .null }
    return identityRows(account).first {
      $0["kind"]?.text == identity.kind.rawValue
        && $0["hash"]?.text == identity.hash.description
    } ?? .null
  }

  fileprivate func contactCountRow(_ number: Account.ID) -> JSON {
    guard let account = accounts[number] else { return .null }
    return ["user_id": .key(account.key), "contact_count": .number(account.contacts.count)]
  }
}

extension RequestReader {
  /// An identity: its `kind`, and its `value` or the `hash` of that.
  fileprivate mutating func identity() throws -> Identity {
    let kinds = IdentityKind.allCases.map(\.rawValue).joined(separator: ", ")
    let kind = try required("kind", "one of \(kinds)") {
      $0.text.flatMap { IdentityKind(rawValue: $0) }
    }
    let hash = try optional("hash", IdentityHash.words) { $0.text.flatMap { IdentityHash($0) } }
    let value = try optionalText("value")
    guard let value else {
      guard let hash else { throw Rejection.missingField("value") }
      return Identity(kind, hash)
    }
    guard hash == nil else {
      throw Rejection.invalidField("hash", "give the value or its hash, not both")
    }
    return Identity(kind, try self.hash(kind, value, "value"))
  }

  /// Contacts: `phones` and `hashes`.
  fileprivate mutating func contacts() throws -> [IdentityHash]? {
    let phones = try optional("phones", "a list of phone numbers") { $0.texts }
    let hashes = try optional("hashes", "a list, each of \(IdentityHash.words)") { json in
      json.texts.flatMap { texts in
        let hashes = texts.compactMap { IdentityHash($0) }
        return hashes.count == texts.count ? hashes : nil
      }
    }
    guard phones != nil || hashes != nil else { return nil }
    var all = hashes ?? []
    for (place, phone) in (phones ?? []).enumerated() {
      guard (try? IdentityKind.phone.normalised(phone)) != nil else {
        throw Rejection.invalidPhone(number: place + 1)
      }
      all.append(try hash(.phone, phone, "phones"))
    }
    return all
  }

  /// What is kept of a value. Only the border can tell: the pepper is there.
  private func hash(_ kind: IdentityKind, _ value: String, _ field: String) throws -> IdentityHash {
    let normalised = try kind.normalised(value)
    guard let hashing else { throw Rejection.pepperMissing(field) }
    return hashing(normalised)
  }
}

extension IdentityHash {
  fileprivate static let words = "64 hexadecimal digits"
}

extension JSON {
  /// The texts of a list that holds nothing else.
  fileprivate var texts: [String]? {
    guard let elements else { return nil }
    let texts = elements.compactMap(\.text)
    return texts.count == elements.count ? texts : nil
  }
}
