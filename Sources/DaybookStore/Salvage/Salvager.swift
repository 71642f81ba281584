import Avro
import Daybook
import Journal

/// Writes what is left of a book into a new one, with the entities' new numbers.
struct Salvager {
  private let salvage: JournalSalvage
  private let stretches: [LostCreations.Stretch]
  private var report: Salvage
  /// The current stretch.
  private var stretch = 0
  /// How many entities of each kind the entries so far created.
  private var created: [EntityKind: Int] = [:]
  /// How many entities of each kind the new book has.
  private var made: [EntityKind: Int] = [:]
  /// The new numbers for the old ones, where these are known.
  private var numbers: [EntityReference: Int] = [:]
  private var at = Instant.first
  private var steps = StepCounter()

  init(_ reader: BookReader, _ salvage: JournalSalvage, _ creations: LostCreations, book: String) {
    self.salvage = salvage
    stretches = creations.stretches
    report = Salvage(
      source: reader.journal.directory, sourceBook: salvage.book, book: book,
      head: Head(book: book))
    report.damages = salvage.damages
    report.torn = salvage.torn
  }

  /// Builds the new book; the last step completes it.
  mutating func run(
    to target: Journal, _ times: [Int: (after: Instant?, before: Instant?)]
  ) throws(JournalError) -> Salvage {
    var builder = try JournalBuilder(
      target, book: report.book, schemaText: BookReader.schemaText, notes: [Self.note])
    do throws(JournalError) {
      try salvage.forEachEntry { entry, isPlaced throws(JournalError) in
        try keep(entry, isPlaced, &builder)
      } loss: { index, damage throws(JournalError) in
        lose(damage, times[index])
      }
    } catch {
      builder.abandon()
      throw error
    }
    findCandidates()
    report.head = try builder.finish { head in
      report.head = head
      return [Self.note: Array(report.text.utf8)]
    }
    return report
  }

  static let note = "salvage.json"

  private mutating func lose(_ damage: Damage, _ times: (after: Instant?, before: Instant?)?) {
    report.losses.append(
      Salvage.Loss(damage: damage, after: times?.after, before: times?.before))
    if damage.maximumEntryCount != 0 { stretch += 1 }
    // It is unknown whether the next entry belongs to the command before the loss.
    steps.interrupt()
  }

  private mutating func keep(
    _ entry: Entry, _ isPlaced: Bool, _ builder: inout JournalBuilder
  ) throws(JournalError) {
    // A book's times never decrease. An entry with an earlier time than the one before it gets that
    // one's time, as it would from a writer whose clock was set back.
    if entry.head.at < at { report.movedCount += 1 }
    at = max(at, entry.head.at)
    for reference in entry.references where numbers[reference] == nil {
      try addPlaceholder(for: reference, in: entry, &builder)
      // An entry without a subject is not given to another one.
      guard numbers[reference] != nil else { return leaveOut(entry, reference) }
    }
    let numbers = numbers
    var kept = entry.renumbered { numbers[$0] ?? $0.number }
    kept.head.at = at
    kept.head.step = steps.step(of: entry.head)
    try builder.append(kept.encoded)
    report.keptCount += 1
    note(entry.head.position, isPlaced, builder.head.number)
    if let (kind, key) = EntityKind.created(by: entry.event) { create(kind, key, entry.event) }
  }

  private mutating func leaveOut(_ entry: Entry, _ reference: EntityReference) {
    if let (kind, _) = EntityKind.created(by: entry.event) { created[kind, default: 0] += 1 }
    let position = Position(entry.head.position)
    report.losses.append(
      Salvage.Loss(
        damage: Damage(
          file: salvage.losses.first?.file ?? "", offset: 0, first: position, last: position,
          reason:
            "entry \(position) names the \(reference.kind.word) \(reference.number), whose "
            + "owner is unknown"
        ),
        after: at, before: at))
  }

  private mutating func create(_ kind: EntityKind, _ key: Key, _ event: Event) {
    let before = created[kind, default: 0]
    created[kind] = before + 1
    made[kind, default: 0] += 1
    let lost = stretches[stretch]
    if let count = lost.count(of: kind) {
      let reference = EntityReference(kind: kind, number: before + count + 1)
      if numbers[reference] == nil { numbers[reference] = made[kind] }
    } else {
      report.unnumbered.append(
        Salvage.UnnumberedEntity(
          kind: kind.word, key: key, name: event.createdName ?? "",
          numbers: (
            before + lost.least[kind, default: 0] + 1,
            lost.most(of: kind).map { before + $0 + 1 }
          )))
    }
  }

  /// Makes a placeholder for an entity that an entry refers to.
  private mutating func addPlaceholder(
    for reference: EntityReference, in entry: Entry, _ builder: inout JournalBuilder
  ) throws(JournalError) {
    // Accounts come first among the references, so the actor exists by now.
    let owner = entry.references.first { $0.kind == .account }.flatMap { numbers[$0] }
      .flatMap { Account.ID($0) }
    let household = entry.references.first { $0.kind == .household }.flatMap { numbers[$0] }
      .flatMap { Household.ID($0) }
    guard
      let (event, key, name) = Placeholders.creation(
        of: reference, in: report.sourceBook ?? "", owner: owner,
        household: household, at: at)
    else { return }
    let actor = reference.kind == .account ? nil : owner
    try builder.append(
      Entry(EntryHead(position: 0, at: at, actor: actor, key: nil, step: 1), event).encoded)
    steps.interrupt()
    made[reference.kind, default: 0] += 1
    numbers[reference] = made[reference.kind]
    report.placeholders.append(
      Salvage.Placeholder(
        kind: reference.kind.word, number: reference.number, key: key, name: name))
  }

  /// Notes the new position of an entry.
  private mutating func note(_ from: Int64, _ isPlaced: Bool, _ to: Int64) {
    guard isPlaced else { return }
    if let last = report.moves.last, last.from + last.count == from, last.to + last.count == to {
      report.moves[report.moves.count - 1].count += 1
    } else {
      report.moves.append(Salvage.Move(from: from, to: to, count: 1))
    }
  }

  private mutating func findCandidates() {
    for index in report.placeholders.indices {
      let placeholder = report.placeholders[index]
      report.placeholders[index].candidates = report.unnumbered.filter { entity in
        entity.kind == placeholder.kind && entity.numbers.least <= placeholder.number
          && entity.numbers.most.map { placeholder.number <= $0 } ?? true
      }.map(\.key)
    }
  }
}
