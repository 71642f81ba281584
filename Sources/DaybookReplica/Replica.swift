import Avro
public import Daybook
public import DaybookStore
public import Journal

/// A copy of what one account sees of a book, on a device that is not always connected (DM-9, HH-26, MO-10).
///
/// Commands are recorded at once, on this device, whether there is a network or not. They wait in a queue until a sync
/// brings them to the server, whose order is the one that counts; there they are decided again. A command that does
/// not hold there as it was meant is listed in ``conflicts``. Nothing that was recorded is lost in silence.
///
/// ```swift
/// let replica = try Replica(at: "phone.daybook")
/// try await replica.sync(over: transport)
/// try await replica.record(line: #"{"do":"log_habit","habit":"…"}"#)
/// let view = try await replica.view()
/// ```
///
/// One replica at a time may have a directory open. On iOS, keep the directory in the app's own container with the file
/// protection `completeUntilFirstUserAuthentication`, so that a sync in the background can read it; a directory that is
/// shared between an app and its extensions must not be open while the app is suspended, as its lock is held.
public actor Replica {
  /// What a change of a replica was about.
  public enum Change: Hashable, Sendable {
    /// A command was recorded here.
    case recorded(Key)
    /// A sync brought or settled something.
    case synced
  }

  /// The directory.
  public nonisolated let directory: String
  let storage: any Storage
  let clock: BookClock
  let zones: any TimeZones
  private let lock: any StorageLock
  var head: ReplicaHead
  /// The head as its file has it.
  var written: ReplicaHead?
  var mirror: Mirror?
  /// A mirror that is being filled because the scope changed.
  var next: Mirror?
  var queue: CommandQueue
  var journal: ConflictJournal
  var local: LocalState?
  var isSyncing = false
  private var listeners: [Int: AsyncStream<Change>.Continuation] = [:]
  private var listenerCount = 0

  /// Opens the replica in a directory; creates it when there is none.
  ///
  /// - Parameters:
  ///   - directory: The directory.
  ///   - account: The key of the account. The first sync of a new replica tells it if it is not given.
  ///   - storage: The disk.
  ///   - clock: The source of time and fresh keys.
  ///   - zones: The time zones.
  /// - Throws: ``ReplicaError``.
  public init(
    at directory: String, account: Key? = nil, storage: any Storage = FileStorage(),
    clock: BookClock = .system, zones: any TimeZones = SystemTimeZones.shared
  ) throws(ReplicaError) {
    self.directory = directory
    self.storage = storage
    self.clock = clock
    self.zones = zones
    lock = try Self.lock(directory, storage)
    written = try ReplicaHead.read(in: directory, storage)
    var head = written ?? ReplicaHead()
    if let account {
      guard head.account == nil || head.account == account else {
        throw .otherAccount(directory: directory, given: account.description)
      }
      head.account = account
    }
    queue = try CommandQueue(in: directory, storage)
    journal = try ConflictJournal(in: directory, storage)
    mirror = try head.current.flatMap { record throws(ReplicaError) in
      try Mirror.open(record, in: directory, storage, clock, zones)
    }
    next = try head.next.flatMap { record throws(ReplicaError) in
      try Mirror.open(record, in: directory, storage, clock, zones)
    }
    self.head = head
    local = Self.localState(head, mirror, queue.commands)
    guard written?.account != head.account else { return }
    // Whose it is must be known before anybody signs in.
    try head.write(in: directory, storage)
    written = head
  }

  private static func lock(
    _ directory: String, _ storage: any Storage
  ) throws(ReplicaError) -> any StorageLock {
    let path = directory + "/LOCK"
    let attempt: LockAttempt
    do throws(StorageError) {
      try storage.createDirectory(directory)
      attempt = try storage.lock(path)
    } catch { throw .storage(error) }
    switch attempt {
    case .taken(let lock): return lock
    case .held(let holder): throw .held(path: directory, holder: holder)
    }
  }

  // MARK: Reading

  /// The key of the account; nil before the first sync.
  public var account: Key? { head.account }

  /// The address of the server; nil when it was not given.
  public var server: String? { head.server }

  /// Keeps the address of the server.
  ///
  /// - Throws: ``ReplicaError``.
  public func connect(to server: String) throws(ReplicaError) {
    head.server = server
    try head.write(in: directory, storage)
    written = head
  }

  /// The commands that wait, as JSON text, in the order in which they were recorded.
  public var pending: [String] { queue.commands.map(\.json.encoded) }

  /// Why waiting commands would be refused as things stand, by their ids. The server decides about them.
  public var doubtful: [Key: Rejection] { local?.doubtful ?? [:] }

  /// The commands that did not hold as they were meant, and with which nobody has dealt yet; oldest first.
  public var conflicts: [Conflict] { journal.open }

  /// All commands that did not hold as they were meant, oldest first.
  public var allConflicts: [Conflict] { journal.all }

  /// The number of the account in ``view()``.
  ///
  /// - Throws: ``ReplicaError/empty``.
  public func accountNumber() throws(ReplicaError) -> Account.ID { try decided().account }

  /// What the account sees: the mirror, and the waiting commands decided on top.
  ///
  /// - Throws: ``ReplicaError/empty``.
  public func view() throws(ReplicaError) -> BookView { try decided().view(at: now) }

  /// The digest of what was pulled; equal to that of the server's book for the account once all was pulled
  /// (``SyncSource/digest(for:)``).
  ///
  /// - Throws: ``JournalError``.
  public func digest() throws -> String { try (mirror?.digest() ?? ChainDigest()).description }

  /// The lines that were pulled, without their line ends.
  ///
  /// - Throws: ``JournalError``.
  package func lines() throws -> [String] {
    var lines: [String] = []
    try mirror?.book.reader.export(as: .jsonl) { lines.append(String($0.dropLast())) }
    return lines
  }

  /// What changes from now on.
  public func changes() -> AsyncStream<Change> {
    let (stream, continuation) = AsyncStream<Change>.makeStream(
      bufferingPolicy: .bufferingNewest(64))
    listenerCount += 1
    let number = listenerCount
    listeners[number] = continuation
    continuation.onTermination = { [weak self] _ in Task { await self?.forget(number) } }
    return stream
  }

  private func forget(_ number: Int) { listeners[number] = nil }

  func notify(_ change: Change) {
    for listener in listeners.values { listener.yield(change) }
  }

  // MARK: Recording

  /// Records a command in its JSON form; it is on this device's disk when this returns.
  ///
  /// It gets an id unless it has one, a key for what it creates, and the present instant as `p_at`, `created_at` or
  /// `completed_at` if it takes one and names no other. A completion names the occurrence that is due here. A command whose id waits already, or was recorded before, is not recorded again.
  ///
  /// - Parameter line: The command, as ``Book/record(line:from:)`` takes it from an account.
  /// - Returns: The id.
  /// - Throws: ``Rejection`` when it would be refused as things stand, or ``ReplicaError``; then nothing was recorded.
  @discardableResult
  public func record(line: String) throws -> Key {
    let json = try Request.object(in: Array(line.utf8))
    try Caller.account(try accountNumber()).check(json)
    return try enqueue(json)
  }

  /// Records a command.
  ///
  /// - Returns: The id.
  /// - Throws: ``Rejection`` when it would be refused as things stand, or ``ReplicaError``; then nothing was recorded.
  @discardableResult
  public func record(_ command: some Command) throws -> Key {
    let local = try decided()
    guard let body = command as? any RequestBody,
      let json = Request(body).json(in: local.state)
    else { throw ReplicaError.onlineOnly(command: "\(type(of: command))") }
    return try enqueue(json)
  }

  private func enqueue(_ given: JSON) throws -> Key {
    var local = try decided()
    guard let mirror else { throw ReplicaError.empty }
    guard !Request.readsPast(given) else {
      throw ReplicaError.onlineOnly(command: given["do"]?.text ?? "")
    }
    let now = self.now
    let (json, id) = complete(given, at: now, in: local.state)
    do {
      guard !queue.commands.contains(where: { $0.id == id }),
        try mirror.book.entries(under: id).isEmpty
      else { return id }
    } catch let error as JournalError {
      throw ReplicaError(error, of: mirror.slot)
    }
    let meant = try local.decide(json, at: now)
    let (position, at) = mirror.book.read { ($0.position, $0.at) }
    try queue.add(
      QueuedCommand(
        id: id, at: now, base: .init(mirror: mirror.number, position: position, at: at), json: json,
        meant: meant))
    self.local = local
    notify(.recorded(id))
    return id
  }

  /// The command with everything that must be the same when it is sent again.
  private func complete(_ given: JSON, at now: Instant, in state: BookState) -> (JSON, Key) {
    var json = given
    if Request.id(of: json) == nil, let own = json["id"] {
      // The row's own id.
      json = json.removing("id").setting("key", own)
    }
    let id = Request.id(of: json) ?? clock.freshKey()
    json = json.setting("id", .string(id.description))
    let columns = Self.columns[json["do"]?.text ?? ""] ?? []
    if columns.contains("key"), (json["key"] ?? .null) == .null {
      json = json.setting("key", .string(clock.freshKey().description))
    }
    if columns.contains("created_at"), json["do"]?.text?.hasPrefix("create_") == true,
      (json["created_at"] ?? .null) == .null
    {
      json = json.setting("created_at", .string(now.description))
    }
    if json["do"]?.text == "create_hive_invite", (json["code"] ?? .null) == .null {
      // Who is given the code here must be able to use it there.
      let digits = String(clock.freshKey().low & 0xFFFF_FFFF_FFFF, radix: 16)
      let code = String(repeating: "0", count: 12 - digits.count) + digits
      json = json.setting("code", .string(code))
    }
    if columns.contains("p_at"), columns.contains("day") || columns.contains("p_day"),
      ["p_at", "day", "p_day"].allSatisfy({ (json[$0] ?? .null) == .null })
    {
      json = json.setting("p_at", .string(now.description))
    }
    if json["do"]?.text == "complete_task" {
      // The occurrence that the person sees, so that two devices complete one occurrence once.
      let task = json["task"]?.text.flatMap { Key($0) }
        .flatMap { state.tasks.number(of: $0) }.flatMap { state.tasks[$0] }
      if let due = task?.due, task?.repetition != nil, (json["due_at"] ?? .null) == .null {
        json = json.setting("due_at", .string(due.description))
      }
      if (json["completed_at"] ?? .null) == .null {
        json = json.setting("completed_at", .string(now.description))
      }
    }
    return (json, id)
  }

  /// The names of each command's columns.
  private static let columns: [String: Set<String>] = Dictionary(
    uniqueKeysWithValues: Request.columnTypes.map { type in
      (type.form.name, Set(ColumnList.columns(of: type).map(\.name)))
    })

  // MARK: Conflicts

  /// Closes a conflict: what holds is right.
  ///
  /// - Throws: ``ReplicaError/noConflict``.
  public func dismiss(_ conflict: Key) throws(ReplicaError) { try journal.close(conflict) }

  /// Records the command of a conflict again, under an id of its own, and closes the conflict.
  ///
  /// - Returns: The new id.
  /// - Throws: ``ReplicaError/noConflict``, or as ``record(line:)`` does; then the conflict stays open.
  @discardableResult
  public func retry(_ conflict: Key) throws -> Key {
    guard let found = journal.open.first(where: { $0.id == conflict }) else {
      throw ReplicaError.noConflict
    }
    // The id is derived, so that a crash between the two files does not record the command twice.
    let id = Key(derivedFrom: ["retry", conflict.description])
    let json = try JSON(parsing: Array(found.line.utf8))
    _ = try enqueue(json.setting("id", .string(id.description)))
    try journal.close(conflict)
    return id
  }

  // MARK: The local state

  /// The present instant by the server's clock, as far as it is known.
  var now: Instant {
    clock.now().advanced(byMilliseconds: head.clockOffset)
  }

  private func decided() throws(ReplicaError) -> LocalState {
    guard let local else { throw .empty }
    return local
  }

  /// Decides the waiting commands again, on top of the mirror as it is now.
  func decideAgain() { local = Self.localState(head, mirror, queue.commands) }

  private static func localState(
    _ head: ReplicaHead, _ mirror: Mirror?, _ commands: [QueuedCommand]
  ) -> LocalState? {
    guard let mirror, let account = head.account else { return nil }
    // What the mirror has already is not decided once more.
    let waiting = commands.filter { (try? mirror.book.entries(under: $0.id).isEmpty) ?? true }
    return try? LocalState(mirror.book.view(), account: account, deciding: waiting)
  }
}
