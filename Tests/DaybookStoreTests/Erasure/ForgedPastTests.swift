import Avro
import PropertyTesting
import Testing

@testable import Daybook
@testable import DaybookStore
@testable import Journal

/// An earlier head reveals a forged past, however consistent the forgery is; an honest past passes.
@Suite(.tags(.damage)) struct ForgedPastTests {
  /// A sealed book with every event and one erased account; and heads from several positions.
  private static func world() throws -> (reader: BookReader, heads: [Head]) {
    let book = try EveryEvent.book()
    try book.seal()
    let head = try #require(try book.reader.verify().head)
    return (book.reader, [head])
  }

  @Test func `an earlier head proves every field of every event (ES-1)`() throws {
    let (reader, heads) = try Self.world()
    let forger = try Forger(reader.journal)
    #expect(try forger.book().passes(heads), "an honest copy is refused")
    let mutator = Mutator(Entry.schema)
    var seen: Set<String> = []
    var events: Set<String> = []
    let step = try scaledStep(5)
    for (index, part) in forger.parts.enumerated() {
      for (number, entry) in part.entries.enumerated() {
        for mutation in try mutator.mutations(of: entry) {
          guard seen.insert("\(mutation.path) \(mutation.replacement.count > 1)").inserted else {
            continue
          }
          if let event = mutation.path.split(separator: "/").dropFirst().first {
            events.insert(String(event.prefix { $0 != "." }))
          }
          guard seen.count % step == 0 else { continue }
          var forged = forger
          forged.parts[index].entries[number] = mutation.applied(to: entry)
          // Sealing changes no head, so most forgeries are not sealed; one that cannot be sealed is refused as well.
          let book = try? forged.book(sealing: seen.count % 16 == 0)
          let found = try? book?.journal.verify(expecting: heads)
          #expect(
            found?.isWhole != true || found?.proof != .contained,
            "\(mutation.path) of entry \(number + 1)")
        }
      }
    }
    #expect(events.isSuperset(of: EveryEvent.names), "\(Set(EveryEvent.names).subtracting(events))")
    #expect(seen.count > 300, "\(seen.count)")
  }

  @Test func `an erasure of another account hides no change`() throws {
    let reader = try Self.shared()
    let heads = [try #require(try reader.verify().head)]
    let honest = try Forger(reader.journal)
    let state = try reader.state()
    // Bee's note is changed, and an erasure of Cyd claims to have rewritten the segment.
    var forged = honest
    let place = try #require(honest.place(of: 5))
    let entry = forged.parts[place.part].entries[place.entry]
    let mutation = try #require(
      try Mutator(Entry.schema).mutations(of: entry).first {
        $0.path.hasSuffix("HabitLogged.note") && $0.replacement.count > 3
      })
    forged.parts[place.part].entries[place.entry] = mutation.applied(to: entry)
    for isOld in [false, true] {
      let now = try forged.book(inOldFormat: isOld).journal
      let before = try honest.book(inOldFormat: isOld).journal
      var listed = forged
      listed.append(
        .accountErased(
          AccountErased(
            account: Self.cyd,
            segments: try now.segments().dropLast().map { name in
              RewrittenSegment(
                first: name.first.number, fileBefore: "\(try before.fileDigest(of: name))",
                fileAfter: "\(try now.fileDigest(of: name))",
                entriesBefore: "\(try #require(reader.journal.header(of: name).seal).entries)",
                entriesAfter: "\(try #require(now.header(of: name).seal).entries)")
            })), by: Self.cyd, at: state.at)
      let book = try listed.book(inOldFormat: isOld)
      #expect(try book.verify().isWhole, "the forgery is consistent")
      #expect(!book.passes(heads), "old format: \(isOld)")
    }
  }

  @Test func `blanked words must belong to an erased account`() throws {
    let reader = try Self.shared()
    let heads = [try #require(try reader.verify().head)]
    let state = try reader.state()
    // Entry 5 is Bee's; its commitment is kept and its salt destroyed, as an erasure does.
    func blanked(erasing account: Account.ID?) throws -> BookReader {
      let journal = try Forger(reader.journal).book().journal
      var rewriter = SegmentRewriter(journal, lock: try JournalWriter.takeLock(of: journal))
      for name in try journal.segments() {
        if try rewriter.prepare(name, erasing: [Position(5)]) != nil { try rewriter.finish(name) }
      }
      var forged = try Forger(journal)
      if let account {
        forged.append(
          .accountErased(AccountErased(account: account, segments: [])), by: account, at: state.at)
      }
      return try forged.book()
    }
    for account in [nil, Self.ada, Self.cyd] {
      let found = try blanked(erasing: account).verify(expecting: heads)
      #expect(
        found.journal.damages.map(\.reason) == [
          "entry 5 is blank, but belongs to nobody who was erased"
        ], "\(String(describing: account))")
    }
    // An erasure of Bee that leaves other entries of Bee's is unfinished.
    let found = try blanked(erasing: Self.bee).verify(expecting: heads)
    #expect(found.journal.isWhole && found.journal.proofs[heads[0]] == .contained)
    #expect(found.erasures.map(\.account) == [Self.bee])
    #expect(found.erasures.first?.blank == [Position(5)])
    #expect(found.erasures.first?.unfinished.isEmpty == false)
  }

  @Test func `honest erasures, seals, backups and restored books keep every head (ES-6)`() throws {
    let storage = MemoryStorage()
    let start = try #require(Instant("2026-03-01T08:00:00Z"))
    let clock = HandClock(start)
    let book = try Self.book(on: storage, clock)
    clock.instant = start.advanced(byMilliseconds: 60_000)
    var heads: [Head] = [try #require(try book.reader.verify().head)]
    for account in [Self.cyd, Self.bee, Self.ada] {
      try book.seal()
      try book.erase(account)
      let found = try book.reader.verify(expecting: heads)
      #expect(found.journal.isWhole, "\(found.journal.damages)")
      #expect(found.journal.proofs.values.allSatisfy { $0 == .contained })
      #expect(found.erasures.last?.account == account)
      #expect(found.erasures.allSatisfy { $0.unfinished.isEmpty }, "\(found.erasures)")
      #expect(found.journal.erased == found.erasures.flatMap(\.blank).sorted())
      heads.append(try #require(found.journal.head))
      let backup = BookReader(at: "backup", storage: storage)
      try book.backup(to: "backup")
      #expect(backup.passes(heads))
    }
    // The book is restored to a time before the erasure: an account erased since is erased there, too.
    let then = start.advanced(byMilliseconds: 5000)
    try book.reader.restore(to: "then", until: then, clock: clock.bookClock)
    let restored = BookReader(at: "then", storage: storage)
    let found = try restored.verify(expecting: [heads[0]])
    #expect(found.journal.proofs[heads[0]] == .contained)
    #expect(found.journal.isWhole, "\(found.journal.damages)")
    #expect(Set(found.erasures.map(\.account)) == [Self.ada, Self.bee, Self.cyd])
    #expect(try restored.state().accounts.elements.allSatisfy(\.isErased))
  }

  // MARK: Books

  private static var ada: Account.ID { Account.ID(1) ?? .placeholder }
  private static var bee: Account.ID { Account.ID(2) ?? .placeholder }
  private static var cyd: Account.ID { Account.ID(3) ?? .placeholder }

  /// Three accounts; entries 4 and 5 are Bee's habit and its log, 6 and 7 are Ada's.
  private static func book(on storage: MemoryStorage, _ clock: HandClock) throws -> Book {
    let start = clock.instant
    try Book.create(at: "book", storage: storage, clock: clock.bookClock)
    let book = try Book(
      opening: BookReader(at: "book", storage: storage), clock: clock.bookClock, sealing: .atOnce)
    for name in ["Ada", "Bee", "Cyd"] {
      try book.record(CreateAccount(name: name, timeZone: "UTC"), at: start)
    }
    for (owner, name) in [(bee, "swim"), (ada, "read")] {
      let habit = try book.record(CreateHabit(name: name), by: owner, at: start)
      try book.record(LogHabit(habit, note: "\(name)ing was good"), by: owner, at: start)
    }
    return book
  }

  /// The same book, sealed and read-only.
  private static func shared() throws -> BookReader {
    let book = try book(
      on: MemoryStorage(), HandClock(try #require(Instant("2026-03-01T08:00:00Z"))))
    try book.seal()
    return book.reader
  }
}
