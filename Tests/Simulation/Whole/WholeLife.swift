import Daybook
import DaybookStore
import Journal
import PropertyTesting
import SimulatedStorage

/// The whole life of a book on one simulated disk, determined by one seed: two clients, maintenance, erasures,
/// backups, tails and readers in other processes, kills and power failures, with a clock that jumps.
///
/// Another of them may act before any disk call of the first, and a third during the actions of the second. So their
/// actions are interleaved at every call to the disk, by one thread, and the same way each time.
final class WholeLife {
  enum Step: CaseIterable {
    case client, batch, importing, erase, seal, maintain, tail, backup, intrude, look
    /// Only between the others: the program ends, voluntarily or not.
    case reopen, crash
  }

  private let seed: UInt64
  private var random: SplitMix64
  private let segmentByteCount: Int
  private let clock: JumpingClock
  private let moments = ChosenMoments()
  private var storage: InterleavedStorage
  private var book: Book?
  private var clients: [Person] = []
  private var tails: [FollowingTail] = []
  private var pledge = Pledge()
  private var pledges: [(changes: Int, pledge: Pledge)] = []
  private var wordCount = 0
  private var depth = 0
  /// How many actions interrupted the present step. Each lengthens the next ones, so they are few.
  private var guestCount = 0
  /// The holder of the turn to record, to seal, or to make a backup: another one would wait.
  private var isRecording = false
  private var isMaintaining = false
  private var isCopying = false
  private var flaw: Flaw?
  /// How often each step was taken, and how often it interrupted another.
  private(set) var counts: [Step: Int] = [:]
  private(set) var nestedCount = 0

  init(seed: UInt64) {
    self.seed = seed
    random = SplitMix64(seed: seed)
    segmentByteCount = [1, Book.segmentByteCount(holding: 1500), 1 << 20][Int(random.next() % 3)]
    clock = JumpingClock(seed: seed)
    storage = Self.storage(on: SimulatedDisk())
  }

  private static func storage(on disk: SimulatedDisk) -> InterleavedStorage {
    var behaviour = SimulatedStorage.Behaviour()
    behaviour.keepsHistory = true
    return InterleavedStorage(SimulatedStorage(disk, behaviour))
  }

  /// The present disk.
  var disk: SimulatedDisk { storage.base.disk }

  // MARK: Living

  /// Runs the life; throws when a promise was broken.
  func live(steps: Int = 30) throws(Flaw) {
    try begin()
    for number in 1...steps {
      let step = nextStep(isNested: false)
      try Flaw.during("step \(number), \(step)") { () throws(Flaw) in
        let before = storage.base.changes
        guestCount = 0
        storage.meanwhile = { [unowned self] in meanwhile() }
        defer { storage.meanwhile = {} }
        try perform(step)
        if let flaw { throw flaw }
        if step == .crash { try crash(after: before) }
      }
    }
    try Flaw.during("at the end") { () throws(Flaw) in
      storage.meanwhile = {}
      for tail in tails { try tail.readAll(expecting: pledge.kept) }
      try begin()
      try checkAnswers()
    }
  }

  private func pick(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

  private func nextStep(isNested: Bool) -> Step {
    let often: [(Step, Int)] = [
      (.client, 8), (.batch, 2), (.importing, 2), (.erase, 1), (.seal, 2), (.maintain, 4),
      (.tail, 6), (.backup, 3), (.intrude, 1), (.look, 3), (.reopen, 2), (.crash, 5),
    ]
    while true {
      var place = pick(often.reduce(0) { $0 + $1.1 })
      for (step, share) in often {
        place -= share
        if place < 0 {
          if isNested, step == .reopen || step == .crash { break }
          return step
        }
      }
    }
  }

  /// The action of another before a call to the disk.
  private func meanwhile() {
    guard depth < 2, guestCount < 4, flaw == nil, pick(40) == 0 else { return }
    depth += 1
    guestCount += 1
    defer { depth -= 1 }
    let step = nextStep(isNested: true)
    nestedCount += 1
    do throws(Flaw) {
      try Flaw.during("meanwhile, \(step)") { () throws(Flaw) in try perform(step) }
    } catch { flaw = flaw ?? error }
  }

  private func perform(_ step: Step) throws(Flaw) {
    counts[step, default: 0] += 1
    switch step {
    case .client: try record(1) { try logToday(&$0) }
    case .batch:
      try record(3) { batch in
        for _ in 0..<3 { try logToday(&batch) }
      }
    case .importing: try importLogs()
    case .erase: try erase()
    case .seal: try seal()
    case .maintain: maintain()
    case .tail: try follow()
    case .backup: try backUp()
    case .intrude: try intrude()
    case .look: try look()
    case .reopen: try begin()
    // This is the interrupted step; who is killed in it, and when, is decided afterwards.
    case .crash: try perform(nextStep(isNested: true))
    }
  }

  private func note() { pledges.append((storage.base.changes, pledge)) }

  // MARK: Recording

  private var bareReader: BookReader { BookReader(at: "book", storage: storage.base) }

  /// Opens the book, and creates it when there is none; its content must be kept from then on.
  private func begin() throws(Flaw) {
    close()
    try Flaw.unlessDone("opening the book") {
      if try !bareReader.journal.exists() {
        try Flaw.require(!pledge.isMade, "the book is gone")
        try Book.create(at: "book", storage: storage, clock: clock.bookClock)
      }
      let opened = try Book(
        opening: BookReader(at: "book", storage: storage), clock: clock.bookClock,
        segmentByteCount: segmentByteCount, sealing: .inBackground,
        snapshots: SnapshotSpacing(smallestGap: 3, share: 4), maintainedOn: moments)
      let entries = try BookSession.entries(of: bareReader)
      try pledge.judge(entries)
      if let person = pledge.erasing {
        // Opening the book finishes the erasure, or it never happened.
        let isErased = opened.read { $0.accounts[person.account]?.isErased == true }
        if isErased { pledge.erased.append(person.word) }
        pledge.erasing = nil
      }
      book = opened
      keep(entries)
      try pledge.judgeWords(on: disk)
      let live = opened.read { $0.digest }
      try Flaw.require(try live == bareState().digest, "the state is not what a replay says")
    }
    if let state = book?.read({ $0 }) { clients.removeAll { !$0.isKnown(in: state) } }
    while clients.count < 2 { try join() }
  }

  /// Closes the book, which waits for its maintenance.
  private func close() {
    isMaintaining = true
    defer { isMaintaining = false }
    moments.now {}
    var closing = book
    book = nil
    withExtendedLifetime(closing) {}
    closing = nil
  }

  private func keep(_ entries: [UInt64]) {
    pledge.isMade = true
    pledge.kept = entries
    pledge.followingCount = 0
    note()
  }

  /// The state from a replay of the segments alone.
  private func bareState() throws -> BookState {
    let bare = SimulatedStorage(disk)
    for (path, _) in disk.contents
    where path.hasPrefix("book/") && (path.hasSuffix(".index") || path.contains("/snapshots/")) {
      try bare.remove(path)
    }
    return try BookReader(at: "book", storage: bare).state()
  }

  /// Creates an account.
  private func join() throws(Flaw) {
    wordCount += 1
    let word = "secret\(wordCount)of\(seed % 1000)end"
    var client: Person?
    try record(2) { batch in
      let account = try batch.record(CreateAccount(name: word, timeZone: "UTC"))
      let habit = try batch.record(CreateHabit(name: "Read \(word)"), by: account)
      client = Person(account: account, habit: habit, word: word)
    }
    if let client { clients.append(client) }
  }

  private func logToday(_ batch: inout Batch) throws {
    let client = clients[pick(clients.count)]
    let amount = Amount(pick(9) + 1) ?? .one
    try batch.record(
      LogHabit(client.habit, value: amount, note: "note of \(client.word)"), by: client.account)
  }

  /// Records at most this many entries as one commit, unless another client is recording.
  private func record(
    _ maximumCount: Int, _ body: (inout Batch) throws -> Void
  ) throws(Flaw) {
    guard !isRecording, let book else { return }
    try recording(maximumCount) { try book.transaction { try body(&$0) } }
  }

  private func recording(_ maximumCount: Int, _ body: () throws -> Void) throws(Flaw) {
    isRecording = true
    defer { isRecording = false }
    pledge.followingCount = maximumCount
    note()
    try Flaw.unlessDone("recording") {
      try body()
      let entries = try BookSession.entries(of: bareReader)
      try pledge.judge(entries)
      if let person = pledge.erasing {
        pledge.erased.append(person.word)
        pledge.erasing = nil
      }
      keep(entries)
    }
  }

  private func importLogs() throws(Flaw) {
    guard !isRecording, let book else { return }
    try recording(4) {
      try book.importing { importer in
        for _ in 0..<4 {
          let client = clients[pick(clients.count)]
          let amount = Amount(pick(9) + 1) ?? .one
          try importer.record(
            LogHabit(client.habit, value: amount, note: client.word), by: client.account)
        }
      }
    }
  }

  private func erase() throws(Flaw) {
    guard !isRecording, !isMaintaining, let book else { return }
    isMaintaining = true
    defer { isMaintaining = false }
    let person = clients.remove(at: pick(clients.count))
    pledge.erasing = person
    try recording(10) { try book.erase(person.account) }
    for tail in tails { tail.stopComparing() }
    try pledge.judgeWords(on: disk)
    try join()
  }

  // MARK: Beside recording

  private func seal() throws(Flaw) {
    guard !isRecording, !isMaintaining, let book else { return }
    (isRecording, isMaintaining) = (true, true)
    defer { (isRecording, isMaintaining) = (false, false) }
    try Flaw.unlessDone("sealing") { _ = try book.seal() }
  }

  private func maintain() {
    guard !isMaintaining else { return }
    isMaintaining = true
    defer { isMaintaining = false }
    moments.runNext()
  }

  private func follow() throws(Flaw) {
    if tails.count < 3, pick(4) == 0 {
      tails.append(
        try FollowingTail(
          Journal(directory: "book", storage: storage), from: pick(pledge.kept.count + 2)))
    }
    guard !tails.isEmpty else { return }
    try tails[pick(tails.count)].read(blocks: pick(4) + 1, expecting: pledge)
  }

  private func backUp() throws(Flaw) {
    guard !isCopying else { return }
    isCopying = true
    defer { isCopying = false }
    let erasures = pledge.erased.count
    let wasErasing = pledge.erasing != nil
    do {
      try BookReader(at: "book", storage: storage).backup(to: "copy", linking: pick(2) == 0)
    } catch {
      // An erasure rewrites the segments being copied; the backup is repeated some time later.
      let isDisturbed = wasErasing || pledge.erasing != nil || erasures != pledge.erased.count
      return try Flaw.require(isDisturbed, "a backup failed: \(error)")
    }
    let made = try Flaw.unlessDone("restoring a backup") { try Pledge.restored(on: disk) }
    // Pledges of earlier moments accept this backup, too.
    for index in pledges.indices.reversed() {
      guard pledges[index].pledge.backup == pledge.backup else { break }
      pledges[index].pledge.laterBackups.append(made)
    }
    pledge.backup = made
    pledge.laterBackups = []
    note()
  }

  /// Another program tries to record.
  private func intrude() throws(Flaw) {
    guard book != nil else { return }
    do throws(JournalError) {
      _ = try JournalWriter.takeLock(of: Journal(directory: "book", storage: storage))
    } catch {
      if case .locked = error { return }
      throw Flaw("the lock could not be asked for: \(error)")
    }
    throw Flaw("two writers were let in")
  }

  /// Another program reads.
  private func look() throws(Flaw) {
    let kept = pledge.kept.count
    let position = try Flaw.unlessDone("reading meanwhile") {
      Int(try BookReader(at: "book", storage: storage).state().position)
    }
    try Flaw.require(
      position >= kept && position <= pledge.kept.count + pledge.followingCount,
      "\(kept) entries were kept, and \(position) are read")
  }

  // MARK: Ending

  /// The program is killed after one of its last changes, or the power fails then.
  private func crash(after before: Int) throws(Flaw) {
    let history = storage.base.history
    let changes = before + pick(history.count - before)
    var disk = history[changes]
    var what = "killed after \(changes - before) changes"
    if pick(3) > 0 {
      what = "the power went after \(changes - before) changes"
      let crashState = disk.crashState(using: &random)
      disk = crashState.isCorrupted ? disk.withoutMemory : crashState.disk
    }
    pledge = pledges.last { $0.changes <= changes }?.pledge ?? pledge
    pledges = []
    moments.forget()
    book = nil
    storage = Self.storage(on: disk)
    tails = []
    try Flaw.during(what) { () throws(Flaw) in
      try pledge.judgeBackup(on: disk)
      try begin()
    }
  }

  /// Indexes and snapshots must agree with the entries, and so must a verification.
  private func checkAnswers() throws(Flaw) {
    try pledge.judgeBackup(on: disk)
    try Flaw.unlessDone("verifying") {
      let reader = BookReader(at: "book", storage: SimulatedStorage(disk))
      let verification = try reader.verify()
      try Flaw.require(verification.isWhole, "verified: \(verification.damages)")
      try Flaw.require(
        verification.entryCount == pledge.kept.count, "verified \(verification.entryCount) entries")
      let complaints = try reader.verifyDeeply()
      try Flaw.require(complaints.isEmpty, "\(complaints)")
    }
  }
}
