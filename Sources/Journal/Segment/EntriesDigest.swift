import Avro
import Crypto

/// The digest of a segment's entries, computed as they come.
///
/// It covers what was recorded, not how it is stored: sealing cuts and compresses blocks
/// differently and does not change it. In format 1 it is SHA-256 of the schema's text and the
/// entries' bytes.
///
/// In format 2 it covers their public forms: the schema's text, the entries' bytes with personal
/// fields blanked, and the commitments to what was blanked. An erasure changes none of the three.
/// Entries without personal data are digested as they are, block by block.
///
/// In format 3 the same digest is blinded, and a digest of the entries by entity accompanies it
/// (``AggregateMap``). Then all entries about one entity can be proved to somebody who sees no
/// others.
struct EntriesDigest {
  /// Why the segment's entries have no public forms; nil when they have.
  private(set) var flaw: String?
  private var bytes = SHA256()
  private var forms: Forms?
  private var map: Map?

  /// The additional state of format 2.
  private struct Forms {
    let first: Position
    let schema: Digest
    var commitments = SHA256()
    var salts: SaltTree
    let erased: [ErasedEntry]
    /// How many of the erased entries were passed.
    var passedCount = 0
    /// The next erased entry.
    var nextErased: ErasedEntry? { passedCount < erased.count ? erased[passedCount] : nil }

    mutating func salt(of position: Position) -> Digest? {
      salts.salt(at: Int(position.number - first.number))
    }

    /// Hashes the commitment to an entry, and returns it; or returns what is wrong with it.
    mutating func commit(
      to entry: PersonalEntries.Entry, at position: Position, in bytes: RawSpan,
      _ personal: PersonalEntries
    ) -> (commitment: Digest?, flaw: String?) {
      if nextErased?.position == position {
        return (nil, "entry \(position), which was erased, is not blank")
      }
      guard let salt = salt(of: position) else { return (nil, "entry \(position) has no salt") }
      commitments.update(position.number)
      let commitment = personal.commitment(to: entry, at: position, in: bytes, salt)
      commitments.update(commitment.bytes)
      return (commitment, nil)
    }

    /// Hashes the commitments to erased entries, which are blank; returns what is wrong with them.
    mutating func addErased(
      before position: Position, _ noting: (ErasedEntry) -> Void = { _ in }
    ) -> String? {
      var flaw: String?
      while let erased = nextErased, erased.position < position {
        if salt(of: erased.position) != nil {
          flaw =
            flaw ?? "the salt of entry \(erased.position), which was erased, is still there"
        }
        commitments.update(erased.position.number)
        commitments.update(erased.commitment.bytes)
        noting(erased)
        passedCount += 1
      }
      return flaw
    }
  }

  /// The additional state of format 3.
  private struct Map {
    let blind: Digest
    var tally: AggregateTally
    /// How many entities were created before the segment, where that is known.
    let before: EntityCounts?
    /// How many there were at the segment's end, according to its seal.
    let sealed: EntityCounts?

    /// How many entities were created before the segment.
    var countsBefore: EntityCounts {
      before ?? sealed.map { $0 - tally.created } ?? EntityCounts.none
    }
  }

  /// Starts a digest of format 1.
  init(schemaText: String) { bytes.update(data: Array(schemaText.utf8)) }

  /// Starts a digest in the format of a segment, before its first entry.
  ///
  /// - Parameters:
  ///   - header: The segment's header.
  ///   - before: How many entities were created before it; nil to use its seal.
  init(of header: SegmentHeader, after before: EntityCounts? = nil) {
    guard header.format > 1 else {
      bytes.update(data: Array(header.schemaText.utf8))
      return
    }
    let (salts, erased) = (header.salts, header.erased)
    if salts == nil { flaw = "its salts cannot be read" }
    if erased == nil { flaw = flaw ?? "its list of erased entries cannot be read" }
    forms = Forms(
      first: header.first, schema: Digest(of: header.schemaText.utf8),
      salts: salts ?? .empty, erased: erased ?? [])
    guard header.format > 2 else { return }
    if header.blind == nil { flaw = flaw ?? "its blind cannot be read" }
    let scanner = (try? KnownSchemas.find(header.schemaText))?.aggregates
    map = Map(
      blind: header.blind ?? Digest.none,
      tally: AggregateTally(scanner ?? AggregateScanner(.union([])), first: header.first),
      before: before, sealed: header.seal?.created)
  }

  /// How many entities of each kind there are after the entries so far.
  var created: EntityCounts { map.map { $0.countsBefore + $0.tally.created } ?? EntityCounts.none }

  /// The entries that were erased, according to the segment.
  var erased: [ErasedEntry] { forms?.erased ?? [] }

  /// Hashes the bytes of entries without personal data, or of format 1.
  mutating func update(_ bytes: RawSpan) { self.bytes.update(bytes) }

  /// Hashes the first entries of a block.
  ///
  /// - Parameters:
  ///   - count: How many entries.
  ///   - bytes: Their bytes.
  ///   - first: The first one's position.
  ///   - personal: The block's entries with personal data.
  mutating func update(
    _ count: Int, in bytes: RawSpan, from first: Position, _ personal: PersonalEntries
  ) {
    guard forms != nil else { return update(bytes) }
    if map != nil { return updateMap(count, in: bytes, from: first, personal) }
    var copied = 0
    for entry in personal.entries {
      guard entry.index < count else { break }
      let position = first.advanced(by: entry.index)
      note(forms?.addErased(before: position))
      note(forms?.commit(to: entry, at: position, in: bytes, personal).flaw)
      for field in personal.fields[entry.fields] {
        self.bytes.update(bytes.extracting(copied..<field.range.lowerBound))
        self.bytes.update(field.blank)
        copied = field.range.upperBound
      }
    }
    note(forms?.addErased(before: first.advanced(by: count)))
    self.bytes.update(bytes.extracting(droppingFirst: copied))
  }

  /// Hashes the first entries of a block of a segment that has a map.
  private mutating func updateMap(
    _ count: Int, in bytes: RawSpan, from first: Position, _ personal: PersonalEntries
  ) {
    // Taken out while it is changed, so that nothing of it is copied.
    guard var tally = map?.tally else { return }
    map?.tally = AggregateTally(tally.scanner, first: tally.first)
    let start = tally.forms.count
    var copied = 0
    // How much shorter the public forms are than the entries so far.
    var saved = 0
    var left = personal.entries[...]
    var cut = 0
    var ends: [Int] = []
    ends.reserveCapacity(count)
    for index in 0..<count {
      if let entry = left.first, entry.index == index {
        left.removeFirst()
        let position = first.advanced(by: index)
        note(forms?.addErased(before: position) { tally.note($0.commitment, at: $0.position) })
        let (commitment, flaw) =
          forms?.commit(to: entry, at: position, in: bytes, personal) ?? (nil, nil)
        note(flaw)
        if let commitment { tally.note(commitment, at: position) }
        for field in personal.fields[entry.fields] {
          tally.append(bytes.extracting(copied..<field.range.lowerBound))
          tally.append(field.blank)
          copied = field.range.upperBound
          saved += field.range.count - 1
        }
      }
      cut = personal.ends[index]
      ends.append(start + cut - saved)
    }
    note(
      forms?.addErased(before: first.advanced(by: count)) {
        tally.note($0.commitment, at: $0.position)
      })
    tally.append(bytes.extracting(copied..<cut))
    self.bytes.update(tally.forms.span.bytes.extracting(start..<tally.forms.count))
    do throws(AvroError) {
      for end in ends { try tally.endEntry(at: end) }
    } catch {
      note("its entries cannot be read (\(error))")
    }
    map?.tally = tally
  }

  private mutating func note(_ flaw: String?) { self.flaw = self.flaw ?? flaw }

  /// Checks that all entries listed as erased were passed.
  mutating func end() {
    guard let erased = forms?.nextErased else { return }
    note("entry \(erased.position), which was erased, is not there")
  }

  /// The digest so far.
  var value: Digest {
    guard let forms else { return Digest(bytes.finalize()) }
    let parts = [Digest(bytes.finalize()), Digest(forms.commitments.finalize())]
    guard let aggregates else { return Self.digest(of: [forms.schema] + parts) }
    return Self.digest(of: [forms.schema, content, aggregates.root])
  }

  /// The digest so far, and the nodes of its map; no nodes before format 3.
  func outlined(
    _ entryCapacity: Int = MapOutline.entryCapacity
  ) -> (value: Digest, outline: MapOutline?) {
    guard let forms, let map, let aggregates else { return (value, nil) }
    let outline = aggregates.outline(beside: content, entryCapacity)
    let last = Position(map.tally.first.number - 1 + Int64(map.tally.count))
    let value = outline.entries(of: forms.schema, map.tally.scanner, through: last, map.blind)
    return (value ?? self.value, outline)
  }

  /// The map of the entries so far; nil before format 3.
  var aggregates: AggregateMap? {
    map.map { AggregateMap($0.tally, blind: $0.blind, after: $0.countsBefore) }
  }

  /// The digest of the schema's text, by which a proof identifies the entries' schema.
  var schema: Digest { forms?.schema ?? Digest.none }

  /// The blinded digest of the entries themselves.
  var content: Digest {
    guard let forms, let map else { return .none }
    return Self.digest(
      of: [map.blind, Digest(bytes.finalize()), Digest(forms.commitments.finalize())])
  }

  /// The digest of digests in text form.
  static func digest(of parts: [Digest]) -> Digest {
    Digest(of: parts.map(\.description).joined().utf8)
  }
}
