import Avro
import Crypto

/// The digest of a segment's entries, taken as they come.
///
/// It is of what was recorded and not of how it is stored: sealing, which cuts blocks anew and compresses
/// them otherwise, does not change it. By format 1 it is SHA-256 of the schema's text and the entries' bytes.
///
/// By format 2 it is of their public forms: of the schema's text, of the entries' bytes with personal fields
/// blanked, and of the commitments to what was blanked. An erasure leaves all three as they were. Entries that
/// say nothing personal are digested as they stand, block by block.
struct EntriesDigest {
  /// Why the segment's entries have no public forms, if they have none.
  private(set) var flaw: String?
  private var bytes = SHA256()
  private var forms: Forms?

  /// What format 2 needs beside the bytes.
  private struct Forms {
    let first: Position
    let schema: Digest
    var commitments = SHA256()
    var salts: SaltTree
    let erased: [ErasedEntry]
    /// How many of the erased entries were passed.
    var passedCount = 0
    /// The erased entry that comes next.
    var nextErased: ErasedEntry? { passedCount < erased.count ? erased[passedCount] : nil }

    mutating func salt(of position: Position) -> Digest? {
      salts.salt(at: Int(position.number - first.number))
    }

    /// Takes the commitment to an entry; says what is wrong with it.
    mutating func commit(
      to entry: PersonalEntries.Entry, at position: Position, in bytes: RawSpan,
      _ personal: PersonalEntries
    ) -> String? {
      if nextErased?.position == position {
        return "entry \(position), which was erased, is not blank"
      }
      guard let salt = salt(of: position) else { return "entry \(position) has no salt" }
      commitments.update(position.number)
      let commitment = personal.commitment(to: entry, at: position, in: bytes, salt)
      commitments.update(commitment.bytes)
      return nil
    }

    /// Takes what stands for erased entries, which are blank; says what is wrong with them.
    mutating func passErased(before position: Position) -> String? {
      var flaw: String?
      while let erased = nextErased, erased.position < position {
        if salt(of: erased.position) != nil {
          flaw =
            flaw ?? "the salt of entry \(erased.position), which was erased, is still there"
        }
        commitments.update(erased.position.number)
        commitments.update(erased.commitment.bytes)
        passedCount += 1
      }
      return flaw
    }
  }

  /// By format 1.
  init(schemaText: String) { bytes.update(data: Array(schemaText.utf8)) }

  /// By the format of a segment, before its first entry.
  init(of header: SegmentHeader) {
    guard header.format > 1 else {
      bytes.update(data: Array(header.schemaText.utf8))
      return
    }
    let (salts, erased) = (header.salts, header.erased)
    if salts == nil { flaw = "its salts cannot be read" }
    if erased == nil { flaw = flaw ?? "what it says is erased cannot be read" }
    forms = Forms(
      first: header.first, schema: Digest(of: header.schemaText.utf8),
      salts: salts ?? .empty, erased: erased ?? [])
  }

  /// The entries that the segment says were erased.
  var erased: [ErasedEntry] { forms?.erased ?? [] }

  /// Takes the bytes of entries that say nothing personal, or of format 1.
  mutating func update(_ bytes: RawSpan) { self.bytes.update(bytes) }

  /// Takes the first entries of a block.
  ///
  /// - Parameters:
  ///   - count: How many.
  ///   - bytes: Their bytes.
  ///   - first: The first one's position.
  ///   - personal: Those of the block that are personal.
  mutating func update(
    _ count: Int, in bytes: RawSpan, from first: Position, _ personal: PersonalEntries
  ) {
    guard forms != nil else { return update(bytes) }
    var copied = 0
    for entry in personal.entries {
      guard entry.index < count else { break }
      let position = first.advanced(by: entry.index)
      note(forms?.passErased(before: position))
      note(forms?.commit(to: entry, at: position, in: bytes, personal))
      for field in personal.fields[entry.fields] {
        self.bytes.update(bytes.extracting(copied..<field.range.lowerBound))
        self.bytes.update(field.blank)
        copied = field.range.upperBound
      }
    }
    note(forms?.passErased(before: first.advanced(by: count)))
    self.bytes.update(bytes.extracting(droppingFirst: copied))
  }

  private mutating func note(_ flaw: String?) { self.flaw = self.flaw ?? flaw }

  /// Sees to it that no more entries are said to be erased than were passed.
  mutating func end() {
    guard let erased = forms?.nextErased else { return }
    note("entry \(erased.position), which was erased, is not there")
  }

  /// The digest of what came so far.
  var value: Digest {
    guard let forms else { return Digest(bytes.finalize()) }
    let parts = [forms.schema, Digest(bytes.finalize()), Digest(forms.commitments.finalize())]
    return Digest(of: parts.map(\.description).joined().utf8)
  }
}
