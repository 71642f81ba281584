package import Avro
package import Daybook
package import Journal
import Streaks

/// A streak as a proof shows it: of which habit, by which rule, and the head that the proof leads
/// to.
package struct StreakProof: Sendable {
  /// The book's id.
  package let book: String
  /// The head of the book; everything shown is at or before it.
  package let head: Head
  /// When the last entry shown was recorded.
  package let lastAt: Instant
  /// How many entries are shown.
  package let entryCount: Int
  /// The habit as its entries make it; its personal fields are blank.
  package let view: HabitView
  /// The instant as of which the streak was asked.
  package let asOf: Instant

  /// The current streak.
  package var current: Int { view.judgement.current?.length ?? 0 }
  package var longest: Int { view.judgement.longest?.length ?? 0 }

  /// The rule in the form of a rule file, if it does not come with Daybook; a reader of the proof
  /// does not know it.
  package var ownRule: JSON? {
    guard let definition = view.rule.definition,
      !RuleFile.shipped.contains(where: { $0.id == definition.id })
    else { return nil }
    return RuleFile.json(definition)
  }

  /// The proof as JSON, for programs.
  package var json: JSON {
    [
      "proven": true, "book": .string(book), "head": .string(head.description),
      "habit": .string(view.habit.key.description),
      "rule": [
        "id": .string(view.rule.id), "version": .number(view.rule.version),
        "file": ownRule ?? .null,
      ],
      "as_of": .string(asOf.description), "on": .string(view.day.description),
      "current": .number(current),
      "current_start": view.judgement.current.map { .string($0.start.description) } ?? .null,
      "longest": .number(longest), "entries": .number(entryCount),
      "last_at": .string(lastAt.description),
    ]
  }
}

extension Rejection {
  /// The refusal to prove a streak of a book of an older format.
  static func notProvable(_ file: String, _ field: String = "habit") -> Rejection {
    .invalidField(
      field,
      "cannot be proved: \(file) is of an older format, in which no entry can be shown without all others; "
        + "`daybook export` the book and `daybook import jsonl` it into a new one, and prove it there"
    )
  }
}

extension BookReader {
  /// Makes a proof of a habit's streak, for somebody who knows nothing but a head of the book
  /// (Docs/Proofs.md).
  ///
  /// - Parameters:
  ///   - habit: The habit.
  ///   - query: The instant, day and rule.
  /// - Returns: The file, what it shows, and the segments whose indexes do not match their entries
  ///   (``remakeIndexes(of:)``).
  /// - Throws: ``Rejection`` for a habit that does not exist, a rule without a file form, or a book
  ///   of an older format; ``JournalError``.
  package func proof(
    of habit: Habit.ID, _ query: Query
  ) throws -> (file: [UInt8], shown: StreakProof, misread: [SegmentName]) {
    let definition =
      query.rule.definition ?? RuleFile.shipped.first { $0.id == query.rule.id }
    guard let definition else {
      throw Rejection.invalidField("rule", "\(query.rule.id) exists only in code, not in a file")
    }
    let book = try provableBook("habit")
    let found = try HabitEntries(of: habit, until: .last, in: self)
    let state = BookState(of: habit, ownedBy: found.owner, found.entries)
    guard let own = state.habits[habit] else { throw Rejection.habitNotFound }
    // A question without an answer is refused in the same words as elsewhere.
    _ = try state.view(of: own, query)
    let maps = try IndexedMaps(openIndexes().indexes, journal.storage)
    let proven = try journal.prove(about: [.habit(habit), .account(found.owner)], with: maps)
    guard let proven else { throw Rejection.notProvable("a segment") }
    var file = ProofFile()
    file.book = book
    file.head = proven.head.description
    file.rule = RuleFile.json(definition).encoded
    file.habit = habit.number
    file.add(proven.segments)
    do throws(ProofFlaw) {
      let (bytes, shown) = try file.finished(query, StreakRule(definition))
      return (bytes, shown, proven.misread)
    } catch {
      // Others may have recorded something since the question was asked.
      throw Rejection.invalidField("habit", "cannot be proved now: \(error.reason); ask again")
    }
  }

  /// The book's id, if its streaks can be proved.
  ///
  /// - Throws: ``Rejection`` for a field when the book has no files or is of an older format;
  ///   ``JournalError``.
  func provableBook(_ field: String) throws -> String {
    guard files != nil else {
      throw Rejection.invalidField(field, "cannot be proved: the book is not kept in files")
    }
    // Segments of older formats come before all others.
    let oldest = try journal.header(of: journal.segments()[0])
    guard oldest.format > 2 else {
      throw Rejection.notProvable(SegmentName(first: oldest.first).fileName, field)
    }
    return oldest.book
  }

  /// Checks a proof; no book is needed.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - head: The noted head that it must lead to.
  ///   - zones: The time zones, used to compute days.
  /// - Returns: What it shows.
  /// - Throws: ``ProofFlaw`` with the reason why it shows nothing.
  package static func check(
    _ bytes: [UInt8], head: Head? = nil, zones: any TimeZones = SystemTimeZones.shared
  ) throws(ProofFlaw) -> StreakProof {
    let file = try ProofFile(bytes: bytes)
    let definition: RuleDefinition
    do throws(Rejection) { definition = try RuleFile.rule(Array(file.rule.utf8)) } catch {
      throw ProofFlaw("its rule is not valid (\(error.description))")
    }
    guard RuleFile.json(definition).encoded == file.rule else {
      throw ProofFlaw("its rule is not in the form that a proof has")
    }
    guard Day.first.number...Day.last.number ~= file.on,
      Instant.first.milliseconds...Instant.last.milliseconds ~= file.asOf
    else { throw ProofFlaw("its day or its time is not valid") }
    let shown = try file.judged(
      Instant(clamping: file.asOf), on: Day(clampingNumber: Int(file.on)), StreakRule(definition),
      zones)
    try file.confirm(
      current: shown.current, longest: shown.longest, at: shown.head, expecting: head)
    return shown
  }
}

extension ProvenSubject {
  fileprivate static func habit(_ habit: Habit.ID) -> Self {
    Self(kind: EntityKind.habit.rawValue, number: habit.number)
  }

  static func account(_ account: Account.ID) -> Self {
    Self(kind: EntityKind.account.rawValue, number: account.number)
  }
}

extension ProofFile {
  /// The file completed with the question and the claims, and what it shows.
  ///
  /// - Throws: ``ProofFlaw``.
  fileprivate func finished(
    _ query: Query, _ rule: StreakRule
  ) throws(ProofFlaw) -> (file: [UInt8], shown: StreakProof) {
    var file = self
    var shown = try file.judged(query.asOf, on: query.on, rule, query.zones)
    if query.on == nil {
      // The file gives the day in question; later logs are left out.
      shown = try file.judged(query.asOf, on: shown.view.day, rule, query.zones)
    }
    file.asOf = query.asOf.milliseconds
    file.on = shown.view.day.number
    file.current = Int64(shown.current)
    file.longest = Int64(shown.longest)
    let bytes = file.bytes
    // A proof that fails its own check is not handed out.
    _ = try BookReader.check(bytes, zones: query.zones)
    return (bytes, shown)
  }
}

extension ProofFile {
  /// Follows the proof to its head, and judges the streak that it shows.
  ///
  /// - Throws: ``ProofFlaw``.
  fileprivate func judged(
    _ asOf: Instant, on day: Day?, _ rule: StreakRule, _ zones: any TimeZones
  ) throws(ProofFlaw) -> StreakProof {
    guard let habit = Habit.ID(Int(habit)) else { throw ProofFlaw("its habit has no number") }
    let segments = try provenSegments()
    var bridge = ProofBridge()
    let own = try bridge.entries(segments, of: 0)
    let account = try bridge.entries(segments, of: 1)
    guard case .habitCreated(let creation)? = own.first?.event,
      case .accountCreated? = account.first?.event,
      (own.dropFirst() + account.dropFirst()).allSatisfy({
        EntityKind.created(by: $0.event) == nil
      })
    else { throw ProofFlaw("its first entries, and no others, do not create habit and account") }
    let owner = creation.owner
    let head = try head(of: segments, about: [.habit(habit), .account(owner)])
    let entries = try bridge.inOrder(own + account)
    let lastAt = entries.last?.head.at ?? .first
    guard asOf >= lastAt else { throw ProofFlaw("its time is before its last entry") }
    let state = BookState(of: habit, ownedBy: owner, entries)
    do throws(Rejection) {
      guard let found = state.habits[habit] else { throw .habitNotFound }
      let view = try state.view(of: found, Query(asOf: asOf, on: day, rule: rule, zones: zones))
      return StreakProof(
        book: book, head: head, lastAt: lastAt, entryCount: entries.count, view: view, asOf: asOf)
    } catch {
      throw ProofFlaw("its question has no answer (\(error.description))")
    }
  }
}
