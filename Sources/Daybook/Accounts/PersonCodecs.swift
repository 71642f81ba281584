package import Avro

/// An identity: its `kind`, and its `value` or the `hash` of that.
package struct IdentityCodec: ColumnCodec {
  /// `kind`, `value`, `hash`.
  package var columns: [Column] {
    [
      Column("kind", IdentityKind.self, isNeeded: true),
      Column(
        "value", String?.self,
        "the phone number, e-mail address or subject; only its hash is kept; this or `hash` is "
          + "needed"
      ),
      Column("hash", IdentityHash?.self, "the hash of the value, instead of `value`"),
    ]
  }
  /// Identities of two phone numbers.
  package var examples: (Identity, Identity) {
    (Identity(.phone, IdentityHash.examples.0), Identity(.phone, IdentityHash.examples.1))
  }

  /// Reads the identity.
  ///
  /// - Throws: a rejection that names the column.
  package func read(_ reader: inout RequestReader) throws -> Identity? { try reader.identity() }

  /// Its kind and its hash: the value is not stored.
  package func members(of value: Identity, in state: BookState) -> [JSON.Member] {
    [.init("kind", value.kind.json(state)), .init("hash", value.hash.json(state))]
  }
}

/// Contacts: `phones`, `hashes`, or both.
package struct ContactsCodec: ColumnCodec {
  /// `phones`, `hashes`.
  package var columns: [Column] {
    var phones = Column(
      "phones", [String]?.self,
      "phone numbers such as +442079460958; only their hashes are kept; these or `hashes` are "
        + "needed"
    )
    phones.schema = [
      "type": ["array", "null"],
      "items": ["type": "string", "pattern": "[+][^A-Za-z]*[1-9]"],
    ]
    return [phones, Column("hashes", [IdentityHash]?.self, "hashes of phone numbers")]
  }
  /// Two lists of one contact each.
  package var examples: ([IdentityHash], [IdentityHash]) { [IdentityHash].examples }

  /// Reads the contacts.
  ///
  /// - Throws: a rejection that names the column.
  package func read(_ reader: inout RequestReader) throws -> [IdentityHash]? {
    guard let hashes = try reader.contacts() else { throw Rejection.missingField("phones") }
    return hashes
  }

  /// Their hashes.
  package func members(of value: [IdentityHash], in state: BookState) -> [JSON.Member] {
    [.init("hashes", value.json(state))]
  }
}

/// The contacts to remove: `phones`, `hashes`, or both; or `all`, which is read as nothing.
package struct ForgottenContactsCodec: ColumnCodec {
  /// `phones`, `hashes`, `all`.
  package var columns: [Column] {
    var columns = ContactsCodec().columns
    columns[0].doc =
      "phone numbers such as +442079460958; these, `hashes`, or `all` are needed"
    return columns + [Column("all", Bool?.self, usual: false, "whether to remove all contacts")]
  }
  /// Two lists of one contact each.
  package var examples: ([IdentityHash]?, [IdentityHash]?) { [IdentityHash].examples }

  /// Reads the contacts.
  ///
  /// - Throws: a rejection that names the column.
  package func read(_ reader: inout RequestReader) throws -> [IdentityHash]?? {
    let hashes = try reader.contacts()
    let all = try reader.optional("all", Bool.jsonWords) { $0.boolean } ?? false
    guard all || hashes != nil else { throw Rejection.missingField("phones") }
    return .some(all ? nil : hashes)
  }

  /// Their hashes, or the choice of all contacts.
  package func members(of value: [IdentityHash]?, in state: BookState) -> [JSON.Member] {
    value.map { [.init("hashes", $0.json(state))] } ?? [.init("all", true)]
  }
}

extension RequestReader {
  /// An identity: its `kind`, and its `value` or the `hash` of that.
  fileprivate mutating func identity() throws -> Identity {
    let kind = try required("kind", IdentityKind.jsonWords) {
      $0.text.flatMap { IdentityKind(rawValue: $0) }
    }
    let hash = try optional("hash", IdentityHash.jsonWords) { $0.text.flatMap { IdentityHash($0) } }
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
    let hashes = try optional("hashes", [IdentityHash].jsonWords) { json in
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

  /// The hash of a value. Only the adapter at the edge can compute it, because it has the pepper.
  private func hash(_ kind: IdentityKind, _ value: String, _ field: String) throws -> IdentityHash {
    let normalised = try kind.normalised(value)
    guard let hashing else { throw Rejection.pepperMissing(field) }
    return hashing(normalised)
  }
}

extension JSON {
  /// The elements of a list of texts; `nil` when any element is not a text.
  fileprivate var texts: [String]? {
    guard let elements else { return nil }
    let texts = elements.compactMap(\.text)
    return texts.count == elements.count ? texts : nil
  }
}
