package import Avro
package import Daybook
package import Journal

/// A hive's streak as a proof shows it, and the head that the proof leads to.
package struct HiveProof: Sendable {
  /// The book's id.
  package let book: String
  /// The head of the book; everything shown is at or before it.
  package let head: Head
  /// When the last entry shown was recorded.
  package let lastAt: Instant
  /// How many entries are shown.
  package let entryCount: Int
  /// The hive as its entries make it; its personal fields are blank.
  package let hive: Hive
  /// The day in question.
  package let day: Day
  /// The instant as of which it was asked.
  package let asOf: Instant
  /// The shared streak.
  package let current: Int
  package let longest: Int

  /// The proof as JSON, for programs.
  package var json: JSON {
    [
      "proven": true, "book": .string(book), "head": .string(head.description),
      "hive": .string(hive.key.description), "as_of": .string(asOf.description),
      "on": .string(day.description), "current": .number(current), "longest": .number(longest),
      "members": .number(hive.members.count), "entries": .number(entryCount),
      "last_at": .string(lastAt.description),
    ]
  }
}

extension BookReader {
  /// Makes a proof of a hive's streak, for somebody who knows nothing but a head of the book
  /// (Docs/Proofs.md).
  ///
  /// - Parameters:
  ///   - hive: The hive.
  ///   - viewer: The member who makes the proof.
  ///   - query: The instant and day.
  /// - Returns: The file, what it shows, and the segments whose indexes do not match their entries
  ///   (``remakeIndexes(of:)``).
  /// - Throws: ``Rejection`` for a viewer who is not a member, a hive with a valid invite, or a book
  ///   of an older format; ``JournalError``.
  package func proof(
    of hive: Hive.ID, for viewer: Account.ID, _ query: Query
  ) throws -> (file: [UInt8], shown: HiveProof, misread: [SegmentName]) {
    let book = try provableBook("hive")
    let aggregate = Aggregate.hive(hive)
    let own = try AggregateEntries(of: [aggregate], in: self).lists[aggregate] ?? []
    let members = own.members
    let all = try AggregateEntries(of: [aggregate] + members.map { .account($0) }, in: self)
    var state = BookState(only: [aggregate] + members.map { .account($0) })
    for entry in all.merged(all.lists.keys) { state.apply(entry) }
    // A question without an answer is refused in the same words as elsewhere.
    let card = try state.hiveCard(hive, for: viewer, query)
    guard !card.hive.invites.contains(where: { $0.isOpen(at: query.asOf) }) else {
      throw Rejection.invalidField(
        "hive",
        "cannot be proved while it has a valid invite, because the proof would hold its code; "
          + "revoke the invite (`daybook invite CODE --revoke`), or wait until it has expired"
      )
    }
    let subjects = [ProvenSubject.hive(hive)] + members.map { .account($0) }
    let maps = try IndexedMaps(openIndexes().indexes, journal.storage)
    guard let proven = try journal.prove(about: subjects, with: maps) else {
      throw Rejection.notProvable("a segment", "hive")
    }
    var file = HiveProofFile()
    (file.book, file.head, file.hive) = (book, proven.head.description, hive.number)
    file.add(proven.segments)
    file.asOf = query.asOf.milliseconds
    // The latest day that has begun for any member, so that nothing done is left out.
    file.on = (query.on ?? state.latestDay(of: card.hive, query.asOf, query.zones)).number
    do throws(ProofFlaw) {
      let shown = try file.judged(query.zones)
      (file.current, file.longest) = (Int64(shown.current), Int64(shown.longest))
      let bytes = file.bytes
      // A proof that fails its own check is not handed out.
      _ = try BookReader.checkHive(bytes, zones: query.zones)
      return (bytes, shown, proven.misread)
    } catch {
      // Others may have recorded something since the question was asked.
      throw Rejection.invalidField("hive", "cannot be proved now: \(error.reason); ask again")
    }
  }

  /// Whether a file is a proof of a hive's streak, not of a habit's.
  package static func isHiveProof(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: HiveProofFile.firstLine)
  }

  /// Checks a proof of a hive's streak; no book is needed.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - head: The noted head that it must lead to.
  ///   - zones: The time zones, used to compute days.
  /// - Returns: What it shows.
  /// - Throws: ``ProofFlaw`` with the reason why it shows nothing.
  package static func checkHive(
    _ bytes: [UInt8], head: Head? = nil, zones: any TimeZones = SystemTimeZones.shared
  ) throws(ProofFlaw) -> HiveProof {
    let file = try HiveProofFile(bytes: bytes)
    let shown = try file.judged(zones)
    try file.confirm(
      current: shown.current, longest: shown.longest, at: shown.head, expecting: head)
    return shown
  }
}

extension ProvenSubject {
  fileprivate static func hive(_ hive: Hive.ID) -> Self {
    Self(kind: EntityKind.hive.rawValue, number: hive.number)
  }
}

extension HiveInvite {
  /// Whether somebody may still join with the invite.
  fileprivate func isOpen(at instant: Instant) -> Bool {
    !isRevoked && expires >= instant && useCount < maximumUseCount
  }
}

extension [Entry] {
  /// The accounts that joined according to a hive's entries, in the order in which each first
  /// joined.
  fileprivate var members: [Account.ID] {
    var members: [Account.ID] = []
    for entry in self {
      if case .hiveJoined(let joined) = entry.event, !members.contains(joined.member) {
        members.append(joined.member)
      }
    }
    return members
  }
}

extension BookState {
  /// The latest day that has begun for any member of a hive.
  fileprivate func latestDay(of hive: Hive, _ instant: Instant, _ zones: any TimeZones) -> Day {
    let days = hive.activeMembers.compactMap {
      accounts[$0.account]?.openDay(at: instant, in: zones)
    }
    return days.max() ?? hive.createdOn
  }
}

extension HiveProofFile {
  /// Follows the proof to its head, and judges the streak that it shows.
  ///
  /// - Throws: ``ProofFlaw``.
  fileprivate func judged(_ zones: any TimeZones) throws(ProofFlaw) -> HiveProof {
    guard let hive = Hive.ID(Int(hive)) else { throw ProofFlaw("its hive has no number") }
    guard Day.first.number...Day.last.number ~= on,
      Instant.first.milliseconds...Instant.last.milliseconds ~= asOf
    else { throw ProofFlaw("its day or its time is not valid") }
    let segments = try provenSegments()
    let entries = try entries(segments, of: hive)
    let members = entries.members
    let head = try head(of: segments, about: [.hive(hive)] + members.map { .account($0) })
    let lastAt = entries.last?.head.at ?? .first
    guard asOf >= lastAt.milliseconds else {
      throw ProofFlaw("its time is before its last entry")
    }
    var state = BookState(only: [.hive(hive)] + members.map { .account($0) })
    for entry in entries {
      if case .hiveAdvanced(let advanced) = entry.event {
        guard state.hives[hive]?.hasEnough(on: advanced.day) == true else {
          throw ProofFlaw("\(advanced.day) advances though too few members were done")
        }
      }
      state.apply(entry)
    }
    let (day, instant) = (Day(clampingNumber: Int(on)), Instant(clamping: asOf))
    guard let found = state.hives[hive], !found.activeMembers.isEmpty else {
      throw ProofFlaw("nobody is in the hive")
    }
    guard day <= state.latestDay(of: found, instant, zones) else {
      throw ProofFlaw("it asks about a future day")
    }
    let open = state.firstOpenDay(of: found, at: instant, in: zones)
    let (current, longest) = found.streaks(on: day, firstOpen: open)
    return HiveProof(
      book: book, head: head, lastAt: lastAt, entryCount: entries.count, hive: found, day: day,
      asOf: instant, current: current, longest: longest)
  }

  /// The entries about the hive and its members' accounts, oldest first.
  private func entries(
    _ segments: [ProvenSegment], of hive: Hive.ID
  ) throws(ProofFlaw) -> [Entry] {
    guard let wayCount = segments.first?.ways.count,
      segments.allSatisfy({ $0.ways.count == wayCount })
    else { throw ProofFlaw("a path is missing") }
    var bridge = ProofBridge()
    let own = try bridge.entries(segments, of: 0)
    guard case .hiveCreated? = own.first?.event, own.members.count == wayCount - 1 else {
      throw ProofFlaw("its first entry does not create the hive, or a member is missing")
    }
    var all = own
    for place in 1..<wayCount {
      let account = try bridge.entries(segments, of: place)
      guard case .accountCreated? = account.first?.event else {
        throw ProofFlaw("the first entry of a member does not create the account")
      }
      all += account
    }
    guard all.count(where: { EntityKind.created(by: $0.event) != nil }) == wayCount else {
      throw ProofFlaw("an entry creates something else")
    }
    return try bridge.inOrder(all)
  }
}
