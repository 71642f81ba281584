import Daybook
import DaybookAuth
import DaybookStore
import DaybookTables
import Logging
import ServiceLifecycle
import Synchronization
import Values

/// Tells sockets of rows that change: it follows the book, and finds for each entry who listens and may see the row then.
final class ChangeHub: Service, Sendable {
  /// How much the bindings of an account may weigh in all its channels, as so many comparisons: each change that it may see
  /// is held against them all, and others hear of theirs after that.
  static let mostWeight = 20_000

  private struct Registry {
    /// The channels that hear changes, by schema, then by account.
    var listeners: [String: [Key: [Int: ChannelListener]]] = [:]
    /// What the bindings of an account weigh together.
    var weights: [Key: Int] = [:]
    /// The channels that hear each other, by schema and topic.
    var rooms: [Room: [Int: ChannelListener]] = [:]
    var count = 0
    var nextNumber = 1
    /// Whether the book is followed, which it is only while somebody listens.
    var isFollowing = false

    mutating func join(_ listener: ChannelListener) {
      rooms[Room(schema: listener.schema, topic: listener.topic), default: [:]][listener.number] =
        listener
      count += 1
      if let account = listener.holder?.account, !listener.bindings.isEmpty {
        listeners[listener.schema, default: [:]][account, default: [:]][listener.number] = listener
        weights[account, default: 0] += listener.weight
      }
    }

    /// Whether a channel may hear as much as it wants to, besides what its account hears already.
    func hasRoom(for listener: ChannelListener) -> Bool {
      guard let account = listener.holder?.account else { return true }
      return (weights[account] ?? 0) + listener.weight <= ChangeHub.mostWeight
    }

    mutating func leave(_ listener: ChannelListener) {
      let room = Room(schema: listener.schema, topic: listener.topic)
      guard rooms[room]?.removeValue(forKey: listener.number) != nil else { return }
      count -= 1
      if rooms[room]?.isEmpty == true { rooms[room] = nil }
      guard let account = listener.holder?.account, !listener.bindings.isEmpty else { return }
      let weight = (weights[account] ?? 0) - listener.weight
      weights[account] = weight > 0 ? weight : nil
      listeners[listener.schema]?[account]?[listener.number] = nil
      if listeners[listener.schema]?[account]?.isEmpty == true {
        listeners[listener.schema]?[account] = nil
      }
    }

    /// Whether somebody hears changes.
    var isHeard: Bool { !listeners.values.allSatisfy(\.isEmpty) }

    /// Has the book be followed if somebody listens; says whether it was not until now.
    mutating func begin() -> Bool {
      guard isHeard, !isFollowing else { return false }
      isFollowing = true
      return true
    }

    /// Has the book be followed no more if nobody listens; says whether it is so.
    mutating func rest() -> Bool {
      if !isHeard { isFollowing = false }
      return !isFollowing
    }
  }

  private struct Room: Hashable {
    let schema: String
    let topic: String
  }

  private let book: Book
  private let directory: any DaybookTables.PeopleDirectory
  private let schemas: [String: TableSchema]
  private let logger: Logger
  private let registry = Mutex(Registry())
  /// The states from which on the book is to be followed: that of the moment when the first listener joins.
  private let beginnings: AsyncStream<BookState>
  private let beginning: AsyncStream<BookState>.Continuation
  /// How long changes are on their way.
  let lag: LagMeter

  init(
    _ book: Book, _ directory: any DaybookTables.PeopleDirectory, schemas: [TableSchema],
    lag: LagMeter, logger: Logger
  ) {
    self.book = book
    self.directory = directory
    self.schemas = Dictionary(schemas.map { ($0.name, $0) }) { first, _ in first }
    self.lag = lag
    self.logger = logger
    (beginnings, beginning) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// How many channels are joined.
  var channelCount: Int { registry.withLock { $0.count } }

  /// A number for a channel that joins.
  func freshNumber() -> Int {
    registry.withLock { registry in
      defer { registry.nextNumber += 1 }
      return registry.nextNumber
    }
  }

  /// The position of the book's last entry: a channel that joins now hears what comes after it.
  var position: Int64 { book.read { $0.position } }

  /// Has a channel hear what concerns it.
  ///
  /// - Returns: Whether it does: not, where its account wants to hear too much.
  func join(_ listener: ChannelListener) -> Bool {
    change { registry in
      guard registry.hasRoom(for: listener) else { return false }
      registry.join(listener)
      return true
    }
  }

  /// Has a channel hear no more.
  func leave(_ listener: ChannelListener) { registry.withLock { $0.leave(listener) } }

  /// Has a channel hear what concerns its new holder; no entry comes between.
  ///
  /// - Returns: Whether it does: otherwise it hears no more, for its new holder wants to hear too much.
  func renew(_ former: ChannelListener, as renewed: ChannelListener) -> Bool {
    change { registry in
      registry.leave(former)
      guard registry.hasRoom(for: renewed) else { return false }
      registry.join(renewed)
      return true
    }
  }

  /// Changes who listens, and has the book be followed from its present state on when nobody did before.
  private func change(_ change: (inout Registry) -> Bool) -> Bool {
    let present = book.read { $0 }
    let (isDone, begins) = registry.withLock { registry in
      (change(&registry), registry.begin())
    }
    if begins { beginning.yield(present) }
    return isDone
  }

  /// Sends a message to all others in a room.
  func broadcast(_ frame: PhoenixFrame, from sender: ChannelListener, toSelf: Bool) {
    let others = registry.withLock { registry in
      registry.rooms[Room(schema: sender.schema, topic: sender.topic)]?.values
        .filter { toSelf || $0.number != sender.number } ?? []
    }
    for listener in others { listener.socket.send(frame) }
  }

  /// Follows the book until the server stops, whenever somebody listens: to read each commit again would cost as much as
  /// to make it, and nobody would hear of it.
  func run() async throws {
    await cancelWhenGracefulShutdown { [self] in
      for await state in beginnings {
        do {
          try await follow(from: state)
        } catch {
          guard !Task.isCancelled else { return }
          logger.error("changes not told", metadata: ["reason": "\(error)"])
          letAllGo()
        }
      }
    }
  }

  /// Lets all go who hear changes, for some were not read: who joins again has the book followed anew.
  private func letAllGo() {
    let lost = registry.withLock { registry in
      registry.isFollowing = false
      return registry.listeners.values.flatMap(\.values).flatMap(\.values)
    }
    for listener in lost { listener.socket.letGo(Self.unread) }
  }

  private static let unread = "Changes could not be read: pull, then join again."

  /// Follows the book from a state on, until something is recorded while nobody listens.
  private func follow(from state: BookState) async throws {
    var past = state
    for try await entries in book.reader.tail(from: past.position + 1).batches {
      past = tell(entries, since: past)
      if registry.withLock({ $0.rest() }) { return }
    }
  }

  /// Tells of entries; returns the state that they leave.
  private func tell(_ entries: [Entry], since past: BookState) -> BookState {
    let present = book.read { $0 }
    let listeners = registry.withLock { $0.listeners }
    if listeners.values.allSatisfy(\.isEmpty) {
      // Nobody listens; what came meanwhile is of the past for whoever joins.
      return present.position >= (entries.last?.head.position ?? 0) ? present : past
    }
    var state = past
    for commit in CommitChanges.commits(among: entries, after: state.position) {
      let before = state
      var changes: [String: CommitChanges] = [:]
      for entry in commit {
        let last = state
        state.apply(entry)
        for (name, accounts) in listeners where !accounts.isEmpty {
          guard let schema = schemas[name] else { continue }
          changes[name, default: CommitChanges()].note(entry, last, state, in: schema)
        }
      }
      guard let entry = commit.last else { continue }
      for (name, accounts) in listeners {
        changes[name].map { tell($0, of: entry, before, state, to: accounts) }
      }
      lag.noteDelivered(of: entry.head.at)
    }
    // Two states that went the same way share nothing but what they began with: the book's own is kept.
    return present.position == state.position ? present : state
  }

  /// Tells of what a commit did to rows: each as it was before it and is after it, whatever was between.
  private func tell(
    _ changes: CommitChanges, of entry: Entry, _ before: BookState, _ after: BookState,
    to accounts: [Key: [Int: ChannelListener]]
  ) {
    var found: [ToldRow: (change: RowChange, channels: [ChannelListener])] = [:]
    var order: [ToldRow] = []
    for (table, touched) in changes.rows {
      for number in Set(touched.audience) {
        guard let key = (after.accounts[number] ?? before.accounts[number])?.key,
          let channels = accounts[key]?.values.filter({ channel in
            // Who joined while this entry waited to be told has read what it left.
            channel.since < entry.head.position && channel.bindings.contains { $0.wants(table) }
          }), !channels.isEmpty
        else { continue }
        // To look a row up may take a walk through the journal: it is done for those alone who want to hear of it.
        let seen: RowChange?
        do {
          seen = try RowChange(
            touched, of: table, by: entry, before, after, for: number, book.reader, directory)
        } catch {
          logger.error("a change not told", metadata: ["reason": "\(error)"])
          for channel in channels { channel.socket.letGo(Self.unread) }
          continue
        }
        guard let change = seen else { continue }
        let row = ToldRow(table: table.name, key: change.primaryKey, person: number)
        if let former = found[row] {
          // A row may have been touched by one key of its own, and by another: where it was, and where it is now.
          found[row]?.change = former.change.joined(with: change)
        } else {
          found[row] = (change, Array(channels))
          order.append(row)
        }
      }
    }
    var (written, last): ([WrittenChange], ToldRow?) = ([], nil)
    for row in order {
      if row.table != last?.table || row.key != last?.key { written = [] }
      last = row
      if let (change, channels) = found[row] { deliver(change, to: channels, &written) }
    }
  }

  private func deliver(
    _ change: RowChange, to channels: some Collection<ChannelListener>,
    _ written: inout [WrittenChange]
  ) {
    for channel in channels {
      let ids = channel.bindings.filter {
        $0.wants(change.kind, change.row, of: change.table)
      }.map(\.id)
      guard !ids.isEmpty else { continue }
      // All who see the same get the same bytes.
      let data: [UInt8]
      if let same = written.first(where: { $0.change.says(change) }) {
        data = same.data
      } else {
        data = change.encoded()
        written.append(WrittenChange(change: change, data: data))
      }
      channel.socket.send(channel, ids: ids, data)
    }
  }
}

/// A change, and how it was written.
private struct WrittenChange {
  let change: RowChange
  let data: [UInt8]
}
