import Avro

// A credential, such as an invite's code, lets its holder in. No query shows it to anyone who is not a member now. The
// fields that hold one are marked (`FieldNote.credential`), and all views of entries respect the mark.

extension Event {
  /// The names of the fields that hold a credential, for each type of event, by its number.
  package static let credentialFields: [[String]] = types.map { type in
    func names<Record: EventRecord>(_ type: Record.Type) -> [String] {
      CredentialBlanker.blanked(type.placeholder).names
    }
    return names(type)
  }

  /// Whether one of its fields holds a credential.
  package var holdsCredential: Bool { !Self.credentialFields[content.branch].isEmpty }

  /// The event as outsiders see it, with blank credentials.
  package var withoutCredentials: Event {
    guard holdsCredential else { return self }
    let (branch, record) = content
    var bytes = BinaryWriter()
    bytes.put(Int64(branch))
    func write(_ record: some EventRecord) {
      CredentialBlanker.blanked(record).record.write(to: &bytes)
    }
    write(record)
    do throws(AvroError) { return try Event(encoded: bytes.bytes) } catch {
      preconditionFailure("an event is read as it was written: \(error)")
    }
  }
}

/// Blanks the fields of a record that hold credentials: with null if the type allows it, else with the empty text.
private struct CredentialBlanker: FieldVisitor {
  private var names: [String] = []

  static func blanked<Record: AvroRecord>(_ record: Record) -> (record: Record, names: [String]) {
    var (record, blanker) = (record, CredentialBlanker())
    record.visitFields(&blanker)
    return (record, blanker.names)
  }

  mutating func visit<Value: AvroValue>(
    _ name: StaticString, _ value: inout Value, _ notes: @autoclosure () -> [FieldNote]
  ) {
    guard notes().contains(.credential) else { return }
    guard let blank = try? Value(json: Value.takesNull ? .null : "", BookState()) else {
      preconditionFailure("\(name) holds a credential, and its type has no blank")
    }
    names.append("\(name)")
    value = blank
  }
}
