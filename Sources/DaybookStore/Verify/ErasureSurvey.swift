import Avro
import Daybook
import Journal

/// Surveys a book's erasures and their effect: who was erased when, who owned what, and what is
/// blank.
struct ErasureSurvey {
  /// What a verification must know of the rewrites.
  private(set) var rewrites: Rewrites
  /// The erasures, oldest first.
  private(set) var erasures: [FoundErasure] = []

  /// Surveys a book.
  ///
  /// - Throws: ``JournalError`` when its journal cannot be read to the end.
  init(of reader: BookReader) throws(JournalError) {
    var records = ErasureRecords()
    try reader.replay(into: &records)
    rewrites = records.rewrites
    rewrites.erased = []
    var listed: Set<Position> = []
    for name in try reader.journal.segments() {
      listed.formUnion(try reader.journal.header(of: name).erasedPositions)
    }
    guard !records.accounts.isEmpty else { return }
    var history = ErasureHistory()
    try reader.replay(into: &history)
    erasures = history.erasures
    try judge(listed, by: history, reader.journal)
  }

  /// Goes through all entries, and assigns those that are blank, or should be, to their erasures.
  private mutating func judge(
    _ listed: Set<Position>, by history: ErasureHistory, _ journal: Journal
  ) throws(JournalError) {
    let places = Dictionary(
      erasures.enumerated().map { ($0.element.entry, $0.offset) }, uniquingKeysWith: { $1 })
    var bridge = SchemaBridge()
    var aggregates = AggregateReader()
    var scanners = PersonalScanners()
    try journal.readBlocks { header, block throws(JournalError) in
      var due: [Position: Int] = [:]
      let (first, count) = (block.first, block.count)
      _ = try bridge.read(block, of: header.schemaText) { bytes throws(AvroError) in
        var position = first
        try aggregates.read(count, in: bytes) { aggregate, _, _ in
          if let entry = history.lastErasure(of: aggregate), position < entry {
            due[position] = places[entry]
          }
          position = position.next
        }
        return true
      }
      for (position, place) in due where listed.contains(position) {
        rewrites.erased?.insert(position)
        erasures[place].blank.append(position)
      }
      // An entry in an unsealed segment is blanked by the next erasure at the earliest.
      guard let last = header.seal?.last, !due.isEmpty else { return true }
      for position in try scanners.personalPositions(in: block, of: header) {
        if let place = due[position], last < erasures[place].entry {
          erasures[place].unfinished.append(position)
        }
      }
      return true
    }
    for index in erasures.indices { erasures[index].blank.sort() }
  }
}

/// The erasures of a book, with the owners of everything at the time of each.
private struct ErasureHistory: Projection {
  private(set) var erasures: [FoundErasure] = []
  /// The last erasure that blanked each account, hive or household.
  private var last: [Aggregate: Position] = [:]
  /// The state without logs, which do not matter here.
  private var state = BookState()

  mutating func apply(_ logged: HabitLogged, _ head: EntryHead) {}

  mutating func apply(_ entry: Entry) {
    if case .accountErased(let event) = entry.event { note(event, at: entry.head.position) }
    state.apply(entry)
  }

  private mutating func note(_ event: AccountErased, at number: Int64) {
    let position = Position(number)
    guard let account = state.accounts[event.account] else { return }
    erasures.append(FoundErasure(account: event.account, key: account.key, entry: position))
    last[.account(event.account)] = position
    for (index, hive) in state.hives.elements.enumerated() where hive.owner == event.account {
      if let number = Hive.ID(index + 1) { last[.hive(number)] = position }
    }
    for (index, household) in state.households.elements.enumerated()
    where state.isErased(household, with: event.account) {
      if let number = Household.ID(index + 1) { last[.household(number)] = position }
    }
  }

  /// The position of the last erasure that blanked an aggregate.
  func lastErasure(of aggregate: Aggregate) -> Position? {
    if let household = state.household(of: aggregate) { return last[.household(household)] }
    if aggregate.kind == .hive { return last[aggregate] }
    return state.owner(of: aggregate).flatMap { last[.account($0)] }
  }
}

/// The journal's own records of its rewriting.
struct ErasureRecords: Projection {
  /// The erased accounts, oldest first.
  private(set) var accounts: [Account.ID] = []
  private(set) var segments: [RewrittenSegment] = []

  mutating func apply(_ entry: Entry) {
    guard case .accountErased(let event) = entry.event else { return }
    accounts.append(event.account)
    segments += event.segments
  }

  mutating func apply(_ logged: HabitLogged, _ head: EntryHead) {}

  /// What happened to files and entries of format 1.
  var rewrites: Rewrites {
    var rewrites = Rewrites()
    for record in segments {
      for (old, new) in [
        (record.fileBefore, record.fileAfter), (record.entriesBefore, record.entriesAfter),
      ] {
        if let old = Digest(old), let new = Digest(new) { rewrites.note(old, became: new) }
      }
    }
    return rewrites
  }
}
