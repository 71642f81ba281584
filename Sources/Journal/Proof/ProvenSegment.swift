import Avro

/// An entity that entries are about, in the schema's terms: the name of a kind, such as
/// `habit-number`, and a number.
package struct ProvenSubject: Hashable, Sendable {
  /// The name of the kind's numbers.
  package var kind: String
  package var number: Int32

  /// Names an entity.
  package init(kind: String, number: Int32) {
    self.kind = kind
    self.number = number
  }
}

/// What a proof shows of one segment: all entries about some entities, and digests that stand for
/// everything else.
package struct ProvenSegment: Hashable, Sendable {
  /// The position of the segment's last entry.
  package var last: Position
  /// The schema of its entries, as JSON.
  package var schemaText: String
  /// The blinded digest of all of its entries.
  package var content: Digest
  /// The digests of all other kinds, in the order of their names.
  package var others: [Digest]
  /// The paths to the entities, in the order of the request.
  package var ways: [ProvenKind]

  package init(
    last: Position, schemaText: String, content: Digest, others: [Digest], ways: [ProvenKind]
  ) {
    self.last = last
    self.schemaText = schemaText
    self.content = content
    self.others = others
    self.ways = ways
  }

  /// The head after the segment, if the segment really contains what is shown of some entities.
  ///
  /// - Parameters:
  ///   - before: The head before the segment.
  ///   - subjects: The entities.
  /// - Returns: The head.
  /// - Throws: ``ProofFlaw``.
  package func head(
    after before: Head, about subjects: [ProvenSubject]
  ) throws(ProofFlaw) -> Head {
    guard last > before.position else { throw ProofFlaw("its segments are not in order") }
    guard ways.count == subjects.count else { throw ProofFlaw("a path is missing") }
    guard let scanner = (try? KnownSchemas.find(schemaText))?.aggregates else {
      throw ProofFlaw("a schema cannot be read")
    }
    var others = self.others[...]
    var digests: [Digest] = []
    for kind in scanner.kinds {
      var shown: Digest?
      for (subject, way) in zip(subjects, ways) where subject.kind == kind {
        guard let digest = way.digest(of: subject.number), shown == nil || digest == shown else {
          throw ProofFlaw("a path does not lead to \(subject.kind) \(subject.number)")
        }
        try check(way, subject, scanner, before)
        shown = digest
      }
      guard let digest = shown ?? others.popFirst() else { throw ProofFlaw("a kind is missing") }
      digests.append(digest)
    }
    guard others.isEmpty, subjects.allSatisfy({ scanner.kinds.contains($0.kind) }) else {
      throw ProofFlaw("its kinds are not those of the schema")
    }
    let entries = EntriesDigest.digest(
      of: [Digest(of: schemaText.utf8), content, ProvenKind.root(of: digests)])
    return before.advanced(to: last, entries, format: 3)
  }

  /// Checks that the entries are in the segment, in order, and about the entity.
  private func check(
    _ way: ProvenKind, _ subject: ProvenSubject, _ scanner: AggregateScanner, _ before: Head
  ) throws(ProofFlaw) {
    var latest = before.position
    for entry in way.entries {
      guard entry.position > latest, entry.position <= last else {
        throw ProofFlaw("entry \(entry.position) is not where it says that it is")
      }
      latest = entry.position
      let kind = scanner.kinds.firstIndex(of: subject.kind) ?? 0
      let found: AggregateScanner.Subject?
      do throws(AvroError) { found = try scanner.subject(of: entry.form.span.bytes) } catch {
        throw ProofFlaw("entry \(entry.position) cannot be read")
      }
      guard found == .number(kind: kind, subject.number) || found == .next(kind: kind) else {
        throw ProofFlaw("entry \(entry.position) is about something else")
      }
    }
  }
}

/// The reason why a proof is invalid, as the end of a sentence.
package struct ProofFlaw: Error, Hashable, Sendable {
  /// What is wrong.
  package var reason: String

  package init(_ reason: String) { self.reason = reason }
}
