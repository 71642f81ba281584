import Avro
import Daybook
import DaybookStore
import Journal

extension Replica {
  /// The most commands in a request.
  private static let commandCount = 200
  /// About the most bytes of commands in a request.
  private static let commandByteCount = 1 << 19
  /// After how many answers with lines their end is noted on disk; a crash repeats at most these.
  private static let noteCount = 8
  /// The most times that a sync begins again because the scope changed meanwhile.
  private static let rescopeCount = 8

  /// What a sync did.
  public struct Report: Hashable, Sendable {
    /// How many entries came.
    public var pulledCount = 0
    /// Of how many commands it is known now what became of them.
    public var settledCount = 0
    /// How many conflicts were added.
    public var conflictCount = 0
    /// Whether the mirror was made anew, because the account sees other things than before.
    public var isRescoped = false
  }

  /// The progress of a sync.
  private struct Progress {
    var report = Report()
    /// The commands that were sent, so that none is sent twice in one sync.
    var sent: Set<Key> = []
    /// The commands that the server has, as it said.
    var acknowledged: Set<Key> = []
    var rescopes = 0
    var unnoted = 0
  }

  /// Sends what waits, and pulls what is new (DM-6, DM-7).
  ///
  /// It may be repeated, interrupted or cancelled at any moment: what was recorded is carried out once, and what was
  /// pulled is not pulled again.
  ///
  /// - Parameters:
  ///   - transport: The way to the server.
  ///   - acceptsOther: Whether to go on when the server's book is another one than was mirrored, or an older state of
  ///     it. The mirror is then made anew, and what waits is sent there.
  /// - Returns: What it did.
  /// - Throws: ``ReplicaError``, or `CancellationError`; what was done before that stays.
  @discardableResult
  public func sync(
    over transport: some SyncTransport, acceptingOther acceptsOther: Bool = false
  ) async throws -> Report {
    guard !isSyncing else { throw ReplicaError.syncing }
    isSyncing = true
    defer { isSyncing = false }
    var progress = Progress()
    let conflictCount = journal.all.count
    do {
      try await exchange(over: transport, acceptsOther, &progress)
    } catch {
      // What came stays, and is noted if the disk allows.
      try? finish(&progress, isComplete: false)
      throw error
    }
    do { try finish(&progress, isComplete: true) } catch let error as JournalError {
      throw ReplicaError(error, of: mirror?.slot ?? directory)
    }
    progress.report.conflictCount = journal.all.count - conflictCount
    return progress.report
  }

  private func exchange(
    over transport: some SyncTransport, _ acceptsOther: Bool, _ progress: inout Progress
  ) async throws {
    if mirror == nil, next == nil { try beginMirror() }
    while true {
      try Task.checkCancellation()
      let commands = nextCommands(besides: progress.sent)
      let body = try await transport.exchange(request(commands))
      guard let json = try? JSON(parsing: body), let answer = SyncAnswer(json: json) else {
        throw ReplicaError.unusable(reason: "it has another form")
      }
      if head.account == nil { head.account = answer.account }
      guard head.account == answer.account, answer.standing != .foreign else {
        throw ReplicaError.signedInAsOther
      }
      noteClock(answer.at)
      try note(answer, of: commands, &progress)
      switch answer.standing {
      case .continues:
        try take(answer, &progress)
        let isDrained = queue.commands.allSatisfy { progress.sent.contains($0.id) }
        if !answer.hasMore, isDrained { return }
      case .rescoped: try begin(again: &progress)
      case .diverged, .foreign:
        guard acceptsOther else { throw ReplicaError.diverged }
        try begin(again: &progress)
      }
    }
  }

  /// The commands of the next request.
  private func nextCommands(besides sent: Set<Key>) -> [QueuedCommand] {
    var (commands, byteCount) = ([QueuedCommand](), 0)
    for command in queue.commands where !sent.contains(command.id) {
      byteCount += command.json.encoded.utf8.count
      guard commands.isEmpty || byteCount <= Self.commandByteCount else { break }
      commands.append(command)
      guard commands.count < Self.commandCount else { break }
    }
    return commands
  }

  private func request(_ commands: [QueuedCommand]) -> [UInt8] {
    let (scope, cursor) =
      next.map { ($0.scope, $0.cursor) } ?? mirror.map { ($0.scope, $0.cursor) }
      ?? (nil, ChainDigest())
    let request = SyncRequest(
      account: head.account, scope: scope, cursor: cursor, last: mirror?.last ?? next?.last,
      commands: commands.map(\.json))
    return Array(request.json.encoded.utf8)
  }

  /// Notes how far the server's clock is ahead, in whole minutes: small differences are the network's.
  private func noteClock(_ at: Instant) {
    let minute: Int64 = 60_000
    head.clockOffset = (at.milliseconds - clock.now().milliseconds) / minute * minute
  }

  // MARK: Answers

  private func note(
    _ answer: SyncAnswer, of commands: [QueuedCommand], _ progress: inout Progress
  ) throws(ReplicaError) {
    guard answer.standing.takesCommands else { return }
    guard answer.outcomes.count == commands.count || answer.outcomes.last?.isUntimely == true,
      answer.outcomes.count <= commands.count
    else { throw .unusable(reason: "it does not say what became of each command") }
    var settled: Set<Key> = []
    for (command, outcome) in zip(commands, answer.outcomes) {
      switch outcome {
      case .recorded, .repeated:
        progress.sent.insert(command.id)
        progress.acknowledged.insert(command.id)
      case .unchanged:
        settled.insert(command.id)
      case .refused where outcome.isUntimely && !command.isRestamped:
        // This device's clock is ahead; the command is sent once more, with the server's time.
        try journal.add(
          Conflict(
            .restamped, of: command, at: answer.at,
            reason: "Its time was after the server's \(answer.at), so it counts as done then."))
        try queue.restamp(command.id, answer.at)
      case .refused(let code, let message):
        try journal.add(
          Conflict(.refused, of: command, at: answer.at, code: code, reason: message))
        settled.insert(command.id)
      }
    }
    try queue.settle(settled)
    progress.report.settledCount += settled.count
  }

  private func take(_ answer: SyncAnswer, _ progress: inout Progress) throws(ReplicaError) {
    if next != nil {
      try next?.take(answer)
    } else {
      try mirror?.take(answer)
    }
    progress.report.pulledCount += answer.lines.count
    progress.unnoted += answer.lines.isEmpty ? 0 : 1
    if let next, !answer.hasMore {
      // From here on the new mirror is in use.
      var head = head
      (head.current, head.next) = (next.record, nil)
      try head.write(in: directory, storage)
      (self.head, written, mirror, self.next) = (head, head, next, nil)
      progress.unnoted = 0
    } else if progress.unnoted >= Self.noteCount {
      try noteMirrors()
      progress.unnoted = 0
    }
  }

  /// Begins a mirror anew; the present one stays in use until the new one is complete.
  private func begin(again progress: inout Progress) throws(ReplicaError) {
    progress.rescopes += 1
    guard progress.rescopes <= Self.rescopeCount else {
      throw .unusable(reason: "what the account sees changes faster than it can be pulled")
    }
    progress.report.isRescoped = true
    try beginMirror()
  }

  private func beginMirror() throws(ReplicaError) {
    let slot = mirror?.slot == "mirror-a" ? "mirror-b" : "mirror-a"
    let number = max(mirror?.number ?? 0, next?.number ?? 0, head.current?.number ?? 0) + 1
    // Whoever has the book must have closed it before its files are removed.
    next = nil
    if head.next != nil {
      head.next = nil
      try head.write(in: directory, storage)
      written = head
    }
    next = try Mirror.make(slot: slot, number: number, in: directory, storage, clock, zones)
  }

  private func noteMirrors() throws(ReplicaError) {
    var head = head
    if let mirror { head.current = mirror.record }
    head.next = next?.record
    guard head != written else { return }
    try head.write(in: directory, storage)
    (self.head, written) = (head, head)
  }

  // MARK: The end

  /// Settles what the mirror shows, and decides the rest again.
  private func finish(_ progress: inout Progress, isComplete: Bool) throws {
    defer {
      decideAgain()
      notify(.synced)
    }
    var settled: Set<Key> = []
    if let mirror {
      for command in queue.commands {
        let entries = try mirror.book.entries(under: command.id)
        if entries.isEmpty {
          // What the server recorded and does not show, such as leaving a hive, is done.
          if isComplete, progress.acknowledged.contains(command.id) { settled.insert(command.id) }
        } else {
          if let conflict = try conflict(of: command, recordedAs: entries, in: mirror) {
            try journal.add(conflict)
          }
          settled.insert(command.id)
        }
      }
    }
    try queue.settle(settled)
    progress.report.settledCount += settled.count
    try noteMirrors()
  }

  /// How a command that was recorded did not hold as it was meant; nil when it did.
  private func conflict(
    of command: QueuedCommand, recordedAs entries: [Entry], in mirror: Mirror
  ) throws -> Conflict? {
    let state = mirror.book.read { $0 }
    let held = try EntryForm.forms(of: entries, in: state)
    let (at, position) = (entries[0].head.at, entries[0].head.position)
    let between = try entriesBetween(command, position, about: entries, mirror)
    guard held != command.meant || !between.isEmpty else { return nil }
    let before = try mirror.book.reader.entries(
      of: aggregates(of: entries, in: state), through: position - 1
    ).map(\.entry)
    let history = try EntryForm.forms(of: before, in: state)
    guard
      EntryForm.isSame(
        held, command.meant, of: command.json, after: history, knowing: state)
    else {
      return Conflict(
        .differs, of: command, at: at, held: held, actors: Self.actors(of: entries, in: state),
        reason: "What was recorded before it, or the day on which it came, changed what it came to."
      )
    }
    let unknown = Set(between.map(\.head.position))
    let replaced = before.indices.filter { place in
      unknown.contains(before[place].head.position)
        && held.contains { EntryForm.replaces($0, place, in: history) }
    }
    guard !replaced.isEmpty else { return nil }
    return Conflict(
      .replaced, of: command, at: at, held: replaced.map { history[$0] },
      actors: Self.actors(of: replaced.map { before[$0] }, in: state),
      reason: "It was recorded after these, which were not known here, and replaced what they set.")
  }

  private func aggregates(of entries: [Entry], in state: BookState) -> Set<Aggregate> {
    Set(entries.compactMap { state.aggregate(of: $0.event) })
  }

  /// The entries that others or other devices recorded about the same entities, after what was known when the command
  /// was recorded and before it reached the server.
  private func entriesBetween(
    _ command: QueuedCommand, _ position: Int64, about entries: [Entry], _ mirror: Mirror
  ) throws -> [Entry] {
    let isSame = command.base.mirror == mirror.number
    let first = isSame ? command.base.position : 0
    guard position - first > 1 else { return [] }
    let own = queue.settled.union(queue.commands.map(\.id))
    let aggregates = aggregates(of: entries, in: mirror.book.read { $0 })
    return try mirror.book.reader.entries(of: aggregates, after: first, through: position - 1)
      .map(\.entry)
      .filter { entry in
        (isSame || entry.head.at > command.base.at)
          && !(entry.head.key.map { own.contains($0) } ?? false)
      }
  }

  private static func actors(of entries: [Entry], in state: BookState) -> [Key] {
    Set(entries.compactMap(\.head.actor)).compactMap { state.accounts[$0]?.key }.sorted()
  }
}
