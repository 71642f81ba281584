import Avro

// By a credential, such as the code of an invite, one is let in. It is shown to nobody who is not inside now, whichever
// way they ask. The fields that hold one say so themselves (`FieldNote.credential`); all views of entries follow them.

extension Event {
  /// For each type of event, by its number, the names of the fields that hold a credential.
  package static let credentialFields: [[String]] = types.map { type in
    func names<Record: EventRecord>(_ type: Record.Type) -> [String] {
      CredentialBlanker.blanked(type.placeholder).names
    }
    return names(type)
  }

  /// Whether a field of it holds a credential.
  package var holdsCredential: Bool { !Self.credentialFields[content.branch].isEmpty }

  /// The event as it is told to those who are outside: credentials are blank.
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

/// Blanks the fields of a record that hold credentials: with null where the type has it, else with the empty text.
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
